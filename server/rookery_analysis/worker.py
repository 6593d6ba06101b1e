"""A worker with one engine at a time, which searches game after game, or other positions.

A game whose engine dies or is lost is begun again by the next worker that has an engine, from
its first position, so the results do not depend on how often that happens, and no game waits
for a worker that has to wait for a place.  Positions that are no game are searched each by
itself, as if it were the first: those that are done need not be done again.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
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
from rookery_analysis.engine_supply import EngineSource, EvaluationCache, ReadyEngine, RetryPause
from rookery_analysis.evaluation import PositionEvaluation
from rookery_analysis.game import ParsedGame
from rookery_analysis.game_source import InputGame
from rookery_protocol.errors import ServerError
from rookery_protocol.legality import STANDARD
from rookery_uci import CHESS960, BestMove, Limits, Position
from rookery_uci.uci_client import UciSearch

STARTS = 3  # in a row that may fail until the engine counts as broken
AHEAD = 64  # positions that are requested at once; half of the answers are read together,
MOMENT = 0.3  # s for which so many are waited for
RECONNECTS = 10  # in a row; with the pauses between them 10 minutes
TRIES = 2  # of a position; one failure may be an accident
MAX_POISON = 3  # positions of a game; with more, something else is wrong with it

_Searches = deque[tuple[int, asyncio.Future[UciSearch]]]  # with the indices of positions


@dataclass(slots=True)
class PendingSearches:
    """Positions of one kind of chess, and what has gone wrong with them so far.

    `is_game`: they are of one game, and what an engine remembers of one helps with the next.
    `poison` has the indices of positions that are skipped from now on, and why; `losses` is
    how often an engine was lost that was at work on them.  `gave_up` is why all are.
    """

    name: str
    chess960: bool = False
    variant: str = STANDARD
    is_game: bool = True
    poison: dict[int, str] = field(default_factory=dict)
    found: dict[int, PositionAnalysis] = field(default_factory=dict)
    losses: int = 0
    gave_up: str | None = None
    _failures: Counter[int] = field(default_factory=Counter)

    @property
    def boards(self) -> Sequence[chess.Board]:
        """The boards of all positions."""
        raise NotImplementedError

    def positions(self) -> Sequence[Position]:
        """Return all positions."""
        raise NotImplementedError

    def is_over(self, index: int) -> bool:
        """Return whether there is nothing to search in a position."""
        raise NotImplementedError

    def add_failure(self, index: int, why: str) -> None:
        """Record that an engine has died or hung at a position."""
        self._failures[index] += 1
        if self._failures[index] >= TRIES:
            self.poison[index] = why
        if self.is_game and len(self.poison) > MAX_POISON:
            self.gave_up = f"given up after {len(self.poison)} positions: {why}"


@dataclass(slots=True)
class PendingGame(PendingSearches):
    """A game, and the future of its result, if there is one."""

    game: ParsedGame = field(kw_only=True)
    source: InputGame | None = field(default=None, kw_only=True)  # None is no file
    result: asyncio.Future[AnalysedGame] | None = field(default=None, kw_only=True)

    @classmethod
    def of(cls, game: ParsedGame, source: InputGame | None = None) -> "PendingGame":
        """Return a game that is to be analysed, with a future."""
        result: asyncio.Future[AnalysedGame] = asyncio.get_running_loop().create_future()
        return cls(game.name, chess960=game.chess960, game=game, source=source, result=result)

    @property
    def boards(self) -> Sequence[chess.Board]:
        """The boards of all positions."""
        return self.game.boards

    def positions(self) -> Sequence[Position]:
        """Return all positions; none if no move was played from the usual first one."""
        positions = self.game.positions()
        is_empty = len(positions) == 1 and not self.game.pgn.headers.get("FEN")
        return () if is_empty else positions

    def is_over(self, index: int) -> bool:
        """Return whether the game is over in a position."""
        return self.game.is_over(index)


class Worker:
    """One worker with one engine at a time."""

    def __init__(
        self,
        engines: EngineSource,
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
        self._index = 0  # of the position that the engine answers for
        self.lost: UnreachableEngineError | None = None  # why the last engine cannot be reached

    @property
    def engine(self) -> ReadyEngine | None:
        """The present engine."""
        return self._engine

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
                await self.start_engine()
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

    async def start_engine(self) -> None:
        """Get an engine, or fail.

        Raises:
            ServerError: there is none, now or ever.
            FaultyEngineError: it did not start this time.
            UnreachableEngineError: likewise, because of the network.

        """
        self._engine = await self._engines.acquire()

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
        if await self.search(pending):
            found = tuple(pending.found.get(ply) for ply in range(len(game.boards)))
            return AnalysedGame(game, found, pending.poison)
        return AnalysedGame(game, gave_up=pending.gave_up) if pending.gave_up else None

    async def search(self, pending: PendingSearches) -> bool:
        """Search positions with the present engine; `pending` has what is found.

        Returns:
            False if the engine is gone: they are to be tried again, or were given up.

        Raises:
            ServerError: the connection is lost each time.

        """
        assert self._engine
        self._index, self.lost = 0, None
        try:
            await self._search_positions(pending, self._engine)
        except FaultyEngineError as fault:
            self.release_engine()
            place = "half-move" if pending.is_game else "position"
            self._report(f"{pending.name}, {place} {self._index}: {fault}")
            pending.add_failure(self._index, str(fault))
            return False
        except UnreachableEngineError as lost:
            self.lost = lost
            self.release_engine()
            self._pause.lengthen(lost)
            if isinstance(lost, BusyServerError):
                return False
            pending.losses += 1
            if pending.losses >= RECONNECTS:
                raise ServerError(
                    f"{lost}; that was so {pending.losses} times in one game"
                ) from lost
            self._report(f"{pending.name}: begun anew, {lost}")
            return False
        self._pause.reset()
        return True

    async def _search_positions(self, pending: PendingSearches, engine: ReadyEngine) -> None:
        """Search each position in turn.

        More searches are requested than the engine can answer at once, so it never waits
        while its answers are read.
        """
        conversation, chess960 = engine.conversation, pending.chess960
        if pending.is_game:
            pending.found.clear()  # It is searched from its first position.
        await conversation.start_game(chess960=chess960, variant=pending.variant)
        positions, found = pending.positions(), pending.found
        skipped = pending.poison.keys() | found.keys()
        open_ones = [
            index
            for index in range(len(positions))
            if index not in skipped and not pending.is_over(index)
        ]
        known: dict[int, PositionEvaluation] = {}
        if self._cache:
            known = await self._cache.look_up(engine, positions, chess960=chess960)
        for index in known.keys() & set(open_ones):
            found[index] = PositionAnalysis(known[index], known[index].lines[0].pv[0])
        new: list[tuple[Position, bytes]] = []
        searches: _Searches = deque()
        todo = (index for index in open_ones if index not in known)
        while True:
            for index in islice(todo, AHEAD - len(searches)):
                search = conversation.search(
                    positions[index], self._limits, new_game=not pending.is_game
                )
                searches.append((index, search))
            if not searches:
                break
            answered = await self._next_answers(searches)
            read = partial(self._read, pending.boards, answered)
            for index, lines, result in await asyncio.get_running_loop().run_in_executor(
                self._reader, read
            ):
                found[index] = result
                if self._cache:
                    new.append((positions[index], lines))
        if self._cache:
            await self._cache.store(engine, new, chess960=chess960)

    async def _next_answers(self, searches: _Searches) -> list[tuple[int, UciSearch]]:
        """Remove and return half of the searches, or those answered after a moment; at least one.

        So many are read together, and few are left over for which the next game waits.
        """
        await asyncio.wait({searches[(len(searches) - 1) // 2][1]}, timeout=MOMENT)
        self._index, first = searches[0]
        await first
        answered = []
        while searches and searches[0][1].done() and not searches[0][1].exception():
            index, search = searches.popleft()
            answered.append((index, search.result()))
        return answered

    def _read(
        self, boards: Sequence[chess.Board], answered: Sequence[tuple[int, UciSearch]]
    ) -> list[tuple[int, bytes, PositionAnalysis]]:
        """Read answers; if one cannot be read, `_ply` is its half-move."""
        found = []
        for self._index, search in answered:
            lines = search.newest_lines
            evaluation = PositionEvaluation.of_search(lines, boards[self._index])
            if evaluation is None:
                raise FaultyEngineError("it says no score with a legal move")
            move = search.best or BestMove(evaluation.lines[0].pv[0])
            result = PositionAnalysis(evaluation, move.move, move.ponder)
            found.append((self._index, lines, result))
        return found
