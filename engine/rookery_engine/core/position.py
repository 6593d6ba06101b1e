"""The board as the search sees it, and how a move changes it.

A `Position` is a plain C struct of 184 bytes without pointers.  `make_move` writes the
position after a move into another struct, and a move is undone by forgetting that
struct: the copy is cheaper than a record of everything that would be needed to undo the move.

Two fields are defined such that equal positions have equal fields.  `castling` is
the set of the rooks that may castle, which covers all rights of Chess960 without
a table of start squares.  `en_passant` is set only if an enemy pawn stands
ready to capture, as FIDE's rule on repetition requires.
"""

import cython
from cython.cimports.rookery_engine.core.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from cython.cimports.rookery_engine.core.types import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KING,
    KNIGHT,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    PIECES,
    PROMOTION,
    QUEEN,
    ROOK,
    bit,
    file,
    from_square,
    kind,
    lowest,
    promotion,
    several,
    to_square,
    u64,
)

LIGHT_SQUARES = cython.declare(u64, 0x55AA55AA55AA55AA)


def clear_board(pos):
    """Make an empty board with White to move."""
    for index in range(6):
        pos.types[index] = 0
    for square in range(64):
        pos.board[square] = NO_PIECE
    pos.colours[0] = pos.colours[1] = 0
    pos.castling = pos.checkers = 0
    pos.key = pos.pawn_key = pos.piece_keys[0] = pos.piece_keys[1] = 0
    pos.side = 0
    pos.en_passant = NO_SQUARE
    pos.rule50 = pos.reversible = 0
    pos.number = 1


def put_piece(pos, square, piece):
    """Put a piece on an empty square; the key stays as it was."""
    pos.board[square] = piece
    pos.types[piece >> 1] |= bit(square)
    pos.colours[piece & 1] |= bit(square)


def remove_piece(pos, square):
    """Remove a piece from its square; the key stays as it was."""
    piece = pos.board[square]
    pos.board[square] = NO_PIECE
    pos.types[piece >> 1] ^= bit(square)
    pos.colours[piece & 1] ^= bit(square)


def make_move(before, after, move):
    """Write the position after a legal move into `after`.

    In one piece: castling rights as a function of their own cost 5 % of the search's speed.
    """
    after[0] = before[0]
    us = before.side
    them = us ^ 1
    origin = from_square(move)
    target = to_square(move)
    piece = before.board[origin]
    captured = before.board[target]
    key = before.key ^ SIDE_KEY

    after.side = them
    after.number += us
    after.rule50 += 1
    after.reversible += 1
    if before.en_passant != NO_SQUARE:
        key ^= EN_PASSANT_KEYS[before.en_passant & 7]
        after.en_passant = NO_SQUARE

    if kind(move) == CASTLING:
        king_to = castled_king(origin, target)
        rook_to = castled_rook(origin, target)
        changed = PIECE_KEYS[piece][origin] ^ PIECE_KEYS[piece][king_to]
        changed ^= PIECE_KEYS[captured][target] ^ PIECE_KEYS[captured][rook_to]
        key ^= changed
        after.piece_keys[us] ^= changed
        castle(after, origin, target)
    else:
        if captured != NO_PIECE:
            changed = PIECE_KEYS[captured][target]
            key ^= changed
            if captured >> 1 == PAWN:
                after.pawn_key ^= changed
            else:
                after.piece_keys[them] ^= changed
            after.types[captured >> 1] ^= bit(target)
            after.colours[them] ^= bit(target)
            after.rule50 = after.reversible = 0
        both = bit(origin) | bit(target)
        changed = PIECE_KEYS[piece][origin] ^ PIECE_KEYS[piece][target]
        key ^= changed
        after.types[piece >> 1] ^= both
        after.colours[us] ^= both
        after.board[origin] = NO_PIECE
        after.board[target] = piece
        if piece >> 1 != PAWN:
            after.piece_keys[us] ^= changed
        else:
            after.pawn_key ^= changed
            after.rule50 = after.reversible = 0
            if origin ^ target == 16:
                set_en_passant(after, (origin + target) >> 1)
                if after.en_passant != NO_SQUARE:
                    key ^= EN_PASSANT_KEYS[target & 7]
            elif kind(move) == EN_PASSANT:
                victim = target ^ 8
                changed = PIECE_KEYS[2 * PAWN + them][victim]
                key ^= changed
                after.pawn_key ^= changed
                after.types[PAWN] ^= bit(victim)
                after.colours[them] ^= bit(victim)
                after.board[victim] = NO_PIECE
            elif kind(move) == PROMOTION:
                made = 2 * promotion(move) + us
                key ^= PIECE_KEYS[piece][target] ^ PIECE_KEYS[made][target]
                after.pawn_key ^= PIECE_KEYS[piece][target]
                after.piece_keys[us] ^= PIECE_KEYS[made][target]
                after.types[PAWN] ^= bit(target)
                after.types[made >> 1] ^= bit(target)
                after.board[target] = made

    if before.castling:
        lost = bit(origin) | bit(target)
        if piece >> 1 == KING:
            lost |= cython.cast(u64, 0xFF) << (56 * us)
        lost &= before.castling
        after.castling ^= lost
        while lost:
            key ^= CASTLING_KEYS[lowest(lost)]
            lost &= lost - 1

    after.key = key
    after.checkers = find_checkers(after)


