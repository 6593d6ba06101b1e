"""All legal moves of a position, and no others.

Pins and checks are examined before moves are made, not after: a pinned piece
moves along its pin, and in check the others may only capture the checker or
step between.  So perft can count moves without making them, and the search
never tries a move in vain.

Captures and promotions (`NOISY`) are generated apart from the rest (`QUIET`), because the
search often needs no others.  The same code checks a remembered move, for one piece: two
sets of rules would differ some day.
"""

import cython
from cython.cimports.rookery_engine.core.attacks import (
    ANTIDIAGONALS,
    BETWEEN,
    DIAGONALS,
    FILES,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    LINE,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
    turn,
)
from cython.cimports.rookery_engine.core.position import (
    attackers,
    castled_king,
    castled_rook,
    king_square,
    occupied,
)
from cython.cimports.rookery_engine.core.types import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    bit,
    file,
    from_square,
    lowest,
    rank,
    several,
    u16,
    u64,
)


def generate(pos, moves, wanted, movers):
    """Write the legal moves of the pieces in `movers`; return how many there are."""
    side = pos.side
    king = king_square(pos, side)
    everyone = occupied(pos)
    targets: u64 = 0
    if wanted & NOISY:
        targets |= pos.colours[side ^ 1]
    if wanted & QUIET:
        targets |= ~everyone
    end = moves
    if movers & bit(king):
        end = king_moves(pos, end, king, targets)
        if wanted & QUIET and pos.castling and not pos.checkers:
            end = castlings(pos, end, king)
    if several(pos.checkers):
        return end - moves

    resolving: u64 = EVERYONE
    if pos.checkers:
        resolving = pos.checkers | BETWEEN[king][lowest(pos.checkers)]
    pinned = find_pinned(pos, king)
    movers &= pos.colours[side]
    end = piece_moves(pos, end, king, pinned, movers, targets & resolving)
    end = pawn_moves(pos, end, king, pinned, movers & pos.types[PAWN], resolving, wanted)
    return end - moves


def is_legal(pos, move):
    """Say whether a move that was legal in some position is legal in this one."""
    moves: u16[MAX_OF_ONE]
    origin = bit(from_square(move))
    if not origin & pos.colours[pos.side]:
        return False
    count = generate(pos, cython.address(moves[0]), ALL, origin)
    for index in range(count):
        if moves[index] == move:
            return True
    return False


def find_pinned(pos, king):
    """Return own pieces that alone stand between an enemy slider and the king."""
    enemy = pos.colours[pos.side ^ 1]
    own = pos.colours[pos.side]
    snipers = enemy & (
        (bishop_attacks(king, enemy) & (pos.types[BISHOP] | pos.types[QUEEN]))
        | (rook_attacks(king, enemy) & (pos.types[ROOK] | pos.types[QUEEN]))
    )
    pinned: u64 = 0
    while snipers:
        between = BETWEEN[king][lowest(snipers)] & own
        if not several(between):
            pinned |= between
        snipers &= snipers - 1
    return pinned


def king_moves(pos, end, king, targets):
    """Add the king's steps to squares that no enemy attacks once it has left its own."""
    enemy = pos.colours[pos.side ^ 1]
    without = occupied(pos) ^ bit(king)
    steps = KING_ATTACKS[king] & targets
    while steps:
        target = lowest(steps)
        steps &= steps - 1
        if not attackers(pos, target, without) & enemy:
            end[0] = king | target << 6
            end += 1
    return end


def castlings(pos, end, king):
    """Add castling, written as king takes rook, with each rook that allows it."""
    rooks = pos.castling & pos.colours[pos.side]
    while rooks:
        rook = lowest(rooks)
        rooks &= rooks - 1
        if may_castle(pos, king, rook):
            end[0] = king | rook << 6 | CASTLING
            end += 1
    return end


