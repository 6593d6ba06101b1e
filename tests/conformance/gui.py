"""A GUI for tests: it speaks to one engine process and keeps all that was said."""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from conformance import grammar
from conformance.watcher import Watcher

TIMEOUT = 10.0  # s; far beyond what any answer may take
END_TIMEOUT = 5.0  # s; for a process to end
SHOWN = 60  # lines of the conversation in an error
ATTEMPTS = 3  # of what is measured in milliseconds
UCI_TIMEOUT = 5.0  # s after which a GUI would give an engine up


class Line(str):
    """A line the engine said, and when (`at`, of the monotonic clock)."""

    at: float


class SilenceError(AssertionError):
    """The engine owes a line and does not say it."""


class GoneError(AssertionError):
    """The engine has ended in the middle of the conversation."""


def measured(measure):
    """Repeat a measurement that other tests may have disturbed: who is slow is so each time."""
    for _ in range(ATTEMPTS - 1):
        try:
            return measure()
        except (SilenceError, GoneError):
            raise
        except AssertionError:
            continue
    return measure()


class Search:
    """Lines from `go` to `bestmove`.

    `said` is the move as it was said; `move` is "" if that is none.
    """

    def __init__(self, lines, begun):
        self.lines = lines
        self.took = lines[-1].at - begun  # s
        self.said, self.ponder = grammar.parse_bestmove(lines[-1].partition(" ")[2])
        self.move = "" if self.said in grammar.NO_MOVES else self.said
        self.infos = [fields for fields in map(fields_of, lines) if "string" not in fields]
        self.pvs = [info for info in self.infos if "pv" in info]

    @property
    def last(self):
        """Return the last info with a score of the first variation."""
        scored = [i for i in self.infos if "score" in i and i.get("multipv", 1) == 1]
        return scored[-1]

    @property
    def depth(self):
        return max(info.get("depth", 0) for info in self.infos)

    @property
    def nodes(self):
        return max(info.get("nodes", 0) for info in self.infos)


def fields_of(line):
    """Return the fields of an info; {"string": ...} for any other line."""
    if not line.startswith("info "):
        return {"string": line}
    try:
        return grammar.parse_info(line.partition(" ")[2])
    except grammar.GrammarError:  # the watcher reports it
        return {"string": line}


