"""A position of the tree during its search: the `Node`.

The tablebases before its moves are searched, and histories and table afterwards.  The steps are
those of `search`, which searches the moves.
"""

import cython
from cython.cimports.rookery_engine.core.position import is_noisy
from cython.cimports.rookery_engine.core.types import (
    DRAW,
    MATE,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
    WIN_BOUND,
)
from cython.cimports.rookery_engine.search.history import update_correction
from cython.cimports.rookery_engine.search.learning import reward_previous_move, update_history
from cython.cimports.rookery_engine.search.tablebase_search import probe_in_tree
from cython.cimports.rookery_engine.search.thread import last_moves, static_evaluation
from cython.cimports.rookery_engine.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    bound_proves,
    store,
)

# Step 4: plies by which a tablebase's result is deeper than the depth that is left.
TABLE_DEPTH = cython.declare(cython.int, 6)
# Step 20: so far above beta, a refutation counts for the histories as if a ply deeper.
CLEAR_MARGIN = cython.declare(cython.int, 126)


def probe_tablebases(node):
    """Return the node's score if tablebases decide it (step 4), or NO_SCORE.

    A win is a lower bound, since a mate may be near, and a loss an upper.
    """
    pos = node.pos
    score: cython.int = 0
    bound = probe_in_tree(node.thread, node.depth, node.ply, cython.address(score))
    if bound_proves(bound, score, node.alpha, node.beta):
        static: cython.int = NO_SCORE if pos.checkers else static_evaluation(node.thread, node.ply)
        deep = node.depth + TABLE_DEPTH if node.depth + TABLE_DEPTH < MAX_PLY else MAX_PLY - 1
        store(
            node.thread.table, pos.key, node.ply, NO_MOVE, score, static, deep, bound, node.in_pv
        )  # fmt: skip
        return score
    if node.pv_node and bound == LOWER:
        node.least = score
        if score > node.alpha:
            node.alpha = score
    elif node.pv_node and bound == UPPER:
        node.most = score
    return NO_SCORE


def finish_node(node, alpha):
    """Return the score of a node after the search of its moves (steps 19 and 20).

    `alpha` is its value before any of them raised it.
    """
    thread = node.thread
    pos = node.pos
    frame = node.frame
    # Step 19. No move at all: mate or stalemate.
    if node.number == 0:
        if frame.excluded:
            return alpha
        if node.hidden:  # never in check
            return node.evaluation
        return node.ply - MATE if pos.checkers else DRAW
    best = node.best if node.best < node.most else node.most

    # Step 20. Update the histories, and store the result.  A score far above beta is hardly one.
    if best >= node.beta:
        update_history(
            thread, node.ply, node.depth + (best > node.beta + CLEAR_MARGIN), node.best_move,
            cython.address(node.tried[0]), node.tried_count,
        )  # fmt: skip
        if best < WIN_BOUND and node.beta > -WIN_BOUND:
            best = (best * node.depth + node.beta) // (node.depth + 1)
    elif node.best_move == NO_MOVE and node.ply > 1:
        reward_previous_move(thread, node.ply, node.depth)
    if frame.excluded:
        return best
    bound = LOWER if best >= node.beta else EXACT if node.alpha > alpha else UPPER
    store(
        thread.table, pos.key, node.ply, node.best_move, best, node.static, node.depth, bound,
        node.in_pv,
    )  # fmt: skip
    # A capture shows no error of the evaluation, nor does a bound on its far side.
    if (
        not pos.checkers
        and (node.best_move == NO_MOVE or not is_noisy(pos, node.best_move))
        and not (bound == LOWER and best <= frame.evaluation)
        and not (bound == UPPER and best >= frame.evaluation)
    ):
        error = best - frame.evaluation
        update_correction(cython.address(thread.history), pos, last_moves(frame), node.depth, error)
    return best
