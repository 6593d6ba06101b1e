"""What need not be searched: nodes and moves of which the static evaluation says enough.

The steps are those of `search`, which asks.  All this is only likely, so it is not done in
PV nodes or in check, except with moves that come late.
"""

import cython
from cython.cimports.rookery_engine.core.position import gives_check
from cython.cimports.rookery_engine.core.see import see_ge
from cython.cimports.rookery_engine.core.types import NO_SCORE, WIN_BOUND
from cython.cimports.rookery_engine.search.quiescence import quiescence
from cython.cimports.rookery_engine.search.reductions import PARTS, reduction

# Step 6: what a side may be ahead by, per ply of depth, to be let off.
REVERSE_DEPTH = cython.declare(cython.int, 8)
REVERSE_MARGIN = cython.declare(cython.int, 60)
# Step 7: what a side may be behind by, per ply, to be given only captures.
RAZOR_DEPTH = cython.declare(cython.int, 3)
RAZOR_MARGIN = cython.declare(cython.int, 280)
# Step 12: quiet moves and captures that are not worth trying near the leaves.
LATE_BASE = cython.declare(cython.int, 3)
FUTILE_DEPTH = cython.declare(cython.int, 8)
FUTILE_BASE = cython.declare(cython.int, 100)
FUTILE_MARGIN = cython.declare(cython.int, 90)
POOR_HISTORY = cython.declare(cython.int, -3500)
POOR_HISTORY_DEPTH = cython.declare(cython.int, 4)
LOSING_DEPTH = cython.declare(cython.int, 8)
LOSING_QUIET = cython.declare(cython.int, -25)  # times the depth squared
LOSING_NOISY = cython.declare(cython.int, -90)  # times the depth


def reverse_futility(node):
    """Return a node's score if it is far ahead of beta (step 6), or NO_SCORE.

    Sound where nothing hangs, which the margin per ply allows for.
    """
    beta = node.beta
    if (
        node.depth <= REVERSE_DEPTH
        and node.evaluation - REVERSE_MARGIN * (node.depth - node.improving) >= beta
        and node.evaluation < WIN_BOUND
        and beta > -WIN_BOUND
    ):
        return (node.evaluation + beta) // 2
    return NO_SCORE


def razor(node):
    """Return a node's score if only captures could help and none does (step 7), or NO_SCORE."""
    alpha = node.alpha
    if node.depth <= RAZOR_DEPTH and node.evaluation + RAZOR_MARGIN * node.depth <= alpha:
        score = quiescence(node.thread, alpha, alpha + 1, node.ply)
        if score <= alpha:
            return score
    return NO_SCORE


def is_worth_trying(node, candidate, picker):
    """Say whether to try a move (step 12), and tell `picker` if no later quiet one is worth it.

    Not so if it comes late, has failed often, cannot reach alpha or loses material.
    """
    pos = node.pos
    depth = node.depth
    if not candidate.quiet:
        return depth > LOSING_DEPTH or see_ge(pos, candidate.move, LOSING_NOISY * depth)
    enough = LATE_BASE + depth * depth
    if node.number > (enough if node.improving else enough // 2):
        picker.skip_quiets = True
    left = depth - reduction(depth, node.number) // PARTS
    if left < 0:
        left = 0
    if left <= POOR_HISTORY_DEPTH and candidate.record < POOR_HISTORY * depth:
        return False
    if (
        left <= FUTILE_DEPTH
        and not pos.checkers
        and node.evaluation + FUTILE_BASE + FUTILE_MARGIN * left <= node.alpha
        and not gives_check(pos, candidate.move)
    ):
        return False
    return left > LOSING_DEPTH or see_ge(pos, candidate.move, LOSING_QUIET * left * left)
