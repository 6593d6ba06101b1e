"""A UCI engine as a player, by raw reads and writes of its pipes.

At a few thousand nodes a move an engine answers in a millisecond, so nothing here
may cost more than some microseconds: one write for each move, one read for each
piece that arrives, no thread, and only the last `info` is parsed.
"""

import os
import select
import subprocess
import time
from dataclasses import replace
from pathlib import Path

from bench.child import OUT
from bench.match.player import (
    MATE,
    MatchPlayer,
    MoveRequest,
    Options,
    PlayedMove,
    PlayerError,
    PlayerFault,
    PlayerSpec,
)
from rookery_uci import Limits, Position, UciError
from rookery_uci.uci_client import UciClient, UciRequest, UciSearch

PIECE = 65536  # bytes of one read
START = 30.0  # s until `uciok` and `readyok`


class UciPlayer(MatchPlayer):
    """One engine process; started again after a failure."""

    def __init__(self, spec: PlayerSpec) -> None:
        self.name = spec.name
        self._spec = spec
        self._unset: Options = ()  # to be sent before the next game
        self._client = UciClient()
        self._process: subprocess.Popen[bytes] | None = None
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
            self.prepare(self._unset, new_game=True)
        except PlayerError:
            self.end()  # it died between two games, which costs it none
            self._start()
        self._unset = ()

    def set_options(self, options: Options) -> None:
        """Set options before the next game; see `MatchPlayer`."""
        kept = dict(self._spec.options) | dict(options)
        self._spec = replace(self._spec, options=tuple(kept.items()))
        self._unset = tuple((dict(self._unset) | dict(options)).items())

    def choose(self, question: MoveRequest) -> PlayedMove:
        """Return the engine's move; see `MatchPlayer`."""
        position = Position(question.fen, tuple(question.moves))
        limits = question.limit.limits(question.white, question.black)
        try:
            started = time.perf_counter()
            search = self.search(position, limits, question.seconds)
            seconds = time.perf_counter() - started
        except PlayerError:
            self.end()
            raise
        return read_answer(search, seconds)

    def prepare(self, options: Options = (), *, new_game: bool = False) -> UciRequest:
        """Set options and begin a game, if one begins; return what the engine said.

        Raises:
            PlayerError: it does not answer, has no such option, or refuses the value.

        """
        try:
            commands = [self._client.setoption(name, value) for name, value in options]
        except UciError as error:
            raise PlayerError(PlayerFault.CRASH, str(error)) from error
        request = self._client.prepare(commands, new_game=new_game)
        self._exchange(request, START)
        return request

    def search(self, position: Position, limits: Limits, seconds: float) -> UciSearch:
        """Search a position to the end, which must come within so many seconds."""
        search = self._client.search(position, limits)
        self._exchange(search, seconds)
        return search

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
                raise PlayerError(PlayerFault.CRASH, f"cannot start: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._client = UciClient()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._exchange(self._client.handshake(), START)
        self.name = self.name or self._client.identity.name
        self.prepare(spec.options)

    def _exchange(self, request: UciRequest, seconds: float) -> None:
        """Send a request and read its answer.

        Raises:
            PlayerError: there is none within so many seconds.

        """
        self._write(self._client.data_to_send())
        until = time.monotonic() + seconds
        while not request.is_over:
            if not self._poll.poll(max(0.0, (until - time.monotonic()) * 1000)):
                word = request.last_word.decode()
                raise PlayerError(
                    PlayerFault.HANG, f"{self.name} gave no {word} in {seconds:.0f} s"
                )
            piece = os.read(self._out, PIECE)
            if not piece:
                raise PlayerError(PlayerFault.CRASH, self._how_it_ended())
            try:
                self._client.receive(piece)
            except UciError as error:
                raise PlayerError(PlayerFault.HANG, f"{self.name}: {error}") from error

    def _write(self, data: bytes) -> None:
        if self._process is None:
            raise PlayerError(PlayerFault.CRASH, f"{self.name} is not running")
        try:
            os.write(self._in, data)
        except BrokenPipeError:
            raise PlayerError(PlayerFault.CRASH, self._how_it_ended()) from None

    def _how_it_ended(self) -> str:
        assert self._process is not None
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return f"{self.name} closed its pipes"
        return f"{self.name} ended with status {status}"


def read_answer(search: UciSearch, seconds: float) -> PlayedMove:
    """Read the move, and the last `info` with a score of the first variation."""
    move = search.best.move if search.best else ""
    info = search.last_info()
    if info is None or info.score is None:
        return PlayedMove(move, seconds)
    score, mate = info.score.cp, info.score.mate
    if mate is not None:
        score = MATE - mate if mate > 0 else -MATE - mate
    return PlayedMove(move, seconds, score, info.depth, info.nodes, info.nps)
