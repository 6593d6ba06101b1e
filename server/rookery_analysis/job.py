"""A whole job: games in, results out, in the order of the input whatever the workers do.

Workers start as there are games for them, and take games as they have engines.  Their results
wait until all games before are written, so no worker gets further ahead than the window.  A
game whose engine is gone is the next that any worker takes.  What takes longer than a moment
is done in other threads while engines are at work: one reads the games, one writes them.
Once a second the results are put on the disk, and then the checkpoint.
"""

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from rookery_analysis.analysed_game import AnalysedGame
from rookery_analysis.engine_supply import EngineSupply, EvaluationCache
from rookery_analysis.game import ParsedGame, parse_game
from rookery_analysis.game_source import InputGame, ReadAhead, Shard, input_games
from rookery_analysis.job_record import JobRecord, JobState
from rookery_analysis.text_decoding import WIDE
from rookery_analysis.worker import PendingGame, Worker
from rookery_protocol.errors import ServerError
from rookery_protocol.progress_bar import JobCount
from rookery_uci import Limits

MAX_WORKERS = 1000
WINDOW = 8  # games for each worker that are read before the oldest is written
SYNC_TIME = 1.0  # s between two times that results are put on the disk; it takes 5 ms
MAX_FAILED = 10  # games in a row; then it is the engine that is broken


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
    """An order that is carried out once; `run` ends when all is written."""

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
        # Given up, and not written yet: if the engine is broken, they are to be tried again.
        self._failed: list[tuple[InputGame, AnalysedGame]] = []
        self._window = asyncio.Semaphore(WINDOW * order.workers)
        # Games without results by their numbers: one that is begun again is the first.  Behind
        # them is an end for each worker, whose engine another program may have then.
        self._todo: asyncio.PriorityQueue[tuple[float, PendingGame | None]]
        self._todo = asyncio.PriorityQueue()
        self._unwritten: asyncio.Queue[PendingGame | None] = asyncio.Queue()  # None is the end
        self._unsaved = asyncio.Event()
        self._record_thread = ThreadPoolExecutor(1, "record")
        self._answer_thread = ThreadPoolExecutor(1, "answers")  # No answer waits for a disk.

    async def run(self, engines: EngineSupply, cache: EvaluationCache | None = None) -> JobState:
        """Analyse all games that are not done yet; return the state after that.

        Raises:
            ServerError: it cannot go on; what is done is on the disk, if the disk is not full.

        """
        games = ReadAhead(self._parsed_games())
        try:
            async with asyncio.TaskGroup() as group:
                saver = group.create_task(self._save(), name="saver")
                writer = group.create_task(self._write(), name="writer")
                workers: list[asyncio.Task[None]] = []
                while parsed := await games.next_game():
                    source, game = parsed
                    pending = PendingGame.of(game, source)
                    self._todo.put_nowait((source.number, pending))
                    self._unwritten.put_nowait(pending)
                    if len(workers) < self._order.workers:
                        work = self._work(engines, cache)
                        workers.append(group.create_task(work, name=f"worker {len(workers)}"))
                    # Engines start one by one; signals are handled between them.
                    await asyncio.sleep(0)
                    await self._window.acquire()
                for _ in workers:
                    self._todo.put_nowait((math.inf, None))
                self._unwritten.put_nowait(None)
                await writer
                for each in (saver, *workers):
                    each.cancel()
            await self._write_failed()
            self._record.finish(len(self._order.sources))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        finally:
            games.close()
            saved = self._in_record_thread(self._record.sync)
            for thread in (self._record_thread, self._answer_thread):
                thread.shutdown(wait=False)  # It ends when it has done what it has been given.
            await saved
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
            yield source, parse_game(source.text, source.number, order.sources[source.source])

    async def _work(self, engines: EngineSupply, cache: EvaluationCache | None) -> None:
        """Analyse games until there are no more; a wait for an engine is cancelled then."""
        worker = Worker(
            engines, self._order.limits, cache, reader=self._answer_thread, report=self._report
        )
        try:
            while True:
                await worker.acquire_engine()
                number, game = await self._todo.get()
                if game is None:
                    return
                if analysed := await worker.analyse(game):
                    assert game.result
                    game.result.set_result(analysed)
                else:
                    self._todo.put_nowait((number, game))
        finally:
            worker.release_engine()

    # --- results

    async def _write(self) -> None:
        """Write each game when all before it are written."""
        while game := await self._unwritten.get():
            assert game.source
            assert game.result
            await self._write_game(game.source, await game.result)
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

    def _in_record_thread(self, action: Callable[[], None]) -> asyncio.Future[None]:
        """Run an action in the record's thread, after all earlier ones."""
        return asyncio.get_running_loop().run_in_executor(self._record_thread, action)
