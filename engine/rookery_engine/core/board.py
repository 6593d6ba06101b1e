"""A game's position for Python: the border between text and the compiled core.

A `Board` has the position and the keys of those before it, for repetitions.
Moves are UCI text.
"""

import cython

if not cython.compiled:  # the first module of the core that Python code imports
    raise ImportError("the engine's core is not compiled: run `make build`", name="cython")

from cython.cimports.rookery_engine.core import fen_codec as _fen
from cython.cimports.rookery_engine.core.movegen import ALL, EVERYONE, generate
from cython.cimports.rookery_engine.core.perft import count_leaves
from cython.cimports.rookery_engine.core.position import (
    Position,
    attacked_by,
    castled_king,
    make_move,
    set_keys,
)
from cython.cimports.rookery_engine.core.see import see_ge
from cython.cimports.rookery_engine.core.types import (
    CASTLING,
    MAX_MOVES,
    NO_MOVE,
    PROMOTION,
    from_square,
    kind,
    promotion,
    to_square,
    u16,
    u64,
)

from rookery_engine.core.fen_codec import START, square_name

_PROMOTIONS = "nbrq"
_NAMES = [square_name(square) for square in range(64)]


class Board:
    """A position with its past.

    Raises:
        FenError: the FEN cannot be played.

    """

    def __init__(self, fen: str = START, chess960: bool = False) -> None:
        self.chess960 = chess960
        self.past_count = 0
        self.last = NO_MOVE
        _fen.read_fen(cython.address(self.position), fen, chess960)

    @property
    def fen(self) -> str:
        """The position as FEN; Shredder-FEN in Chess960."""
        return _fen.write_fen(cython.address(self.position), self.chess960)

    @property
    def key(self) -> int:
        """The Zobrist key, as it is kept up to date."""
        return self.position.key

    @property
    def keys(self) -> tuple[int, int, int, int]:
        """The keys of all men, of the pawns, of White's and of Black's other men, as kept."""
        pos = cython.address(self.position)
        return pos.key, pos.pawn_key, pos.piece_keys[0], pos.piece_keys[1]

    @property
    def fresh_keys(self) -> tuple[int, int, int, int]:
        """The same, computed from nothing."""
        pos: Position = self.position
        set_keys(cython.address(pos))
        return pos.key, pos.pawn_key, pos.piece_keys[0], pos.piece_keys[1]

    def attacked_by(self, white: bool) -> list[str]:
        """Return the squares that a side attacks."""
        bits = attacked_by(cython.address(self.position), 0 if white else 1)
        return [square_name(square) for square in range(64) if bits >> square & 1]

    @property
    def in_check(self) -> bool:
        """True if the king of the side to move is attacked."""
        return self.position.checkers != 0

    @property
    def white_to_move(self) -> bool:
        """True if White is to move."""
        return self.position.side == 0

    @property
    def checkers(self) -> list[str]:
        """The squares of the pieces that give check."""
        bits = self.position.checkers
        return [square_name(square) for square in range(64) if bits >> square & 1]

    def see_ge(self, text: str, threshold: cython.int) -> bool:
        """Say whether a legal move wins so many centipawns or more by exchanges on its square."""
        return see_ge(cython.address(self.position), self.find_move(text), threshold)

    def play(self, text: str) -> bool:
        """Play a move given as UCI text; False, and nothing changed, if it is not legal."""
        move = self.find_move(text)
        if move == NO_MOVE:
            return False
        self.push(move)
        return True

    def legal_moves(self) -> list[str]:
        """Return all legal moves as UCI text."""
        return [move_text(move, self.chess960) for move in self.moves()]

    def perft(self, depth: cython.int) -> int:
        """Count the lines of `depth` legal moves; only some of them if it is halted."""
        total: u64
        halted = cython.address(self.halted)
        with cython.nogil:
            total = count_leaves(cython.address(self.position), depth, halted)
        return total

    def divide(self, depth: cython.int) -> dict[str, int]:
        """Count the lines of `depth` legal moves, for each first move until it is halted."""
        after: Position
        total: u64
        halted = cython.address(self.halted)
        counts = {}
        for item in self.moves():
            move: u16 = item
            with cython.nogil:
                make_move(cython.address(self.position), cython.address(after), move)
                total = count_leaves(cython.address(after), depth - 1, halted)
            if self.halted:
                break
            counts[move_text(move, self.chess960)] = total
        return counts

    def halt(self) -> None:
        """End the perft that another thread runs or starts; the board can run none afterwards."""
        self.halted = True

    def copy(self) -> "Board":
        """Return a copy of this board."""
        twin = Board(START, self.chess960)
        twin.position = self.position
        twin.past = self.past
        twin.past_count = self.past_count
        twin.last = self.last
        return twin

    def push(self, move):
        """Play a legal move.

        The positions before an irreversible move cannot recur and are forgotten.
        """
        before: Position = self.position
        if self.past_count == MAX_PAST:
            self.past_count -= MAX_PAST // 2
            for index in range(self.past_count):
                self.past[index] = self.past[index + MAX_PAST // 2]
        self.past[self.past_count] = before.key
        self.past_count += 1
        self.last = move
        make_move(cython.address(before), cython.address(self.position), move)
        if self.position.reversible == 0:
            self.past_count = 0

    def moves(self):
        """Return all legal moves as numbers."""
        found: u16[MAX_MOVES]
        count = generate(cython.address(self.position), cython.address(found[0]), ALL, EVERYONE)
        return [found[index] for index in range(count)]

    def find_move(self, text):
        """Return the legal move of a UCI text; NO_MOVE if there is none.

        Castling is king takes rook, or the king's step of two files where no other move has
        that text.  The piece of a promotion may be a capital, which is not UCI but which some
        GUIs send.
        """
        text = text[:4] + text[4:].lower()
        stepped: u16 = NO_MOVE
        for item in self.moves():
            move: u16 = item
            if kind(move) != CASTLING:
                if move_text(move, False) == text:
                    return move
            elif move_text(move, True) == text:
                return move
            elif abs(castled_king(from_square(move), to_square(move)) - from_square(move)) == 2:
                if move_text(move, False) == text:
                    stepped = move
        return stepped


def move_text(move, chess960):
    """Return a move as UCI text; castling is king takes rook if `chess960`."""
    if move == NO_MOVE:
        return "0000"
    origin = from_square(move)
    target = to_square(move)
    if kind(move) == CASTLING and not chess960:
        target = castled_king(origin, target)
    text: str = _NAMES[origin] + _NAMES[target]
    return text + _PROMOTIONS[promotion(move) - 1] if kind(move) == PROMOTION else text
