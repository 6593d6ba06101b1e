"""The search: principal variation search with what makes it go deep.

`search` reads from top to bottom as numbered steps; where its depth ends, `quiescence`
goes on.  Everything they need is in the `Thread` (see thread.py); threads share the table
and the `Signals`, so several may search one position at once.  Scores are fail-soft:
outside the window they are still bounds.

Each technique has its page in the chess programming wiki.  Numbers without a
source of their own are usual in engines of this size, in units of the score (wdl.py),
plies or units of `history.HIGHEST`; the README says which were measured.
"""

import cython
from cython.cimports.rookery_engine.endgame import ask
from cython.cimports.rookery_engine.history import corrected, learn_error
from cython.cimports.rookery_engine.movepick import Picker, begin, next_move
from cython.cimports.rookery_engine.position import (
    attacked_by,
    gives_check,
    has_pieces,
    is_noisy,
)
from cython.cimports.rookery_engine.quiescence import quiescence
from cython.cimports.rookery_engine.see import wins_at_least
from cython.cimports.rookery_engine.sight import liked, overlooks
from cython.cimports.rookery_engine.table import (
    EXACT,
    LOWER,
    UPPER,
    Found,
    bound_proves,
    probe,
    store,
)
from cython.cimports.rookery_engine.thread import (
    BEFORE,
    MAX_TRIED,
    announce,
    credit_refusal,
    is_draw,
    judge,
    keep_pv,
    learn,
    quiet_history,
    visit,
)
from cython.cimports.rookery_engine.types import (
    DRAW,
    INFINITE,
    MATE,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
    WIN_BOUND,
    u16,
)
from cython.cimports.rookery_engine.values import given

# Step 4: plies of depth that asking a tablebase is worth more than what is left.
TABLE_DEPTH = cython.declare(cython.int, 6)
# Step 6: what a side may be ahead by, per ply of depth, to be let off.
REVERSE_DEPTH = cython.declare(cython.int, 8)
REVERSE_MARGIN = cython.declare(cython.int, 60)
# Step 7: what a side may be behind by, per ply, to be given only captures.
RAZOR_DEPTH = cython.declare(cython.int, 3)
RAZOR_MARGIN = cython.declare(cython.int, 280)
# Step 8: how much less deep the reply to a null move is looked at.
NULL_BASE = cython.declare(cython.int, 4)
NULL_DIVISOR = cython.declare(cython.int, 4)
NULL_STEP = cython.declare(cython.int, 200)  # one ply more for so much ahead, up to three
NULL_VERIFY_DEPTH = cython.declare(cython.int, 12)
# Step 9: below this depth, searching for a move to start with costs too much.
REDUCE_UNKNOWN_DEPTH = cython.declare(cython.int, 4)
# Step 10: how far above beta a capture must be, and how deep the node.
PROB_DEPTH = cython.declare(cython.int, 5)
PROB_MARGIN = cython.declare(cython.int, 180)
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
# Step 13: how clearly a move must be the only good one to be looked at deeper.
SINGULAR_DEPTH = cython.declare(cython.int, 7)
SINGULAR_MARGIN = cython.declare(cython.int, 2)
SINGULAR_DOUBLE = cython.declare(cython.int, 20)
# Step 15: what takes parts of a ply off a reduction, or puts them on.
PARTS = cython.declare(cython.int, 1024)  # of a ply
PV_PARTS = cython.declare(cython.int, 1024)
CUT_PARTS = cython.declare(cython.int, 1536)
WORSE_PARTS = cython.declare(cython.int, 896)
CHECK_PARTS = cython.declare(cython.int, 1024)
NOISY_PARTS = cython.declare(cython.int, 1024)
NOISY_KNOWN_PARTS = cython.declare(cython.int, 768)
KILLER_PARTS = cython.declare(cython.int, 1024)
HISTORY_PLY = cython.declare(cython.int, 8192)  # of history
DEEPER_MARGIN = cython.declare(cython.int, 50)
SHALLOWER_MARGIN = cython.declare(cython.int, 8)
RULE50_TABLE = cython.declare(cython.int, 90)  # plies; from then on a stored score may be a draw


