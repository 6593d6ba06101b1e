"""The shell: lines from stdin to the engine, in the order of UCI.

The main thread reads and never waits for a search.  What must be answered while
one runs (`stop`, `ponderhit`, `isready`, `debug`, `quit`) is; all other commands
keep their order and wait until it has ended, so a running search keeps its
position and its options.  `stop` ends every search requested before it, the
waiting ones too, since no search is expected after it.

Each `go` is answered even when the system has no thread left: the main thread
then searches itself, and reads stdin now and then, from within the search.  A task whose
answer needs another command of the GUI's begins when that command has come.
"""

import os
import sys
from _thread import allocate_lock, start_new_thread  # `threading` costs 5 ms at every start
from collections import deque
from contextlib import suppress
from typing import NamedTuple, TypeGuard

from rookery_engine.shell import engine_output
from rookery_engine.shell.engine import UciEngine
from rookery_engine.shell.options import OPTIONS
from rookery_engine.shell.task import EngineTask, SearchTask
from rookery_uci import (
    Command,
    Debug,
    Extra,
    Go,
    Id,
    Ok,
    Position,
    SetOption,
    TypedLines,
    UciError,
    Word,
    is_position,
    parse_command,
)

VERSION = "0.1.0"  # of the whole project: setup reads it from this line
READ_SIZE = 65536
MAX_INPUT_LINE = 16 * 1024 * 1024  # bytes; a game of 10,000 moves takes 50 KB
READER_CHECK = 1.0  # s between two checks whether the answer of a count still has a reader

NO_THREAD = (
    "the system has no thread left to search in, so the engine searches with one and hears late:"
    " end other programs, or have the limit raised (ulimit -u, or pids of a container)"
)
OVERLONG = (
    f"a line of more than {MAX_INPUT_LINE >> 20} MiB was left out: if it was a position,"
    " send its FEN and only the moves from there"
)
NOT_COMPILED = "the engine's core is not compiled: run `make build`"

_READ_ONLY = ("d", "eval", "compiler", "help")  # the extra commands that change nothing


class UnreadablePosition(NamedTuple):
    """A line that was or may have been a `position`: the one before is no longer meant."""

    reason: str


