"""Asks and fills the database of evaluations, in a thread of its own.

The event loop never waits for it: what it is told goes into a queue, and what it is asked
is answered by a callback on the loop.  A cache is a convenience: when the queue is full or
the database cannot be used, nothing is known and nothing is kept, and nobody notices but
the operator, who has one line in the log and the metrics.
"""

import asyncio
import logging
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import chess

from rookery_analysis.evaluation import Evaluation, choose_evaluation
from rookery_protocol.errors import ServerError
from rookery_server.cache.digest import Digests
from rookery_server.cache.key import Row, key_of
from rookery_server.cache.normal_position import board_of, normal_form
from rookery_server.cache.query import Question
from rookery_server.config.cache import CacheConfig
from rookery_server.engines.engine_build import Build
from rookery_server.log import Repetition

if TYPE_CHECKING:
    from rookery_server.cache.evaluation_store import Store

logger = logging.getLogger(__name__)

MAX_JOBS = 1000  # that wait; a database that is slower than this is of no use
BATCH = 100  # evaluations that are written at once
BATCH_TIME = 1.0  # s that one may wait for others
FIRST_REST, LONGEST_REST = 1.0, 300.0  # s until a database that failed is tried again
SLOW = 10.0  # s at one thing, after which nothing more is expected of the database until it is done
CLOSING = 2.0  # s that the last batch may take when the server ends

# What is loaded with the database, each with all that is below it.
_LOADED = ("sqlalchemy", "rookery_server.cache.tables", "rookery_server.cache.evaluation_store")

Reply = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Query:
    """A question, who asks it, and which engine is to answer."""

    question: Question
    build: Build
    account: str  # empty if all have the evaluations in common


@dataclass(slots=True)
class Counts:
    """What has happened; the thread counts, and others read."""

    hits: int = 0
    misses: int = 0
    stored: int = 0
    dropped: int = 0  # questions and evaluations for which there was no room or no database
    errors: int = 0
    rows: int = 0  # that there are, as far as is known


@dataclass(frozen=True, slots=True)
class _Ask:
    query: Query
    reply: Reply


@dataclass(frozen=True, slots=True)
class _Keep:
    query: Query
    said: bytes


_Job = _Ask | _Keep | None  # None is the end


