"""One engine: its options, its position, and what each command does to them.

Nothing here waits or reads: the loop says when a command may be done, and runs the
tasks (a search, a count of moves, a benchmark) that some commands begin.

The compiled core is loaded with the first command that needs it, after `uciok`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from rookery_engine.shell import engine_output
from rookery_engine.shell.options import Options
from rookery_engine.shell.task import BookMove, Count, Search, Task, Void
from rookery_engine.shell.wdl import score_of
from rookery_uci import (
    Extra,
    FenError,
    Go,
    Limits,
    Position,
    SetOption,
    UciError,
    mended,
    to_number,
)

if TYPE_CHECKING:
    from rookery_engine.core.board import Board
    from rookery_engine.search.searcher import Searcher
    from rookery_engine.shell.book import Book

DEFAULT_HASH = 16  # MiB
TITLES = ("GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "WNM", "none")


class Engine:
    """The state of one conversation with a GUI."""

    def __init__(self) -> None:
        self.options = Options()
        self.debug = False
        self._core: tuple[Searcher, Board] | None = None
        self._position = Position()
        self._refusal = ""  # of the position that was said last
        self._book: Book | None = None

    def load(self) -> "tuple[Searcher, Board]":
        """Return the searcher and the position; they are made when first needed."""
        if self._core is None:
            from rookery_engine.core.board import Board
            from rookery_engine.search.searcher import Searcher

            self._core = Searcher(DEFAULT_HASH), Board()
        return self._core

    @property
    def searcher(self) -> "Searcher":
        """What searches."""
        return self.load()[0]

    @property
    def board(self) -> "Board":
        """The position as it was last set up.

        Raises:
            UciError: another was said since, and refused.

        """
        if self._refusal:
            raise UciError(f"there is no position: {self._refusal}")
        return self.load()[1]

    @property
    def loaded(self) -> bool:
        """Whether there is a searcher already."""
        return self._core is not None

    def explain(self, text: str) -> None:
        """Say something that only a person who looks for a fault wants to know."""
        if self.debug:
            engine_output.tell(text)

    # --- commands

    def new_game(self) -> None:
        """Forget all that was learnt in the last game."""
        self.searcher.new_game()

    def set_option(self, command: SetOption) -> None:
        """Change an option; one that does not exist is passed over.

        Raises:
            UciError: the value is none of the option's, or has no effect.

        """
        before = self.options.copy()
        name = self.options.set(command.name, command.value)
        effect = _EFFECTS.get(name or "")
        if effect is not None:
            try:
                effect(self)
            except UciError:
                self.options = before
                raise
        self.explain(f"{name} is set" if name else f"no such option: {command.name[:80]!r}")

    def set_position(self, command: Position) -> None:
        """Set up a position.

        Raises:
            UciError: it is refused; there is none now.

        """
        try:
            self._core = self.searcher, self._set_up(command)
        except UciError as error:
            self.refuse_position(str(error))
            raise
        self._position = command
        self._refusal = ""
        self.explain(f"position is {self.board.fen}")

    def refuse_position(self, reason: str) -> None:
        """Have no position until one can be set up: the one before is not what is meant."""
        self._refusal = reason

    def begin(self, command: Go | Extra) -> Task:
        """Begin the task of a `go` or a `bench`.

        Raises:
            UciError: a benchmark or a count cannot be done as it was asked for.

        """
        if isinstance(command, Extra):
            from rookery_engine.shell.bench import Bench

            board = self.board if command.is_of_position else self.load()[1]
            return Bench(command.text.split(), board)
        limits = command.limits
        if self._refusal:
            return Void(limits, self._refusal)
        if limits.perft is not None:
            return Count(self.board, limits.perft)
        move = self._book_move(limits)
        if move is not None:
            return BookMove(move)
        return Search(*self.load(), limits, self.options)

    def do_extra(self, command: Extra) -> None:
        """Do a command for people at a terminal.

        Raises:
            UciError: it cannot be done.

        """
        from rookery_engine.shell import display, network_file

        if command.word == "d":
            engine_output.write(display.board(self.board))
        elif command.word == "eval":
            engine_output.write(display.evaluation(self.board))
        elif command.word == "compiler":
            engine_output.write(display.compiler())
        elif command.word == "help":
            engine_output.write(display.HELP)
        elif command.word == "export_net":
            engine_output.write(f"network written to {network_file.export(command.text)}")
        elif command.word == "flip":
            self.set_position(Position(display.flipped(self.board.fen)))

    # --- effects of options

    def _resize(self) -> None:
        hash_mb = self.options.number("Hash")
        if not self.searcher.resize(hash_mb):
            raise UciError(f"no memory for a table of {hash_mb} MiB, it stays as it was")

    def _recruit(self) -> None:
        threads = self.options.number("Threads")
        if not self.searcher.set_threads(threads):
            raise UciError(f"no memory for {threads} threads, there are as many as before")
        self._place_threads()

    def _forget(self) -> None:
        self.searcher.forget()

    def _log(self) -> None:
        path = self.options.text("Debug Log File")
        try:
            engine_output.start_log(path)
        except (OSError, ValueError) as error:  # the latter for what can be no path
            reason = getattr(error, "strerror", None) or error
            raise UciError(f"{path!r} cannot be written: {reason}") from error

    def _open_book(self) -> None:
        """Open the book that is asked for, if it is to be used."""
        path = self.options.text("BookFile")
        book = None
        if path and self.options.flag("OwnBook"):
            from rookery_engine.shell.book import Book

            book = Book(path)
            self.explain(f"the book has {book.size} moves")
        if self._book is not None:
            self._book.close()
        self._book = book

    def _switch_book(self) -> None:
        """Open or close the book; where there is none yet, the wish for one stands."""
        try:
            self._open_book()
        except UciError as error:
            engine_output.tell(str(error))

    def _set_evaluation(self) -> None:
        from rookery_engine.shell import network_file

        network_file.use(self.options.text("EvalFile"))
        self.searcher.forget()

    def _open_tables(self) -> None:
        for text in self.searcher.set_tablebases(self.options.text("SyzygyPath")):
            engine_output.tell(text)

    def _set_value(self) -> None:
        """Score a position as the GUI says: `VALUE + FEN`, `clear + FEN` or `clearall`."""
        from rookery_engine.core.board import Board

        text = self.options.text("UCI_SetPositionValue")
        if text.lower() == "clearall":
            self.searcher.clear_values()
        if text.lower() in ("", "clearall"):
            return
        value, plus, fen = text[1:].partition("+")  # the value may have a sign
        value = (text[0] + value).strip().lower()
        number = to_number(value)
        if not plus or (number is None and value != "clear"):
            raise UciError(
                "UCI_SetPositionValue needs 'VALUE + FEN', 'clear + FEN' or 'clearall',"
                f" not {text[:80]!r}"
            )
        try:
            board = Board(fen, self.options.flag("UCI_Chess960"))
        except FenError as error:
            raise UciError(f"UCI_SetPositionValue: {error}") from error
        score = None if number is None else score_of(number)
        if not self.searcher.set_value(board.key, score):
            raise UciError("no memory for another value of a position")

    def _meet(self) -> None:
        """Check who plays: `[TITLE|none] [ELO|none] [computer|human] NAME`."""
        text = self.options.text("UCI_Opponent")
        words = text.split(maxsplit=3)
        if not words:
            return
        known = len(words) == 4 and words[0] in TITLES and words[2] in ("computer", "human")
        if not known or (words[1] != "none" and to_number(words[1]) is None):
            raise UciError(
                "UCI_Opponent needs 'TITLE|none ELO|none computer|human NAME', the title one of"
                f" {', '.join(TITLES[:-1])}, not {text[:80]!r}"
            )

    def _place_threads(self) -> None:
        from rookery_engine.shell import numa

        policy, threads = self.options.text("NumaPolicy"), self.options.number("Threads")
        self.searcher.set_places(numa.places(policy, threads))

    def _renew_position(self) -> None:
        """Read the position again: the rules of castling have changed.

        A game that was castled in by the other rules is one of before, and stays as it is.
        """
        if self._core is not None:
            try:
                self._core = self.searcher, self._set_up(self._position)
            except UciError as error:
                self.explain(f"the position stays as it was: {error}")

    # ---

    def _set_up(self, command: Position) -> "Board":
        from rookery_engine.core.board import Board
        from rookery_engine.core.fen_codec import START

        try:
            board = Board(command.fen or START, self.options.flag("UCI_Chess960"))
        except FenError as error:
            raise UciError(f"position not understood: {error}") from error
        if command.fen and self.debug and (text := mended(command.fen, board.fen)):
            engine_output.tell(text)
        for number, move in enumerate(command.moves, 1):
            if not board.play(move):
                raise UciError(f"move {number} is not legal: {move[:80]!r}")
        return board

    def _book_move(self, limits: Limits) -> str | None:
        """Return the book's move where one may be played: in a game, not in an analysis."""
        analysis = limits.infinite or limits.ponder or limits.searchmoves or limits.mate
        if self._book is None or analysis or self.options.flag("UCI_AnalyseMode"):
            return None
        board = self.board
        move = self._book.move(board.fen, chess960=board.chess960)
        return move if move in board.legal_moves() else None


_EFFECTS: dict[str, Callable[[Engine], None]] = {
    "Debug Log File": Engine._log,
    "Hash": Engine._resize,
    "Clear Hash": Engine._forget,
    "Threads": Engine._recruit,
    "SyzygyPath": Engine._open_tables,
    "UCI_SetPositionValue": Engine._set_value,
    "UCI_Opponent": Engine._meet,
    "OwnBook": Engine._switch_book,
    "BookFile": Engine._open_book,
    "EvalFile": Engine._set_evaluation,
    "NumaPolicy": Engine._place_threads,
    "UCI_Chess960": Engine._renew_position,
}
