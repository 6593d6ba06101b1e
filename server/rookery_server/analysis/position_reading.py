"""Positions that clients ask about: a FEN and moves, as an engine is told them.  No I/O.

Moves may be UCI or SAN.  What is wrong is said in words for the client.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import chess

from rookery_protocol.legality import STANDARD, VARIANTS, read_board
from rookery_protocol.notices import Code
from rookery_uci import Fen, Fields, Position, UciError, mended, to_move

USUAL = "standard"  # the variant of a request that names none
CHESS960_NAME = "chess960"


class PositionError(UciError):
    """A position cannot be set up; `member` says because of what: `fen`, `moves[3]`, `variant`."""

    def __init__(self, text: str, member: str) -> None:
        super().__init__(text)
        self.member = member


@dataclass(frozen=True, slots=True)
class RequestedPosition:
    """A position, its board after all moves, and the rules of its game.

    `mended` says what of its FEN is read otherwise than it was said; "" is nothing.
    """

    position: Position
    board: chess.Board
    chess960: bool = False
    variant: str = STANDARD
    mended: str = ""

    @classmethod
    def set_up(
        cls, fen: str | None, moves: Sequence[str] = (), variant: str = USUAL
    ) -> "RequestedPosition":
        """Set up a position.

        Raises:
            PositionError: there is no such variant or position, or a move is not legal.

        """
        chess960 = variant == CHESS960_NAME
        kind = STANDARD if chess960 or variant == USUAL else variant
        if kind not in VARIANTS:
            names = ", ".join([USUAL, CHESS960_NAME, *sorted(set(VARIANTS) - {STANDARD})])
            raise PositionError(f"there is no variant {variant!r}; there are: {names}", "variant")
        if fen:
            _check_text(fen)
        try:
            board, told = read_board(fen, chess960=chess960, variant=kind)
        except UciError as error:
            raise PositionError(str(error), "fen") from error
        difference = ""
        if fen and told and fen != told:
            if not chess960 and kind == STANDARD:
                _check_castling(fen, told)
            difference = mended(fen, told)
        played = []
        for number, text in enumerate(moves, 1):
            if (move := read_move(board, text)) is None:
                sentence = f"move {number} ({text[:10]}) is not legal in {board.fen()}"
                raise PositionError(sentence, f"moves[{number - 1}]")
            played.append(board.uci(move))
            board.push(move)
        return cls(Position(told, tuple(played)), board, chess960, kind, difference)

    @property
    def fen(self) -> str:
        """The position after the moves."""
        if not self.position.moves and self.position.fen:
            return self.position.fen
        return self.board.fen()

    @property
    def notices(self) -> list[str]:
        """The notices of an answer on how the position was read."""
        return [f"{Code.POSITION_MENDED}: {self.mended}"] if self.mended else []

    @property
    def outcome(self) -> str | None:
        """The way in which the game is over, as `checkmate` or `stalemate`; None if it is not."""
        found = self.board.outcome()
        return found.termination.name.lower().replace("_", "-") if found else None


def _check_text(fen: str) -> None:
    """Check that a FEN is not the arguments of UCI's `position`.

    Raises:
        PositionError: it is, as far as can be seen.

    """
    words = fen.split()
    if words[:1] == ["startpos"]:
        text = "'startpos' is no FEN: leave `fen` out, and put moves into `moves`"
        raise PositionError(text, "fen")
    if "moves" in words:
        raise PositionError("moves are no part of a FEN: put them into `moves`", "fen")


def _check_castling(said: str, told: str) -> None:
    """Check that no castling is lost that the position has in Chess960.

    Raises:
        PositionError: there is one.

    """
    rights = Fields.parse(told).castling
    if len(Fen.parse(said, chess960=True).castling.strip("-")) > len(rights.strip("-")):
        named = Fields.parse(said).castling
        raise PositionError(
            f"the castling rights {named!r} are of Chess960: set `variant` to `{CHESS960_NAME}`",
            "fen",
        )


def read_move(board: chess.Board, text: str) -> chess.Move | None:
    """Return a move in UCI or SAN; None if there is no such move on the board."""
    with suppress(ValueError):
        if move := board.parse_uci(to_move(text) or text):
            return move
    with suppress(ValueError):
        if move := board.parse_san(text):
            return move
    return None
