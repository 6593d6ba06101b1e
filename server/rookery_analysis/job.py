"""A whole job: games in, results out, in the order of the input whatever the workers do.

Workers are begun as there are games for them.  They take games as they have engines, and what
they find waits until all games before it are written; so nobody gets further ahead than the
window.  A game whose engine is gone is the next that is taken, by anyone.  What takes longer
than a moment is done in other threads while engines are at work: one reads the games, one
writes them.  Once a second what is written is put on the disk, and then the progress says so.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from rookery_analysis.analysed_game import Outcome
from rookery_analysis.charset import WIDE
from rookery_analysis.checkpoint import Progress, State
from rookery_analysis.engine_source import Seats
from rookery_analysis.game import Place, Work, read
from rookery_analysis.game_source import Item, Reader, Shard, items
from rookery_analysis.job_record import Ledger, Results
from rookery_analysis.pending_game import Case
from rookery_analysis.progress_bar import Count
from rookery_analysis.worker import Analyst
from rookery_protocol.errors import ServerError
from rookery_server.batch.cache_lookup import Memory
from rookery_uci import Limits

MOST_WORKERS = 1000
WINDOW = 8  # games for each worker that may be begun before the oldest is written
AHEAD = 4  # games that are read before anybody wants them
SYNC_TIME = 1.0  # s from one time that results are put on the disk to the next; it takes 5 ms
MOST_FAILED = 10  # games in a row; then it is the engine that is broken


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done, by how many workers.

    `sizes` are those of the sources in bytes; None for what cannot be known.
    """

    sources: Sequence[str]
    sizes: Sequence[int | None]
    limits: Limits
    shard: Shard = Shard()  # noqa: RUF009  # frozen
    workers: int = 1
    encoding: str | None = None  # of the sources


