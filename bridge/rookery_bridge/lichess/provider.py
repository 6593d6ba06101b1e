"""Engines for Lichess's analysis board: registers them, takes work, says what they find.

Each engine is registered as soon as it answers, and work is taken from the first on.  One
poll waits for work for all of them, because Lichess limits how many an address may have.
Each job is two tasks: one searches, one says what was found; who is done first ends the
other.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rookery_bridge.lichess.job_lines import NO_MOVE, Findings
from rookery_bridge.lichess.job_player import EngineLostError, Player
from rookery_bridge.lichess.lichess_client import Place, Site, SiteError
from rookery_bridge.lichess.provider_engine import Source
from rookery_bridge.lichess.upload import Upload
from rookery_bridge.suspend_detector import SuspendDetector
from rookery_protocol.backoff import Backoff
from rookery_protocol.lichess_api import SILENCE, ExternalEngine, Job, Registration, Work
from rookery_protocol.notices import legible

LONGEST_WAIT = 30.0  # s between attempts to reach the broker
LEAST_POLL = 1.0  # s that a poll without work takes, even if the broker does not wait
NAP = 2.0  # s between two looks at whether the machine has slept
MOST_JOBS = 64  # at once: those beyond wait, as does a broker that does not take what is found
END_TIMEOUT = 6.0  # s for the searches under way, when the provider ends

Say = Callable[[str], None]  # takes what the user should know, as one line


class ProviderError(Exception):
    """Nothing can be provided; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What requesters may use; times are in seconds, memory is in MiB."""

    max_threads: int
    max_hash: int
    idle_timeout: float = 300.0  # after which an engine that nobody uses is ended
    silence: float = SILENCE  # after which a sign of life is sent


class Provider:
    """Provides engines until it is told to end."""

    def __init__(
        self, sources: Sequence[Source], place: Place, secret: str, terms: Terms, say: Say
    ) -> None:
        self._players = [Player(source) for source in sources]
        self._by_id: dict[str, Player] = {}
        self._place = place
        self._secret = secret
        self._terms = terms
        self._say = say
        self._site: Site
        self._ended = asyncio.Event()
        self._awoke = asyncio.Event()
        self._registering = asyncio.Lock()  # Lichess wants one call at a time.
        self._ready = asyncio.Event()  # an engine is registered
        self._jobs: set[asyncio.Task[None]] = set()
        self._polls = _Attempts(say, self._awoke)

    def end(self) -> None:
        """Let the searches under way end with their bestmove, and then the provider."""
        self._ended.set()

    async def run(self) -> None:
        """Provide.

        Raises:
            ProviderError: that is not possible.

        """
        failure = None
        async with Site(self._place) as self._site:
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
                    await player.rest()
        if failure:
            raise ProviderError(failure)

    async def _end_jobs(self) -> None:
        for player in self._players:
            player.stop()
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=END_TIMEOUT)
        for job in self._jobs:
            job.cancel()

    async def _watch(self) -> None:
        """See whether the machine has slept: no connection of before is worth anything then."""
        sleep = SuspendDetector()
        while True:
            await asyncio.sleep(NAP)
            if sleep.has_slept():
                self.awake()

    def awake(self) -> None:
        """Take note that the machine has slept: those who waited for answers are gone."""
        self._say("this machine has slept: connecting again")
        for job in self._jobs:
            job.cancel()
        self._awoke.set()

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
                task = tasks.create_task(self._serve(job), name=f"job {job.id}")
                self._jobs.add(task)
                task.add_done_callback(self._jobs.discard)
                if len(self._jobs) >= MOST_JOBS:
                    await asyncio.wait(self._jobs, return_when=asyncio.FIRST_COMPLETED)
            elif not self._polls.trouble:
                took = asyncio.get_running_loop().time() - began
                await asyncio.sleep(max(0.0, LEAST_POLL - took))
            for player in list(self._by_id.values()):  # The others are being registered.
                if player.idle > self._terms.idle_timeout:
                    await player.rest()

    async def _register(self, player: Player) -> None:
        """Register an engine, as soon as that is possible.

        Raises:
            ProviderError: it never will be.

        """
        registration = await self._introduce(player)
        async with self._registering:
            engine = await self._enter(registration)
        self._by_id[engine.id] = player
        self._say(f"{registration.name} is ready: {self._link(engine)} ({_terms_of(engine)})")
        self._ready.set()

    async def _introduce(self, player: Player) -> Registration:
        """Start an engine, and return what it is registered with."""
        name = player.source.name
        attempts = _Attempts(self._say, self._awoke)
        while True:
            try:
                await player.start()
            except EngineLostError as error:
                if player.source.address is None:
                    raise ProviderError(f"{name} cannot be started: {error}") from error
                await attempts.pause(SiteError(f"{name} cannot be reached: {error}"))
            else:
                attempts.went_well()
                return player.script.registration(
                    name,
                    self._secret,
                    max_threads=self._terms.max_threads,
                    max_hash=self._terms.max_hash,
                )

    async def _enter(self, registration: Registration) -> ExternalEngine:
        """Make an engine known to the site."""
        attempts = _Attempts(self._say, self._awoke)
        while True:
            try:
                engine = await self._site.register(registration)
            except SiteError as error:
                if error.is_final:
                    text = f"{registration.name} cannot be registered: {error}"
                    raise ProviderError(text) from error
                await attempts.pause(error)
            else:
                attempts.went_well()
                return engine

    def _link(self, engine: ExternalEngine) -> str:
        return f"{self._place.site}/analysis/engine/{legible(engine.id)}"

    # --- taking work

    async def _acquire(self) -> Job | None:
        """Wait for work; None if there is none yet."""
        self._awoke.clear()
        polling = asyncio.ensure_future(self._site.acquire(self._secret))
        waking = asyncio.ensure_future(self._awoke.wait())
        try:
            await asyncio.wait((polling, waking), return_when=asyncio.FIRST_COMPLETED)
            job = polling.result() if polling.done() else None
        except SiteError as error:
            await self._polls.pause(error)
            return None
        finally:
            for task in (polling, waking):
                task.cancel()
            await asyncio.wait((polling, waking))
            if not polling.cancelled():
                polling.exception()  # It is asked for here, if a sleep has come first.
        if polling.done() and not polling.cancelled():
            self._polls.went_well()
        return job

    # --- doing it

    async def _serve(self, job: Job) -> None:
        player = self._by_id.get(job.engine.id)
        upload = Upload(self._terms.silence)
        async with asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(self._send(job, upload), name="send")
            if player is None:
                self._say(
                    f"{legible(job.engine.name)} is none of these engines; its work is refused"
                )
                upload.put(f"bestmove {NO_MOVE}\n".encode())
                return
            number = player.enter()
            searching = tasks.create_task(
                self._search(player, number, job.work, upload), name="search"
            )
            await asyncio.wait((sending, searching), return_when=asyncio.FIRST_COMPLETED)
            player.stop(number)  # If nobody listens any more.

    async def _send(self, job: Job, upload: Upload) -> None:
        try:
            await self._site.submit(job, upload.lines())
        except SiteError as error:
            if not upload.is_over:  # Else the requester has left before the end was read.
                self._say(f"{legible(job.engine.name)}: nobody listens any more ({error})")

    async def _search(self, player: Player, number: int, work: Work, upload: Upload) -> None:
        name = player.source.name
        began = asyncio.get_running_loop().time()
        try:
            findings = await player.search(number, work, upload.put)
        except EngineLostError as error:
            self._say(f"{name} is gone: {error}; it is started again for the next work")
        else:
            seconds = asyncio.get_running_loop().time() - began
            self._say(f"{name}: {_summary(findings)} in {seconds:.1f} s")


class _Attempts:
    """What fails is tried again, less and less often; the user hears of each trouble once."""

    def __init__(self, say: Say, awoke: asyncio.Event) -> None:
        self.trouble = ""  # with the last attempt
        self._backoff = Backoff(longest=LONGEST_WAIT)
        self._say = say
        self._awoke = awoke

    async def pause(self, error: SiteError) -> None:
        """Wait after a failure, longer from one to the next; not if the machine has slept."""
        wait = max(error.wait, self._backoff.next_wait(random.random()))  # noqa: S311  # no secret
        if str(error) != self.trouble:
            self.trouble = str(error)
            self._say(f"{error}; trying again")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._awoke.wait()
        self._awoke.clear()

    def went_well(self) -> None:
        """Take note of an attempt that has not failed."""
        self._backoff.reset()
        if self.trouble:
            self.trouble = ""
            self._say("connected again")


def _terms_of(engine: ExternalEngine) -> str:
    variants = "" if engine.variants == ("chess",) else f", {', '.join(engine.variants)}"
    return f"{engine.max_threads} threads, {engine.max_hash} MiB{variants}"


def _summary(findings: Findings) -> str:
    info = findings.info
    return "nothing found" if info is None else f"depth {info.depth}, {info.nodes or 0} nodes"
