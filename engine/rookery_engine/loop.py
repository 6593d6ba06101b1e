"""The shell: lines from stdin to the searcher, and what it finds to stdout.

The main thread reads and never waits for a search.  What must be answered while
one runs (`stop`, `ponderhit`, `isready`, `debug`, `quit`) is; all other commands
keep their order and wait until it has ended, so a running search keeps its
position and its options.  `stop` ends every search asked for before it, the
waiting ones too: who says stop expects peace.

The compiled core is loaded with the first command that needs it, after `uciok`.
"""

import os
import time
from _thread import allocate_lock, start_new_thread  # `threading` costs 5 ms at every start
from typing import TYPE_CHECKING

from rookery_engine.options import OPTIONS, Options
from rookery_engine.uci import (
    Command,
    Debug,
    Go,
    Id,
    Info,
    LineBuffer,
    Ok,
    Position,
    Register,
    SetOption,
    UciError,
    Word,
    parse_command,
)

if TYPE_CHECKING:
    from rookery_engine.board import Board
    from rookery_engine.searcher import Searcher

VERSION = "0.1.0"  # as in pyproject.toml: reading it from there would take 60 ms
MAX_INPUT_LINE = 16 * 1024 * 1024  # bytes; a game of 10,000 moves takes 50 KB
READ_SIZE = 65536
DEFAULT_HASH = 16  # MiB

NOT_COMPILED = "the engine's core is not compiled: run `make build`"


class Loop:
    """One conversation with a GUI."""

    def __init__(self) -> None:
        self._options = Options()
        self._debug = False
        self._lock = allocate_lock()  # guards what follows
        self._searching = False
        self._waiting: list[Command] = []  # heard during the search
        self._go = Go()
        self._core: tuple[Searcher, Board] | None = None

    def run(self) -> None:
        """Listen until `quit` or the end of input."""
        buffer = LineBuffer(MAX_INPUT_LINE)
        while data := os.read(0, READ_SIZE):
            for line in buffer.feed(data):
                if self.hear(line.decode(errors="replace")) is Word.QUIT:
                    return
        self.hear(buffer.rest().decode(errors="replace"))

    def hear(self, line: str) -> Command | None:
        """Do what a line asks for, or put it off; return what it meant."""
        try:
            command = parse_command(line)
        except UciError as error:
            say(Info(string=str(error)))
            return None
        if command is not None:
            with self._lock:
                self._do_now(command)
        elif self._debug:
            say(Info(string=f"no such command: {line[:80]!r}"))
        return command

    def _do_now(self, command: Command) -> None:
        """Do what can be done at any time; the rest only while no search runs."""
        if command is Word.ISREADY:
            if not self._searching:
                self._load()
            say(Ok.READYOK)
        elif isinstance(command, Debug):
            self._debug = command.on
        elif not self._searching:
            if self._do_idle(command):
                start_new_thread(self._work, ())
        elif command is Word.STOP or command is Word.PONDERHIT:
            self._signal(command)
            if self._waiting:
                self._waiting.append(command)
        elif command is Word.UCI:
            introduce()
        else:
            self._waiting.append(command)

    def _do_idle(self, command: Command) -> bool:
        """Do what must not be done during a search; say whether there is one to run."""
        if command is Word.UCI:
            introduce()
        elif command is Word.UCINEWGAME:
            self._searcher.forget()
        elif isinstance(command, SetOption):
            self._set_option(command)
        elif isinstance(command, Position):
            self._set_position(command)
        elif isinstance(command, Go):
            self._begin(command)
            return True
        elif isinstance(command, Register):
            pass  # nothing here needs a registration
        return False

    def _begin(self, go: Go) -> None:
        self._go = go
        self._searching = True
        searcher, board = self._load()
        searcher.begin(
            board,
            go.limits,
            self._options,
            started=time.monotonic_ns(),
            report=say,
        )

    def _work(self) -> None:
        """Search, in a thread of its own, until nothing waits to be searched."""
        while True:
            if self._go.limits.perft is None:
                say(self._searcher.run())
            else:
                self._perft(self._go.limits.perft)
            with self._lock:
                self._searching = False
                while self._waiting and not self._searching:
                    self._do_idle(self._waiting.pop(0))
                if not self._searching:
                    return
                for command in (Word.PONDERHIT, Word.STOP):
                    if command in self._waiting:
                        self._signal(command)

    def _signal(self, command: Command) -> None:
        if command is Word.STOP:
            self._searcher.stop()
        else:
            self._searcher.ponderhit()

    def _perft(self, depth: int) -> None:
        for line in divide_lines(self._load()[1], depth):
            write(line)

    def _set_option(self, command: SetOption) -> None:
        try:
            name = self._options.set(command.name, command.value)
        except UciError as error:
            say(Info(string=str(error)))
            return
        if name == "Hash":
            hash_mb = self._options.number(name)
            if not self._searcher.resize(hash_mb):
                say(Info(string=f"no memory for a table of {hash_mb} MiB, it stays as it was"))
        elif name == "Clear Hash":
            self._searcher.forget()
        if self._debug:
            say(Info(string=f"{name} is set" if name else f"no such option: {command.name[:80]!r}"))

    def _set_position(self, command: Position) -> None:
        """Set up the position; what is not legal is said, and the last legal one is kept."""
        from rookery_engine.board import Board
        from rookery_engine.fen import START, FenError

        searcher, _ = self._load()
        try:
            board = Board(command.fen or START, self._options.flag("UCI_Chess960"))
        except FenError as error:
            say(Info(string=f"position not understood: {error}"))
            return
        for number, move in enumerate(command.moves, 1):
            if not board.play(move):
                say(Info(string=f"move {number} is not legal: {move[:80]!r}"))
                break
        self._core = searcher, board
        if self._debug:
            say(Info(string=f"position is {board.fen}"))

    @property
    def _searcher(self) -> "Searcher":
        return self._load()[0]

    def _load(self) -> "tuple[Searcher, Board]":
        """Return the searcher and the position; they are made when first needed."""
        if self._core is None:
            from rookery_engine.board import Board
            from rookery_engine.searcher import Searcher

            self._core = Searcher(DEFAULT_HASH), Board()
        return self._core


