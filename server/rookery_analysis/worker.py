"""A worker with one engine at a time, which analyses game after game.

A game whose engine dies or is lost is begun again by the next worker that has an engine, from
its first position, so the results do not depend on how often that happens, and no game waits
for a worker that has to wait for a place.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Container, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

import chess

from rookery_analysis.analysed_game import AnalysedGame, PositionAnalysis
from rookery_analysis.engine_conversation import (
    BusyServerError,
    FaultyEngineError,
    UnreachableEngineError,
)
from rookery_analysis.engine_supply import EngineSupply, EvaluationCache, ReadyEngine, RetryPause
from rookery_analysis.evaluation import PositionEvaluation
from rookery_analysis.game import ParsedGame
from rookery_analysis.game_source import InputGame
from rookery_protocol.errors import ServerError
from rookery_uci import CHESS960, Limits, Position
from rookery_uci.uci_client import UciSearch

STARTS = 3  # in a row that may fail until the engine counts as broken
AHEAD = 64  # positions that are requested at once; half of the answers are read together,
MOMENT = 0.3  # s for which so many are waited for
RECONNECTS = 10  # in a row; with the pauses between them 10 minutes
TRIES = 2  # of a position; one failure may be an accident
MAX_POISON = 3  # positions of a game; with more, something else is wrong with it

_Searches = deque[tuple[int, asyncio.Future[UciSearch]]]  # half-moves and their searches


@dataclass(slots=True)
class PendingGame:
    """A game, its place in the input, its result, and what has gone wrong with it so far.

    `poison` has the half-moves of positions that are skipped from now on, and why; `losses`
    is how often an engine was lost that was at work on the game.
    """

    source: InputGame
    game: ParsedGame
    result: asyncio.Future[AnalysedGame] = field(default_factory=asyncio.Future)
    poison: dict[int, str] = field(default_factory=dict)
    losses: int = 0
    _failures: Counter[int] = field(default_factory=Counter)

    def add_failure(self, ply: int, why: str) -> AnalysedGame | None:
        """Record that an engine has died or hung at a position.

        Returns:
            The game without results if it is given up, None if it is to be tried again.

        """
        self._failures[ply] += 1
        if self._failures[ply] >= TRIES:
            self.poison[ply] = why
        if len(self.poison) <= MAX_POISON:
            return None
        gave_up = f"given up after {len(self.poison)} positions: {why}"
        return AnalysedGame(self.game, gave_up=gave_up)


class Worker:
    """One worker with one engine at a time."""

    def __init__(
        self,
        engines: EngineSupply,
        limits: Limits,
        cache: EvaluationCache | None,
        *,
        reader: Executor,
        report: Callable[[str], None],
    ) -> None:
        """Create a worker without an engine.

        Args:
            engines: the source of its engines.
            limits: how far each position is searched.
            cache: what need not be searched; None is no cache.
            reader: reads answers, apart from the event loop that keeps engines busy.
            report: shows a sentence to the operator.

        """
        self._engines = engines
        self._limits = limits
        self._cache = cache
        self._reader = reader
        self._report = report
        self._engine: ReadyEngine | None = None
        self._pause = RetryPause(report)  # until the next engine, after one was lost
        self._ply = 0  # the half-move whose position the engine answers for

    def release_engine(self) -> None:
        """End the engine, if there is one."""
        if self._engine:
            self._engine.release()
            self._engine = None

    async def acquire_engine(self) -> None:
        """Get an engine unless there is one, however long it takes.

        Raises:
            ServerError: no engine can be had.

        """
        faults = losses = 0
        while self._engine is None:
            await self._pause.elapse()
            try:
                self._engine = await self._engines.acquire()
            except FaultyEngineError as fault:
                faults += 1
                if faults >= STARTS:
                    raise ServerError(f"the engine does not start: {fault}") from fault
            except UnreachableEngineError as lost:
                self._pause.lengthen(lost)
                if isinstance(lost, BusyServerError):
                    continue
                losses += 1
                if losses >= RECONNECTS:
                    raise ServerError(f"{lost}; tried {losses} times") from lost
                self._report(f"{lost}; tried again in {self._pause.seconds:g} s")

    async def analyse(self, pending: PendingGame) -> AnalysedGame | None:
        """Analyse a game with the present engine.

        Returns:
            The results; None if the engine is gone, and the game is to be tried again.

        Raises:
            ServerError: the connection is lost each time.

        """
        game, engine = pending.game, self._engine
        assert engine
        if game.obstacle:
            return AnalysedGame(game)
        if game.chess960 and not engine.conversation.has_option(CHESS960):
            name = engine.conversation.identity.name
            return AnalysedGame(replace(game, obstacle=f"{name} plays no Chess960"))
        self._ply = 0
        try:
            positions = await self._analyse_positions(game, engine, pending.poison)
        except FaultyEngineError as fault:
            self.release_engine()
            self._report(f"{game.name}, half-move {self._ply}: {fault}")
            return pending.add_failure(self._ply, str(fault))
        except UnreachableEngineError as lost:
            self.release_engine()
            self._pause.lengthen(lost)
            if isinstance(lost, BusyServerError):
                return None
            pending.losses += 1
            if pending.losses >= RECONNECTS:
                raise ServerError(
                    f"{lost}; that was so {pending.losses} times in one game"
                ) from lost
            self._report(f"{game.name}: begun anew, {lost}")
            return None
        self._pause.reset()
        return AnalysedGame(game, positions, pending.poison)

    async def _analyse_positions(
        self, game: ParsedGame, engine: ReadyEngine, poison: Container[int]
    ) -> tuple[PositionAnalysis | None, ...]:
        """Search each position in turn.

        More searches are requested than the engine can answer at once, so it never waits
        while its answers are read.
        """
        await engine.conversation.start_game(chess960=game.chess960)
        positions = game.positions()
        found: list[PositionAnalysis | None] = [None] * len(positions)
        if len(positions) == 1 and not game.pgn.headers.get("FEN"):
            return tuple(found)  # no move was played

        open_plies = [
            ply for ply in range(len(positions)) if ply not in poison and not game.is_over(ply)
        ]
        known: dict[int, PositionEvaluation] = {}
        if self._cache:
            known = await self._cache.look_up(engine, positions, chess960=game.chess960)
        for ply in known.keys() & set(open_plies):
            found[ply] = PositionAnalysis(known[ply], known[ply].lines[0].pv[0])
        new: list[tuple[Position, bytes]] = []
        searches: _Searches = deque()
        todo = (ply for ply in open_plies if ply not in known)
        while True:
            for ply in islice(todo, AHEAD - len(searches)):
                searches.append((ply, engine.conversation.search(positions[ply], self._limits)))
            if not searches:
                break
            answered = await self._next_answers(searches)
            read = partial(self._read, game.boards, answered)
            for ply, lines, result in await asyncio.get_running_loop().run_in_executor(
                self._reader, read
            ):
                found[ply] = result
                new.append((positions[ply], lines))
        if self._cache:
            await self._cache.store(engine, new, chess960=game.chess960)
        return tuple(found)

    async def _next_answers(self, searches: _Searches) -> list[tuple[int, UciSearch]]:
        """Remove and return half of the searches, or those answered after a moment; at least one.

        So many are read together, and few are left over for which the next game waits.
        """
        await asyncio.wait({searches[(len(searches) - 1) // 2][1]}, timeout=MOMENT)
        self._ply, first = searches[0]
        await first
        answered = []
        while searches and searches[0][1].done() and not searches[0][1].exception():
            ply, search = searches.popleft()
            answered.append((ply, search.result()))
        return answered

    def _read(
        self, boards: Sequence[chess.Board], answered: Sequence[tuple[int, UciSearch]]
    ) -> list[tuple[int, bytes, PositionAnalysis]]:
        """Read answers; if one cannot be read, `_ply` is its half-move."""
        found = []
        for self._ply, search in answered:
            lines = search.newest_lines
            evaluation = PositionEvaluation.of_search(lines, boards[self._ply])
            if evaluation is None:
                raise FaultyEngineError("it says no score with a legal move")
            best = search.best.move if search.best else evaluation.lines[0].pv[0]
            found.append((self._ply, lines, PositionAnalysis(evaluation, best)))
        return found
