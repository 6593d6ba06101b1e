"""The search: principal variation search with what makes it go deep.

`search` reads from top to bottom as numbered steps, which continue in `search_moves` and
`search_move`; where its depth ends, `quiescence` takes over.  The static evaluation and the
end of a node are in `node`; `pruning` and `reductions` have what is skipped or searched less
deep.  All state is in the `Thread` (see thread.py); threads share the table and the
`Signals`, so several may search one position at once.  Scores are fail-soft: outside the
window they are still bounds.

Each technique has its page in the chess programming wiki.  Numbers without a source of their own
are what tuning made of them (README), in units of the score (wdl.py), plies or units of
`history.HIGHEST`.
"""

import cython
from cython.cimports.rookery_engine.core.position import (
    SIDE_KEY,
    find_attacks,
    has_pieces,
    is_noisy,
)
from cython.cimports.rookery_engine.core.types import (
    DRAW,
    INFINITE,
    MATE,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
    WIN_BOUND,
)
from cython.cimports.rookery_engine.search.forced_scores import forced_score
from cython.cimports.rookery_engine.search.history import bonus_for
from cython.cimports.rookery_engine.search.learning import (
    blame_early_move,
    reward_change,
    reward_known_move,
    reward_reply,
)
from cython.cimports.rookery_engine.search.movepick import Picker, next_move, start_picker
from cython.cimports.rookery_engine.search.node import (
    Candidate,
    Node,
    finish_node,
    probe_tablebases,
    set_static_evaluation,
)
from cython.cimports.rookery_engine.search.pruning import (
    is_worth_trying,
    null_move,
    prob_cut,
    prob_cut_by_table,
    razor,
    reverse_futility,
)
from cython.cimports.rookery_engine.search.quiescence import quiescence
from cython.cimports.rookery_engine.search.reductions import reduced_plies
from cython.cimports.rookery_engine.search.thread import (
    BEFORE,
    MAX_TRIED,
    RULE50_TABLE,
    is_draw,
    move_history,
    probe_transposition,
    static_evaluation,
    update_pv,
    visit,
)
from cython.cimports.rookery_engine.search.transposition import (
    LOWER,
    bound_proves,
    prefetch_bucket,
)
from cython.cimports.rookery_engine.search.weakness import overlooks

# Step 3: up to this depth, a result of the table ends only nodes that were expected to end so.
KNOWN_DOUBT_DEPTH = cython.declare(cython.int, 1)
# Step 5: a move that was reduced by so many plies is searched deeper again if it has lost nothing
# by the evaluation, and still less deep if it has lost so much.
HINDSIGHT_DEEPER = cython.declare(cython.int, 3)
HINDSIGHT_LESS = cython.declare(cython.int, 2)
HINDSIGHT_LOSS = cython.declare(cython.int, 73)
# Step 9: the depth from which a node without a move from the table is reduced.
REDUCE_UNKNOWN_DEPTH = cython.declare(cython.int, 4)
# Step 13: the margin by which all other moves must be worse for an extension.
SINGULAR_DEPTH = cython.declare(cython.int, 6)
SINGULAR_MARGIN = cython.declare(cython.int, 16)  # sixteenths, times the depth
SINGULAR_PV = cython.declare(cython.int, 7)  # more in a node that was in a PV
SINGULAR_DOUBLE = cython.declare(cython.int, 11)
SINGULAR_DOUBLE_PV = cython.declare(cython.int, 34)  # more in a PV node
SINGULAR_TRIPLE = cython.declare(cython.int, 61)
MOST_DOUBLES = cython.declare(cython.int, 12)  # double extensions in a line
# Step 15: the margins for a deeper or less deep search again after a reduced one.
DEEPER_MARGIN = cython.declare(cython.int, 36)
SHALLOWER_MARGIN = cython.declare(cython.int, 6)
AGAIN_WEIGHT = cython.declare(cython.int, 51)  # in 128ths, of what the history learns from it
# Step 18: the depths at which, once a move has raised alpha, others are searched a ply less deep.
RAISED_FROM = cython.declare(cython.int, 3)
RAISED_TO = cython.declare(cython.int, 12)