class Job:
    """Does an order; `run` ends when all is written."""

    def __init__(
        self,
        order: Order,
        results: Results,
        progress: Progress,
        *,
        engine: str,
        note: Callable[[str], None],
        show: Callable[[Count], None],
    ) -> None:
        self._order = order
        self._ledger = Ledger(results, progress, engine)
        self._note = note
        self._show = show
        self._waiting: dict[int, tuple[Item, Outcome]] = {}
        self._taken = self._written = 0
        self._again: deque[Case] = deque()  # their engines are gone
        self._open: dict[int, Item] = {}  # games that workers have, or that are to be taken again
        self._sitting: set[asyncio.Task[None]] = set()  # workers that wait for an engine
        # Given up, and not written yet: if the engine is broken, they are to be tried again.
        self._failed: list[tuple[Item, Outcome]] = []
        self._window = asyncio.Semaphore(WINDOW * order.workers)
        self._news = asyncio.Event()  # for the writer
        self._unsaved = asyncio.Event()
        self._is_exhausted = False  # no game is to be taken any more
        self._is_over = False  # the workers have done all
        self._desk = ThreadPoolExecutor(1, "ledger")
        self._reading_desk = ThreadPoolExecutor(1, "answers")  # No answer waits for a disk.

    async def run(self, seats: Seats, memory: Memory) -> State:
        """Analyse all games that are not done yet; return what is done then.

        Raises:
            ServerError: it cannot go on; what is done is on the disk, if the disk takes it.

        """
        order = self._order
        reader = Reader(self._games(), AHEAD + order.workers)
        try:
            async with asyncio.TaskGroup() as group:
                saver = group.create_task(self._save(), name="saver")
                writer = group.create_task(self._write(), name="writer")
                async with asyncio.TaskGroup() as workers:
                    await self._hire(workers, reader, seats, memory)
                self._is_over = True
                self._news.set()
                await writer
                saver.cancel()
            await self._settle()
            self._ledger.finish(len(order.sources))
        except BaseExceptionGroup as errors:
            raise _first(errors) from errors
        finally:
            reader.close()
            await self._at_desk(self._ledger.sync)
        return self._ledger.state

    async def _hire(
        self,
        workers: asyncio.TaskGroup,
        reader: Reader[tuple[Item, Work]],
        seats: Seats,
        memory: Memory,
    ) -> None:
        """Begin workers, and no more than there are games."""
        for number in range(self._order.workers):
            # The first one hears of it if the games cannot be read.
            if number and not await reader.has_more_than(number):
                return
            analyst = Analyst(
                seats, self._order.limits, memory, desk=self._reading_desk, note=self._note
            )
            workers.create_task(self._work(reader, analyst), name=f"worker {number}")
            await asyncio.sleep(0)  # Engines start one by one, and signals are heard between them.

    def _games(self) -> Iterator[tuple[Item, Work]]:
        """Yield the games that are not done yet, read."""
        state, order = self._ledger.state, self._order
        for item in items(
            order.sources, order.shard, source=state.source, mark=state.mark, digest=state.digest,
            before=state.before, encoding=order.encoding,
        ):  # fmt: skip
            yield item, read(item.text, self._place_of(item))

    async def _work(self, reader: Reader[tuple[Item, Work]], analyst: Analyst) -> None:
        try:
            await self._sit(analyst)
            while case := await self._next(reader):
                outcome = await analyst.attempt(case)
                if outcome:
                    self._waiting[case.place] = self._open.pop(case.place), outcome
                    self._news.set()
                else:
                    self._again.append(case)
                    self._window.release()
                await self._sit(analyst)
        finally:
            analyst.leave()

    async def _sit(self, analyst: Analyst) -> None:
        """Wait until a worker has an engine; who still does when all is done is not waited for."""
        if self._is_exhausted:
            return
        this = asyncio.current_task()
        assert this
        self._sitting.add(this)
        try:
            await analyst.sit()
        finally:
            self._sitting.discard(this)

    async def _next(self, reader: Reader[tuple[Item, Work]]) -> Case | None:
        """Return the next game; None if there are no more."""
        await self._window.acquire()
        if not self._again and (game := await reader.get()):
            place, self._taken = self._taken, self._taken + 1
            self._open[place], work = game
            return Case(place, work)
        if self._again:
            return self._again.popleft()
        self._window.release()
        if not self._open:
            self._is_exhausted = True
            for task in self._sitting:
                task.cancel()
        return None

    def _place_of(self, item: Item) -> Place:
        return Place(item.number, self._order.sources[item.source], item.text.line)

    async def _write(self) -> None:
        """Write each game when all before it are written."""
        while not (self._is_over and self._written == self._taken):
            await self._news.wait()
            self._news.clear()
            while game := self._waiting.pop(self._written, None):
                await self._turn(*game)
                self._written += 1
                self._window.release()
                self._unsaved.set()

    async def _turn(self, item: Item, outcome: Outcome) -> None:
        """Write a game whose turn it is, unless it was given up and the next may be, too."""
        self._failed.append((item, outcome))
        if outcome.gave_up and len(self._failed) >= MOST_FAILED:
            raise ServerError(
                f"{len(self._failed)} games in a row were given up, so it is the engine:"
                f" {outcome.gave_up}"
            )
        if not outcome.gave_up:
            await self._settle()

    async def _settle(self) -> None:
        """Write the game whose turn it is, and those before it that were given up."""
        games, self._failed = self._failed, []
        for item, outcome in games:
            self._tell_encoding(item)
            for problem in outcome.problems:
                self._note(f"{outcome.work.name}: {problem}")
        await self._at_desk(partial(self._ledger.write, games))
        self._show(self.count())

    def _tell_encoding(self, item: Item) -> None:
        """Say which encoding was found out, and where."""
        coding = item.text.guessed
        if coding is None or self._order.encoding:
            return
        name = self._order.sources[item.source]
        if coding in WIDE:
            self._note(f"{name} is in {coding.upper()}, and is read as that")
            return
        self._note(
            f"{name}: lines from {item.text.line} on are not UTF-8, and are read as {coding},"
            " which is a guess; if it is wrong, say --encoding NAME --restart"
        )

    def count(self) -> Count:
        """Return how much is done."""
        state, sizes = self._ledger.state, self._order.sizes
        if None in sizes:
            return Count(state.games, state.positions)
        known = [size or 0 for size in sizes]
        offset = state.mark.offset if state.source < len(sizes) else 0
        done = sum(known[: state.source]) + offset
        return Count(state.games, state.positions, done, sum(known))

    async def _save(self) -> None:
        """Put what is new on the disk, soon and not too often, whatever the next games take."""
        while True:
            await self._unsaved.wait()
            self._unsaved.clear()
            await self._at_desk(self._ledger.sync)
            await asyncio.sleep(SYNC_TIME)

    async def _at_desk(self, action: Callable[[], None]) -> None:
        """Do something in the ledger's thread, behind all that was asked of it before."""
        await asyncio.get_running_loop().run_in_executor(self._desk, action)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return one of the errors that have ended the workers."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
