"""A UCI engine as a player, by raw reads and writes of its pipes.

At a few thousand nodes a move an engine answers in a millisecond, so nothing here
may cost more than some microseconds: one write for a question, one read for each
piece that arrives, no thread, and only the last `info` is parsed.
"""

import contextlib
import os
import select
import subprocess
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from bench.child import OUT
from bench.match.player import MATE, Answer, Fault, Options, Player, PlayerError, Question, Spec

PIECE = 65536  # bytes of one read
START = 30.0  # s until `uciok` and `readyok`


class UciPlayer(Player):
    """One engine process; started again after a failure."""

    def __init__(self, spec: Spec) -> None:
        self.name = spec.name
        self._spec = spec
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self._poll = select.poll()
        self._in = self._out = -1
        try:
            self._start()
        except BaseException:
            self.end()
            raise

    def new_game(self) -> None:
        """Forget the game before; start the engine if it is gone."""
        if self._process is None:
            self._start()
        try:
            self._say("ucinewgame\nisready\n")
            self._hear(b"readyok", START)
        except PlayerError:
            self.end()  # it died between two games, which costs it none
            self._start()

    def set_options(self, options: Options) -> None:
        """Set options between two games; see `Player`."""
        kept = dict(self._spec.options) | dict(options)
        self._spec = replace(self._spec, options=tuple(kept.items()))
        with contextlib.suppress(PlayerError):  # the next game will start it again
            self._say(_set(options))

    def choose(self, question: Question) -> Answer:
        """Return the engine's move; see `Player`."""
        moves = f" moves {' '.join(question.moves)}" if question.moves else ""
        go = question.limit.go(question.white, question.black)
        try:
            started = time.perf_counter()
            self._say(f"position fen {question.fen}{moves}\n{go}\n")
            lines = self._hear(b"bestmove", question.seconds)
            seconds = time.perf_counter() - started
        except PlayerError:
            self.end()
            raise
        return read_answer(lines, seconds)

    def ask(self, text: str, word: str, seconds: float) -> list[str]:
        """Say lines, and return what is heard up to the one that starts with `word`."""
        self._say(text)
        return [line.decode(errors="replace") for line in self._hear(word.encode(), seconds)]

    def end(self) -> None:
        """Kill the process; it may hang, and nothing of it is wanted any more."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()

    def _start(self) -> None:
        spec = self._spec
        OUT.mkdir(exist_ok=True)
        with (OUT / f"{Path(spec.command[0]).name}.log").open("ab") as log:
            try:
                self._process = subprocess.Popen(
                    spec.command,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    cwd=spec.folder,
                    env={**os.environ, **dict(spec.environment)},
                    start_new_session=True,  # Ctrl-C is for the match alone
                )
            except OSError as error:
                raise PlayerError(Fault.CRASH, f"cannot start: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._buffer = b""
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._say("uci\n")
        words = [line.decode(errors="replace") for line in self._hear(b"uciok", START)]
        known = {_option_name(line).lower() for line in words if line.startswith("option name ")}
        for line in words:
            if line.startswith("id name ") and not self.name:
                self.name = line.removeprefix("id name ").strip()
        for name, _ in spec.options:
            if name.lower() not in known:
                raise PlayerError(Fault.CRASH, f"{self.name} has no option {name!r}")
        self._say(_set(spec.options) + "isready\n")
        self._hear(b"readyok", START)

    def _say(self, text: str) -> None:
        if self._process is None:
            raise PlayerError(Fault.CRASH, f"{self.name} is not running")
        try:
            os.write(self._in, text.encode())
        except BrokenPipeError:
            raise PlayerError(Fault.CRASH, self._how_it_ended()) from None

    def _hear(self, word: bytes, seconds: float) -> list[bytes]:
        """Return all lines up to the first that starts with `word`."""
        buffer = self._buffer
        lines: list[bytes] = []
        until = 0.0
        while True:
            *whole, buffer = buffer.split(b"\n")
            for number, line in enumerate(whole):
                if line.startswith(word):
                    lines += whole[: number + 1]
                    self._buffer = b"\n".join([*whole[number + 1 :], buffer])
                    return lines
            lines += whole
            now = time.monotonic()
            until = until or now + seconds
            if not self._poll.poll(max(0.0, (until - now) * 1000)):
                asked = word.decode()
                raise PlayerError(Fault.HANG, f"{self.name} gave no {asked} in {seconds:.0f} s")
            piece = os.read(self._out, PIECE)
            if not piece:
                raise PlayerError(Fault.CRASH, self._how_it_ended())
            buffer += piece

    def _how_it_ended(self) -> str:
        assert self._process is not None
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return f"{self.name} closed its pipes"
        return f"{self.name} ended with status {status}"


def read_answer(lines: list[bytes], seconds: float) -> Answer:
    """Read the last `info` with a score of the first variation, and the `bestmove` at the end."""
    words = lines[-1].split()
    move = words[1].decode(errors="replace") if len(words) > 1 else ""
    for line in reversed(lines):
        if b" score " in line and (b" multipv " not in line or b" multipv 1 " in line):
            words = line.split()
            if words[:2] != [b"info", b"string"]:
                break
    else:
        return Answer(move, seconds)
    numbers: dict[bytes, int] = {}
    for name, value in pairwise(words):
        if name == b"pv":
            break
        if value.lstrip(b"-").isdigit():
            numbers.setdefault(name, int(value))
    score = numbers.get(b"cp")
    if b"mate" in numbers:
        mate = numbers[b"mate"]
        score = MATE - mate if mate > 0 else -MATE - mate
    return Answer(
        move, seconds, score, numbers.get(b"depth"), numbers.get(b"nodes"), numbers.get(b"nps")
    )


def _set(options: Options) -> str:
    return "".join(f"setoption name {name} value {value}\n" for name, value in options)


def _option_name(line: str) -> str:
    """Return the name of `option name NAME type ...`."""
    return line.removeprefix("option name ").partition(" type ")[0].strip()
