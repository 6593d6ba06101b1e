"""Late move reductions: step 15 of `search`.

The reduction grows with the logarithms of depth and of the move's number; other properties of
node and move add or subtract parts of a ply.
"""

import cython
from cython.cimports.rookery_engine.core.types import NO_MOVE, NO_SCORE
from cython.cimports.rookery_engine.search.reductions import (
    MAX_REDUCED,
    PARTS,
    REDUCTIONS,
    reduction,
)

# Step 15: the parts of a ply that are added to a reduction or subtracted.
REDUCTION_BASE = cython.declare(cython.int, 82)  # hundredths of a ply
REDUCTION_DIVISOR = cython.declare(cython.int, 200)  # hundredths
PV_PARTS = cython.declare(cython.int, 1415)
PV_SCORE_PARTS = cython.declare(cython.int, 347)  # where the table expects more than alpha
PV_DEPTH_PARTS = cython.declare(cython.int, 269)  # where its score is of this depth
DELTA_PARTS = cython.declare(cython.int, 352)  # for a window as wide as the root's
CUT_PARTS = cython.declare(cython.int, 1585)
WORSE_PARTS = cython.declare(cython.int, 960)
CHECK_PARTS = cython.declare(cython.int, 807)
NOISY_PARTS = cython.declare(cython.int, 823)
NOISY_KNOWN_PARTS = cython.declare(cython.int, 801)
KILLER_PARTS = cython.declare(cython.int, 1089)
CUTOFFS_PARTS = cython.declare(cython.int, 1016)  # after many refutations among the replies
MANY_CUTOFFS = cython.declare(cython.int, 3)
UNKNOWN_PARTS = cython.declare(cython.int, 562)  # in a cut node without a move from the table
ERROR_PART = cython.declare(cython.int, 14)  # for each unit of the evaluation's correction
HISTORY_PLY = cython.declare(cython.int, 10341)  # of history
NOISY_HISTORY_PLY = cython.declare(cython.int, 14393)  # of captures


def reduced_plies(node, candidate):
    """Return the reduction in plies of a move that has been made; below 0 it is an extension."""
    frame = node.frame
    move = candidate.move
    parts = reduction(node.depth, node.number)
    if node.in_pv:
        parts -= PV_PARTS
        if node.known.bound:
            if node.known.score > node.alpha:
                parts -= PV_SCORE_PARTS
            if node.known.depth >= node.depth:
                parts -= PV_DEPTH_PARTS
        if node.pv_node:
            parts -= DELTA_PARTS * (node.beta - node.alpha) // node.thread.window
    if node.cut_node:
        parts += CUT_PARTS
        if node.known.move == NO_MOVE:
            parts += UNKNOWN_PARTS
    if not node.improving:
        parts += WORSE_PARTS
    if node.pos[1].checkers:
        parts -= CHECK_PARTS
    if not candidate.quiet:
        parts -= NOISY_PARTS
    elif node.noisy_known:
        parts += NOISY_KNOWN_PARTS
    if move == frame.killers[0] or move == frame.killers[1]:
        parts -= KILLER_PARTS
    if frame[1].cutoffs > MANY_CUTOFFS:
        parts += CUTOFFS_PARTS
    if node.static != NO_SCORE:
        error = frame.evaluation - node.static
        parts -= ERROR_PART * (error if error > 0 else -error)
    parts -= candidate.record * PARTS // (HISTORY_PLY if candidate.quiet else NOISY_HISTORY_PLY)
    return parts // PARTS


def _fill_reductions():
    from math import log

    base, divisor = REDUCTION_BASE / 100.0, REDUCTION_DIVISOR / 100.0
    for depth in range(1, MAX_REDUCED):
        for number in range(1, MAX_REDUCED):
            REDUCTIONS[depth][number] = int(PARTS * (base + log(depth) * log(number) / divisor))


_fill_reductions()