def may_castle(pos, king, rook):
    """Say whether both paths are free, and the king's is not attacked.

    The rook counts as gone already: in Chess960 it may have shielded the king
    from a rook behind it.
    """
    enemy = pos.colours[pos.side ^ 1]
    king_to = castled_king(king, rook)
    rook_to = castled_rook(king, rook)
    without = occupied(pos) ^ bit(king) ^ bit(rook)
    path = BETWEEN[king][king_to] | bit(king_to)
    if without & (path | BETWEEN[rook][rook_to] | bit(rook_to)):
        return False
    while path:
        if attackers(pos, lowest(path), without) & enemy:
            return False
        path &= path - 1
    return True


def piece_moves(pos, end, king, pinned, movers, targets):
    """Add the moves of knights, bishops, rooks and queens."""
    everyone = occupied(pos)
    knights = movers & pos.types[KNIGHT] & ~pinned
    while knights:
        origin = lowest(knights)
        knights &= knights - 1
        end = emit(end, origin, KNIGHT_ATTACKS[origin] & targets)
    sliders = movers & (pos.types[BISHOP] | pos.types[QUEEN])
    while sliders:
        origin = lowest(sliders)
        sliders &= sliders - 1
        reached = bishop_attacks(origin, everyone) & targets
        if pinned & bit(origin):
            reached &= LINE[king][origin]
        end = emit(end, origin, reached)
    sliders = movers & (pos.types[ROOK] | pos.types[QUEEN])
    while sliders:
        origin = lowest(sliders)
        sliders &= sliders - 1
        reached = rook_attacks(origin, everyone) & targets
        if pinned & bit(origin):
            reached &= LINE[king][origin]
        end = emit(end, origin, reached)
    return end


def pawn_moves(pos, end, king, pinned, pawns, resolving, wanted):
    """Add the moves of all pawns at once: a direction at a time, not a pawn at a time.

    A pinned pawn may go in a direction only if its pin lies on that line through
    the king, so one mask for each direction sorts the pins out.
    """
    up = 8 if pos.side == WHITE else -8
    left = up - 1
    right = up + 1
    rising: cython.bint = pos.side == WHITE
    free = ~occupied(pos)
    enemy = pos.colours[pos.side ^ 1] & resolving
    last = rank(0) | rank(7)
    third = rank(2 if rising else 5)

    on_left = ~pinned | (ANTIDIAGONALS[king] if rising else DIAGONALS[king])
    on_right = ~pinned | (DIAGONALS[king] if rising else ANTIDIAGONALS[king])
    lefts = turn(pawns & on_left & ~file(0), left) & enemy
    rights = turn(pawns & on_right & ~file(7), right) & enemy
    once = turn(pawns & (~pinned | FILES[king]), up) & free
    twice = turn(once & third, up) & free & resolving
    once &= resolving

    if wanted & NOISY:
        end = emit_pawns(end, lefts & ~last, left)
        end = emit_pawns(end, rights & ~last, right)
        end = emit_promotions(end, lefts & last, left)
        end = emit_promotions(end, rights & last, right)
        end = emit_promotions(end, once & last, up)
        if pos.en_passant != NO_SQUARE:
            end = en_passants(pos, end, king, pawns)
    if wanted & QUIET:
        end = emit_pawns(end, once & ~last, up)
        end = emit_pawns(end, twice, 2 * up)
    return end


def en_passants(pos, end, king, pawns):
    """Add the en passant captures that are legal on the board without both pawns.

    Two pawns leave one line at once, which no pin mask covers.  This is rare
    enough for a test square by square.
    """
    square: cython.int = pos.en_passant
    victim = square ^ 8
    enemy = pos.colours[pos.side ^ 1] ^ bit(victim)
    takers = PAWN_ATTACKS[pos.side ^ 1][square] & pawns
    while takers:
        origin = lowest(takers)
        takers &= takers - 1
        after = occupied(pos) ^ bit(origin) ^ bit(square) ^ bit(victim)
        if not attackers(pos, king, after) & enemy:
            end[0] = origin | square << 6 | EN_PASSANT
            end += 1
    return end