class Keeper:
    """The thread: `ask` and `keep` from the loop, and `close` at the end."""

    def __init__(self, config: CacheConfig, url: str) -> None:
        self.counts = Counts()
        self._config = config
        self._url = url
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.Queue[_Job] = queue.Queue(MAX_JOBS)
        self._digests = Digests()
        self._store: Store | None = None
        self._batch: dict[tuple[str, int], Row] = {}
        self._used: dict[str, int] = {}
        self._due = 0.0  # when the batch is to be written
        self._rest = FIRST_REST
        self._bugs = Repetition()  # in the log
        self._tried_again: float | None = None  # when a database that failed is
        self._busy_since: float | None = None  # with one thing
        self._slow_since: float | None = None  # with one that the operator has been told of
        self._thread = threading.Thread(target=self._work, name="cache", daemon=True)
        self._thread.start()

    # --- for the loop

    @property
    def works(self) -> bool:
        """Whether analyses are kept and known, as far as is known."""
        return self._tried_again is None and not self._is_held_up()

    def configure(self, config: CacheConfig) -> None:
        """Take other numbers from now on; the database stays."""
        self._config = config

    def ask(self, query: Query, reply: Reply) -> bool:
        """Look up what is known; say whether there will be a reply, on the loop.

        It is the lines to tell the client, or nothing.
        """
        return self._put(_Ask(query, reply))

    def keep(self, query: Query, said: bytes) -> None:
        """Keep the answer to a question: what the engine said, as far as it lasts."""
        self._put(_Keep(query, said))

    def close(self) -> None:
        """Write what is still to be written, and end."""
        try:
            self._jobs.put(None, timeout=CLOSING)
        except queue.Full:
            return
        self._thread.join(CLOSING)

    def _put(self, job: _Job) -> bool:
        self._tell_if_held_up()
        if not self.works:  # The thread tries again by itself.
            self.counts.dropped += 1
            return False
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            self.counts.dropped += 1
            return False
        return True

    def _is_held_up(self) -> bool:
        """Say whether the database stands still: a question would only hold its client up."""
        since = self._busy_since
        return since is not None and time.monotonic() - since >= SLOW

    def _tell_if_held_up(self) -> None:
        """Log it once, and not if the database has failed before: that has been logged."""
        since = self._busy_since
        if self._is_held_up() and self._tried_again is None and self._slow_since != since:
            self._slow_since = since
            logger.warning(
                "analyses are not kept for now: the database has not answered for %g s", SLOW
            )

    # --- in the thread

    def _work(self) -> None:
        self._attempt(self._open)  # Now, and not when the first client waits for it.
        while True:
            try:
                job = self._jobs.get(timeout=self._patience())
            except queue.Empty:
                self._attempt(self._flush)  # One that has failed is only tried again.
                continue
            if job is None:
                break
            self._do(job)
            if self._is_due():
                self._attempt(self._flush)
        if self._has_news():
            self._attempt(self._flush)
        if self._store:
            self._attempt(self._store.close)

    def _patience(self) -> float | None:
        """Return how long to wait for the next job, in seconds; None is for ever."""
        until = self._due if self._has_news() else self._tried_again
        return None if until is None else max(0.0, until - time.monotonic())

    def _has_news(self) -> bool:
        return bool(self._batch or self._used)

    def _is_due(self) -> bool:
        return len(self._batch) >= BATCH or (self._has_news() and time.monotonic() >= self._due)

    def _do(self, job: _Ask | _Keep) -> None:
        if isinstance(job, _Keep):
            if not self._attempt(lambda: self._keep(job)):
                self.counts.dropped += 1
            return
        found = b""

        def look() -> None:
            nonlocal found
            found = self._look_up(job.query)

        if not self._attempt(look):
            self.counts.dropped += 1
        try:
            self._loop.call_soon_threadsafe(job.reply, found)
        except RuntimeError:  # The loop is closed: nobody waits for it any more.
            logger.debug("a reply of the cache came too late")

    def _attempt(self, action: Callable[[], None]) -> bool:
        """Do something with the database, unless it has failed of late; say whether it is done."""
        since = time.monotonic()
        if self._tried_again is not None and since < self._tried_again:
            return False
        self._busy_since = since
        try:
            self._open()
            action()
        except (ServerError, OSError) as error:
            self._failed(error)
            return False
        except Exception:
            # A bug of ours, or of a position that nobody has thought of: the thread goes on.
            self.counts.errors += 1
            text = "the cache has met something that it does not know"
            if text := self._bugs.again(text, since) or "":
                logger.exception("%s", text)
            if self._tried_again is not None:
                self._take_rest()
            return False
        finally:
            self._busy_since = None
        if self._slow_since == since:
            logger.info("the cache works again")
        return True

    def _open(self) -> None:
        """Open the database; one that has failed works again when it can be written to."""
        if self._store is None:
            self._store = _store_class()(self._url)
            self.counts.rows = self._store.summary().rows
        if self._tried_again is not None:
            self._store.try_writing()
            self._tried_again, self._rest = None, FIRST_REST
            logger.info("the cache works again")

    def _failed(self, error: Exception) -> None:
        """Do without the database for a while; each time it fails again, for twice as long."""
        self.counts.errors += 1
        if self._tried_again is None and self._slow_since != self._busy_since:
            logger.warning("analyses are not kept for now, but that is tried again: %s", error)
        self._take_rest()
        self.counts.dropped += len(self._batch)
        self._batch.clear()
        self._used.clear()
        if self._store:
            store, self._store = self._store, None
            try:
                store.close()
            except ServerError as second:
                logger.debug("the database could not be closed: %s", second)

    def _take_rest(self) -> None:
        self._tried_again = time.monotonic() + self._rest
        self._rest = min(2 * self._rest, LONGEST_REST)

    def _look_up(self, query: Query) -> bytes:
        assert self._store
        board = board_of(query.question)
        key = self._key(query, board)
        if key is None:
            return b""
        waiting = [row.evaluation for (each, _), row in self._batch.items() if each == key]
        best = choose_evaluation([*waiting, *self._store.find(key)], query.question.lines)
        if best is None:
            self.counts.misses += 1
            return b""
        self.counts.hits += 1
        now = int(time.time())
        self._note(used={key: now})
        date = datetime.fromtimestamp(best.stored or now, UTC)
        return best.for_client(date.strftime("%Y-%m-%d"))

    def _keep(self, job: _Keep) -> None:
        query = job.query
        board = board_of(query.question)
        key = self._key(query, board)
        evaluation = Evaluation.of_search(job.said, board)
        if key is None or evaluation is None or evaluation.depth < self._config.least_depth:
            return
        row = Row(
            key=key,
            account=query.account,
            engine=query.build.name,
            position=normal_form(board, query.question.variant) or "",
            evaluation=evaluation,
            stored=int(time.time()),
        )
        place = key, len(evaluation.lines)
        before = self._batch.get(place)
        if before is None or before.evaluation.depth <= evaluation.depth:
            self._note(rows={place: row})

    def _key(self, query: Query, board: chess.Board) -> str | None:
        """Return what an evaluation is known by; None if it cannot be known."""
        return key_of(query.question, query.build, query.account, board, self._digests)

    def _note(
        self,
        rows: dict[tuple[str, int], Row] | None = None,
        used: dict[str, int] | None = None,
    ) -> None:
        if not self._has_news():
            self._due = time.monotonic() + BATCH_TIME
        self._batch |= rows or {}
        self._used |= used or {}

    def _flush(self) -> None:
        """Write what has gathered."""
        if not self._has_news():
            return
        assert self._store
        rows, used = list(self._batch.values()), self._used
        self._batch, self._used = {}, {}  # What cannot be written is not tried again.
        try:
            self.counts.rows = self._store.put(rows, used, self._config.rows)
        except Exception:
            self.counts.dropped += len(rows)
            raise
        self.counts.stored += len(rows)


def _store_class() -> "type[Store]":
    """Return `Store`, whose libraries are loaded only here: that takes 0.3 s and 28 MB.

    Where that fails (no descriptor is left, say), Python keeps those parts of a package that are
    loaded, and another try would find them without the rest.  So they are forgotten.
    """
    try:
        from rookery_server.cache.evaluation_store import Store
    except Exception:
        for name in [*sys.modules]:
            if f"{name}.".startswith(tuple(f"{each}." for each in _LOADED)):
                del sys.modules[name]
        raise
    return Store
