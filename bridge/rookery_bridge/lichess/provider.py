"""The provider of engines for Lichess's analysis board.

Each engine is registered as soon as it answers, and work is taken from the first on.  One
poll waits for work for all of them, because Lichess limits how many an address may have.
Each job is two tasks, one that searches and one that uploads; the first that is done ends the
other.
"""

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from rookery_bridge.lichess.job_player import EngineLostError, JobPlayer
from rookery_bridge.lichess.lichess_client import LichessClient, LichessError, LichessPlace
from rookery_bridge.lichess.provider_engine import ProviderSource
from rookery_bridge.suspend_detector import SuspendDetector
from rookery_protocol.backoff import Backoff
from rookery_protocol.lichess_api import (
    KEEPALIVE,
    NO_MOVE,
    SILENCE,
    ExternalEngine,
    LichessJob,
    LichessRegistration,
    LichessWork,
)
from rookery_protocol.notices import legible

T = TypeVar("T")

LONGEST_WAIT = 30.0  # s between attempts to reach the broker
LEAST_POLL = 1.0  # s that a poll without work takes, even if the broker does not wait
NAP = 2.0  # s between two looks at whether the machine has slept
MOST_JOBS = 64  # at once: those beyond wait, as does a broker that does not take what is found
END_TIMEOUT = 6.0  # s for the searches under way, when the provider ends

_KEPT = 256  # lines that wait for a slow network; the newest say what the older ones did

UserNote = Callable[[str], None]  # receives a line for the user


class ProviderError(Exception):
    """Nothing can be provided; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The limits of what requesters may use; times are in seconds, memory is in MiB."""

    max_threads: int
    max_hash: int
    idle_timeout: float = 300.0  # after which an unused engine is ended
    silence: float = SILENCE  # after which a sign of life is sent