def castle(pos, king, rook):
    """Move king and rook to where castling puts them; either may land on the other's square."""
    king_piece = pos.board[king]
    rook_piece = pos.board[rook]
    king_to = castled_king(king, rook)
    rook_to = castled_rook(king, rook)
    pos.board[king] = pos.board[rook] = NO_PIECE
    pos.board[king_to] = king_piece
    pos.board[rook_to] = rook_piece
    pos.types[KING] ^= bit(king) ^ bit(king_to)
    pos.types[ROOK] ^= bit(rook) ^ bit(rook_to)
    pos.colours[king_piece & 1] ^= bit(king) ^ bit(king_to) ^ bit(rook) ^ bit(rook_to)


def set_en_passant(pos, square):
    """Set the en passant square if the side to move can capture the pawn that passed it."""
    if PAWN_ATTACKS[pos.side ^ 1][square] & men(pos, PAWN, pos.side):
        pos.en_passant = square


def make_null(before, after):
    """Write the position after passing into `after`; not allowed in check."""
    after[0] = before[0]
    after.side ^= 1
    after.number += before.side
    after.rule50 += 1
    after.reversible = 0
    after.key ^= SIDE_KEY
    if before.en_passant != NO_SQUARE:
        after.key ^= EN_PASSANT_KEYS[before.en_passant & 7]
        after.en_passant = NO_SQUARE
    after.checkers = 0


def fresh_key(pos):
    """Compute the key from nothing; `make_move` keeps it up to date."""
    key: u64 = SIDE_KEY if pos.side else 0
    for square in range(64):
        if pos.board[square] != NO_PIECE:
            key ^= PIECE_KEYS[pos.board[square]][square]
        if pos.castling & bit(square):
            key ^= CASTLING_KEYS[square]
    if pos.en_passant != NO_SQUARE:
        key ^= EN_PASSANT_KEYS[pos.en_passant & 7]
    return key


def attacked_by(pos, side):
    """Return the squares that a side attacks, those of its own men included."""
    attacked: u64[4]
    find_attacks(pos, side, cython.address(attacked[0]))
    return attacked[BY_ANY]