def search_root(thread, depth, alpha, beta):
    """Search the root's moves from `root_first` on; return the best score.

    Moves that raise alpha get a score and a variation.  If the search is stopped
    what they got stands.
    """
    best = -INFINITE
    best_move: u16 = NO_MOVE
    old_alpha = alpha
    for index in range(thread.root_first, thread.root_count):
        root = cython.address(thread.roots[index])
        if root.rank != thread.roots[thread.root_first].rank:
            break  # tablebases know these to be worse
        before = thread.nodes
        number = index - thread.root_first
        thread.seldepth = 0
        if thread.watch != cython.NULL and thread.watch.telling:
            announce(thread, depth, index)
        # A move that is liked (see sight.py) needs so much less to be the best.
        low: cython.int = liked(alpha, -root.liking)
        high: cython.int = liked(beta, -root.liking)
        visit(thread, 0, root.move)
        score: cython.int = 0
        if number:
            reduced = 1 if number > 3 and depth > 3 else 0
            score = -search(thread, depth - 1 - reduced, -low - 1, -low, 1, True)
            if reduced and score > low:
                score = -search(thread, depth - 1, -low - 1, -low, 1, True)
        if number == 0 or score > low:
            score = -search(thread, depth - 1, -high, -low, 1, False)
        score = liked(score, root.liking)
        root.nodes += thread.nodes - before
        if thread.stopped:
            return best
        if score > best:
            best = score
            best_move = root.move
        if number == 0 or score > alpha:
            root.score = score
            root.seldepth = thread.seldepth
            keep_pv(thread, 0, root.move)
            root.length = thread.pv_length[0]
            for place in range(root.length):
                root.pv[place] = thread.pv[0][place]
        if score > alpha:
            alpha = score
        if alpha >= beta:
            break
    if thread.root_first == 0:
        bound = LOWER if best >= beta else EXACT if best > old_alpha else UPPER
        pos = cython.address(thread.positions[0])
        static = thread.frames[BEFORE].evaluation
        store(thread.table, pos.key, 0, best_move, best, static, depth, bound, True)
    return best


