"""The shell: lines from stdin to the engine, in the order that UCI asks for.

The main thread reads and never waits for a search.  What must be answered while
one runs (`stop`, `ponderhit`, `isready`, `debug`, `quit`) is; all other commands
keep their order and wait until it has ended, so a running search keeps its
position and its options.  `stop` ends every search asked for before it, the
waiting ones too: who says stop expects peace.

A system that has no thread left does not keep a `go` from its answer: the main thread
searches itself then, and listens now and then, from within.  What may be answered only
after another word of the GUI's begins when that word has come.
"""

import os
import sys
from _thread import allocate_lock, start_new_thread  # `threading` costs 5 ms at every start
from collections import deque
from contextlib import suppress
from typing import NamedTuple, TypeGuard

from rookery_engine.shell import engine_output
from rookery_engine.shell.engine import Engine
from rookery_engine.shell.engine_output import say
from rookery_engine.shell.options import OPTIONS
from rookery_engine.shell.task import Search, Task
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

VERSION = "0.1.0"  # of all that is here: setup reads it from this line
READ_SIZE = 65536
MAX_INPUT_LINE = 16 * 1024 * 1024  # bytes; a game of 10,000 moves takes 50 KB
LOOK_EVERY = 1.0  # s after which a count looks whether its answer can still be heard

NO_THREAD = (
    "the system has no thread left to search in, so the engine searches with one and hears late:"
    " end other programs, or have the limit raised (ulimit -u, or pids of a container)"
)
OVERLONG = (
    f"a line of more than {MAX_INPUT_LINE >> 20} MiB was left out: if it was a position,"
    " send its FEN and only the moves from there"
)
NOT_COMPILED = "the engine's core is not compiled: run `make build`"

_SHOWS = ("d", "eval", "compiler", "help")  # the extra commands that change nothing


class Unread(NamedTuple):
    """A `position` that cannot be read, or may have been one: the one before holds no more."""

    reason: str