def introduce() -> None:
    """Answer `uci`."""
    lines = [str(Id("name", f"Rookery {VERSION}")), str(Id("author", "The Rookery developers"))]
    lines += map(str, OPTIONS)
    for line in (*lines, str(Ok.UCIOK)):
        write(line)


def divide_lines(board: "Board", depth: int) -> list[str]:
    """Return what `go perft` answers: the count for each move, and the sum."""
    counts = board.divide(depth) if depth > 0 else {}
    total = sum(counts.values()) if depth > 0 else 1
    lines = [f"{move}: {count}" for move, count in counts.items()]
    return [*lines, f"Nodes searched: {total}"]


_output_lock = allocate_lock()  # a line on a full pipe is written in pieces


def say(reply: object) -> None:
    """Write a reply."""
    write(str(reply))


def write(line: str) -> None:
    """Write a line at once; end the engine if no one listens any more."""
    data = memoryview(line.encode() + b"\n")
    with _output_lock:
        while data:
            try:
                data = data[os.write(1, data) :]
            except OSError:
                os._exit(1)


def main() -> None:
    """Speak UCI on stdin and stdout, and end the process.

    Nothing is buffered and nothing needs to be put away, so the end is immediate,
    whatever the search thread does.
    """
    try:
        Loop().run()
    except KeyboardInterrupt:
        os._exit(130)
    except ImportError as error:
        if not str(error.name).startswith("cython"):
            raise
        write(str(Info(string=NOT_COMPILED)))
        os._exit(1)
    os._exit(0)