class Loop:
    """One conversation with a GUI."""

    def __init__(self) -> None:
        self._engine = UciEngine()
        self._lock = allocate_lock()  # guards what follows
        self._task: EngineTask | None = None
        self._idle = allocate_lock()  # held as long as there is a task
        self._ending = False
        self._waiting: list[Command | UnreadablePosition] = []  # read during the task
        # What follows is the main thread's alone.
        self._buffer = TypedLines(MAX_INPUT_LINE)
        self._overlong = 0  # lines that were left out and reported
        self._lines: deque[bytes] = deque()  # read, and not handled yet
        self._over = False
        self._has_quit = False
        self._alone = False  # there is no other thread for the task
        self._searching = False

    def run(self) -> None:
        """Handle commands until `quit` or the end of input."""
        while not self._over:
            self._handle_input()

    def _handle_input(self) -> None:
        """Handle the lines that were read, or else those that come next."""
        if not self._lines:
            data = self._read(alert=not self._buffer.waits)
            self._lines += self._buffer.feed(data) if data else [self._buffer.rest()]
            self._over = not data
            if self._buffer.overlong > self._overlong:
                self._overlong = self._buffer.overlong
                self._handle_command(UnreadablePosition(OVERLONG))
        while self._lines:
            if self.handle_line(self._lines.popleft()) is Word.QUIT:
                self._over = self._has_quit = True
                self._lines.clear()

    def _read(self, *, alert: bool) -> bytes:
        """Return the next bytes from stdin; b"" at its end.

        Once there is a searcher its `stdin_reader` reads, which ends a search on a lone `stop`
        before anything else is done, if `alert`.
        """
        while True:
            try:
                if self._engine.is_loaded:
                    data: bytes = self._engine.load_core().searcher.stdin_reader.read(
                        0, alert=alert
                    )
                    return data
                return os.read(0, READ_SIZE)
            except BlockingIOError:  # another process made it non-blocking, and it is empty
                _is_readable(0, within=None)
            except OSError:  # it is closed, or its terminal is gone
                return b""

    def run_command(self, command: str) -> None:
        """Run the command of a command line; a search without an end is ended."""
        for line in os.fsencode(command).splitlines():
            self.handle_line(line)
        task = self._task  # which may just come to its end
        if task is not None and not task.ends_by_itself:
            self.handle_line(b"stop")

    def finish(self, *, typed: bool = False) -> None:
        """Wait for the answers that are still wanted.

        A script closes its pipe, or its file of commands ends, and it reads on.  No answer is
        wanted at a terminal, where the commands were `typed`, or by a reader that is gone.
        """
        with self._lock:
            self._ending = True
            waits = self._task is not None and self._is_wanted(self._task) and not typed
        while waits and engine_output.has_reader() and not self._idle.acquire(timeout=READER_CHECK):
            pass

    def _is_wanted(self, task: EngineTask) -> bool:
        """Say whether a task's answer is wanted after the last command.

        `quit` gives up a search, but not a count or a benchmark.
        """
        return task.survives_quit or (task.ends_by_itself and not self._has_quit)

    def handle_line(self, line: bytes) -> Command | None:
        """Execute or postpone the command of a line; return the command."""
        engine_output.log_input(line)
        text = line.decode(errors="surrogateescape")  # a path may be of another encoding
        try:
            command = parse_command(text)
        except UciError as error:
            if is_position(text):
                self._handle_command(UnreadablePosition(str(error)))
            else:
                engine_output.write_info(str(error))
            return None
        if command is not None:
            self._handle_command(command)
        elif text.strip():
            self._engine.write_debug(f"no such command: {text[:80]!r}")
        return command

    def _handle_command(self, command: Command | UnreadablePosition) -> None:
        """Execute or postpone a command."""
        with self._lock:
            self._dispatch(command)
        if self._alone:
            self._run_tasks_here()

    def _dispatch(self, command: Command | UnreadablePosition) -> None:
        """Execute a command that may come at any time; postpone the others while a task runs."""
        if self._task is not None and (command is Word.STOP or command is Word.PONDERHIT):
            self._signal(command)
            if self._waiting:
                self._waiting.append(command)
        elif command is Word.ISREADY and (self._task is None or self._task.is_searching):
            self._execute(command)
        elif isinstance(command, Debug):
            self._engine.debug = command.on
        elif self._task is None:
            self._execute(command)
            if self._task is not None:
                self._idle.acquire()
                self._start_thread()
        elif command is Word.UCI or (_is_extra(command, *_READ_ONLY) and not self._waiting):
            self._execute(command)
        else:
            self._waiting.append(command)

    def _execute(self, command: Command | UnreadablePosition) -> None:
        """Execute a command; write the error if that is not possible."""
        try:
            if command is Word.UCI:
                answer_uci()
            elif command is Word.ISREADY:
                if self._task is None:
                    self._engine.load_core()
                engine_output.write_reply(Ok.READYOK)
            elif command is Word.UCINEWGAME:
                self._engine.new_game()
            elif isinstance(command, SetOption):
                self._engine.set_option(command)
            elif isinstance(command, Position):
                self._engine.set_position(command)
            elif isinstance(command, UnreadablePosition):
                engine_output.write_info(command.reason)
                self._engine.refuse_position(command.reason)
            elif isinstance(command, Go) or _is_extra(command, "bench"):
                self._task = self._engine.create_task(command)
            elif isinstance(command, Extra):
                self._engine.run_extra(command)
        except UciError as error:
            engine_output.write_info(str(error))

    def _start_thread(self) -> None:
        """Run the task in a thread of its own; without one, the main thread will run it."""
        try:
            start_new_thread(self._run_thread, ())
            self._alone = False
        except RuntimeError:
            engine_output.write_info(NO_THREAD)
            self._alone = True

    def _run_tasks_here(self) -> None:
        """Run tasks in the main thread, unless it is running them already."""
        if not self._searching:
            self._searching = True
            self._run_thread()
            self._searching = False

    def _handle_input_in_search(self) -> None:
        """Handle, from within a search of the main thread, the lines that have come meanwhile."""
        while not self._over and (self._lines or _is_readable(0)):
            self._handle_input()
        if self._over and self._task is not None and not self._is_wanted(self._task):
            self._task.stop()

    def _run_thread(self) -> None:
        """Run tasks, in a thread of their own; an exception in one ends the process.

        As one in the main thread does: the GUI would wait for the answer for ever.
        """
        try:
            self._run_tasks()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)

    def _run_tasks(self) -> None:
        """Run the task, and the tasks that wait behind it."""
        task = self._task
        while task is not None:
            if self._alone and task.waits_for_gui:
                return
            if self._alone and isinstance(task, SearchTask):
                task.on_report = self._handle_input_in_search
            task.run()
            with self._lock:
                task = self._task = self._next_task()
                if task is None:
                    self._idle.release()

    def _next_task(self) -> EngineTask | None:
        """Execute what was postponed, up to the next task; return it, if it is to be run."""
        self._task = None
        while self._waiting and self._task is None:
            self._execute(self._waiting.pop(0))
        for command in (Word.PONDERHIT, Word.STOP):
            if command in self._waiting:
                self._signal(command)
        # What came behind a `go` is answered during its search.
        if self._task is not None and self._task.is_searching:
            while Word.ISREADY in self._waiting:
                self._waiting.remove(Word.ISREADY)
                self._execute(Word.ISREADY)
        if self._ending and self._task is not None and not self._is_wanted(self._task):
            return None
        return self._task

    def _signal(self, command: Command) -> None:
        if self._task is None:
            return
        if command is Word.STOP:
            self._task.stop()
        else:
            self._task.ponderhit()


def _is_extra(command: Command | UnreadablePosition, *words: str) -> TypeGuard[Extra]:
    return isinstance(command, Extra) and command.word in words


def _is_readable(file: int, *, within: float | None = 0) -> bool:
    """Say whether a file can be read within so many seconds; None waits until it can.

    The answer is no where the system cannot say.
    """
    from select import select  # hardly ever needed

    with suppress(OSError):  # on Windows, where only sockets can be selected
        return bool(select([file], [], [], within)[0])
    return False


def answer_uci() -> None:
    """Answer `uci`."""
    replies = (Id("name", f"Rookery {VERSION}"), Id("author", "The Rookery developers"))
    engine_output.write("\n".join(map(str, (*replies, *OPTIONS, Ok.UCIOK))))


def missing_core(error: ImportError) -> str:
    """Return the message for a core that cannot be loaded; any other error is raised again."""
    if error.name == "rookery_engine.net":
        return str(error)
    if not str(error.name).startswith("cython"):
        raise error
    return NOT_COMPILED


def main(command: str | None = None) -> None:
    """Speak UCI on stdin and stdout, or run one command, and end the process.

    Nothing is buffered and nothing needs to be closed, so the end is immediate,
    whatever the search thread does.
    """
    try:
        loop = Loop()
        if command is None:
            loop.run()
        else:
            loop.run_command(command)
        loop.finish(typed=command is None and os.isatty(0))
    except ImportError as error:
        engine_output.write_info(missing_core(error))
        os._exit(1)
    os._exit(0)
