"""A whole job: games in, results out, in the order of the input whatever the workers do.

Workers start as there are games for them.  They take games as they have engines, and their
results wait until all games before are written, so no worker gets further ahead than the
window.  A game whose engine is gone is the next that any worker takes.  What takes longer
than a moment is done in other threads while engines are at work: one reads the games, one
writes them.  Once a second the results are put on the disk, and then the checkpoint.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from rookery_analysis.analysed_game import AnalysedGame
from rookery_analysis.engine_supply import EngineSupply, EvaluationCache
from rookery_analysis.game import GamePlace, ParsedGame, parse_game
from rookery_analysis.game_source import InputGame, ReadAhead, Shard, input_games
from rookery_analysis.job_record import JobRecord, JobState
from rookery_analysis.progress_bar import JobCount
from rookery_analysis.text_decoding import WIDE
from rookery_analysis.worker import PendingGame, Worker
from rookery_protocol.errors import ServerError
from rookery_uci import Limits

MAX_WORKERS = 1000
WINDOW = 8  # games for each worker that may be begun before the oldest is written
AHEAD = 4  # games that are read before a worker is free
SYNC_TIME = 1.0  # s between two times that results are put on the disk; it takes 5 ms
MAX_FAILED = 10  # games in a row; then it is the engine that is broken

_Games = ReadAhead[tuple[InputGame, ParsedGame]]


@dataclass(frozen=True, slots=True)
class AnalysisOrder:
    """The games to analyse, how far, and by how many workers.

    `sizes` are those of the sources in bytes; None if one cannot be known.
    """

    sources: Sequence[str]
    sizes: Sequence[int | None]
    limits: Limits
    shard: Shard = Shard()  # noqa: RUF009  # frozen
    workers: int = 1
    encoding: str | None = None  # of the sources


class AnalysisJob:
    """An order that is carried out; `run` ends when all is written."""

    def __init__(
        self,
        order: AnalysisOrder,
        record: JobRecord,
        *,
        report: Callable[[str], None],
        show: Callable[[JobCount], None],
    ) -> None:
        """Create a job.

        Args:
            order: the games, and how far they are analysed.
            record: the results, and how far the job has come already.
            report: shows a sentence to the operator.
            show: shows how much is done.

        """
        self._order = order
        self._record = record
        self._report = report
        self._show = show
        self._analysed: dict[int, tuple[InputGame, AnalysedGame]] = {}  # by their index
        self._begun = self._written = 0
        self._again: deque[PendingGame] = deque()  # their engines are gone
        self._open: dict[int, InputGame] = {}  # that workers have, or that are to be begun again
        self._waiting: set[asyncio.Task[None]] = set()  # workers that wait for an engine
        # Given up, and not written yet: if the engine is broken, they are to be tried again.
        self._failed: list[tuple[InputGame, AnalysedGame]] = []
        self._window = asyncio.Semaphore(WINDOW * order.workers)
        self._has_news = asyncio.Event()  # for the writer
        self._unsaved = asyncio.Event()
        self._is_exhausted = False  # no game is left to begin
        self._is_over = False  # the workers have done all
        self._record_thread = ThreadPoolExecutor(1, "record")
        self._answer_thread = ThreadPoolExecutor(1, "answers")  # No answer waits for a disk.

    async def run(self, engines: EngineSupply, cache: EvaluationCache | None = None) -> JobState:
        """Analyse all games that are not done yet; return the state after that.

        Raises:
            ServerError: it cannot go on; what is done is on the disk, if the disk is not full.

        """
        order = self._order
        games = ReadAhead(self._parsed_games(), AHEAD + order.workers)
        try:
            async with asyncio.TaskGroup() as group:
                saver = group.create_task(self._save(), name="saver")
                writer = group.create_task(self._write(), name="writer")
                async with asyncio.TaskGroup() as workers:
                    await self._start_workers(workers, games, engines, cache)
                self._is_over = True
                self._has_news.set()
                await writer
                saver.cancel()
            await self._write_failed()
            self._record.finish(len(order.sources))
        except BaseExceptionGroup as errors:
            raise _first_of(errors) from errors
        finally:
            games.close()
            await self._in_record_thread(self._record.sync)
        return self._record.state

    def count(self) -> JobCount:
        """Return how much is done."""
        state, sizes = self._record.state, self._order.sizes
        if None in sizes:
            return JobCount(state.games, state.positions)
        known = [size or 0 for size in sizes]
        offset = state.mark.offset if state.source < len(sizes) else 0
        done = sum(known[: state.source]) + offset
        return JobCount(state.games, state.positions, done, sum(known))

    # --- games and workers

    def _parsed_games(self) -> Iterator[tuple[InputGame, ParsedGame]]:
        """Yield the games that are not done yet."""
        state, order = self._record.state, self._order
        for source in input_games(
            order.sources, order.shard, source=state.source, mark=state.mark, digest=state.digest,
            before=state.before, encoding=order.encoding,
        ):  # fmt: skip
            place = GamePlace(source.number, order.sources[source.source], source.text.line)
            yield source, parse_game(source.text, place)

    async def _start_workers(
        self,
        group: asyncio.TaskGroup,
        games: _Games,
        engines: EngineSupply,
        cache: EvaluationCache | None,
    ) -> None:
        """Start workers, and no more than there are games."""
        for number in range(self._order.workers):
            # The first worker raises an error if the games cannot be read.
            if number and not await games.has_more_than(number):
                return
            worker = Worker(
                engines, self._order.limits, cache, reader=self._answer_thread, report=self._report
            )
            group.create_task(self._run_worker(worker, games), name=f"worker {number}")
            await asyncio.sleep(0)  # Engines start one by one; signals are handled between them.

    async def _run_worker(self, worker: Worker, games: _Games) -> None:
        try:
            await self._acquire_engine(worker)
            while pending := await self._next_game(games):
                analysed = await worker.analyse(pending)
                if analysed:
                    self._analysed[pending.index] = self._open.pop(pending.index), analysed
                    self._has_news.set()
                else:
                    self._again.append(pending)
                    self._window.release()
                await self._acquire_engine(worker)
        finally:
            worker.release_engine()

    async def _acquire_engine(self, worker: Worker) -> None:
        """Wait until a worker has an engine; the wait is cancelled when no game is left."""
        if self._is_exhausted:
            return
        task = asyncio.current_task()
        assert task
        self._waiting.add(task)
        try:
            await worker.acquire_engine()
        finally:
            self._waiting.discard(task)

    async def _next_game(self, games: _Games) -> PendingGame | None:
        """Return the next game; None if no game is left."""
        await self._window.acquire()
        if not self._again and (game := await games.next_game()):
            index, self._begun = self._begun, self._begun + 1
            self._open[index], parsed = game
            return PendingGame(index, parsed)
        if self._again:
            return self._again.popleft()
        self._window.release()
        if not self._open:
            self._is_exhausted = True
            for task in self._waiting:
                task.cancel()
        return None

    # --- results

    async def _write(self) -> None:
        """Write each game when all before it are written."""
        while not (self._is_over and self._written == self._begun):
            await self._has_news.wait()
            self._has_news.clear()
            while game := self._analysed.pop(self._written, None):
                await self._write_game(*game)
                self._written += 1
                self._window.release()
                self._unsaved.set()

    async def _write_game(self, source: InputGame, analysed: AnalysedGame) -> None:
        """Write the next game, unless it was given up and the game after it may be, too."""
        self._failed.append((source, analysed))
        if analysed.gave_up and len(self._failed) >= MAX_FAILED:
            raise ServerError(
                f"{len(self._failed)} games in a row were given up, so it is the engine:"
                f" {analysed.gave_up}"
            )
        if not analysed.gave_up:
            await self._write_failed()

    async def _write_failed(self) -> None:
        """Write the games that were given up, and the one behind them."""
        games, self._failed = self._failed, []
        for source, analysed in games:
            self._report_encoding(source)
            for problem in analysed.problems:
                self._report(f"{analysed.game.name}: {problem}")
        await self._in_record_thread(partial(self._record.write, games))
        self._show(self.count())

    def _report_encoding(self, source: InputGame) -> None:
        """Report an encoding that was found out at this game."""
        coding = source.text.guessed
        if coding is None or self._order.encoding:
            return
        name = self._order.sources[source.source]
        if coding in WIDE:
            self._report(f"{name} is in {coding.upper()}, and is read as that")
            return
        self._report(
            f"{name}: lines from {source.text.line} on are not UTF-8, and are read as {coding},"
            " which is a guess; if it is wrong, say --encoding NAME --restart"
        )

    async def _save(self) -> None:
        """Put new results on the disk, soon and not too often, however long the next games take."""
        while True:
            await self._unsaved.wait()
            self._unsaved.clear()
            await self._in_record_thread(self._record.sync)
            await asyncio.sleep(SYNC_TIME)

    async def _in_record_thread(self, action: Callable[[], None]) -> None:
        """Run an action in the record's thread, after all earlier ones."""
        await asyncio.get_running_loop().run_in_executor(self._record_thread, action)


def _first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return one of the errors that have ended the workers."""
    first = group.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else first
