"""Quiescence search: captures are played out until the position is quiet.

Its steps are numbered like those of `search`, which calls it where its depth ends; it
calls nothing but itself.
"""

import cython
from cython.cimports.rookery_engine.core.position import captured_type, find_attacks, is_noisy
from cython.cimports.rookery_engine.core.see import EXCHANGE_VALUES
from cython.cimports.rookery_engine.core.types import (
    DRAW,
    INFINITE,
    MATE,
    MAX_PLY,
    NO_MOVE,
    NO_SCORE,
    NO_SQUARE,
    PROMOTION,
    WIN_BOUND,
    kind,
    to_square,
    u16,
)
from cython.cimports.rookery_engine.search.forced_scores import forced_score
from cython.cimports.rookery_engine.search.history import corrected
from cython.cimports.rookery_engine.search.movepick import Picker, next_move, start_picker
from cython.cimports.rookery_engine.search.thread import (
    BEFORE,
    RULE50_TABLE,
    is_draw,
    last_moves,
    probe_transposition,
    static_evaluation,
    update_pv,
    visit,
)
from cython.cimports.rookery_engine.search.transposition import (
    EXACT,
    LOWER,
    UPPER,
    Found,
    bound_proves,
    store,
)
from cython.cimports.rookery_engine.search.weakness import overlooks

# Step 4: the most that a capture gains besides its victim, in units of the score (wdl.py).
CAPTURE_MARGIN = cython.declare(cython.int, 67)
MOST_CAPTURES = cython.declare(cython.int, 3)  # besides recaptures and promotions


def quiescence(thread, alpha, beta, ply):
    """Return the score once captures are played out.

    The side to move may also decline to capture ("stand pat"), except in check, when all moves
    are tried until one does not get mated, and then captures.
    """
    # Step 1. As in `search`: draws, the last ply, the table.
    thread.pv_length[ply] = 0
    if thread.stopped:
        return 0
    if ply > thread.seldepth:
        thread.seldepth = ply
    if is_draw(thread, ply):
        return DRAW
    pos = cython.address(thread.positions[ply])
    value: cython.int = 0
    if thread.forced_scores.count and forced_score(
        thread.forced_scores, pos.key, pos.side, cython.address(value)
    ):
        return value
    if ply >= MAX_PLY - 1:
        return DRAW if pos.checkers else static_evaluation(thread, ply)
    pv_node: cython.bint = beta - alpha > 1
    known: Found
    probe_transposition(thread, ply, cython.address(known))
    if (
        not pv_node
        and pos.rule50 < RULE50_TABLE
        and bound_proves(known.bound, known.score, alpha, beta)
    ):
        return known.score

    # Step 2. Stand pat: some quiet move is nearly always at least as good.
    frame = cython.address(thread.frames[ply + BEFORE])
    best = -INFINITE
    static: cython.int = NO_SCORE
    old_alpha = alpha
    frame.evaluation = NO_SCORE
    if not pos.checkers:
        static = known.evaluation if known.bound else static_evaluation(thread, ply)
        best = corrected(cython.address(thread.history), pos, last_moves(frame), static)
        frame.evaluation = best
        if known.bound and bound_proves(known.bound, known.score, best, best + 1):
            best = known.score
        if best >= beta:
            return (best + beta) // 2 if best < WIN_BOUND and beta > -WIN_BOUND else best
        if best > alpha:
            alpha = best
    futile = best + CAPTURE_MARGIN

    # Step 3. Captures that lose nothing; in check, other moves too.
    picker: Picker
    if pos.checkers:
        find_attacks(pos, pos.side ^ 1, cython.address(frame.threats[0]))
    start_picker(cython.address(picker), thread, ply, known.move, not pos.checkers)
    limited: cython.bint = thread.weakness.limited
    number = 0
    best_move: u16 = NO_MOVE
    recaptured: cython.int = NO_SQUARE if frame[-1].move == NO_MOVE else to_square(frame[-1].move)
    while True:
        move = next_move(cython.address(picker))
        if move == NO_MOVE:
            break
        if limited and overlooks(cython.address(thread.weakness), pos, move, frame[-1].move, ply):
            continue
        number += 1
        if best > -WIN_BOUND:
            # Step 4. Once a move does not get mated, only captures, and few of them; none that
            # cannot reach alpha even if the victim is free (delta pruning).
            if pos.checkers:
                picker.skip_quiets = True
            elif not is_noisy(pos, move):
                continue
            elif kind(move) != PROMOTION and to_square(move) != recaptured:
                if number > MOST_CAPTURES:
                    continue
                hope = futile + EXCHANGE_VALUES[captured_type(pos, move)]
                if hope <= alpha:
                    if hope > best:
                        best = hope
                    continue

        visit(thread, ply, move)
        score = -quiescence(thread, -beta, -alpha, ply + 1)
        if thread.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                if pv_node:
                    update_pv(thread, ply, move)
                if score >= beta:
                    break
                alpha = score

    # Step 5. In check and no move: mate.
    if pos.checkers and number == 0:
        return ply - MATE
    bound = LOWER if best >= beta else EXACT if alpha > old_alpha else UPPER
    if bound == EXACT and not best_move:
        bound = UPPER
    in_pv: cython.bint = pv_node or known.in_pv
    store(thread.table, pos.key, ply, best_move, best, static, 0, bound, in_pv)
    return best
