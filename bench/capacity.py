"""Sessions, cores and servers that a site needs: `python -m bench.capacity`.

A day is played minute by minute: people come as they do by the hour, stay for a while, and
have a search running part of that time.  What the busiest minute takes of each resource,
by costs that were measured (bench/README.md), is divided by what one server has; the
resource with the largest quotient is the first bottleneck.  What people do is assumed and
stands in `Habits`: change it, for it matters more than any cost.
"""

import argparse
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.svg import drawing

MINUTES = 24 * 60

# Of the people of a day, how many in a thousand come in each hour, from midnight on: an
# assumed day of a European site, quiet at night and busiest in the evening.
HOURS = (14, 8, 5, 4, 4, 6, 12, 22, 34, 42, 46, 48, 50, 50, 50, 54, 60, 68, 78, 88, 92, 82, 54, 29)


@dataclass(frozen=True, slots=True)
class Habits:
    """The assumed behaviour of people.  Times are in minutes."""

    stay: float = 20.0  # of a session
    searching: float = 0.35  # part of that time in which something is searched
    lines: float = 20.0  # that an engine says in a second of search
    threads: int = 1  # of a search
    hash_mb: int = 64
    per_day: float = 1.5  # sessions of a daily user


@dataclass(frozen=True, slots=True)
class Costs:
    """Measured costs: see the tables of bench/README.md."""

    line: float = 10.6e-6  # s of CPU to carry one line: "CPU, one line a ms"
    session_mb: float = 0.018  # "memory of an idle session"
    engine_mb: float = (
        100.0  # beside its hash, the upper end: see rookery_server/scheduling/machine_resources.py
    )
    descriptors: int = 3  # of a session: a connection and two pipes


@dataclass(frozen=True, slots=True)
class Server:
    """One machine.  The server process is one loop on one core."""

    cores: int = 16
    memory_mb: int = 65_536
    descriptors: int = 65_536
    connections: int = 2000  # `connections.total`, as it is by default
    relay: float = 0.5  # of the loop's core, so that nobody waits for it


@dataclass(frozen=True, slots=True)
class Peak:
    """The busiest minute of a day."""

    sessions: int
    searching: int


def day(users: int, habits: Habits, chooser: random.Random) -> Peak:
    """Play a day that repeats itself, and return its peaks."""
    leaves = 1 - math.exp(-1 / habits.stay)
    sessions = searching = most = most_searching = 0
    for minute in range(2 * MINUTES):  # The first day fills the house.
        share = HOURS[minute % MINUTES // 60] / 1000 / 60
        sessions += poisson(users * habits.per_day * share, chooser)
        sessions -= binomial(sessions, leaves, chooser)
        searching = binomial(sessions, habits.searching, chooser)
        if minute >= MINUTES:
            most, most_searching = max(most, sessions), max(most_searching, searching)
    return Peak(most, most_searching)


def loads(peak: Peak, habits: Habits, costs: Costs, server: Server) -> dict[str, float]:
    """Return how many servers each resource alone would want."""
    memory = peak.sessions * costs.session_mb + peak.searching * (costs.engine_mb + habits.hash_mb)
    return {
        "cores for engines": peak.searching * habits.threads / server.cores,
        "memory": memory / server.memory_mb,
        "relay's core": peak.searching * habits.lines * costs.line / server.relay,
        "connections": peak.sessions / server.connections,
        "descriptors": peak.sessions * costs.descriptors / server.descriptors,
    }


def poisson(mean: float, chooser: random.Random) -> int:
    """Draw a number of events; a large mean is drawn as a normal one."""
    if mean > 50:
        return max(0, round(chooser.gauss(mean, math.sqrt(mean))))
    count, product, end = 0, chooser.random(), math.exp(-mean)
    while product > end:
        count, product = count + 1, product * chooser.random()
    return count


def binomial(count: int, share: float, chooser: random.Random) -> int:
    """Draw how many of a number do something, each with the same chance."""
    if count > 100:
        spread = math.sqrt(count * share * (1 - share))
        return min(count, max(0, round(chooser.gauss(count * share, spread))))
    return sum(chooser.random() < share for _ in range(count))


def main() -> None:
    """Print a table, and draw it if that is wanted."""
    parser = argparse.ArgumentParser(prog="python -m bench.capacity", description=__doc__)
    parser.add_argument("--users", type=int, nargs="+", default=[100, 10_000, 1_000_000])
    parser.add_argument("--cores", type=int, default=16, help="of a server (16)")
    parser.add_argument("--memory", type=int, default=65_536, help="MiB of a server (65536)")
    parser.add_argument("--stay", type=float, default=20.0, help="minutes of a session (20)")
    parser.add_argument("--searching", type=float, default=0.35, help="part of them (0.35)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it")
    options = parser.parse_args()
    habits = Habits(stay=options.stay, searching=options.searching)
    server = Server(cores=options.cores, memory_mb=options.memory)
    found = {}
    print("| users a day | sessions | searching | servers | first bottleneck | then |")
    print("|---|---|---|---|---|---|")
    for users in options.users:
        peak = day(users, habits, random.Random(users))
        found[users] = loads(peak, habits, Costs(), server)
        first, second = sorted(found[users].items(), key=lambda each: -each[1])[:2]
        print(
            f"| {users:,} | {peak.sessions:,} | {peak.searching:,} | {math.ceil(first[1]):,} |"
            f" {first[0]} ({first[1]:.2g}) | {second[0]} ({second[1]:.2g}) |"
        )
    if options.svg:
        options.svg.write_text(picture(found), encoding="utf-8")


_LEFT, _WIDTH, _ROW, _LEAST, _MOST = 230, 420, 18, -3, 4  # pixels; powers of ten of the axis


def picture(found: dict[int, dict[str, float]]) -> str:
    """Return a drawing: for each size a bar for each resource, in servers, by powers of ten."""
    rows = list(_rows(found))
    height = 60 + len(rows) * _ROW
    parts = [
        '<text x="10" y="18" font-weight="bold">Servers that each resource wants alone</text>',
    ]
    for power in range(_LEAST, _MOST + 1):
        x = _at(10.0**power)
        color = "#c33" if power == 0 else "#ddd"
        parts.append(f'<path d="M{x:.0f} 28V{height - 22}" stroke="{color}"/>')
        parts.append(
            f'<text x="{x:.0f}" y="{height - 6}" text-anchor="middle">{10.0**power:g}</text>'
        )
    for number, (label, value, is_first) in enumerate(rows):
        y = 32 + number * _ROW
        parts.append(f'<text x="10" y="{y + 12}">{label}</text>')
        if value is not None:
            fill = "#b5651d" if is_first else "#7a9cc6"
            width = max(0.0, _at(value) - _LEFT)
            parts.append(
                f'<rect x="{_LEFT}" y="{y + 2}" width="{width:.0f}" height="12" fill="{fill}"/>'
            )
    return drawing(parts, width=_LEFT + _WIDTH + 60, height=height)


def _rows(found: dict[int, dict[str, float]]) -> Iterator[tuple[str, float | None, bool]]:
    for users, wanted in found.items():
        yield f"{users:,} users a day", None, False
        for name, value in wanted.items():
            yield f"- {name}: {value:.2g}", value, value == max(wanted.values())


def _at(value: float) -> float:
    power = max(_LEAST, min(_MOST, math.log10(value))) if value > 0 else _LEAST
    return _LEFT + _WIDTH * (power - _LEAST) / (_MOST - _LEAST)


if __name__ == "__main__":
    main()
