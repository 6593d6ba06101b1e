"""A game for training: its position, its moves with their scores, its bytes.

In a file a game is a header (number of plies, White's half points), the position it
began with, and four bytes for each ply.  All numbers are little endian.
"""

from random import Random

import cython

if not cython.compiled:
    raise ImportError("the trainer is not compiled: run `make train`", name="cython")

from cython.cimports.cpython.bytes import PyBytes_FromStringAndSize
from cython.cimports.rookery_engine.core import fen_codec as _fen
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate, is_legal
from cython.cimports.rookery_engine.core.position import (
    Position,
    clear_board,
    find_checkers,
    insufficient_material,
    is_noisy,
    make_move,
    put_piece,
    set_keys,
)
from cython.cimports.rookery_engine.core.types import (
    CASTLING,
    EN_PASSANT,
    KING,
    MAX_MOVES,
    NO_MOVE,
    NO_PIECE,
    NO_SQUARE,
    PAWN,
    PIECES,
    PROMOTION,
    bit,
    lowest,
    popcount,
    u8,
    u16,
    u64,
)

BLACK_WINS, DRAWN, WHITE_WINS = 0, 1, 2  # White's half points
HEADER = 4  # bytes
MATE_SCORE = 32000  # a mate in n is so much less n; anything beyond 31000 is a mate
NO_SCORE = -32768  # in place of a score that is only a bound


class RecordedGame:
    """A game from a start position on.

    Raises:
        FenError: the start position cannot be played.

    """

    def __init__(self, fen: str) -> None:
        pos = cython.address(self.position)
        _fen.read_fen(pos, fen, False)
        self.reset()

    def reset(self) -> None:
        """Make this the start of the game: earlier moves are dropped."""
        pack(cython.address(self.position), cython.address(self.start))
        self.count = 0
        self.first_key = 0
        self.keys[0] = self.position.key

    @property
    def fen(self) -> str:
        """The position as FEN."""
        return _fen.write_fen(cython.address(self.position), False)

    @property
    def is_full(self) -> bool:
        """True if no further move can be recorded."""
        return self.count == MOST_PLIES

    def result(self) -> int | None:
        """Return White's half points if the rules end the game here, else None."""
        pos = cython.address(self.position)
        moves: u16[MAX_MOVES]
        if not generate(pos, cython.address(moves[0]), ALL, EVERYONE):
            if pos.checkers:
                return WHITE_WINS if pos.side else BLACK_WINS
            return DRAWN
        if pos.rule50 >= 100 or insufficient_material(pos):
            return DRAWN
        seen = 0
        for index in range(self.first_key, self.count + 1):
            seen += self.keys[index] == pos.key
        return DRAWN if seen >= 3 else None

    def play(self, text: bytes, score: cython.int) -> bool:
        """Play a move in UCI text with its score; False if it is not legal."""
        move = self.read_move(text)
        if move == NO_MOVE or self.count == MOST_PLIES:
            return False
        self.plies[self.count].move = move
        self.plies[self.count].score = score
        self.push(move)
        return True

    def play_random(self, chance: Random) -> bool:
        """Play a random legal move and start the game after it; False if there is none."""
        moves: u16[MAX_MOVES]
        pos = cython.address(self.position)
        count: cython.int = generate(pos, cython.address(moves[0]), ALL, EVERYONE)
        if not count:
            return False
        self.count = 0
        self.push(moves[cython.cast(cython.int, chance.randrange(count))])
        self.reset()
        return True

    def is_quiet(self, text: bytes) -> bool:
        """Say whether the mover is not in check and a legal move neither captures nor promotes."""
        move = self.read_move(text)
        pos = cython.address(self.position)
        return move != NO_MOVE and not pos.checkers and not is_noisy(pos, move)

    def to_bytes(self, half_points: cython.int) -> bytes:
        """Return the game in the form of the files."""
        header: u8[4]
        header[0] = self.count & 0xFF
        header[1] = self.count >> 8
        header[2] = half_points
        header[3] = 0
        return (
            PyBytes_FromStringAndSize(cython.cast(cython.p_char, cython.address(header[0])), HEADER)
            + PyBytes_FromStringAndSize(
                cython.cast(cython.p_char, cython.address(self.start)), PACKED
            )
            + PyBytes_FromStringAndSize(
                cython.cast(cython.p_char, cython.address(self.plies[0])), 4 * self.count
            )
        )

    def push(self, move):
        """Make a legal move."""
        before: Position = self.position
        make_move(cython.address(before), cython.address(self.position), move)
        self.count += 1
        self.keys[self.count] = self.position.key
        if self.position.reversible == 0:
            self.first_key = self.count

    def read_move(self, text):
        """Return the legal move of a UCI text; NO_MOVE if there is none."""
        if not 4 <= len(text) <= 5:
            return NO_MOVE
        pos = cython.address(self.position)
        origin: cython.int = text[0] - 97 + 8 * (text[1] - 49)
        target: cython.int = text[2] - 97 + 8 * (text[3] - 49)
        if origin & ~63 or target & ~63:
            return NO_MOVE
        extra: cython.int = 0
        piece = pos.board[origin] >> 1
        if piece == KING and (target - origin == 2 or origin - target == 2):
            target = (origin & 56) + (7 if target > origin else 0)
            extra = CASTLING
        elif piece == PAWN and target == pos.en_passant:
            extra = EN_PASSANT
        elif len(text) == 5:
            made: cython.int = b"nbrq".find(text[4])
            if made < 0:
                return NO_MOVE
            extra = PROMOTION | made << 12
        move: u16 = origin | target << 6 | extra
        return move if is_legal(pos, move) else NO_MOVE