class Loop:
    """One conversation with a GUI."""

    def __init__(self) -> None:
        self._engine = Engine()
        self._lock = allocate_lock()  # guards what follows
        self._task: Task | None = None
        self._resting = allocate_lock()  # held as long as there is a task
        self._ending = False
        self._waiting: list[Command | Unread] = []  # heard during the task
        # What follows is the main thread's alone.
        self._buffer = TypedLines(MAX_INPUT_LINE)
        self._overlong = 0  # lines that were left out, as far as that has been told
        self._lines: deque[bytes] = deque()  # read, and not heard yet
        self._over = False
        self._quits = False  # the GUI has said so
        self._alone = False  # there is no other thread for the task
        self._searching = False

    def run(self) -> None:
        """Listen until `quit` or the end of input."""
        while not self._over:
            self._listen()

    def _listen(self) -> None:
        """Hear what was read, or else what comes next."""
        if not self._lines:
            data = self._read(alert=not self._buffer.waits)
            self._lines += self._buffer.feed(data) if data else [self._buffer.rest()]
            self._over = not data
            if self._buffer.overlong > self._overlong:
                self._overlong = self._buffer.overlong
                self._obey(Unread(OVERLONG))
        while self._lines:
            if self.hear(self._lines.popleft()) is Word.QUIT:
                self._over = self._quits = True
                self._lines.clear()

    def _read(self, *, alert: bool) -> bytes:
        """Return what comes from stdin; b"" at its end.

        Once there is a searcher its own `input` reads, which ends a search on a lone `stop`
        before anything else is done, if `alert`.
        """
        while True:
            try:
                if self._engine.loaded:
                    data: bytes = self._engine.searcher.input.read(0, alert=alert)
                    return data
                return os.read(0, READ_SIZE)
            except BlockingIOError:  # who shares it has made it so, and nothing is there
                _is_readable(0, within=None)
            except OSError:  # it is closed, or its terminal is gone
                return b""

    def obey(self, command: str) -> None:
        """Do what the command line asks; a search without an end is ended."""
        for line in os.fsencode(command).splitlines():
            self.hear(line)
        task = self._task  # which may just come to its end
        if task is not None and not task.ends:
            self.hear(b"stop")

    def finish(self, *, typed: bool = False) -> None:
        """Wait for the answers that are still wanted.

        A script closes its pipe, or its file of commands ends, and it reads on.  Who leaves a
        terminal, where the commands were `typed`, or reads no more, wants no answer.
        """
        with self._lock:
            self._ending = True
            waits = self._task is not None and self._is_wanted(self._task) and not typed
        while waits and engine_output.is_heard() and not self._resting.acquire(timeout=LOOK_EVERY):
            pass

    def _is_wanted(self, task: Task) -> bool:
        """Say whether a task's answer is wanted by who has nothing more to say.

        `quit` gives up a search, but not a count or a benchmark.
        """
        return task.in_full or (task.ends and not self._quits)

    def hear(self, line: bytes) -> Command | None:
        """Do what a line asks for, or put it off; return what it meant."""
        engine_output.hear(line)
        text = line.decode(errors="surrogateescape")  # a path may be of another encoding
        try:
            command = parse_command(text)
        except UciError as error:
            if is_position(text):
                self._obey(Unread(str(error)))
            else:
                engine_output.tell(str(error))
            return None
        if command is not None:
            self._obey(command)
        elif text.strip():
            self._engine.explain(f"no such command: {text[:80]!r}")
        return command

    def _obey(self, command: Command | Unread) -> None:
        """Do what a command asks for, or put it off."""
        with self._lock:
            self._take(command)
        if self._alone:
            self._work_alone()

    def _take(self, command: Command | Unread) -> None:
        """Do what can be done at any time; the rest only while no task runs."""
        if self._task is not None and (command is Word.STOP or command is Word.PONDERHIT):
            self._signal(command)
            if self._waiting:
                self._waiting.append(command)
        elif command is Word.ISREADY and not (self._task and self._task.in_full):
            self._do(command)
        elif isinstance(command, Debug):
            self._engine.debug = command.on
        elif self._task is None:
            self._do(command)
            if self._task is not None:
                self._resting.acquire()
                self._set_off()
        elif command is Word.UCI or (_is_extra(command, *_SHOWS) and not self._waiting):
            self._do(command)
        else:
            self._waiting.append(command)

    def _do(self, command: Command | Unread) -> None:
        """Do what must not be done during a task; what cannot be done is said."""
        try:
            if command is Word.UCI:
                introduce()
            elif command is Word.ISREADY:
                if self._task is None:
                    self._engine.load()
                say(Ok.READYOK)
            elif command is Word.UCINEWGAME:
                self._engine.new_game()
            elif isinstance(command, SetOption):
                self._engine.set_option(command)
            elif isinstance(command, Position):
                self._engine.set_position(command)
            elif isinstance(command, Unread):
                engine_output.tell(command.reason)
                self._engine.refuse_position(command.reason)
            elif isinstance(command, Go) or _is_extra(command, "bench"):
                self._task = self._engine.begin(command)
            elif isinstance(command, Extra):
                self._engine.do_extra(command)
        except UciError as error:
            engine_output.tell(str(error))

    def _set_off(self) -> None:
        """Have the task run in a thread of its own; without one, the main thread is to do it."""
        try:
            start_new_thread(self._work, ())
            self._alone = False
        except RuntimeError:
            engine_output.tell(NO_THREAD)
            self._alone = True

    def _work_alone(self) -> None:
        """Run tasks in the main thread, unless that is what it is doing."""
        if not self._searching:
            self._searching = True
            self._work()
            self._searching = False

    def _attend(self) -> None:
        """Hear, from within a search of the main thread, what has been said meanwhile."""
        while not self._over and (self._lines or _is_readable(0)):
            self._listen()
        if self._over and self._task is not None and not self._is_wanted(self._task):
            self._task.stop()

    def _work(self) -> None:
        """Run tasks, in a thread of their own; a fault in one ends the process.

        As a fault in the main thread does.  Whoever waits for the answer would wait for ever.
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
            if self._alone and task.is_held:
                return
            if self._alone and isinstance(task, Search):
                task.attend = self._attend
            task.run()
            with self._lock:
                task = self._task = self._next()
                if task is None:
                    self._resting.release()

    def _next(self) -> Task | None:
        """Do what has waited, as far as the next task; return it, if it is to be run."""
        self._task = None
        while self._waiting and self._task is None:
            self._do(self._waiting.pop(0))
        for command in (Word.PONDERHIT, Word.STOP):
            if command in self._waiting:
                self._signal(command)
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


def _is_extra(command: Command | Unread, *words: str) -> TypeGuard[Extra]:
    return isinstance(command, Extra) and command.word in words


def _is_readable(file: int, *, within: float | None = 0) -> bool:
    """Say whether a file can be read at once, or so many seconds later; None waits until it can.

    As far as the system tells.
    """
    from select import select  # hardly ever needed

    with suppress(OSError):  # on Windows, which knows that of sockets only
        return bool(select([file], [], [], within)[0])
    return False


def introduce() -> None:
    """Answer `uci`."""
    replies = (Id("name", f"Rookery {VERSION}"), Id("author", "The Rookery developers"))
    engine_output.write("\n".join(map(str, (*replies, *OPTIONS, Ok.UCIOK))))


def what_is_missing(error: ImportError) -> str:
    """Return what to tell of a core that cannot be loaded; any other error is raised again."""
    if error.name == "rookery_engine.net":
        return str(error)
    if not str(error.name).startswith("cython"):
        raise error
    return NOT_COMPILED


def main(command: str | None = None) -> None:
    """Speak UCI on stdin and stdout, or obey one command, and end the process.

    Nothing is buffered and nothing needs to be put away, so the end is immediate,
    whatever the search thread does.
    """
    try:
        loop = Loop()
        if command is None:
            loop.run()
        else:
            loop.obey(command)
        loop.finish(typed=command is None and os.isatty(0))
    except ImportError as error:
        engine_output.tell(what_is_missing(error))
        os._exit(1)
    os._exit(0)
