"""Sums of the network's first layer for each ply of a line, kept from move to move.

Making a move only records it.  When a position is evaluated, its sums are computed from
the nearest ply before it that has them, by adding and subtracting the rows of the men
that moved.  Where the own king went to another king bucket or to the other half of the board,
the sums are refreshed instead: from the last ones of that side and view, and the men that are
different ("Finny table", see the chess programming
wiki).
"""

import cython
from cython.cimports.libc.string import memcmp, memcpy, memset
from cython.cimports.rookery_engine.core.position import (
    castled_king,
    castled_rook,
    men,
    occupied,
)
from cython.cimports.rookery_engine.core.types import (
    CASTLING,
    EN_PASSANT,
    KING,
    NO_PIECE,
    PIECES,
    PROMOTION,
    from_square,
    i16,
    kind,
    lowest,
    popcount,
    promotion,
    to_square,
)
from cython.cimports.rookery_engine.nnue.bare_king import with_bare_king
from cython.cimports.rookery_engine.nnue.network import BIASES, HIDDEN, Row, bucket_of, output


def reset_accumulators(line):
    """Forget all sums: a new line begins, and perhaps with another network."""
    memset(cython.address(line.known[0][0]), 0, cython.sizeof(line.known))
    line.slots[0] = 0
    for side in range(2):
        for view in range(VIEWS):
            cached = cython.address(line.cached[side][view])
            memcpy(cython.address(cached.sums[0]), cython.address(BIASES[0]), cython.sizeof(BIASES))
            memset(cython.address(cached.men[0]), 0, cython.sizeof(cached.men))


def evaluate_ply(line, positions, ply):
    """Return the score in the units of `wdl`, from the side to move."""
    catch_up(line, positions, ply)
    pos = cython.address(positions[ply])
    sums = line.sums[line.slots[ply]]
    score = output(sums[pos.side], sums[pos.side ^ 1], bucket_of(popcount(occupied(pos))))
    return with_bare_king(pos, score)


def catch_up(line, positions, ply):
    """Compute the sums of a ply if they are not known."""
    update(line, positions, ply, 0)
    update(line, positions, ply, 1)


def update(line, positions, ply, side):
    """Compute the sums of a side's view if they are not known."""
    slot: cython.int = line.slots[ply]
    first: cython.int = slot
    while not line.known[first][side]:
        if first == 0 or changes_view(
            cython.address(positions[first - 1]), line.moves[first], side
        ):  # fmt: skip
            refresh(line, cython.address(positions[slot]), slot, side)
            return
        first = line.slots[first - 1]
    for between in range(first + 1, slot + 1):
        if line.slots[between] == between:  # no null move
            apply(line, positions, between, side)


def changes_view(before, move, side):
    """Say whether a move puts the king of that side where its view is another."""
    origin = from_square(move)
    if before.board[origin] != 2 * KING + side:
        return False
    target: cython.int = to_square(move)
    if kind(move) == CASTLING:
        target = castled_king(origin, target)
    return view_of(origin, side) != view_of(target, side)


def apply(line, positions, ply, side):
    """Compute the sums of a ply from those of the ply before."""
    before = cython.address(positions[ply - 1])
    move = line.moves[ply]
    us: cython.int = before.side
    origin = from_square(move)
    target = to_square(move)
    piece: cython.int = before.board[origin]
    taken: cython.int = before.board[target]
    view: cython.int = view_of(king_square(cython.address(positions[ply]), side), side)
    begin = cython.cast(Row, line.sums[line.slots[ply - 1]][side])
    sums = cython.cast(Row, line.sums[ply][side])
    left = row(piece, origin, side, view)
    line.known[ply][side] = True
    if kind(move) == CASTLING:
        add_add_sub_sub(
            sums, begin, row(piece, castled_king(origin, target), side, view),
            row(taken, castled_rook(origin, target), side, view),
            left, row(taken, target, side, view),
        )  # fmt: skip
        return
    if kind(move) == PROMOTION:
        piece = 2 * promotion(move) + us
    reached = row(piece, target, side, view)
    if kind(move) == EN_PASSANT:
        add_sub_sub(sums, begin, reached, left, row(us ^ 1, target ^ 8, side, view))
    elif taken != NO_PIECE:
        add_sub_sub(sums, begin, reached, left, row(taken, target, side, view))
    else:
        add_sub(sums, begin, reached, left)


def refresh(line, pos, ply, side):
    """Compute the sums of a ply from the last that were refreshed."""
    view = view_of(king_square(pos, side), side)
    cached = cython.address(line.cached[side][view])
    sums = cython.cast(Row, cached.sums)
    for piece in range(PIECES):
        now = men(pos, piece >> 1, piece & 1)
        added = now & ~cached.men[piece]
        taken = cached.men[piece] & ~now
        cached.men[piece] = now
        while added:
            add(sums, row(piece, lowest(added), side, view))
            added &= added - 1
        while taken:
            sub(sums, row(piece, lowest(taken), side, view))
            taken &= taken - 1
    memcpy(line.sums[ply][side], sums, cython.sizeof(BIASES))
    line.known[ply][side] = True


def fill(pos, side, sums):
    """Compute the sums of a side's view from nothing."""
    view = view_of(king_square(pos, side), side)
    memcpy(sums, cython.address(BIASES[0]), cython.sizeof(BIASES))
    left = occupied(pos)
    while left:
        square = lowest(left)
        left &= left - 1
        add(sums, row(pos.board[square], square, side, view))


def add(to, added):
    """Add the row of a new man."""
    for index in range(HIDDEN):
        to[index] += added[index]


def sub(to, taken):
    """Subtract the row of a removed man."""
    for index in range(HIDDEN):
        to[index] -= taken[index]


def add_sub(to, start, added, taken):
    """Compute the sums after a man has moved."""
    for index in range(HIDDEN):
        to[index] = start[index] + added[index] - taken[index]


def add_sub_sub(to, start, added, taken, also):
    """Compute the sums after a capture."""
    for index in range(HIDDEN):
        to[index] = start[index] + added[index] - taken[index] - also[index]


def add_add_sub_sub(to, start, added, also_added, taken, also):
    """Compute the sums after castling, when two men have moved."""
    for index in range(HIDDEN):
        to[index] = (
            start[index] + added[index] + also_added[index] - taken[index] - also[index]
        )  # fmt: skip


def is_sound(line, positions):
    """Say whether all sums that are known are those of their positions; for tests."""
    fresh: i16[HIDDEN]
    for ply in range(PLIES):
        for side in range(2):
            if line.slots[ply] == ply and line.known[ply][side]:
                fill(cython.address(positions[ply]), side, cython.cast(Row, fresh))
                if memcmp(fresh, line.sums[ply][side], cython.sizeof(BIASES)):
                    return False
    return True