def search(thread, depth, alpha, beta, ply, cut_node):
    """Return the score of the position at `ply`, looked at `depth` plies deep.

    `cut_node`: a refutation is expected here, so moves that come late matter less.
    """
    # Step 1. Leaves: go on with captures until the position is quiet.
    if depth <= 0:
        return quiescence(thread, alpha, beta, ply)
    thread.pv_length[ply] = 0
    if thread.stopped:
        return 0

    # Step 2. Draws; what the GUI said the position is worth; and scores that no mate
    # from here can beat: if even mate in one is too late, or being mated now is not bad
    # enough, there is no need to look.
    if is_draw(thread, ply):
        return DRAW
    pos = cython.address(thread.positions[ply])
    value: cython.int = 0
    if thread.values.count and given(thread.values, pos.key, pos.side, cython.address(value)):
        return value
    if ply >= MAX_PLY - 1:
        return DRAW if pos.checkers else judge(thread, ply)
    if alpha < ply - MATE:
        alpha = ply - MATE
    if beta > MATE - ply - 1:
        beta = MATE - ply - 1
    if alpha >= beta:
        return alpha

    # Step 3. Transposition table: what was found out at this depth or deeper
    # holds; not in PV nodes, where the variation must be complete.
    frame = cython.address(thread.frames[ply + BEFORE])
    pv_node: cython.bint = beta - alpha > 1
    excluded = frame.excluded
    known: Found
    probe(thread.table, pos.key, ply, cython.address(known))
    if (
        not pv_node
        and not excluded
        and known.depth >= depth
        and pos.rule50 < RULE50_TABLE
        and bound_proves(known.bound, known.score, alpha, beta)
    ):
        return known.score
    in_pv: cython.bint = pv_node or known.in_pv

    # Step 4. Tablebases: if they know the position, the search can find no other
    # result.  A win is a lower bound, since a mate may be near, and a loss an upper.
    least = -INFINITE
    most = INFINITE
    score: cython.int = 0
    if thread.signals.probing.men and not pos.rule50 and not excluded:
        bound = ask(thread, depth, ply, cython.address(score))
        if bound_proves(bound, score, alpha, beta):
            static: cython.int = NO_SCORE if pos.checkers else judge(thread, ply)
            deep = depth + TABLE_DEPTH if depth + TABLE_DEPTH < MAX_PLY else MAX_PLY - 1
            store(thread.table, pos.key, ply, NO_MOVE, score, static, deep, bound, in_pv)
            return score
        if pv_node and bound == LOWER:
            least = score
            if score > alpha:
                alpha = score
        elif pv_node and bound == UPPER:
            most = score

    # Step 5. Static evaluation, made better by what it was wrong by in like positions,
    # and by the table where it can; and whether the side to move stands better than it
    # did a move ago.
    evaluation: cython.int = NO_SCORE
    improving: cython.bint = False
    static = NO_SCORE
    if not pos.checkers:
        if not excluded:
            static = known.evaluation if known.bound else judge(thread, ply)
            frame.evaluation = corrected(cython.address(thread.history), pos, static)
        evaluation = frame.evaluation
        earlier = thread.frames[ply + BEFORE - 2].evaluation
        if earlier == NO_SCORE:
            earlier = thread.frames[ply + BEFORE - 4].evaluation
        improving = earlier == NO_SCORE or evaluation > earlier
        if known.bound and bound_proves(known.bound, known.score, evaluation, evaluation + 1):
            evaluation = known.score
    else:
        frame.evaluation = NO_SCORE

    if not pv_node and not pos.checkers and not excluded:
        # Step 6. Reverse futility: so far ahead that a shallow search will not
        # change it.  Sound where nothing hangs, which the margin per ply allows for.
        if (
            depth <= REVERSE_DEPTH
            and evaluation - REVERSE_MARGIN * (depth - improving) >= beta
            and evaluation < WIN_BOUND
            and beta > -WIN_BOUND
        ):
            return (evaluation + beta) // 2

        # Step 7. Razoring: so far behind that only captures can help.
        if depth <= RAZOR_DEPTH and evaluation + RAZOR_MARGIN * depth <= alpha:
            score = quiescence(thread, alpha, alpha + 1, ply)
            if score <= alpha:
                return score

        # Step 8. Null move: if even passing keeps us above beta, a move will.
        # Not sound in zugzwang, so only with pieces, and deep down it is verified.
        if evaluation >= beta and frame[-1].move != NO_MOVE and ply >= thread.null_from:
            score = null_move(thread, depth, beta, evaluation, ply, cut_node)
            if score >= beta or thread.stopped:
                return score

    # Step 9. Internal iterative reduction: without a move to start with this
    # node is costly, and the next iteration will have one.
    if depth >= REDUCE_UNKNOWN_DEPTH and known.move == NO_MOVE and (pv_node or cut_node):
        depth -= 1

    # Step 10. ProbCut: if a capture is far above beta even in a shallower search, the
    # full search will hardly say otherwise.
    if (
        not pv_node
        and not pos.checkers
        and not excluded
        and depth >= PROB_DEPTH
        and beta < WIN_BOUND
        and beta > -WIN_BOUND
        and not (known.bound & UPPER and known.score < beta + PROB_MARGIN)
    ):
        score = prob_cut(thread, depth, beta + PROB_MARGIN, known.move, ply, cut_node)
        if thread.stopped:
            return 0
        if score != NO_SCORE:
            store(thread.table, pos.key, ply, frame.move, score, static, depth - 3, LOWER, in_pv)
            return score

    # Step 11. The moves, the most promising first.
    picker: Picker
    frame.threats = attacked_by(pos, pos.side ^ 1)
    history = cython.address(thread.history)
    begin(cython.address(picker), pos, history, frame, known.move, False)
    frame[2].killers[0] = frame[2].killers[1] = NO_MOVE
    limited: cython.bint = thread.sight.limited
    hidden: cython.bint = False
    tried: u16[MAX_TRIED]
    tried_count = 0
    number = 0
    noisy_known: cython.bint = known.move != NO_MOVE and is_noisy(pos, known.move)
    best = least
    best_move: u16 = NO_MOVE
    old_alpha = alpha
    while True:
        move = next_move(cython.address(picker))
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        if limited and overlooks(cython.address(thread.sight), pos, move, frame[-1].move, ply):
            hidden = True
            continue
        number += 1
        quiet: cython.bint = not is_noisy(pos, move)
        value = 0
        if quiet:
            value = quiet_history(history, frame, pos, move)

        # Step 12. Pruning near the leaves: moves that come late, cannot reach
        # alpha, have failed often, or lose material.  Never before a move is
        # known that does not get mated.
        if best > -WIN_BOUND and has_pieces(pos, pos.side):
            left = depth - reduction(depth, number) // PARTS
            if left < 0:
                left = 0
            if quiet:
                if number > (LATE_BASE + depth * depth) // (1 if improving else 2):
                    picker.skip_quiets = True
                if (
                    left <= FUTILE_DEPTH
                    and not pos.checkers
                    and evaluation + FUTILE_BASE + FUTILE_MARGIN * left <= alpha
                    and not gives_check(pos, move)
                ):
                    continue
                if left <= POOR_HISTORY_DEPTH and value < POOR_HISTORY * depth:
                    continue
                if left <= LOSING_DEPTH and not wins_at_least(
                    pos, move, LOSING_QUIET * left * left
                ):
                    continue
            elif depth <= LOSING_DEPTH and not wins_at_least(pos, move, LOSING_NOISY * depth):
                continue

        # Step 13. Singular extension: a move that is better than all others by
        # far is the line to look at; if others reach beta too, no move is needed.
        extension = 0
        if (
            depth >= SINGULAR_DEPTH
            and move == known.move
            and not excluded
            and known.depth >= depth - 3
            and known.bound & LOWER
            and known.score < WIN_BOUND
            and known.score > -WIN_BOUND
        ):
            target = known.score - SINGULAR_MARGIN * depth
            frame.excluded = move
            score = search(thread, (depth - 1) // 2, target - 1, target, ply, cut_node)
            frame.excluded = NO_MOVE
            if thread.stopped:
                return 0
            if score < target:
                extension = 1
                if not pv_node and score < target - SINGULAR_DOUBLE:
                    extension = 2
            elif target >= beta:
                return target
            elif known.score >= beta:
                extension = -1

        # Step 14. Make the move.
        if tried_count < MAX_TRIED:
            tried[tried_count] = move
            tried_count += 1
        visit(thread, ply, move)
        deeper = depth - 1 + extension

        # Step 15. Late move reductions: look at late moves less deep, with a
        # null window, and again at full depth if they turn out to be good.
        searched: cython.bint = False
        if depth >= 2 and number > 1 + pv_node and (quiet or number > 3):
            parts = reduction(depth, number)
            if in_pv:
                parts -= PV_PARTS
            if cut_node:
                parts += CUT_PARTS
            if not improving:
                parts += WORSE_PARTS
            if thread.positions[ply + 1].checkers:
                parts -= CHECK_PARTS
            if not quiet:
                parts -= NOISY_PARTS
            elif noisy_known:
                parts += NOISY_KNOWN_PARTS
            if move == frame.killers[0] or move == frame.killers[1]:
                parts -= KILLER_PARTS
            parts -= value * PARTS // HISTORY_PLY
            less = parts // PARTS
            if less < 0:
                less = 0
            if less > deeper - 1:
                less = deeper - 1 if deeper > 1 else 0
            reduced = deeper - less
            score = -search(thread, reduced, -alpha - 1, -alpha, ply + 1, True)
            searched = score <= alpha or less == 0
            if not searched:  # how good it looks says how deep to look again
                if score > best + DEEPER_MARGIN:
                    deeper += 1
                elif score < best + SHALLOWER_MARGIN:
                    deeper -= 1
                searched = deeper <= reduced

        # Step 16. Null window at full depth: prove that the move is no better.
        if not searched and (not pv_node or number > 1):
            score = -search(thread, deeper, -alpha - 1, -alpha, ply + 1, not cut_node)

        # Step 17. Full window: the first move of a PV node, and those better.
        if pv_node and (number == 1 or score > alpha):
            score = -search(thread, deeper, -beta, -alpha, ply + 1, False)
        if thread.stopped:
            return 0

        # Step 18. A better move; or one so good that the opponent avoids this.
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if pv_node:
                    keep_pv(thread, ply, move)
                if score >= beta:
                    break
                alpha = score

    # Step 19. No move at all: mate or stalemate.
    if number == 0:
        if excluded:
            return alpha
        if hidden:  # never in check
            return evaluation
        return ply - MATE if pos.checkers else DRAW

    if best > most:
        best = most

    # Step 20. Learn from it, and remember it.
    if best >= beta:
        learn(thread, ply, depth, best_move, tried, tried_count)
    elif best_move == NO_MOVE and ply > 1:
        credit_refusal(thread, ply, depth)
    if not excluded:
        bound = LOWER if best >= beta else EXACT if alpha > old_alpha else UPPER
        store(thread.table, pos.key, ply, best_move, best, static, depth, bound, in_pv)
        # A capture says nothing of the evaluation, nor does a bound on its far side.
        if (
            not pos.checkers
            and (best_move == NO_MOVE or not is_noisy(pos, best_move))
            and not (bound == LOWER and best <= frame.evaluation)
            and not (bound == UPPER and best >= frame.evaluation)
        ):
            learn_error(history, pos, depth, best - frame.evaluation)
    return best


def null_move(thread, depth, beta, evaluation, ply, cut_node):
    """Let the opponent move twice; return a score >= beta if that is not enough for him."""
    pos = cython.address(thread.positions[ply])
    if not has_pieces(pos, pos.side) or beta <= -WIN_BOUND:
        return -INFINITE
    ahead = (evaluation - beta) // NULL_STEP
    reduced = depth - NULL_BASE - depth // NULL_DIVISOR - (3 if ahead > 3 else ahead)
    visit(thread, ply, NO_MOVE)
    score = -search(thread, reduced, -beta, -beta + 1, ply + 1, not cut_node)
    if thread.stopped or score < beta:
        return score
    if score >= WIN_BOUND:  # a mate after a null move is no proven mate
        score = beta
    if depth < NULL_VERIFY_DEPTH or thread.null_from:
        return score
    thread.null_from = ply + 3 * (reduced if reduced > 0 else 0) // 4 + 1
    verified = search(thread, reduced, beta - 1, beta, ply, False)
    thread.null_from = 0
    return score if verified >= beta else -INFINITE


def prob_cut(thread, depth, beta, hash_move, ply, cut_node):
    """Return the score of a capture that is at least beta in a shallow search, or NO_SCORE.

    `frame.move` is then that capture.
    """
    pos = cython.address(thread.positions[ply])
    frame = cython.address(thread.frames[ply + BEFORE])
    threshold = beta - frame.evaluation
    picker: Picker
    if hash_move and not is_noisy(pos, hash_move):
        hash_move = NO_MOVE
    begin(
        cython.address(picker), pos, cython.address(thread.history), frame, hash_move, True
    )  # fmt: skip
    limited: cython.bint = thread.sight.limited
    while True:
        move = next_move(cython.address(picker))
        if move == NO_MOVE:
            return NO_SCORE
        if not wins_at_least(pos, move, threshold):
            continue
        if limited and overlooks(cython.address(thread.sight), pos, move, frame[-1].move, ply):
            continue
        visit(thread, ply, move)
        score = -quiescence(thread, -beta, -beta + 1, ply + 1)
        if score >= beta:
            score = -search(thread, depth - 4, -beta, -beta + 1, ply + 1, not cut_node)
        if thread.stopped:
            return NO_SCORE
        if score >= beta:
            return score


def reduction(depth, number):
    """Return by how many parts of a ply the move of that number is looked at less deep."""
    return REDUCTIONS[depth if depth < MAX_REDUCED else MAX_REDUCED - 1][
        number if number < MAX_REDUCED else MAX_REDUCED - 1
    ]


def _fill_reductions():
    from math import log

    for depth in range(1, MAX_REDUCED):
        for number in range(1, MAX_REDUCED):
            REDUCTIONS[depth][number] = int(PARTS * (0.9 + log(depth) * log(number) / 1.9))


_fill_reductions()
