"""Pruning of nodes, by the static evaluation or a shallower search, and of moves.

The steps are those of `search`, which calls them.  Pruning may be wrong, so nodes are not pruned
in PV nodes, nor in check but by the table.  Moves are: late ones, and those that lose material.
"""

import cython
from cython.cimports.rookery_engine.core.position import (
    captured_type,
    gives_check,
    has_pieces,
    is_noisy,
)
from cython.cimports.rookery_engine.core.see import EXCHANGE_VALUES, see_ge
from cython.cimports.rookery_engine.core.types import (
    NO_MOVE,
    NO_SCORE,
    PROMOTION,
    WIN_BOUND,
    kind,
)
from cython.cimports.rookery_engine.search.movepick import Picker, next_move, start_picker
from cython.cimports.rookery_engine.search.node import Node
from cython.cimports.rookery_engine.search.quiescence import quiescence
from cython.cimports.rookery_engine.search.reductions import PARTS, reduction
from cython.cimports.rookery_engine.search.search import search
from cython.cimports.rookery_engine.search.thread import RULE50_TABLE, visit
from cython.cimports.rookery_engine.search.transposition import LOWER, UPPER, store
from cython.cimports.rookery_engine.search.weakness import overlooks

# Step 6: the lead over beta, per ply of depth, from which a node is cut off.
REVERSE_DEPTH = cython.declare(cython.int, 8)
REVERSE_MARGIN = cython.declare(cython.int, 50)
REVERSE_PV = cython.declare(cython.int, 30)  # more in a node that was in a PV
REVERSE_WORSENING = cython.declare(cython.int, 14)  # less if the opponent's last move lost
# Step 7: the deficit to alpha from which only captures are searched.
RAZOR_DEPTH = cython.declare(cython.int, 3)
RAZOR_BASE = cython.declare(cython.int, 154)
RAZOR_MARGIN = cython.declare(cython.int, 88)  # times the depth squared
# Step 8: the reduction of the search of the reply to a null move.
NULL_BASE = cython.declare(cython.int, 5)
NULL_DIVISOR = cython.declare(cython.int, 3)
NULL_STEP = cython.declare(cython.int, 91)  # one ply more for so much ahead, up to NULL_MOST
NULL_MOST = cython.declare(cython.int, 6)
NULL_STATIC = cython.declare(cython.int, 91)  # so much above beta the static evaluation must be,
NULL_STATIC_DEPTH = cython.declare(cython.int, 10)  # less this for each ply of depth
NULL_VERIFY_DEPTH = cython.declare(cython.int, 12)
# Step 10: the depth of the node, and the margin of a capture above beta.
PROB_DEPTH = cython.declare(cython.int, 5)
PROB_MARGIN = cython.declare(cython.int, 67)
PROB_IMPROVING = cython.declare(cython.int, 24)  # less if the side to move is improving
PROB_AHEAD = cython.declare(cython.int, 137)  # a ply less deep for so much above beta already
# The same of a score from the table.
PROB_KNOWN = cython.declare(cython.int, 150)
PROB_KNOWN_DEPTH = cython.declare(cython.int, 4)  # plies by which it may be shallower
# Step 12: quiet moves and captures that are skipped near the leaves.
LATE_BASE = cython.declare(cython.int, 3)
FUTILE_DEPTH = cython.declare(cython.int, 8)
FUTILE_BASE = cython.declare(cython.int, 72)
FUTILE_MARGIN = cython.declare(cython.int, 40)
FUTILE_RECORD = cython.declare(cython.int, 166)  # of history: a unit of the margin
FUTILE_NOISY_DEPTH = cython.declare(cython.int, 6)
FUTILE_NOISY_BASE = cython.declare(cython.int, 73)
FUTILE_NOISY_MARGIN = cython.declare(cython.int, 65)
FUTILE_NOISY_RECORD = cython.declare(cython.int, 418)  # of history: a unit of the margin
POOR_HISTORY = cython.declare(cython.int, -4506)
POOR_HISTORY_DEPTH = cython.declare(cython.int, 4)
PRUNE_RECORD = cython.declare(cython.int, 6788)  # of history: a ply of the depth left
LOSING_DEPTH = cython.declare(cython.int, 8)
LOSING_QUIET = cython.declare(cython.int, -27)  # times the depth squared
LOSING_NOISY = cython.declare(cython.int, -89)  # times the depth
LOSING_RECORD = cython.declare(cython.int, 291)  # of history: a centipawn of the loss


def reverse_futility(node):
    """Return a node's score if it is far ahead of beta (step 6), or NO_SCORE.

    Sound where nothing hangs, which the margin per ply allows for.
    """
    beta = node.beta
    if (
        node.depth <= REVERSE_DEPTH
        and node.evaluation
        - REVERSE_MARGIN * (node.depth - node.improving)
        - REVERSE_PV * node.in_pv
        + REVERSE_WORSENING * worsens(node)
        >= beta
        and node.evaluation < WIN_BOUND
        and beta > -WIN_BOUND
    ):
        return (node.evaluation + beta) // 2
    return NO_SCORE


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def worsens(node: cython.pointer[Node]) -> cython.bint:
    """Say whether the opponent stands worse by the evaluation than before the last move."""
    before = node.frame[-1].evaluation
    return before != NO_SCORE and node.frame.evaluation + before > 2


def razor(node):
    """Return a node's score if only captures could help and none does (step 7), or NO_SCORE."""
    alpha = node.alpha
    if (
        node.depth <= RAZOR_DEPTH
        and node.evaluation + RAZOR_BASE + RAZOR_MARGIN * node.depth * node.depth <= alpha
    ):
        score = quiescence(node.thread, alpha, alpha + 1, node.ply)
        if score <= alpha:
            return score
    return NO_SCORE


