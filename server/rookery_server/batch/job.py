"""A whole job: games in, results out, in the order of the input whatever the workers do.

Workers take games as they are free, and what they find waits until all games before it are
written; so nobody gets further ahead than the window.  Results are put on the disk
a few times a second, and then the progress says so.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from rookery_engine.uci import Limits
from rookery_server.batch.analyst import Analyst
from rookery_server.batch.annotate import annotated, record
from rookery_server.batch.bar import Count
from rookery_server.batch.memory import Memory
from rookery_server.batch.outcome import Outcome
from rookery_server.batch.progress import Progress, State
from rookery_server.batch.result import ResultFile
from rookery_server.batch.review import Review
from rookery_server.batch.seat import Seats
from rookery_server.batch.source import Item, Reader, Shard, items
from rookery_server.batch.tally import Tally, tallies
from rookery_server.batch.work import Place, read
from rookery_server.errors import ServerError

WINDOW = 8  # games for each worker that may be begun before the oldest is written
AHEAD = 4  # games that are read before anybody wants them
SYNC_TIME = 0.25  # s from one time that results are put on the disk to the next; it takes 5 ms
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


@dataclass(frozen=True, slots=True)
class Results:
    """Where it goes: the annotated games, and a line of JSON for each; None is nowhere."""

    games: ResultFile | None
    records: ResultFile | None

    @property
    def files(self) -> list[ResultFile]:
        """Those that there are."""
        return [each for each in (self.games, self.records) if each]

    def write(self, review: Review, engine: str) -> None:
        """Append a game."""
        if self.records:
            self.records.write(record(review))
        if self.games:
            self.games.write(annotated(review, engine))


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
        self._results = results
        self._progress = progress
        self._engine = engine  # its name, for the games
        self._note = note
        self._show = show
        self._state = progress.state
        self._players: dict[str, Tally] = {}  # since the last time that all was on the disk
        self._waiting: dict[int, tuple[Item, Outcome]] = {}
        self._taken = self._written = 0
        # Given up, and not written yet: if the engine is broken, they are to be tried again.
        self._failed: list[tuple[Item, Outcome]] = []
        self._disk = ThreadPoolExecutor(1, "disk")  # one thread, so that one sync ends first
        self._window = asyncio.Semaphore(WINDOW * order.workers)
        self._writing = asyncio.Lock()
        self._unsaved = asyncio.Event()

    async def run(self, seats: Seats, memory: Memory) -> State:
        """Analyse all games that are not done yet; return what is done then.

        Raises:
            ServerError: it cannot go on; what is done is on the disk, if the disk takes it.

        """
        state, order = self._state, self._order
        todo = items(
            order.sources, order.shard, source=state.source, mark=state.mark, digest=state.digest,
            before=state.before,
        )  # fmt: skip
        reader = Reader(todo, AHEAD + order.workers)
        try:
            async with asyncio.TaskGroup() as group:
                saver = group.create_task(self._save(), name="saver")
                async with asyncio.TaskGroup() as workers:
                    for number in range(order.workers):
                        analyst = Analyst(seats, order.limits, memory, self._note)
                        workers.create_task(self._work(reader, analyst), name=f"worker {number}")
                saver.cancel()
            for each in self._failed:
                self._write(*each)
            self._state = replace(self._state, source=len(order.sources))
        except BaseExceptionGroup as errors:
            raise _first(errors) from errors
        finally:
            reader.close()
            await self._sync()
        return self._state

    async def _work(self, reader: Reader, analyst: Analyst) -> None:
        try:
            while True:
                await self._window.acquire()
                item = await reader.get()
                if item is None:
                    return
                place, self._taken = self._taken, self._taken + 1
                work = read(item.text, self._place_of(item))
                outcome = await analyst.analyse(work)
                await self._take(place, item, outcome)
        finally:
            analyst.leave()

    def _place_of(self, item: Item) -> Place:
        return Place(item.number, self._order.sources[item.source], item.text.line)

    async def _take(self, place: int, item: Item, outcome: Outcome) -> None:
        """Take what was found of a game; write all games whose turn it is."""
        self._waiting[place] = item, outcome
        async with self._writing:
            while self._written in self._waiting:
                self._turn(*self._waiting.pop(self._written))
                self._written += 1
                self._window.release()
                self._unsaved.set()

    def _turn(self, item: Item, outcome: Outcome) -> None:
        """Write a game whose turn it is, unless it was given up and the next may be, too."""
        self._failed.append((item, outcome))
        if outcome.gave_up and len(self._failed) >= MOST_FAILED:
            raise ServerError(
                f"{len(self._failed)} games in a row were given up, so it is the engine:"
                f" {outcome.gave_up}"
            )
        if not outcome.gave_up:
            for each in self._failed:
                self._write(*each)
            self._failed.clear()

    def _write(self, item: Item, outcome: Outcome) -> None:
        for problem in outcome.problems:
            self._note(f"{outcome.work.name}: {problem}")
        review = Review.of(outcome)
        self._results.write(review, self._engine)
        for name, tally in tallies(review):
            self._players.setdefault(name, Tally()).add(tally)
        before, was_skipped = self._state, outcome.status == "skipped"
        self._state = State(
            source=item.source,
            before=item.before,
            mark=item.text.end,
            digest=item.digest,
            lengths=tuple(each.length for each in self._results.files),
            games=before.games + 1,
            skipped=before.skipped + was_skipped,
            positions=before.positions + sum(each is not None for each in outcome.findings),
        )
        self._show(self.count())

    def count(self) -> Count:
        """Return how much is done."""
        state, sizes = self._state, self._order.sizes
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
            await asyncio.sleep(SYNC_TIME)
            self._unsaved.clear()
            async with self._writing:
                await self._sync()

    async def _sync(self) -> None:
        """Put all on the disk, results first."""
        players, self._players = self._players, {}
        state = self._state

        def write() -> None:
            for each in self._results.files:
                each.sync()
            self._progress.commit(state, players)

        await asyncio.get_running_loop().run_in_executor(self._disk, write)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return one of the errors that have ended the workers."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
