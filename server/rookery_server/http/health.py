"""The server's health, for machines that ask: alive, ready, and in numbers.

/healthz   200 as long as the event loop turns
/readyz    503 when no session can begin: the server drains, is full, or has no engine; 200 and
           `ready` otherwise, with one more line if strangers have been evicted of late
/metrics   numbers for Prometheus; for this machine and for admins

Nothing is counted here: the numbers are read where they are, on request.  So a line or a
session costs nothing more for it, and there is no state that two servers in one process would
share.  No label has the name of a client, a position or a token.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.metadata import version
from itertools import accumulate
from typing import TypeVar

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from rookery_protocol.engine_names import group_of
from rookery_protocol.notices import Code
from rookery_server.actor.actor import SessionActor
from rookery_server.cache.cache_service import CacheCounts
from rookery_server.database.store_service import StoreCounts
from rookery_server.jobs.active_jobs import JobCounts
from rookery_server.manager import SessionManager
from rookery_server.projects.growing_projects import GrowthCounts
from rookery_server.session.commands import SessionState
from rookery_server.session.totals import SEARCH_BUCKETS, Totals
from rookery_server.shared_games.game_service import GameCounts
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.http_connection import text_answer

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
QUANTILES = (0.5, 0.9, 0.99, 1.0)
MIB = 1 << 20
M = TypeVar("M", GaugeMetricFamily, CounterMetricFamily)
_VERSION = version("rookery-chess")  # to look it up takes a millisecond
# Not a reason to send clients elsewhere: they would be as many there, and those who show a good
# token get in here.
_CROWDED = "crowded: connections that did not log in were turned out within the last minute\n"


class HealthPages:
    """The answers of one server about its health."""

    def __init__(self, host: SessionManager, policy: ConnectionPolicy) -> None:
        self._host = host
        self._policy = policy
        self._metrics = Metrics(host, policy)

    @property
    def job_counts(self) -> JobCounts:
        """The numbers of the jobs."""
        return self._metrics.job_counts

    @job_counts.setter
    def job_counts(self, counts: JobCounts) -> None:
        self._metrics.job_counts = counts

    @property
    def project_counts(self) -> GrowthCounts:
        """The numbers of the projects."""
        return self._metrics.project_counts

    @project_counts.setter
    def project_counts(self, counts: GrowthCounts) -> None:
        self._metrics.project_counts = counts

    @property
    def game_counts(self) -> GameCounts:
        """The numbers of the shared games."""
        return self._metrics.game_counts

    @game_counts.setter
    def game_counts(self, counts: GameCounts) -> None:
        self._metrics.game_counts = counts

    @property
    def library_counts(self) -> StoreCounts:
        """The numbers of the library."""
        return self._metrics.library_counts

    @library_counts.setter
    def library_counts(self, counts: StoreCounts) -> None:
        self._metrics.library_counts = counts

    async def healthz(self, _: web.Request) -> web.Response:
        """Answer that the event loop turns."""
        return text_answer(200, "ok\n")

    async def readyz(self, _: web.Request) -> web.Response:
        """Answer whether a session can begin."""
        if trouble := self._trouble():
            return text_answer(503, f"{trouble}\n")
        crowded = _CROWDED if self._policy.evictor.is_busy else ""
        return text_answer(200, f"ready\n{crowded}")

    async def metrics(self, _: web.Request) -> web.Response:
        """Answer with the metrics."""
        return text_answer(200, self._metrics.text(), {"Content-Type": CONTENT_TYPE})

    def _trouble(self) -> str:
        """Return why no session can begin; an empty text if one can."""
        if self._host.is_draining:
            return "draining"
        if self._policy.admission.is_full:
            return "full"
        return "" if self._host.fleet.has_engine else "no engine"


class Metrics(Collector):
    """The numbers of one server, collected where they are."""

    def __init__(self, host: SessionManager, policy: ConnectionPolicy) -> None:
        self._host = host
        self._policy = policy
        self.job_counts = JobCounts()
        self.project_counts = GrowthCounts()
        self.game_counts = GameCounts()
        self.library_counts = StoreCounts()
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self) -> str:
        """Return what there is now, as Prometheus reads it."""
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterator[Metric]:
        """Yield every metric, as it is now."""
        yield _gauge("build_info", "The version that runs", {_VERSION: 1}, "version")
        yield _gauge("tasks", "Tasks of the event loop", len(asyncio.all_tasks()))
        yield from self._of_sessions()
        yield from self._of_totals()
        yield from self._of_engines()
        yield from self._of_connections()
        yield from self._of_cache()
        yield from self._of_jobs()
        yield from self._of_projects()
        yield from self._of_games()
        yield from self._of_library()

    def _of_sessions(self) -> Iterator[Metric]:
        actors = self._host.actors
        engines = {engine.name: 0 for engine in self._host.config.engines}
        by_engine = Counter(engines) + Counter(_label(actor.engine_name) for actor in actors)
        yield _gauge("sessions", "Sessions that are open", engines | by_engine, "engine")
        yield _gauge(
            "sessions_detached",
            "Sessions whose connection is lost, and that wait for another",
            sum(actor.client is None for actor in actors),
        )
        for state in (SessionState.SEARCHING, SessionState.WAITING):
            name = state.name.lower()
            count = sum(actor.session.state is state for actor in actors)
            yield _gauge(f"sessions_{name}", f"Sessions that are {name}", count)
        rooms = self._host.rooms
        yield _gauge("rooms", "Sessions that others may watch", len(rooms))
        yield _gauge("spectators", "Connections that watch one", len(rooms.spectators()))
        started = Counter(engines)
        for name, count in self._host.totals.started.items():
            started[_label(name)] += count
        yield _counter("sessions_started", "Sessions that have begun", started, "engine")
        yield _gauge("draining", "1 if no more sessions are taken", int(self._host.is_draining))

    def _of_totals(self) -> Iterator[Metric]:
        tally, totals = self._host.totals, Totals()
        notices = Counter(tally.notices)
        totals.add(tally.ended)
        for actor in self._host.actors:
            totals.add(actor.totals)
            notices.update(actor.session.notices)
        yield _counter("lines_received", "Lines of clients", totals.lines_heard)
        yield _counter("lines_sent", "Lines to clients", totals.lines_told)
        yield _counter("engine_deaths", "Engines that ended by themselves", totals.engine_deaths)
        yield _counter(
            "engine_cpu_seconds", "CPU time of engines that have been ended", totals.cpu_seconds
        )
        yield _counter("notices", "Notices within sessions", _each_code(notices), "code")
        refusals = _each_code(self._policy.refusals)
        yield _counter("refusals", "Connections and requests refused", refusals, "code")
        bounds = [*map(str, SEARCH_BUCKETS), "+Inf"]
        yield HistogramMetricFamily(
            "rookery_search_seconds",
            "How long searches took",
            list(zip(bounds, accumulate(tally.durations), strict=True)),
            tally.search_seconds,
        )

    def _of_engines(self) -> Iterator[Metric]:
        yield _gauge("queue_length", "Sessions that wait for a slot", self._host.scheduler.waiting)
        budget = self._host.scheduler.budget
        used = budget.total - budget.free
        yield _gauge("budget_threads", "Threads of all slots", budget.total.threads)
        yield _gauge("budget_threads_used", "Threads of the slots in use", used.threads)
        yield _gauge("budget_hash_bytes", "Hash of all slots", budget.total.hash_mb * MIB)
        yield _gauge("budget_hash_used_bytes", "Hash of the slots in use", used.hash_mb * MIB)
        memory_mb = budget.total.memory_mb or 0
        yield _gauge("budget_memory_bytes", "Memory of all slots", memory_mb * MIB)
        memory_mb = used.memory_mb or 0
        yield _gauge("budget_memory_used_bytes", "Memory of the slots in use", memory_mb * MIB)
        spares = self._host.fleet.spares()
        yield _gauge("spare_engines", "Engines that are ready for a session", spares, "engine")
        machines = list(self._host.fleet.joined.machines)
        yield _gauge(
            "machines",
            "Machines that have joined",
            sum(each.control is not None for each in machines),
        )
        count = sum(len(each.engines) for each in machines)
        yield _gauge("joined_engines", "Engines of theirs that run for sessions", count)

    def _of_cache(self) -> Iterator[Metric]:
        keeper = self._host.keeper
        counts = keeper.counts if keeper else CacheCounts()
        yield _counter("cache_hits", "Searches whose position was known", counts.hits)
        yield _counter("cache_misses", "Searches whose position was not known", counts.misses)
        yield _counter("cache_stored", "Analyses that were written", counts.stored)
        yield _counter("cache_errors", "Times that the database failed", counts.errors)
        yield _counter("cache_dropped", "What there was no room or no database for", counts.dropped)
        yield _gauge("cache_rows", "Analyses that are kept", counts.rows)
        if keeper:  # Where the cache is switched off, 0 would raise an alarm.
            yield _gauge("cache_up", "1 if analyses can be kept", int(keeper.works))

    def _of_jobs(self) -> Iterator[Metric]:
        counts = self.job_counts
        states = dict.fromkeys(("active", "paused", "finished", "failed"), 0) | counts.by_state
        yield _gauge("jobs", "Jobs in the database", states, "state")
        yield _gauge("job_items_waiting", "Positions and games without a result", counts.waiting)
        yield _gauge("job_workers", "Engines that work at jobs", counts.workers)
        yield _counter("job_results", "Results of jobs that were written", counts.results)
        yield _counter("job_errors", "Those of them that say why there is none", counts.errors)
        yield _counter(
            "job_database_errors", "Times that the jobs' database failed", counts.database_errors
        )

    def _of_projects(self) -> Iterator[Metric]:
        counts = self.project_counts
        states = dict.fromkeys(("active", "paused", "finished", "failed"), 0) | counts.by_state
        yield _gauge("projects", "Projects in the database", states, "state")
        yield _gauge("project_workers", "Engines that work at projects", counts.workers)
        yield _counter("project_searches", "Searches of projects that were stored", counts.leaves)
        yield _counter(
            "project_searches_failed", "Those of them that no engine could make", counts.failed
        )
        yield _counter(
            "project_database_errors",
            "Times that the database of projects failed",
            counts.database_errors,
        )

    def _of_games(self) -> Iterator[Metric]:
        counts = self.game_counts
        yield _gauge("shared_games", "Games that accounts share by a link", counts.stored)
        yield _counter("shared_game_reads", "Times that one was asked for", counts.reads)
        yield _counter(
            "shared_game_database_errors",
            "Times that the database of shared games failed",
            counts.database_errors,
        )

    def _of_library(self) -> Iterator[Metric]:
        counts = self.library_counts
        yield _gauge("library_files", "Files that accounts keep on the server", counts.stored)
        yield _counter(
            "library_database_errors",
            "Times that the database of the library failed",
            counts.database_errors,
        )

    def _of_connections(self) -> Iterator[Metric]:
        admission = self._policy.admission
        yield _gauge("connections", "Connections that are open", len(admission))
        yield _gauge("connections_limit", "Connections that may be open", admission.total)
        yield _gauge(
            "connections_unauthenticated",
            "Connections from nobody knows whom",
            len(admission.strangers),
        )
        yield _gauge(
            "connections_unauthenticated_networks",
            "Networks that those are from",
            len(admission.strangers.networks),
        )
        yield _counter(
            "connections_turned_out",
            "Connections that had not logged in, and were closed to make room for others",
            self._policy.evictor.evicted,
        )
        times = sorted(filter(None, map(_latency, self._host.actors)))
        trips = {str(each): times[int(each * (len(times) - 1))] for each in QUANTILES if times}
        yield _gauge("round_trip_seconds", "From a WebSocket ping to its answer", trips, "quantile")


def _label(engine: str) -> str:
    """Return an engine as a label; those of machines that have joined name accounts."""
    return "joined" if group_of(engine) else engine


def _latency(actor: SessionActor) -> float:
    return float(getattr(actor.client, "latency", 0.0))  # TCP has no pings


def _each_code(counts: Mapping[Code, int]) -> dict[str, float]:
    """Return a number for each code, so that the first of a kind is seen as a rise."""
    return {str(code): counts.get(code, 0) for code in Code}


def _family(
    kind: type[M], name: str, text: str, value: float | Mapping[str, float], label: str = ""
) -> M:
    """Return a metric of one number, or of one for each value of a label."""
    family = kind(f"rookery_{name}", text, labels=[label] if label else None)
    values = value.items() if isinstance(value, Mapping) else [(None, value)]
    for each, number in values:
        family.add_metric([] if each is None else [each], number)
    return family


_gauge = partial(_family, GaugeMetricFamily)
_counter = partial(_family, CounterMetricFamily)