def null_move(node):
    """Let the opponent move twice (step 8); return the score if even that is not enough.

    Return NO_SCORE otherwise.
    """
    thread = node.thread
    pos = node.pos
    ply = node.ply
    depth = node.depth
    beta = node.beta
    if (
        not has_pieces(pos, pos.side)
        or beta <= -WIN_BOUND
        or node.frame[-1].move == NO_MOVE
        or node.frame.evaluation < beta + NULL_STATIC - NULL_STATIC_DEPTH * depth
    ):
        return NO_SCORE
    ahead = (node.evaluation - beta) // NULL_STEP
    ahead = NULL_MOST if ahead > NULL_MOST else ahead
    reduced = depth - NULL_BASE - depth // NULL_DIVISOR - ahead
    visit(thread, ply, NO_MOVE)
    score = -search(thread, reduced, -beta, -beta + 1, ply + 1, False)
    if thread.stopped:
        return 0
    if score < beta:
        return NO_SCORE
    if score >= WIN_BOUND:  # a mate after a null move is no proven mate
        score = beta
    if depth < NULL_VERIFY_DEPTH or thread.null_from:
        return score
    thread.null_from = ply + 3 * (reduced if reduced > 0 else 0) // 4 + 1
    verified = search(thread, reduced, beta - 1, beta, ply, False)
    thread.null_from = 0
    return score if verified >= beta or thread.stopped else NO_SCORE


def prob_cut(node):
    """Return the score of a capture that is far above beta in a shallow search (step 10).

    Return NO_SCORE if there is none.
    """
    pos = node.pos
    known = cython.address(node.known)
    beta = node.beta + PROB_MARGIN - PROB_IMPROVING * node.improving
    if (
        pos.checkers
        or node.depth < PROB_DEPTH
        or node.beta >= WIN_BOUND
        or node.beta <= -WIN_BOUND
        or (known.bound & UPPER and known.score < beta)
    ):
        return NO_SCORE
    thread = node.thread
    frame = node.frame
    ply = node.ply
    threshold = beta - frame.evaluation
    ahead = (frame.evaluation - node.beta) // PROB_AHEAD
    depth = node.depth - 4 - (0 if ahead < 0 else 3 if ahead > 3 else ahead)
    picker: Picker
    hash_move = known.move
    if hash_move and not is_noisy(pos, hash_move):
        hash_move = NO_MOVE
    start_picker(cython.address(picker), thread, ply, hash_move, True)
    limited: cython.bint = thread.weakness.limited
    while True:
        move = next_move(cython.address(picker))
        if move == NO_MOVE:
            return NO_SCORE
        if not see_ge(pos, move, threshold):
            continue
        if limited and overlooks(cython.address(thread.weakness), pos, move, frame[-1].move, ply):
            continue
        visit(thread, ply, move)
        score = -quiescence(thread, -beta, -beta + 1, ply + 1)
        if score >= beta:
            score = -search(thread, depth, -beta, -beta + 1, ply + 1, not node.cut_node)
        if thread.stopped:
            return 0
        if score >= beta:
            store(
                thread.table, pos.key, ply, move, score, node.static, depth + 1, LOWER,
                node.in_pv,
            )  # fmt: skip
            return score


def prob_cut_by_table(node):
    """Return a score above beta if the table has a far higher one (step 10), or NO_SCORE.

    That score must be of a search nearly as deep.
    """
    known = cython.address(node.known)
    if (
        known.bound & LOWER
        and known.depth >= node.depth - PROB_KNOWN_DEPTH
        and known.score >= node.beta + PROB_KNOWN
        and known.score < WIN_BOUND
        and node.beta > -WIN_BOUND
        and node.pos.rule50 < RULE50_TABLE
    ):
        return node.beta + PROB_KNOWN
    return NO_SCORE


def is_worth_trying(node, candidate, picker):
    """Say whether to search a move (step 12); make `picker` skip quiet moves that come too late.

    Moves that come late, have failed often, cannot reach alpha or lose material are skipped.
    """
    pos = node.pos
    depth = node.depth
    if not candidate.quiet:
        left = depth - reduction(depth, node.number) // PARTS
        if (
            not node.pv_node
            and left <= FUTILE_NOISY_DEPTH
            and not pos.checkers
            and kind(candidate.move) != PROMOTION
            and node.evaluation
            + FUTILE_NOISY_BASE
            + FUTILE_NOISY_MARGIN * (left if left > 0 else 0)
            + EXCHANGE_VALUES[captured_type(pos, candidate.move)]
            + candidate.record // FUTILE_NOISY_RECORD
            <= node.alpha
            and not gives_check(pos, candidate.move)
        ):
            return False
        least = LOSING_NOISY * depth - candidate.record // LOSING_RECORD
        return depth > LOSING_DEPTH or see_ge(pos, candidate.move, least)
    enough = LATE_BASE + depth * depth
    if node.number > (enough if node.improving else enough // 2):
        picker.skip_quiets = True
    left = depth - reduction(depth, node.number) // PARTS + candidate.record // PRUNE_RECORD
    if left < 0:
        left = 0
    if left <= POOR_HISTORY_DEPTH and candidate.record < POOR_HISTORY * depth:
        return False
    if (
        left <= FUTILE_DEPTH
        and not pos.checkers
        and node.evaluation + FUTILE_BASE + FUTILE_MARGIN * left + candidate.record // FUTILE_RECORD
        <= node.alpha
        and not gives_check(pos, candidate.move)
    ):
        return False
    return left > LOSING_DEPTH or see_ge(pos, candidate.move, LOSING_QUIET * left * left)