def find_attacks(pos, side, attacked):
    """Set the squares that a side attacks: with pawns, with these or minors, and so on."""
    own = pos.colours[side]
    all = occupied(pos)
    pawns = pos.types[PAWN] & own
    squares: u64
    if side:
        squares = (pawns & ~file(0)) >> 9 | (pawns & ~file(7)) >> 7
    else:
        squares = (pawns & ~file(0)) << 7 | (pawns & ~file(7)) << 9
    attacked[BY_PAWN] = squares
    left = pos.types[KNIGHT] & own
    while left:
        squares |= KNIGHT_ATTACKS[lowest(left)]
        left &= left - 1
    left = pos.types[BISHOP] & own
    while left:
        squares |= bishop_attacks(lowest(left), all)
        left &= left - 1
    attacked[BY_MINOR] = squares
    left = pos.types[ROOK] & own
    while left:
        squares |= rook_attacks(lowest(left), all)
        left &= left - 1
    attacked[BY_ROOK] = squares
    left = pos.types[QUEEN] & own
    while left:
        squares |= bishop_attacks(lowest(left), all) | rook_attacks(lowest(left), all)
        left &= left - 1
    attacked[BY_ANY] = squares | KING_ATTACKS[king_square(pos, side)]


def gives_check(pos, move):
    """Say whether a legal move attacks the enemy king, itself or by opening a line.

    The rook of a castling is ignored: it hardly ever checks.
    """
    if kind(move) == CASTLING:
        return False
    origin = from_square(move)
    target = to_square(move)
    king = king_square(pos, pos.side ^ 1)
    after = (occupied(pos) ^ bit(origin)) | bit(target)
    if kind(move) == EN_PASSANT:
        after ^= bit(target ^ 8)
    type = promotion(move) if kind(move) == PROMOTION else pos.board[origin] >> 1
    if type == PAWN:
        if PAWN_ATTACKS[pos.side][target] & bit(king):
            return True
    elif type == KNIGHT:
        if KNIGHT_ATTACKS[target] & bit(king):
            return True
    diagonal = straight = pos.types[QUEEN]
    diagonal |= pos.types[BISHOP]
    straight |= pos.types[ROOK]
    sliders = pos.colours[pos.side] & ~bit(origin)
    if type == BISHOP or type == QUEEN:
        diagonal |= bit(target)
    if type == ROOK or type == QUEEN:
        straight |= bit(target)
    sliders |= bit(target)
    return (
        (bishop_attacks(king, after) & diagonal) | (rook_attacks(king, after) & straight)
    ) & sliders != 0


def insufficient_material(pos):
    """Say whether no sequence of legal moves can mate: FIDE's dead positions by material.

    Those are king against king with at most one minor piece, or with bishops
    that all stand on squares of one colour.
    """
    if pos.types[PAWN] | pos.types[ROOK] | pos.types[QUEEN]:
        return False
    knights = pos.types[KNIGHT]
    bishops = pos.types[BISHOP]
    if not several(knights | bishops):
        return True
    return not knights and (not bishops & LIGHT_SQUARES or not bishops & ~LIGHT_SQUARES)


def set_keys(pos):
    """Set all keys; `make_move` keeps them up to date."""
    pos.key = fresh_key(pos)
    pos.pawn_key = pos.piece_keys[0] = pos.piece_keys[1] = 0
    for square in range(64):
        piece = pos.board[square]
        if piece >> 1 == PAWN:
            pos.pawn_key ^= PIECE_KEYS[piece][square]
        elif piece != NO_PIECE:
            pos.piece_keys[piece & 1] ^= PIECE_KEYS[piece][square]


def next_random(seed):
    """Return the next number of the SplitMix64 generator (S. Vigna, public domain)."""
    seed[0] += cython.cast(u64, 0x9E3779B97F4A7C15)
    mixed = seed[0]
    mixed = (mixed ^ (mixed >> 30)) * cython.cast(u64, 0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> 27)) * cython.cast(u64, 0x94D049BB133111EB)
    return mixed ^ (mixed >> 31)


def _fill_keys():
    global SIDE_KEY
    seed: u64 = 2026  # any will do; fixed, so that the bench is the same everywhere
    for piece in range(PIECES):
        for square in range(64):
            PIECE_KEYS[piece][square] = next_random(cython.address(seed))
    for square in range(64):
        CASTLING_KEYS[square] = next_random(cython.address(seed))
    for index in range(8):
        EN_PASSANT_KEYS[index] = next_random(cython.address(seed))
    SIDE_KEY = next_random(cython.address(seed))


_fill_keys()
