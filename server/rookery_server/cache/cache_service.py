"""The cache of evaluations: its database, in a thread of its own.

The event loop never waits for it: requests go into a queue, and a callback on the loop gets the
answer.  A cache is a convenience: when the queue is full or the database cannot be used,
nothing is found and nothing is stored, and only the operator notices, by one line in the log
and the metrics.
"""

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

from rookery_analysis.evaluation import PositionEvaluation, choose_evaluation
from rookery_protocol.backoff import Backoff
from rookery_protocol.errors import ServerError
from rookery_server.cache.cache_query import CacheQuery, StoredEvaluation, keys_of
from rookery_server.config.sections import CacheConfig
from rookery_server.log import Repetition

logger = logging.getLogger(__name__)

MAX_JOBS = 1000  # that wait; a database that is slower than this is of no use
BATCH = 100  # evaluations that are written at once
BATCH_TIME = 1.0  # s that one may wait for others
FIRST_REST, LONGEST_REST = 1.0, 300.0  # s until a database that failed is tried again
SLOW = 10.0  # s at one job, after which the cache is not used until that job is done
CLOSING = 2.0  # s that the last batch may take when the server ends

Reply = Callable[[bytes], None]

T = TypeVar("T")


@dataclass(slots=True)
class CacheCounts:
    """The numbers for the metrics; the thread counts."""

    hits: int = 0
    misses: int = 0
    stored: int = 0
    dropped: int = 0  # questions and evaluations for which there was no room or no database
    errors: int = 0
    rows: int = 0  # in the database, as far as is known


