# A position of the tree during its search.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport NO_SCORE, u16
from rookery_engine.search.history cimport corrected
from rookery_engine.search.thread cimport MAX_TRIED, Frame, Thread, last_moves, static_evaluation
from rookery_engine.search.transposition cimport Found, bound_proves

# A position that is searched: the task, what is known of it, and the results so far.
ctypedef struct Node:
    Thread* thread
    Position* pos
    Frame* frame                # of this ply: frame[-1] led here
    int ply
    int depth
    int alpha                   # raised by what is found
    int beta
    bint pv_node
    bint cut_node               # a refutation is expected here
    bint in_pv                  # this is, or once was, a PV node
    Found known                 # from the transposition table
    int least                   # bounds of the score by tablebases
    int most
    int static                  # score of the network; NO_SCORE in check
    int evaluation              # the same, corrected by history and table
    bint improving              # the mover stands better than with the move before
    bint noisy_known            # the table's move is a capture or promotion
    bint hidden                 # some moves are overlooked by a weaker player
    int number                  # of the current move; the first is 1
    int best                    # score so far
    u16 best_move               # NO_MOVE: none raised alpha
    u16[MAX_TRIED] tried        # for the histories
    int tried_count

# One of its moves, which may be the one to play.
ctypedef struct Candidate:
    u16 move
    bint quiet                  # not noisy: see position.pxd
    int record                  # history score

cdef int probe_tablebases(Node* node) noexcept nogil
cdef int finish_node(Node* node, int alpha) noexcept nogil

# Set the static evaluation, corrected by its error in similar positions and by the table; and
# set `improving`.  A node that is searched for the second time, without a move, keeps its
# corrected evaluation.
cdef inline void set_static_evaluation(Node* node) noexcept nogil:
    cdef Found* known = &node.known
    cdef Frame* frame = node.frame
    cdef int earlier, evaluation
    node.static = NO_SCORE
    node.improving = False
    if node.pos.checkers:
        node.evaluation = frame.evaluation = NO_SCORE
        return
    if not frame.excluded:
        node.static = known.evaluation if known.bound else static_evaluation(node.thread, node.ply)
        frame.evaluation = corrected(
            &node.thread.history, node.pos, last_moves(frame), node.static
        )
    evaluation = frame.evaluation
    earlier = frame[-2].evaluation
    if earlier == NO_SCORE:
        earlier = frame[-4].evaluation
    node.improving = earlier == NO_SCORE or evaluation > earlier
    if known.bound and bound_proves(known.bound, known.score, evaluation, evaluation + 1):
        evaluation = known.score
    node.evaluation = evaluation