def quiet_positions(data: bytes) -> list[str]:
    """Return the positions of a game's bytes that `pack` could keep, as FEN.

    Raises:
        ValueError: the bytes are no game.

    """
    pos: Position
    before: Position
    count = (len(data) - HEADER - PACKED) // 4
    if count < 1 or data[0] | data[1] << 8 != count:
        raise ValueError("these bytes are no game")
    view: cython.const[cython.uchar][::1] = data
    packed = cython.cast(cython.pointer(Packed), cython.address(view[HEADER]))
    if not unpack(packed, cython.address(pos)):
        raise ValueError("these bytes are no game: it begins with no position")
    plies = cython.cast(cython.pointer(Ply), cython.address(view[HEADER + PACKED]))
    found = []
    for index in range(count):
        if not is_legal(cython.address(pos), plies[index].move):
            raise ValueError(f"these bytes are no game: move {index} is not legal")
        if not pos.checkers and not is_noisy(cython.address(pos), plies[index].move):
            found.append(_fen.write_fen(cython.address(pos), False))
        before = pos
        make_move(cython.address(before), cython.address(pos), plies[index].move)
    return found


def pack(pos, packed):
    """Write a position in 32 bytes."""
    for index in range(16):
        packed.pieces[index] = 0
    packed.occupied = pos.colours[0] | pos.colours[1]
    left: u64 = packed.occupied
    number = 0
    while left:
        packed.pieces[number >> 1] |= pos.board[lowest(left)] << (4 * (number & 1))
        left &= left - 1
        number += 1
    packed.side = pos.side
    packed.en_passant = pos.en_passant
    packed.rule50 = pos.rule50
    left = pos.castling
    for index in range(4):
        packed.castling[index] = lowest(left) if left else NO_SQUARE
        if left:
            left &= left - 1
    packed.spare = 0


def unpack(packed, pos):
    """Set up a position from its 32 bytes; False if they are no position."""
    clear_board(pos)
    if popcount(packed.occupied) > 32:
        return False
    left: u64 = packed.occupied
    number = 0
    while left:
        piece = packed.pieces[number >> 1] >> (4 * (number & 1)) & 15
        if piece >= PIECES:
            return False
        put_piece(pos, lowest(left), piece)
        left &= left - 1
        number += 1
    if popcount(pos.types[KING]) != 2 or not (pos.types[KING] & pos.colours[0]):
        return False
    if not pos.types[KING] & pos.colours[1] or packed.side > 1:
        return False
    pos.side = packed.side
    pos.en_passant = packed.en_passant if packed.en_passant < 64 else NO_SQUARE
    pos.rule50 = pos.reversible = packed.rule50
    for index in range(4):
        if packed.castling[index] < 64 and pos.board[packed.castling[index]] != NO_PIECE:
            pos.castling |= bit(packed.castling[index])
    set_keys(pos)
    pos.checkers = find_checkers(pos)
    return True
