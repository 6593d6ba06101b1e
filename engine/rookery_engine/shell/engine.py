"""One engine: its options, its position, and the effect of each command on them.

Nothing here waits or reads: the loop decides when a command may be done, and runs the
tasks (a search, a count of moves, a benchmark) that some commands begin.

The compiled core is loaded with the first command that needs it, after `uciok`.
"""

from collections.abc import Callable

from rookery_engine.shell import engine_output
from rookery_engine.shell.book import Book
from rookery_engine.shell.loaded_core import LoadedCore
from rookery_engine.shell.options import Options
from rookery_engine.shell.task import (
    BookMoveTask,
    EngineTask,
    PerftTask,
    RefusedSearch,
    SearchTask,
)
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

TITLES = ("GM", "IM", "FM", "CM", "NM", "WGM", "WIM", "WFM", "WCM", "WNM", "none")


class UciEngine:
    """The state of one conversation with a GUI."""

    def __init__(self) -> None:
        self.options = Options()
        self.debug = False
        self._core: LoadedCore | None = None
        self._position = Position()
        self._refusal = ""  # of the newest position
        self._book: Book | None = None

    def load_core(self) -> LoadedCore:
        """Return the searcher and the position; they are made when first needed."""
        if self._core is None:
            self._core = LoadedCore()
        return self._core

    @property
    def is_loaded(self) -> bool:
        """True if the core is loaded already."""
        return self._core is not None

    def check_position(self) -> None:
        """Check that there is a position.

        Raises:
            UciError: the newest one was refused.

        """
        if self._refusal:
            raise UciError(f"there is no position: {self._refusal}")

    def write_debug(self, text: str) -> None:
        """Write an explanation that is of use only in the search for a fault."""
        if self.debug:
            engine_output.write_info(text)

    # --- commands

    def new_game(self) -> None:
        """Forget everything that was learnt in the last game."""
        self.load_core().searcher.new_game()

    def set_option(self, command: SetOption) -> None:
        """Change an option; one that does not exist is ignored.

        Raises:
            UciError: the value is not one of the option's, or has no effect.

        """
        before = self.options.copy()
        name = self.options.set_value(command.name, command.value)
        effect = _EFFECTS.get(name or "")
        if effect is not None:
            try:
                effect(self)
            except UciError:
                self.options = before
                raise
        self.write_debug(f"{name} is set" if name else f"no such option: {command.name[:80]!r}")

    def set_position(self, command: Position) -> None:
        """Set up a position.

        Raises:
            UciError: it is refused; there is none now.

        """
        try:
            start = self.load_core().set_position(
                command, chess960=self.options.flag("UCI_Chess960")
            )
        except UciError as error:
            self.refuse_position(str(error))
            raise
        self._position = command
        self._refusal = ""
        if self.debug and command.fen and (text := mended(command.fen, start)):
            self.write_debug(text)
        self.write_debug(f"position is {self.load_core().board.fen}")

    def refuse_position(self, reason: str) -> None:
        """Refuse to search until a position can be set up: the one before is not what is meant."""
        self._refusal = reason

    def create_task(self, command: Go | Extra) -> EngineTask:
        """Create the task of a `go` or a `bench`.

        Raises:
            UciError: the arguments of a benchmark or a count cannot be used.

        """
        if isinstance(command, Extra):
            from rookery_engine.shell.bench import Benchmark

            if command.is_of_position:
                self.check_position()
            return Benchmark(command.text.split(), self.load_core().board)
        limits = command.limits
        if self._refusal:
            return RefusedSearch(limits, self._refusal)
        if limits.perft is not None:
            return PerftTask(self.load_core(), limits.perft)
        move = self._book_move(limits)
        if move is not None:
            return BookMoveTask(move)
        return SearchTask(self.load_core(), limits, self.options)

    def run_extra(self, command: Extra) -> None:
        """Run a command for people at a terminal.

        Raises:
            UciError: it cannot be done.

        """
        from rookery_engine.nnue.network import payload
        from rookery_engine.shell import display, network_file

        if command.word in ("d", "eval", "flip"):
            self.check_position()
        board = self.load_core().board
        if command.word == "d":
            engine_output.write(display.board(board))
        elif command.word == "eval":
            engine_output.write(display.evaluation(board))
        elif command.word == "compiler":
            engine_output.write(display.compiler())
        elif command.word == "help":
            engine_output.write(display.HELP)
        elif command.word == "export_net":
            path = network_file.write_network(command.text, payload())
            engine_output.write(f"network written to {path}")
        elif command.word == "flip":
            self.set_position(Position(display.flipped(board.fen)))

    # --- effects of options

    def _resize(self) -> None:
        hash_mb = self.options.number("Hash")
        if not self.load_core().searcher.resize(hash_mb):
            raise UciError(f"no memory for a table of {hash_mb} MiB, it stays as it was")

    def _set_threads(self) -> None:
        threads = self.options.number("Threads")
        if not self.load_core().searcher.set_threads(threads):
            raise UciError(f"no memory for {threads} threads, there are as many as before")
        self._place_threads()

    def _clear_hash(self) -> None:
        self.load_core().searcher.clear()

    def _start_log(self) -> None:
        path = self.options.text("Debug Log File")
        try:
            engine_output.start_log(path)
        except (OSError, ValueError) as error:  # the latter for what can be no path
            reason = getattr(error, "strerror", None) or error
            raise UciError(f"{path!r} cannot be written: {reason}") from error

    def _open_book(self) -> None:
        """Open the book of the options, if it is to be used."""
        path = self.options.text("BookFile")
        book = None
        if path and self.options.flag("OwnBook"):
            book = Book(path)
            self.write_debug(f"the book has {book.size} moves")
        if self._book is not None:
            self._book.close()
        self._book = book

    def _switch_book(self) -> None:
        """Open or close the book; `OwnBook` stays on where there is no book yet."""
        try:
            self._open_book()
        except UciError as error:
            engine_output.write_info(str(error))

    def _set_evaluation(self) -> None:
        from rookery_engine.nnue.network import use_network

        use_network(self.options.text("EvalFile"))
        self.load_core().searcher.clear()

    def _open_tables(self) -> None:
        for text in self.load_core().searcher.set_tablebases(self.options.text("SyzygyPath")):
            engine_output.write_info(text)

    def _force_score(self) -> None:
        """Force the score of a position: `VALUE + FEN`, `clear + FEN` or `clearall`."""
        from rookery_engine.core.board import Board

        text = self.options.text("UCI_SetPositionValue")
        if text.lower() == "clearall":
            self.load_core().searcher.clear_forced_scores()
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
        if not self.load_core().searcher.force_score(board.key, score):
            raise UciError("no memory for another value of a position")

    def _check_opponent(self) -> None:
        """Check an opponent: `[TITLE|none] [ELO|none] [computer|human] NAME`."""
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
        self.load_core().searcher.set_places(numa.places(policy, threads))

    def _renew_position(self) -> None:
        """Read the position again: the rules of castling have changed.

        A game with a castling by the other rules is an earlier one, and stays as it is.
        """
        if self._core is not None:
            chess960 = self.options.flag("UCI_Chess960")
            try:
                self._core.set_position(self._position, chess960=chess960)
            except UciError as error:
                self.write_debug(f"the position stays as it was: {error}")

    # ---

    def _book_move(self, limits: Limits) -> str | None:
        """Return the book's move where one may be played: in a game, not in an analysis."""
        analysis = limits.infinite or limits.ponder or limits.searchmoves or limits.mate
        if self._book is None or analysis or self.options.flag("UCI_AnalyseMode"):
            return None
        board = self.load_core().board
        move = self._book.choose_move(board.fen, chess960=board.chess960)
        return move if move in board.legal_moves() else None


_EFFECTS: dict[str, Callable[[UciEngine], None]] = {
    "Debug Log File": UciEngine._start_log,
    "Hash": UciEngine._resize,
    "Clear Hash": UciEngine._clear_hash,
    "Threads": UciEngine._set_threads,
    "SyzygyPath": UciEngine._open_tables,
    "UCI_SetPositionValue": UciEngine._force_score,
    "UCI_Opponent": UciEngine._check_opponent,
    "OwnBook": UciEngine._switch_book,
    "BookFile": UciEngine._open_book,
    "EvalFile": UciEngine._set_evaluation,
    "NumaPolicy": UciEngine._place_threads,
    "UCI_Chess960": UciEngine._renew_position,
}
