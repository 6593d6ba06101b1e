# One position of the tree while the search is at it.

from rookery_engine.search.history cimport corrected
from rookery_engine.core.position cimport Position
from rookery_engine.search.transposition cimport Found, bound_proves
from rookery_engine.search.thread cimport MAX_TRIED, Frame, Thread, static_evaluation
from rookery_engine.core.types cimport NO_SCORE, u16

# A position that is searched: what was asked, what is known of it, what came out so far.
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
    Found known                 # what the table has of it
    int least                   # bounds of the score that tablebases know
    int most
    int static                  # what the network says; NO_SCORE in check
    int evaluation              # the same, corrected by history and table
    bint improving              # the mover stands better than with the move before
    bint noisy_known            # the table's move is a capture or promotion
    bint hidden                 # there are moves that a weaker player overlooks
    int number                  # of the move that is looked at; the first is 1
    int best                    # score so far
    u16 best_move               # NO_MOVE: none raised alpha
    u16[MAX_TRIED] tried        # what the history learns from
    int tried_count

# One of its moves, which may be the one to play.
ctypedef struct Candidate:
    u16 move
    bint quiet                  # not noisy: see position.pxd
    int record                  # what the history says of a quiet move

cdef int probe_tablebases(Node* node) noexcept nogil
cdef int finish_node(Node* node, int alpha) noexcept nogil

# Set the static evaluation, made better by what it was wrong by in like positions and by the
# table where it can; and whether the side to move is improving.  A node that is searched for the
# second time, without a move, keeps what it was corrected to.
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
        frame.evaluation = corrected(&node.thread.history, node.pos, node.static)
    evaluation = frame.evaluation
    earlier = frame[-2].evaluation
    if earlier == NO_SCORE:
        earlier = frame[-4].evaluation
    node.improving = earlier == NO_SCORE or evaluation > earlier
    if known.bound and bound_proves(known.bound, known.score, evaluation, evaluation + 1):
        evaluation = known.score
    node.evaluation = evaluation