class CacheService:
    """The thread: `look_up` and `store` are called on the loop, and `close` at the end."""

    def __init__(self, config: CacheConfig, url: str) -> None:
        self.counts = CacheCounts()
        self.config = config
        self._url = url
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue(MAX_JOBS)  # None ends it
        self._is_open = False  # the database
        # By key and number of variations.
        self._batch: dict[tuple[str, int], StoredEvaluation] = {}
        self._used: dict[str, int] = {}
        self._due = 0.0  # s, when the batch is to be written
        self._backoff = Backoff(first=FIRST_REST, longest=LONGEST_REST)
        self._bugs = Repetition()  # in the log
        self._retry_at: float | None = None  # s, of a database that failed
        self._busy_since: float | None = None  # with one job
        self._slow_since: float | None = None  # with one that was logged as slow
        self._thread = threading.Thread(target=self._run, name="cache", daemon=True)
        self._thread.start()

    # --- on the loop

    @property
    def works(self) -> bool:
        """True if evaluations are stored and found, as far as is known."""
        return self._retry_at is None and not self._is_slow()

    def look_up(self, query: CacheQuery, reply: Reply) -> bool:
        """Look up an evaluation; return whether there will be a reply, on the loop.

        The reply is the lines for the client, or nothing.
        """
        return self._submit(lambda: self._answer(query, reply))

    def find_all(
        self, query: CacheQuery, reply: Callable[[list[PositionEvaluation]], None]
    ) -> bool:
        """Find all evaluations that answer a query; return whether there will be a reply."""
        return self.find_each([query], lambda found: reply(found[0]))

    def find_each(
        self,
        queries: Sequence[CacheQuery],
        reply: Callable[[list[list[PositionEvaluation]]], None],
    ) -> bool:
        """Find all evaluations that answer each query; return whether there will be a reply."""

        def find_and_reply() -> None:
            found = self._attempt(lambda: self._evaluations_of_each(queries))
            if found is None:
                found = [[] for _ in queries]
            with contextlib.suppress(RuntimeError):  # The loop may be closed.
                self._loop.call_soon_threadsafe(reply, found)

        return self._submit(find_and_reply)

    def store(self, query: CacheQuery, said: bytes) -> None:
        """Store the answer to a question: the engine's newest lines."""
        self._submit(lambda: self._keep(query, said))

    def close(self) -> None:
        """Write the last batch, and end the thread."""
        try:
            self._jobs.put(None, timeout=CLOSING)
        except queue.Full:
            return
        self._thread.join(CLOSING)

    def _submit(self, job: Callable[[], None]) -> bool:
        self._log_if_slow()
        with contextlib.suppress(queue.Full):
            if self.works:  # Else the thread tries again by itself.
                self._jobs.put_nowait(job)
                return True
        self.counts.dropped += 1
        return False

    def _is_slow(self) -> bool:
        """Return whether the database stands still: a question would only delay its client."""
        since = self._busy_since
        return since is not None and time.monotonic() - since >= SLOW

    def _log_if_slow(self) -> None:
        """Log it once, and not if the database has failed before: that was logged."""
        since = self._busy_since
        if self._is_slow() and self._retry_at is None and self._slow_since != since:
            self._slow_since = since
            logger.warning(
                "analyses are not kept for now: the database has not answered for %g s", SLOW
            )

    # --- in the thread

    def _run(self) -> None:
        self._attempt(self._open)  # Now, so that the first client does not wait for it.
        while True:
            try:
                job = self._jobs.get(timeout=self._time_to_wait())
            except queue.Empty:
                self._attempt(self._flush)  # A database that has failed is only tried again.
                continue
            if job is None:
                break
            job()
            if len(self._batch) >= BATCH or (self._has_news() and time.monotonic() >= self._due):
                self._attempt(self._flush)
        if self._has_news():
            self._attempt(self._flush)
        if self._is_open:
            self._attempt(self._database.close)

    def _time_to_wait(self) -> float | None:
        """Return how long to wait for the next job, in seconds; None is for ever."""
        until = self._due if self._has_news() else self._retry_at
        return None if until is None else max(0.0, until - time.monotonic())

    def _has_news(self) -> bool:
        return bool(self._batch or self._used)

    def _answer(self, query: CacheQuery, reply: Reply) -> None:
        found = self._attempt(lambda: self._find(query))
        if found is None:
            self.counts.dropped += 1
        try:
            self._loop.call_soon_threadsafe(reply, found or b"")
        except RuntimeError:  # The loop is closed: no client waits for it any more.
            logger.debug("a reply of the cache came too late")

    def _keep(self, query: CacheQuery, said: bytes) -> None:
        if self._attempt(lambda: self._add(query, said)) is None:
            self.counts.dropped += 1

    def _attempt(self, action: Callable[[], T]) -> T | None:
        """Use the database, unless it has failed a moment ago; return None if that fails."""
        since = time.monotonic()
        if self._retry_at is not None and since < self._retry_at:
            return None
        self._busy_since = since
        try:
            self._open()
            result = action()
        except (ServerError, OSError) as error:
            self._fail(error)
            return None
        except Exception:
            # A bug of ours, or a position of an unknown kind: the thread goes on.
            self.counts.errors += 1
            text = "the cache has met something that it does not know"
            if told := self._bugs.again(text, since):
                logger.exception("%s", told)
            if self._retry_at is not None:
                self._postpone_retry()
            return None
        finally:
            self._busy_since = None
        if self._slow_since == since:
            logger.info("the cache works again")
        return result

    def _open(self) -> None:
        """Open the database; one that has failed works again when it can be written to."""
        if not self._is_open:
            # Only in this thread, because it takes 0.3 s and 28 MB.
            from rookery_server.cache.evaluation_store import EvaluationStore

            self._database = EvaluationStore(self._url)
            self._is_open = True
            self.counts.rows = self._database.count()
        if self._retry_at is not None:
            self._database.try_writing()
            self._retry_at = None
            self._backoff.reset()
            logger.info("the cache works again")

    def _fail(self, error: Exception) -> None:
        """Do without the database for a while; each time it fails again, for twice as long."""
        self.counts.errors += 1
        if self._retry_at is None and self._slow_since != self._busy_since:
            logger.warning("analyses are not kept for now, but that is tried again: %s", error)
        self._postpone_retry()
        self.counts.dropped += len(self._batch)
        self._batch.clear()
        self._used.clear()
        if self._is_open:
            self._is_open = False
            try:
                self._database.close()
            except ServerError as second:
                logger.debug("the database could not be closed: %s", second)

    def _postpone_retry(self) -> None:
        self._retry_at = time.monotonic() + self._backoff.next_wait(1.0)

    def _find(self, query: CacheQuery) -> bytes:
        best = choose_evaluation(self._evaluations_of(query), query.question.lines)
        if best is None:
            return b""
        now = int(time.time())
        date = datetime.fromtimestamp(best.stored or now, UTC)
        return best.for_client(date.strftime("%Y-%m-%d"))

    def _evaluations_of(self, query: CacheQuery) -> list[PositionEvaluation]:
        """Return the evaluations that answer a query, and count it."""
        return self._evaluations_of_each([query])[0]

    def _evaluations_of_each(self, queries: Sequence[CacheQuery]) -> list[list[PositionEvaluation]]:
        """Return the evaluations that answer each query, and count them."""
        keys = keys_of(queries)
        stored = self._database.evaluations_of_all({key for key in keys if key})
        return [self._count_found(key, stored.get(key, [])) if key else [] for key in keys]

    def _count_found(
        self, key: str, stored: Sequence[PositionEvaluation]
    ) -> list[PositionEvaluation]:
        """Return the evaluations of a key with those that are not written yet, and count it."""
        waiting = [
            replace(row.evaluation, stored=row.stored)
            for (each, _), row in self._batch.items()
            if each == key
        ]
        found = [*waiting, *stored]
        if not found:
            self.counts.misses += 1
            return []
        self.counts.hits += 1
        self._start_batch()
        self._used[key] = int(time.time())
        return found

    def _add(self, query: CacheQuery, said: bytes) -> bool:
        """Add an evaluation to the batch; return whether it can be kept."""
        row = query.evaluation(said, self.config.least_depth)
        if row is None:
            return False
        batch_key = row.key, len(row.evaluation.lines)
        before = self._batch.get(batch_key)
        if before is None or before.evaluation.depth <= row.evaluation.depth:
            self._start_batch()
            self._batch[batch_key] = row
        return True

    def _start_batch(self) -> None:
        """Start the time of a batch, unless one has begun."""
        if not self._has_news():
            self._due = time.monotonic() + BATCH_TIME

    def _flush(self) -> None:
        """Write the batch."""
        if not self._has_news():
            return
        rows, used = list(self._batch.values()), self._used
        self._batch, self._used = {}, {}  # What cannot be written is not tried again.
        try:
            self.counts.rows = self._database.store_rows(rows, used, self.config.rows)
        except Exception:
            self.counts.dropped += len(rows)
            raise
        self.counts.stored += len(rows)
