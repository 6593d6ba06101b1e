"""One kind of trouble, made for a server of its own while witnesses look on."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field

from bench.endure.server import Server, serving
from bench.endure.vitals import Vitals
from bench.endure.witness import SESSIONS, Testimony, quantile, watching

GROWTH = 25.0  # MiB that may stay of a crowd: Python keeps it for the next one
ROUND_TRIP = 50.0  # ms; the p99 of the witnesses


@dataclass(slots=True)
class Outcome:
    """Numbers and faults of a scenario."""

    did: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    deaths: int = 0  # engines that were killed on purpose
    round_trip: float = ROUND_TRIP  # ms; the most that the p99 of the witnesses may be


# Makes trouble over a transport, as much of it as the scale says (1 is all).
Trouble = Callable[[Server, str, float, Outcome], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one scenario over one transport."""

    name: str
    transport: str
    seconds: float
    outcome: Outcome
    testimony: Testimony
    before: Vitals
    after: Vitals

    @property
    def left(self) -> list[str]:
        """Return the faults and what is left behind; a slow machine is no excuse."""
        before, after = self.before, self.after
        found = [*self.outcome.wrong, *self.testimony.wrong]
        if after.sessions != before.sessions:
            found.append(f"{after.sessions} sessions are left, not {before.sessions}")
        if after.children > after.sessions + after.spares or after.zombies:
            found.append(f"{after.children} engines and {after.zombies} zombies are left")
        if after.files_besides > before.files_besides:
            found.append(f"{after.files_besides} descriptors are left, not {before.files_besides}")
        if after.tasks > before.tasks:
            found.append(f"{after.tasks} tasks are left, not {before.tasks}")
        if after.deaths != self.outcome.deaths:
            found.append(f"{after.deaths} engines died, not {self.outcome.deaths}")
        return found

    @property
    def wrong(self) -> list[str]:
        """All that is not as it must be."""
        found = self.left
        if self.after.rss > self.before.rss + GROWTH:
            found.append(f"{self.after.rss:.1f} MiB are left, not {self.before.rss:.1f}")
        if (late := quantile(self.testimony.ready, 0.99)) > self.outcome.round_trip:
            found.append(f"p99 of the witnesses is {late:.0f} ms")
        return found

    def as_json(self) -> dict[str, object]:
        """Return all that is known of it."""
        return {
            "name": self.name,
            "transport": self.transport,
            "seconds": self.seconds,
            "did": dict(self.outcome.did),
            "wrong": self.wrong,
            "testimony": asdict(self.testimony),
            "before": asdict(self.before),
            "after": asdict(self.after),
        }


async def play(name: str, trouble: Trouble, transport: str, scale: float) -> Row:
    """Run a scenario on a server of its own."""
    outcome = Outcome()
    async with serving() as server, watching(server.where) as testimony:
        before = await server.settled(sessions=SESSIONS)
        began = time.monotonic()
        try:
            await trouble(server, transport, scale, outcome)
        except (OSError, TimeoutError, ExceptionGroup) as error:
            outcome.wrong.append(f"{type(error).__name__}: {error}")
        seconds = time.monotonic() - began
        after = await server.settled(
            sessions=SESSIONS, files=before.files_besides, tasks=before.tasks
        )
    return Row(name, transport, seconds, outcome, testimony, before, after)


def table(rows: list[Row]) -> str:
    """Return the rows as a table of Markdown."""
    head = (
        "scenario", "transport", "done", "s", "RTT ms: p50", "p99", "max", "stop ms: p99",
        "MiB", "files", "engines", "zombies", "tasks", "verdict",
    )  # fmt: skip
    lines = [head, tuple("-" for _ in head), *map(_cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: Row) -> tuple[str, ...]:
    before, after, seen = row.before, row.after, row.testimony
    done = ", ".join(f"{count:,} {what}" for what, count in row.outcome.did.items())
    return (
        row.name,
        row.transport,
        done,
        f"{row.seconds:.0f}",
        *(f"{quantile(seen.ready, part):.1f}" for part in (0.5, 0.99, 1.0)),
        f"{quantile(seen.stop, 0.99):.1f}",
        f"{before.rss:.1f} → {after.rss:.1f}",
        f"{before.files} → {after.files}",
        f"{before.children} → {after.children}",
        str(after.zombies),
        f"{before.tasks} → {after.tasks}",
        "; ".join(row.wrong) or "as it was",
    )
