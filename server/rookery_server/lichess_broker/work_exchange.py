"""The exchange at which work and providers find each other."""

import asyncio
import secrets
from collections import defaultdict, deque
from contextlib import suppress

from rookery_protocol.lichess_api import LONG_POLL, TAKE_PATIENCE, LichessJob, LichessWork
from rookery_server.lichess_broker.analysis_stream import AnalysisStream
from rookery_server.lichess_broker.registrations import RegisteredEngine

START_PATIENCE = 15.0  # s from taking work to the beginning of the upload
MOST_TAKERS = 64  # polls that wait for work of one provider; those before them are let go


class AnalysisChannel:
    """The way of one search from its engine to its requester: the newest object is what counts.

    What has not been read when the next comes is left out; the last has a bestmove.
    """

    def __init__(self, stream: AnalysisStream) -> None:
        self.stream = stream
        self.is_abandoned = False  # The requester has left.
        self.upload: asyncio.Timeout | None = None  # of a provider; it has no end but that
        self.objection = ""  # why there will be nothing, if so
        self._newest: bytes | None = None
        self._news = asyncio.Event()
        self._is_closed = False

    def send_object(self, piece: bytes) -> None:
        """Send an object to the requester."""
        self._newest = piece
        self._news.set()

    def close(self) -> None:
        """End the work: no more lines come, and a search cut short ends with what it has."""
        if last := self.stream.end_early():
            self.send_object(last)
        self._is_closed = True
        self._news.set()

    def abandon(self) -> None:
        """Record that the requester has left, and end the upload."""
        self.is_abandoned = True
        if self.upload:
            with suppress(RuntimeError):  # It is over.
                self.upload.reschedule(0)

    async def next(self) -> bytes | None:
        """Wait for the newest object; None at the end."""
        while self._newest is None and not self._is_closed:
            self._news.clear()
            await self._news.wait()
        piece, self._newest = self._newest, None
        return piece


class OfferedWork:
    """Work that waits for a provider."""

    def __init__(self, job: LichessJob, channel: AnalysisChannel) -> None:
        self.job = job
        self.channel = channel
        self.taken = asyncio.Event()


Taker = asyncio.Future[OfferedWork | None]  # a provider's poll; None lets it go


class WorkExchange:
    """All work that waits, and all providers that do; by their selectors."""

    def __init__(self) -> None:
        self._offered: defaultdict[str, deque[OfferedWork]] = defaultdict(deque)
        self._takers: defaultdict[str, deque[asyncio.Future[OfferedWork | None]]] = defaultdict(
            deque
        )
        self._taken: dict[str, AnalysisChannel] = {}  # by the ids of their jobs

    async def offer_work(
        self, registered: RegisteredEngine, work: LichessWork, channel: AnalysisChannel
    ) -> bool:
        """Offer work; say whether a provider has taken it in time."""
        job = LichessJob(secrets.token_urlsafe(16), work, registered.engine)
        offered = OfferedWork(job, channel)
        self._offer(registered.selector, offered)
        try:
            async with asyncio.timeout(TAKE_PATIENCE):
                await offered.taken.wait()
        except TimeoutError:
            return False
        finally:
            waiting = self._offered[registered.selector]
            with suppress(ValueError):
                waiting.remove(offered)
            if not waiting:
                del self._offered[registered.selector]
        return True

    def _offer(self, selector: str, offered: OfferedWork) -> None:
        for taker in self._takers.get(selector, ()):
            if not taker.done():
                taker.set_result(offered)
                return
        self._offered[selector].append(offered)

    async def wait_for_work(self, selector: str, patience: float = LONG_POLL) -> LichessJob | None:
        """Wait for work for a provider; None if there is none."""
        taker: Taker = asyncio.get_running_loop().create_future()
        takers = self._takers[selector]
        if len(takers) >= MOST_TAKERS and not takers[0].done():
            takers[0].set_result(None)
        takers.append(taker)
        try:
            if waiting := self._offered.get(selector):
                taker.set_result(waiting.popleft())
            await asyncio.wait((taker,), timeout=patience)
        except asyncio.CancelledError:  # The provider is gone, perhaps just now.
            offered = taker.result() if taker.done() else None
            if offered and not offered.channel.is_abandoned:  # Nobody would take it back.
                self._offer(selector, offered)
            raise
        finally:
            takers.remove(taker)
            if not takers:
                self._takers.pop(selector, None)
        offered = taker.result() if taker.done() else None
        return self._hand_over(offered) if offered else None

    def claim(self, job_id: str) -> AnalysisChannel | None:
        """Return where the findings of a job go, once; None if there is no such job any more."""
        return self._taken.pop(job_id, None)

    def _hand_over(self, offered: OfferedWork) -> LichessJob:
        offered.taken.set()
        self._taken[offered.job.id] = offered.channel
        asyncio.get_running_loop().call_later(START_PATIENCE, self._expire, offered.job.id)
        return offered.job

    def _expire(self, job_id: str) -> None:
        if channel := self._taken.pop(job_id, None):
            channel.close()