def search(thread, depth, alpha, beta, ply, cut_node):
    """Return the score of the position at `ply`, searched `depth` plies deep.

    `cut_node`: a refutation is expected here, so late moves matter less.
    """
    # Step 1. Leaves: go on with captures until the position is quiet.
    if depth <= 0:
        return quiescence(thread, alpha, beta, ply)
    thread.pv_length[ply] = 0
    if thread.stopped:
        return 0

    # Step 2. Draws; scores forced by the GUI; and mate distance pruning: if even mate in
    # one is too late, or being mated now is not bad enough, no move can matter.
    if is_draw(thread, ply):
        return DRAW
    pos = cython.address(thread.positions[ply])
    score: cython.int = 0
    if thread.forced_scores.count and forced_score(
        thread.forced_scores, pos.key, pos.side, cython.address(score)
    ):
        return score
    if ply >= MAX_PLY - 1:
        return DRAW if pos.checkers else static_evaluation(thread, ply)
    if alpha < ply - MATE:
        alpha = ply - MATE
    if beta > MATE - ply - 1:
        beta = MATE - ply - 1
    if alpha >= beta:
        return alpha

    # Step 3. Transposition table: a result of this depth or deeper is used; not in PV
    # nodes, where the variation must be complete.
    stack: Node
    node = cython.address(stack)
    known = cython.address(node.known)
    frame = cython.address(thread.frames[ply + BEFORE])
    excluded: cython.bint = frame.excluded != NO_MOVE
    pv_node: cython.bint = beta - alpha > 1
    probe_transposition(thread, ply, known)
    if (
        not pv_node
        and not excluded
        and known.depth >= depth
        and (depth > KNOWN_DOUBT_DEPTH or cut_node == (known.score >= beta))
        and pos.rule50 < RULE50_TABLE
        and bound_proves(known.bound, known.score, alpha, beta)
    ):
        if known.score >= beta and known.move != NO_MOVE:
            reward_known_move(thread, ply, known.move, depth)
            blame_early_move(thread, ply, depth)
        return known.score
    node.thread = thread
    node.pos = pos
    node.frame = frame
    node.ply = ply
    node.depth = depth
    node.alpha = alpha
    node.beta = beta
    node.pv_node = pv_node
    node.cut_node = cut_node
    node.in_pv = pv_node or known.in_pv
    frame[1].cutoffs = 0
    frame.doubles = frame[-1].doubles

    # Step 4. Tablebases: if they have the position, the search can find no other
    # result.
    node.least = -INFINITE
    node.most = INFINITE
    if thread.signals.probing.men and not pos.rule50 and not excluded:
        score = probe_tablebases(node)
        if score != NO_SCORE:
            return score

    # Step 5. Static evaluation, and if the side to move is improving: it stands better than
    # it did a move ago.  Meanwhile the table's memory of the null move (step 8) is fetched.
    # What the evaluation says of the move that led here counts for its history and its depth.
    prefetch_bucket(thread.table, pos.key ^ SIDE_KEY)
    set_static_evaluation(node)
    judge_previous_move(node)

    if not pv_node and not pos.checkers and not excluded:
        # Step 6. Reverse futility: so far ahead that a shallow search will not change it.
        score = reverse_futility(node)
        if score != NO_SCORE:
            return score

        # Step 7. Razoring: so far behind that only captures can help.
        score = razor(node)
        if score != NO_SCORE:
            return score

        # Step 8. Null move: if even passing keeps us above beta, a move will.
        # Not sound in zugzwang, so only with pieces, and deep down it is verified.
        if cut_node and node.evaluation >= beta and ply >= thread.null_from:
            score = null_move(node)
            if score != NO_SCORE:
                return score

    # Step 9. Internal iterative reduction: without a move from the table this
    # node is costly, and the next iteration will have one.
    if node.depth >= REDUCE_UNKNOWN_DEPTH and known.move == NO_MOVE and (pv_node or cut_node):
        node.depth -= 1

    # Step 10. ProbCut: if a capture is far above beta even in a shallower search, the
    # full search will hardly find otherwise.  From here on, a side above beta is improving.
    if not pos.checkers and node.evaluation >= beta:
        node.improving = True
    if not pv_node and not excluded:
        score = prob_cut(node)
        if score != NO_SCORE:
            return score
        # So it is if the table has such a score of a search that was not much shallower.
        score = prob_cut_by_table(node)
        if score != NO_SCORE:
            return score
    return search_moves(node)