class JobUpload:
    """The lines of one job, with a sign of life where none comes; a bestmove is the last."""

    def __init__(self, silence: float) -> None:
        self._lines: deque[bytes] = deque(maxlen=_KEPT)
        self._news = asyncio.Event()
        self._silence = silence
        self.is_over = False

    def add_line(self, line: bytes) -> None:
        """Add a line, which has its newline."""
        self.is_over = line.startswith(b"bestmove")
        self._lines.append(line)
        self._news.set()

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the lines as they come."""
        while True:
            if self._lines:
                piece = b"".join(self._lines)
                self._lines.clear()
                yield piece
            elif self.is_over:
                return
            else:
                self._news.clear()
                try:
                    async with asyncio.timeout(self._silence):
                        await self._news.wait()
                except TimeoutError:
                    yield KEEPALIVE


class LichessProvider:
    """The provider: it runs until it is told to end."""

    def __init__(
        self,
        sources: Sequence[ProviderSource],
        place: LichessPlace,
        secret: str,
        terms: Terms,
        note: UserNote,
    ) -> None:
        self._players = [JobPlayer(source) for source in sources]
        self._by_id: dict[str, JobPlayer] = {}
        self._place = place
        self._secret = secret
        self._terms = terms
        self._note = note
        self._lichess: LichessClient
        self._ended = asyncio.Event()
        self._awoke = asyncio.Event()
        self._registering = asyncio.Lock()  # Lichess wants one call at a time.
        self._ready = asyncio.Event()  # an engine is registered
        self._jobs: set[asyncio.Task[None]] = set()
        self._polls = _Attempts(note, self._awoke)
        self._poll: asyncio.Timeout | None = None  # the newest; it has no end but ours

    def end(self) -> None:
        """Let the searches under way end with their bestmove, and then the provider."""
        self._ended.set()

    async def run(self) -> None:
        """Provide.

        Raises:
            ProviderError: that is not possible.

        """
        failure = None
        async with LichessClient(self._place) as self._lichess:
            try:
                async with asyncio.TaskGroup() as tasks:
                    providing = tasks.create_task(self._provide(tasks), name="provide")
                    watching = tasks.create_task(self._watch(), name="watch for sleep")
                    ended = tasks.create_task(self._ended.wait(), name="await the end")
                    await asyncio.wait((providing, ended), return_when=asyncio.FIRST_COMPLETED)
                    failure = providing.done() and providing.result()
                    for task in (providing, watching, ended):
                        task.cancel()
                    await self._end_jobs()
            finally:
                for player in self._players:
                    await player.end_engine()
        if failure:
            raise ProviderError(failure)

    async def _end_jobs(self) -> None:
        for player in self._players:
            player.stop_searches()
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=END_TIMEOUT)
        for job in self._jobs:
            job.cancel()

    async def _watch(self) -> None:
        """Give up all connections when the machine has slept."""
        sleep = SuspendDetector()
        while True:
            await asyncio.sleep(NAP)
            if sleep.has_slept():
                self.give_up_connections()

    def give_up_connections(self) -> None:
        """Give up all connections: the machine has slept, and the requesters are gone."""
        self._note("this machine has slept: connecting again")
        for job in self._jobs:
            job.cancel()
        self._awoke.set()
        if self._poll:
            with contextlib.suppress(RuntimeError):  # It is over.
                self._poll.reschedule(0)

    # --- registering

    async def _provide(self, tasks: asyncio.TaskGroup) -> str:
        """Register and take work; return why that is not possible."""
        failure = ""
        try:
            async with asyncio.TaskGroup() as own:
                for player in self._players:
                    own.create_task(self._register(player), name=f"register {player.source.name}")
                own.create_task(self._take_work(tasks), name="take work")
        except* ProviderError as errors:
            failure = str(errors.exceptions[0])
        return failure

    async def _take_work(self, tasks: asyncio.TaskGroup) -> None:
        await self._ready.wait()
        while True:
            began = asyncio.get_running_loop().time()
            job = await self._acquire()
            if job:
                task = tasks.create_task(self._do_job(job), name=f"job {job.id}")
                self._jobs.add(task)
                task.add_done_callback(self._jobs.discard)
                if len(self._jobs) >= MOST_JOBS:
                    await asyncio.wait(self._jobs, return_when=asyncio.FIRST_COMPLETED)
            elif not self._polls.trouble:
                took = asyncio.get_running_loop().time() - began
                await asyncio.sleep(max(0.0, LEAST_POLL - took))
            for player in list(self._by_id.values()):  # The others are being registered.
                if player.idle > self._terms.idle_timeout:
                    await player.end_engine()

    async def _register(self, player: JobPlayer) -> None:
        """Register an engine, as soon as that is possible.

        Raises:
            ProviderError: it never will be.

        """
        await self._repeat(partial(self._start, player))
        registration = player.registration(
            self._secret, max_threads=self._terms.max_threads, max_hash=self._terms.max_hash
        )
        async with self._registering:
            engine = await self._repeat(partial(self._make_known, registration))
        self._by_id[engine.id] = player
        link = f"{self._place.site}/analysis/engine/{legible(engine.id)}"
        variants = "" if engine.variants == ("chess",) else f", {', '.join(engine.variants)}"
        terms = f"{engine.max_threads} threads, {engine.max_hash} MiB{variants}"
        self._note(f"{registration.name} is ready: {link} ({terms})")
        self._ready.set()

    async def _repeat(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Make attempts until one succeeds; one that fails for good raises ProviderError."""
        attempts = _Attempts(self._note, self._awoke)
        while True:
            try:
                result = await attempt()
            except LichessError as error:
                await attempts.wait_after(error)
            else:
                attempts.count_success()
                return result

    async def _start(self, player: JobPlayer) -> None:
        name = player.source.name
        try:
            await player.start()
        except EngineLostError as error:
            if player.source.address is None:
                raise ProviderError(f"{name} cannot be started: {error}") from error
            raise LichessError(f"{name} cannot be reached: {error}") from error

    async def _make_known(self, registration: LichessRegistration) -> ExternalEngine:
        try:
            return await self._lichess.register(registration)
        except LichessError as error:
            if not error.is_final:
                raise
            raise ProviderError(f"{registration.name} cannot be registered: {error}") from error

    # --- taking work

    async def _acquire(self) -> LichessJob | None:
        """Wait for work; None if there is none yet."""
        self._awoke.clear()
        try:
            async with asyncio.timeout(None) as self._poll:
                job = await self._lichess.acquire(self._secret)
        except TimeoutError:  # The machine has slept.
            return None
        except LichessError as error:
            await self._polls.wait_after(error)
            return None
        self._polls.count_success()
        return job

    # --- doing it

    async def _do_job(self, job: LichessJob) -> None:
        player = self._by_id.get(job.engine.id)
        upload = JobUpload(self._terms.silence)
        async with asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(self._upload(job, upload), name="upload")
            if player is None:
                self._note(
                    f"{legible(job.engine.name)} is none of these engines; its work is refused"
                )
                upload.add_line(f"bestmove {NO_MOVE}\n".encode())
                return
            number = player.add_search()
            searching = tasks.create_task(
                self._search(player, number, job.work, upload), name="search"
            )
            await asyncio.wait((sending, searching), return_when=asyncio.FIRST_COMPLETED)
            player.stop_searches(number)  # If nobody listens any more.

    async def _upload(self, job: LichessJob, upload: JobUpload) -> None:
        try:
            await self._lichess.submit(job, upload.lines())
        except LichessError as error:
            if not upload.is_over:  # Else the requester has left before the end was read.
                self._note(f"{legible(job.engine.name)}: nobody listens any more ({error})")

    async def _search(
        self, player: JobPlayer, number: int, work: LichessWork, upload: JobUpload
    ) -> None:
        name = player.source.name
        began = asyncio.get_running_loop().time()
        try:
            info = await player.search(number, work, upload.add_line)
        except EngineLostError as error:
            self._note(f"{name} is gone: {error}; it is started again for the next work")
        else:
            seconds = asyncio.get_running_loop().time() - began
            found = f"depth {info.depth}, {info.nodes or 0} nodes" if info else "nothing found"
            self._note(f"{name}: {found} in {seconds:.1f} s")


class _Attempts:
    """Attempts at one thing, less and less often; the user is told of each trouble once."""

    def __init__(self, note: UserNote, awoke: asyncio.Event) -> None:
        self.trouble = ""  # with the last attempt
        self._backoff = Backoff(longest=LONGEST_WAIT)
        self._note = note
        self._awoke = awoke

    async def wait_after(self, error: LichessError) -> None:
        """Wait after a failure, longer from one to the next; not if the machine has slept."""
        wait = max(error.wait, self._backoff.next_wait(random.random()))  # noqa: S311  # no secret
        if str(error) != self.trouble:
            self.trouble = str(error)
            self._note(f"{error}; trying again")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._awoke.wait()
        self._awoke.clear()

    def count_success(self) -> None:
        """Count an attempt that has not failed."""
        self._backoff.reset()
        if self.trouble:
            self.trouble = ""
            self._note("connected again")