class Gui:
    """One conversation with a process.

    `report(row, text)` is called for each row of the specification that it breaks.
    """

    def __init__(self, target, report=lambda row, text: None, arguments=()):
        self.target = target
        self.own = target.own
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            [*target.command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=target.environment,
            cwd=target.folder,
            start_new_session=True,
        )
        self.options = {}  # lower-case names -> option, after `meet`
        self.bytes = 0
        self.tail = b""
        self.watcher = Watcher(report)
        self._events = queue.SimpleQueue()  # (said, line, at), for the watcher
        self._recent = []
        self._touched = set()
        self._lines = queue.SimpleQueue()
        self._reading = threading.Event()
        self._reading.set()
        self._errors = b""
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    # --- to say

    def say(self, *lines):
        """Say lines, in one write."""
        self.write("".join(f"{line}\n" for line in lines).encode(), *lines)

    def write(self, data, *meaning):
        """Write bytes that mean these lines."""
        for line in meaning:
            self._note(True, line)
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._gone() from None

    def set_option(self, name, value=None):
        self._touched.add(name.lower())
        self.say(f"setoption name {name}" + ("" if value is None else f" value {value}"))

    # --- to hear

    def hear(self, timeout=TIMEOUT):
        """Return the next line."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise SilenceError(f"nothing for {timeout} s\n{self.transcript()}") from None
        if line is None:
            self._lines.put(None)
            raise self._gone()
        return line

    def listen(self, seconds):
        """Wait for a line, but no longer than this."""
        with contextlib.suppress(SilenceError):
            self.hear(seconds)

    def hear_until(self, start, timeout=TIMEOUT):
        """Return lines up to the first that starts so."""
        until = time.monotonic() + timeout
        lines = []
        while not lines or not lines[-1].startswith(start):
            left = until - time.monotonic()
            if left <= 0:
                raise SilenceError(f"no {start!r} in {timeout} s\n{self.transcript()}")
            try:
                lines.append(self.hear(left))
            except SilenceError:
                raise SilenceError(f"no {start!r} in {timeout} s\n{self.transcript()}") from None
        return lines

    def ask(self, *lines, until="bestmove", timeout=TIMEOUT):
        """Say lines and return what is heard up to the answer."""
        self.say(*lines)
        return self.hear_until(until, timeout)

    def sync(self, timeout=TIMEOUT):
        """Return what was said up to the answer to an `isready` sent now."""
        return self.ask("isready", until="readyok", timeout=timeout)[:-1]

    def quiet(self, seconds=0.3):
        """Return what is said in some time and up to an `isready` behind it."""
        lines = []
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            with contextlib.suppress(SilenceError):
                lines.append(self.hear(left))
        return lines + self.sync()

    def assert_no_bestmove(self, seconds=0.3):
        """Check that none comes in some time, nor before the answer to `isready`."""
        assert not any(line.startswith("bestmove") for line in self.quiet(seconds)), (
            self.transcript()
        )

    # --- larger steps

    def meet(self):
        """Say `uci`, keep the options, and return what was heard."""
        lines = self.ask("uci", until="uciok", timeout=UCI_TIMEOUT)
        for line in lines:
            if line.startswith("option "):
                with contextlib.suppress(grammar.GrammarError):
                    option = grammar.parse_option(line.partition(" ")[2])
                    self.options[option["name"].lower()] = option
        return lines

    def option(self, name):
        """Return an option.  Ours must have it; another engine may be without."""
        if name.lower() not in self.options:
            assert not self.own, f"there is no option {name}"
            pytest.skip(f"not offered: {name}")
        return self.options[name.lower()]

    def search(self, go="go depth 4", position=None, *, timeout=TIMEOUT):
        """Search, and return all that was said of it."""
        if position is not None:
            self.say(position)
        begun = time.monotonic()
        try:
            return Search(self.ask(go, timeout=timeout), begun)
        except SilenceError:
            self.say("stop")  # let the next test have a quiet engine
            raise

    def stop(self, timeout=TIMEOUT):
        """Say `stop`, and return the search that it ended."""
        begun = time.monotonic()
        return Search(self.ask("stop", timeout=timeout), begun)

    def moves(self, position=None):
        """Return the legal moves, as `go perft 1` lists them."""
        if position is not None:
            self.say(position)
        lines = self.ask("go perft 1", until="Nodes searched")
        return {line.partition(":")[0] for line in lines if grammar.MOVE.match(line)}

    # --- the end

    def quit(self):
        """Say `quit` and return the exit status."""
        self.say("quit")
        return self.wait()

    def wait(self, timeout=END_TIMEOUT):
        """Wait for the process to end and return its status."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise SilenceError(f"it runs after {timeout} s\n{self.transcript()}") from None

    def kill(self):
        """End the process, however it is."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.read_on()
        for thread in self._threads:
            thread.join(1)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()

    def settle(self):
        """End what a test left unfinished and put back the options it touched."""
        self.watch()
        if self.watcher.searches or self.watcher.ready_owed or self.watcher.uci_owed:
            self.say("stop", "isready")
            until = time.monotonic() + TIMEOUT / 2
            while self.watcher.ready_owed or any(s.certain for s in self.watcher.searches):
                self.listen(0.05)
                self.watch()
                if time.monotonic() > until:
                    raise SilenceError(f"it owes an answer\n{self.transcript()}")
        for name in self._touched:
            option = self.options.get(name)
            if option and option["type"] != "button":
                self.say(
                    f"setoption name {option['name']} value {option['default'] or ''}".rstrip()
                )
        self._touched.clear()
        if self.watcher.debugged:
            self.say("debug off")
        self.say("ucinewgame", "position startpos")
        self.sync()
        with contextlib.suppress(queue.Empty):
            while True:  # what the test did not hear
                self._lines.get_nowait()
        self.watch()
        if self.watcher.ready_owed:
            raise SilenceError(f"it owes a readyok\n{self.transcript()}")

    def watch(self):
        """Let the watcher see what was said up to now."""
        with contextlib.suppress(queue.Empty):
            while True:
                said, line, at = self._events.get_nowait()
                (self.watcher.said if said else self.watcher.heard)(line, at)
        self.watcher.errors(self.errors())

    def watch_end(self):
        """The same, when the process has ended by itself."""
        for thread in self._threads:
            thread.join(1)
        self.watch()
        self.watcher.ended(self.tail)

    def errors(self):
        """Return what is on stderr up to now."""
        return self._errors.decode(errors="replace")

    def transcript(self):
        """Return the last lines of both sides, and stderr."""
        recent = [f"{'>' if said else '<'} {line[:300]}" for said, line in self._recent[-SHOWN:]]
        return "\n".join([*recent, self.errors()[-500:]])

    def cpu(self):
        """Return the seconds of CPU time used by the engine and all that it needs."""
        return sum(map(cpu_of, self.target.pids(self.process.pid)))

    # --- reading

    def pause(self):
        """Read no more of what the engine says, until `read_on`."""
        self._reading.clear()

    def read_on(self):
        self._reading.set()

    def _gone(self):
        status = self.process.wait(END_TIMEOUT)
        return GoneError(f"it ended with status {status}\n{self.transcript()}")

    def _note(self, said, line):
        at = time.monotonic()
        self._events.put((said, line, at))
        self._recent.append((said, line))
        if len(self._recent) > 4 * SHOWN:
            del self._recent[: 2 * SHOWN]
        return at

    def _read(self):
        stdout = self.process.stdout.fileno()
        with contextlib.suppress(OSError, ValueError):
            while self._reading.wait() and (data := os.read(stdout, 65536)):
                self.bytes += len(data)
                *lines, self.tail = (self.tail + data).split(b"\n")
                for line in lines:
                    heard = Line(line.decode(errors="replace"))
                    heard.at = self._note(False, heard)
                    self._lines.put(heard)
        self._lines.put(None)

    def _read_errors(self):
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(self.process.stderr.fileno(), 65536):
                self._errors += data


def cpu_of(pid):
    """Return the seconds of CPU time of a process; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