# Functions that only this module calls have their signatures here: one in the header would export
# them, and the C compiler would not inline them, which costs 0.8 % of all instructions.


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def judge_previous_move(node: cython.pointer[Node]) -> cython.void:
    """Judge the move that led here by what it changed of the evaluation (step 5)."""
    frame = node.frame
    reduced = frame[-1].reduction
    frame[-1].reduction = frame.reduction = 0
    if frame.excluded or frame.evaluation == NO_SCORE or frame[-1].evaluation == NO_SCORE:
        return
    loss = frame.evaluation + frame[-1].evaluation
    if node.ply > 1:
        reward_change(node.thread, node.ply, -loss)
    if reduced >= HINDSIGHT_DEEPER and loss <= 0:
        node.depth += 1
    elif reduced >= HINDSIGHT_LESS and loss > HINDSIGHT_LOSS and node.depth >= 2:
        node.depth -= 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_moves(node: cython.pointer[Node]) -> cython.int:
    """Return the score of a node by a search of its moves."""
    thread = node.thread
    pos = node.pos
    frame = node.frame
    # Step 11. The moves, the most promising first.
    picker: Picker
    candidate: Candidate
    history = cython.address(thread.history)
    find_attacks(pos, pos.side ^ 1, cython.address(frame.threats[0]))
    start_picker(cython.address(picker), thread, node.ply, node.known.move, False)
    frame[2].killers[0] = frame[2].killers[1] = NO_MOVE
    limited: cython.bint = thread.weakness.limited
    excluded = frame.excluded
    old_alpha = node.alpha
    node.noisy_known = node.known.move != NO_MOVE and is_noisy(pos, node.known.move)
    node.hidden = False
    node.best = node.least
    node.best_move = NO_MOVE
    node.number = 0
    node.tried_count = 0
    while True:
        move = next_move(cython.address(picker))
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        if limited and overlooks(
            cython.address(thread.weakness), pos, move, frame[-1].move, node.ply
        ):  # fmt: skip
            node.hidden = True
            continue
        node.number += 1
        candidate.move = move
        candidate.quiet = not is_noisy(pos, move)
        candidate.record = move_history(history, frame, pos, move, candidate.quiet)

        # Step 12. Pruning near the leaves: moves that come late, cannot reach
        # alpha, have failed often, or lose material.  Never before there is a move
        # that does not get mated.
        if (
            node.best > -WIN_BOUND
            and has_pieces(pos, pos.side)
            and not is_worth_trying(node, cython.address(candidate), cython.address(picker))
        ):
            continue

        # Step 13. Singular extension: a move that is better than all others by
        # far is searched deeper; if others reach beta too, the node is cut off.
        extension: cython.int = 0
        if move == node.known.move and node.depth >= SINGULAR_DEPTH and not excluded:
            score = singular_extension(node, cython.address(extension))
            if score != NO_SCORE:
                return score

        score = search_move(node, cython.address(candidate), node.depth - 1 + extension)
        if thread.stopped:
            return 0

        # Step 18. A better move, after which others need less depth; or one so good that the
        # opponent avoids this.
        if score > node.best:
            node.best = score
            if score > node.alpha:
                node.best_move = move
                if node.pv_node:
                    update_pv(thread, node.ply, move)
                if score >= node.beta:
                    frame.cutoffs += 1
                    break
                node.alpha = score
                if RAISED_FROM <= node.depth <= RAISED_TO:
                    node.depth -= 1

    # Steps 19 and 20. Mate and stalemate; histories and the table.
    return finish_node(node, old_alpha)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_move(
    node: cython.pointer[Node], candidate: cython.pointer[Candidate], deeper: cython.int
) -> cython.int:
    """Return the score of a move, searched so many plies deep after it."""
    thread = node.thread
    ply = node.ply
    alpha = node.alpha
    move = candidate.move
    pv_node = node.pv_node
    score: cython.int = 0
    # Step 14. Make the move.
    if node.tried_count < MAX_TRIED:
        node.tried[node.tried_count] = move
        node.tried_count += 1
    node.frame.number = node.number
    visit(thread, ply, move)

    # Step 15. Late move reductions: search late moves less deep, with a
    # null window, and again at full depth if they turn out to be good.
    searched: cython.bint = False
    again: cython.bint = False
    if node.depth >= 2 and node.number > 1 + pv_node and (candidate.quiet or node.number > 3):
        less = max(-1, reduced_plies(node, candidate))  # -1: a ply deeper than others
        if less > deeper - 1:
            less = deeper - 1 if deeper > 1 else 0
        reduced = deeper - less
        node.frame.reduction = less
        score = -search(thread, reduced, -alpha - 1, -alpha, ply + 1, True)
        node.frame.reduction = 0
        searched = score <= alpha or less <= 0
        if not searched:  # the better it looks, the deeper it is searched again
            if score > node.best + DEEPER_MARGIN:
                deeper += 1
            elif score < node.best + SHALLOWER_MARGIN:
                deeper -= 1
            searched = deeper <= reduced
            again = not searched

    # Step 16. Null window at full depth: prove that the move is no better.
    if not searched and (not pv_node or node.number > 1):
        score = -search(thread, deeper, -alpha - 1, -alpha, ply + 1, not node.cut_node)
        if again and candidate.quiet and not thread.stopped:
            bonus = AGAIN_WEIGHT * bonus_for(deeper) // 128
            reward_reply(thread, ply, move, bonus if score > alpha else -bonus)

    # Step 17. Full window: the first move of a PV node, and those better.
    if pv_node and (node.number == 1 or score > alpha):
        score = -search(thread, deeper, -node.beta, -alpha, ply + 1, False)
    return score


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def singular_extension(node: cython.pointer[Node], extension: cython.p_int) -> cython.int:
    """Set the extension of the table's move, which may be the only good one (step 13).

    Return NO_SCORE, or the score of a node where others are good enough too.
    """
    known = cython.address(node.known)
    if (
        known.depth < node.depth - 3
        or not known.bound & LOWER
        or known.score >= WIN_BOUND
        or known.score <= -WIN_BOUND
    ):
        return NO_SCORE
    thread = node.thread
    margin = SINGULAR_MARGIN + SINGULAR_PV * (node.in_pv and not node.pv_node)
    target = known.score - margin * node.depth // 16
    node.frame.excluded = known.move
    score = search(thread, (node.depth - 1) // 2, target - 1, target, node.ply, node.cut_node)
    node.frame.excluded = NO_MOVE
    if thread.stopped:
        return 0
    if score < target:
        extension[0] = 1
        less = SINGULAR_DOUBLE + SINGULAR_DOUBLE_PV * node.pv_node
        if score < target - less and node.frame.doubles < MOST_DOUBLES:
            extension[0] = 2
            if score < target - SINGULAR_TRIPLE and not node.noisy_known and not node.pv_node:
                extension[0] = 3
            node.frame.doubles += 1
    elif target >= node.beta:
        return target
    elif known.score >= node.beta:
        extension[0] = -2 + node.pv_node
    elif node.cut_node:
        extension[0] = -1
    return NO_SCORE
