"""An engine of the XBoard protocol (CECP) as a player, by `chess.engine`.

It goes through an event loop in a thread, which costs half a millisecond a move; that
is little beside a clock.  These engines play by clocks or `movetime`, not by nodes.
"""

import asyncio
import logging
import time
from dataclasses import replace

import chess.engine

from bench.match.player import (
    MATE,
    PATIENCE,
    MatchPlayer,
    MoveRequest,
    Options,
    PlayedMove,
    PlayerError,
    PlayerFault,
    PlayerSpec,
)

# It warns of each line that it does not know, and old engines chat.
logging.getLogger("chess.engine").setLevel(logging.ERROR)


class XboardPlayer(MatchPlayer):
    """One engine process; started again after a failure."""

    def __init__(self, spec: PlayerSpec) -> None:
        self.name = spec.name
        self._spec = spec
        self._engine: chess.engine.SimpleEngine | None = None
        self._game = object()
        self._start()

    def new_game(self) -> None:
        """Forget the game before; start the engine if it is gone."""
        self._game = object()
        if self._engine is None:
            self._start()

    def set_options(self, options: Options) -> None:
        """Set options for what is started with the next game; see `MatchPlayer`."""
        kept = dict(self._spec.options) | dict(options)
        self._spec = replace(self._spec, options=tuple(kept.items()))
        self.end()

    def choose(self, question: MoveRequest) -> PlayedMove:
        """Return the engine's move; see `MatchPlayer`."""
        assert self._engine is not None
        try:
            started = time.perf_counter()
            # `SimpleEngine.play` itself waits for ever, where there is a clock or a depth.
            protocol = self._engine.protocol
            answer = protocol.play(
                question.board,
                _limit(question, self._game),
                game=self._game,
                info=chess.engine.INFO_ALL,
            )
            result = asyncio.run_coroutine_threadsafe(answer, protocol.loop).result(
                question.seconds
            )
            seconds = time.perf_counter() - started
        except TimeoutError:
            self.end()
            raise PlayerError(PlayerFault.HANG, f"{self.name} hangs") from None
        except chess.engine.EngineTerminatedError as error:
            self.end()
            raise PlayerError(PlayerFault.CRASH, f"{self.name}: {error}") from error
        except chess.engine.EngineError as error:
            self.end()
            raise PlayerError(PlayerFault.ILLEGAL, f"{self.name}: {error}") from error
        if result.resigned or result.move is None:
            raise PlayerError(PlayerFault.RESIGN, f"{self.name} resigned")
        return _answer(question.board, result, seconds)

    def end(self) -> None:
        """End the process."""
        engine, self._engine = self._engine, None
        if engine is not None:
            transport = engine.transport
            engine.close()
            if transport.get_returncode() is None:
                transport.kill()

    def _start(self) -> None:
        spec = self._spec
        try:
            self._engine = chess.engine.SimpleEngine.popen_xboard(
                list(spec.command), timeout=PATIENCE, cwd=spec.folder, start_new_session=True
            )
            self._engine.configure(dict(spec.options))
        except (OSError, TimeoutError, chess.engine.EngineError) as error:
            self.end()
            raise PlayerError(
                PlayerFault.CRASH, f"{spec.command[0]} does not start: {error}"
            ) from error
        self.name = self.name or self._engine.id.get("name", spec.command[0])


def _limit(question: MoveRequest, game: object) -> chess.engine.Limit:
    limit = question.limit
    if limit.base is None:
        word, _, number = limit.fixed.partition(" ")
        if word == "movetime":
            return chess.engine.Limit(time=int(number) / 1000)
        if word == "depth":
            return chess.engine.Limit(depth=int(number))
        raise PlayerError(PlayerFault.CRASH, "engines of the XBoard protocol do not count nodes")
    return chess.engine.Limit(
        white_clock=question.white / 1000,
        black_clock=question.black / 1000,
        white_inc=limit.increment / 1000,
        black_inc=limit.increment / 1000,
        clock_id=game,  # `level` is told once a game
    )


def _answer(board: chess.Board, result: chess.engine.PlayResult, seconds: float) -> PlayedMove:
    assert result.move is not None
    told = result.info
    score = told.get("score")
    return PlayedMove(
        board.uci(result.move),
        seconds,
        score.pov(board.turn).score(mate_score=MATE) if score else None,
        told.get("depth"),
        told.get("nodes"),
        told.get("nps"),
    )
