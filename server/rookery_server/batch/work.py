"""A game to analyse: what python-chess makes of its text, and what is wrong with it.  No I/O.

Nothing is thrown away for a mistake in it: the moves before an illegal one are a game.
"""

import io
from dataclasses import dataclass
from functools import partial

import chess
import chess.pgn

from rookery_engine.uci import Position, UciError
from rookery_server.batch.builder import Builder
from rookery_server.batch.judge import final_score
from rookery_server.batch.text import Text
from rookery_server.engines.legality import MAX_PLIES, STANDARD, set_up


@dataclass(frozen=True, slots=True)
class Place:
    """Which game it is: its number among all of the input, its file and its line, from 1."""

    number: int
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class Work:
    """A game, and what is wrong with it, each as a sentence.

    `boards` are its positions, from the first one on, and `moves` what leads from each to
    the next, in UCI.  `obstacle` is why none of it can be analysed.
    """

    place: Place
    game: chess.pgn.Game
    boards: tuple[chess.Board, ...] = ()
    moves: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()
    obstacle: str | None = None

    @property
    def chess960(self) -> bool:
        """Whether castling is by the rules of Chess960."""
        return any(board.chess960 for board in self.boards[:1])

    @property
    def name(self) -> str:
        """Which game it is, for people."""
        white, black = (self.game.headers.get(color, "?") for color in ("White", "Black"))
        return f"{self.place.source}: game {self.place.number} ({white} - {black})"

    def is_over(self, ply: int) -> bool:
        """Say whether the game is over in a position; that a move follows shows that it is not.

        The exception is a position in which nobody can mate: people play on in those.
        """
        board = self.boards[ply]
        if ply < len(self.moves):
            return board.is_insufficient_material()
        return final_score(board) is not None

    def positions(self) -> list[Position]:
        """Return what an engine hears: all moves each time, for it looks for repetitions."""
        first = self.boards[0]
        start = None if first.fen() == chess.STARTING_FEN else first.fen(shredder=first.chess960)
        return [Position(start, self.moves[:count]) for count in range(len(self.boards))]


def read(text: Text, place: Place) -> Work:
    """Read a game."""
    lines = _Lines(_decode(text.data), text.line)

    def note(error: Exception) -> None:
        flaws.append(f"line {lines.number}: {error}")

    flaws = [f"line {text.line}: {text.flaw}"] if text.flaw else []
    try:
        game = chess.pgn.read_game(lines, Visitor=partial(Builder, note)) or chess.pgn.Game()
        found = _obstacle(game, text) if text.whole else text.flaw
        obstacle = found and f"line {text.line}: {found}"
        boards, moves = ((), ()) if obstacle else _play(game)
        return Work(place, game, boards, moves, tuple(flaws), obstacle)
    except RecursionError:
        game, obstacle = chess.pgn.Game(), f"line {text.line}: its variations are nested too deeply"
    except ValueError as error:  # A tag that python-chess reads, and cannot set.
        game, obstacle = chess.pgn.Game(), f"line {lines.number}: {error}"
    return Work(place, game, flaws=tuple(flaws), obstacle=obstacle)


class _Lines(io.StringIO):
    """A text that knows in which line of the file it is read."""

    def __init__(self, text: str, first: int) -> None:
        super().__init__(text, newline="\n")
        self.number = first - 1

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # typeshed: bytes
        self.number += 1
        return super().readline(size)


def _play(game: chess.pgn.Game) -> tuple[tuple[chess.Board, ...], tuple[str, ...]]:
    board = game.board()
    boards, moves = [board.copy()], []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
        boards.append(board.copy(stack=False))
    return tuple(boards), tuple(moves)


def _decode(data: bytes) -> str:
    """Return a text; files that are not in UTF-8 are in Latin 1, as the standard has it."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _obstacle(game: chess.pgn.Game, text: Text) -> str | None:
    """Say why a game cannot be analysed; None if it can be."""
    if not game.variations and not text.data.startswith(b"["):
        return "it has neither tags nor moves: this may be no PGN"
    try:
        board = game.board()
    except ValueError as error:
        return f"its first position cannot be set up: {error}"
    if board.uci_variant != STANDARD:
        return f"it is {board.uci_variant}, and only chess and Chess960 are analysed"
    try:
        set_up(game.headers.get("FEN"), chess960=board.chess960, variant=STANDARD)
    except UciError as error:
        return str(error)
    plies = sum(1 for _ in zip(game.mainline_moves(), range(MAX_PLIES + 1), strict=False))
    return f"it has more than {MAX_PLIES} half-moves" if plies > MAX_PLIES else None
