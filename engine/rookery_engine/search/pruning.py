"""Pruning of nodes and moves by the static evaluation.

The steps are those of `search`, which calls them.  Pruning may be wrong, so it is not done in
PV nodes or in check, except with late moves.
"""

import cython
from cython.cimports.rookery_engine.core.position import captured_type, gives_check
from cython.cimports.rookery_engine.core.see import EXCHANGE_VALUES, see_ge
from cython.cimports.rookery_engine.core.types import NO_SCORE, PROMOTION, WIN_BOUND, kind
from cython.cimports.rookery_engine.search.node import Node
from cython.cimports.rookery_engine.search.quiescence import quiescence
from cython.cimports.rookery_engine.search.reductions import PARTS, reduction
from cython.cimports.rookery_engine.search.thread import RULE50_TABLE
from cython.cimports.rookery_engine.search.transposition import LOWER

# Step 6: the lead over beta, per ply of depth, from which a node is cut off.
REVERSE_DEPTH = cython.declare(cython.int, 8)
REVERSE_MARGIN = cython.declare(cython.int, 53)
REVERSE_PV = cython.declare(cython.int, 24)  # more in a node that was in a PV
REVERSE_WORSENING = cython.declare(cython.int, 11)  # less if the opponent's last move lost
# Step 7: the deficit to alpha from which only captures are searched.
RAZOR_DEPTH = cython.declare(cython.int, 3)
RAZOR_BASE = cython.declare(cython.int, 163)
RAZOR_MARGIN = cython.declare(cython.int, 85)  # times the depth squared
# Step 10: the margin above beta of a score from the table.
PROB_KNOWN = cython.declare(cython.int, 146)
PROB_KNOWN_DEPTH = cython.declare(cython.int, 4)  # plies by which it may be shallower
# Step 12: quiet moves and captures that are skipped near the leaves.
LATE_BASE = cython.declare(cython.int, 3)
FUTILE_DEPTH = cython.declare(cython.int, 8)
FUTILE_BASE = cython.declare(cython.int, 79)
FUTILE_MARGIN = cython.declare(cython.int, 50)
FUTILE_RECORD = cython.declare(cython.int, 175)  # of history: a unit of the margin
FUTILE_NOISY_DEPTH = cython.declare(cython.int, 6)
FUTILE_NOISY_BASE = cython.declare(cython.int, 82)
FUTILE_NOISY_MARGIN = cython.declare(cython.int, 65)
FUTILE_NOISY_RECORD = cython.declare(cython.int, 429)  # of history: a unit of the margin
POOR_HISTORY = cython.declare(cython.int, -4368)
POOR_HISTORY_DEPTH = cython.declare(cython.int, 4)
PRUNE_RECORD = cython.declare(cython.int, 6328)  # of history: a ply of the depth left
LOSING_DEPTH = cython.declare(cython.int, 8)
LOSING_QUIET = cython.declare(cython.int, -28)  # times the depth squared
LOSING_NOISY = cython.declare(cython.int, -90)  # times the depth
LOSING_RECORD = cython.declare(cython.int, 305)  # of history: a centipawn of the loss


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
