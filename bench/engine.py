"""The engine benchmark: ours against Debian's Stockfish, turn by turn.

How soon an engine answers and how fast it generates moves can be compared between
engines; nodes per second cannot, because engines count and prune differently, and
stand here for information.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.child import end, find
from bench.table import Quantity, Row

STARTS = 10  # of each engine in a rotation; one start is too short to time alone
SEARCH = 2000  # ms
DEADLINE = 120.0  # s, for anything an engine is asked

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

Measure = Callable[[str], float]


class Engine:
    """A running engine, asked line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def say(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def until(self, start: str) -> list[str]:
        """Return the engine's lines up to one that starts so."""
        assert self._process.stdout is not None
        lines = []
        deadline = time.monotonic() + DEADLINE
        for line in self._process.stdout:
            lines.append(line.rstrip())
            if line.startswith(start):
                return lines
            if time.monotonic() > deadline:
                break
        raise RuntimeError(f"{self._process.args!r} did not say {start!r}")


@contextmanager
def started(path: str) -> Iterator[Engine]:
    """Run an engine while the block lasts."""
    process = subprocess.Popen(
        [path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=Path(path).parent,
    )
    try:
        yield Engine(process)
    finally:
        end(process)


def ready(path: str) -> float:
    """Return the ms from starting an engine to its `uciok`."""
    total = 0.0
    for _ in range(STARTS):
        begun = time.perf_counter()
        with started(path) as engine:
            engine.say("uci")
            engine.until("uciok")
            total += time.perf_counter() - begun
    return total / STARTS * 1000


def perft(position: str, depth: int, nodes: int) -> Measure:
    """Return what measures an engine's perft of a position in nodes per second."""

    def measure(path: str) -> float:
        with started(path) as engine:
            _prepare(engine, position)
            begun = time.perf_counter()
            engine.say(f"go perft {depth}")
            last = engine.until("Nodes searched")[-1]
            seconds = time.perf_counter() - begun
        if int(last.split()[-1]) != nodes:
            raise RuntimeError(f"{path} counts {last!r} instead of {nodes}")
        return nodes / seconds

    return measure


def search(path: str) -> float:
    """Return the nodes per second that an engine reports for a search with one thread."""
    with started(path) as engine:
        _prepare(engine, "startpos")
        engine.say(f"go movetime {SEARCH}")
        words = [line.split() for line in engine.until("bestmove")]
    return float(next(w[w.index("nps") + 1] for w in reversed(words) if "nps" in w))


MEASURES: tuple[tuple[Quantity, Measure], ...] = (
    (Quantity("start to uciok", "ms", "lower", 0.5), ready),
    (Quantity("perft 6, start", "nodes/s", "higher", 1.5), perft("startpos", 6, 119_060_324)),
    (
        Quantity("perft 5, kiwipete", "nodes/s", "higher", 1.5),
        perft(f"fen {KIWIPETE}", 5, 193_690_690),
    ),
    (Quantity("search, 1 thread", "nodes/s", "higher"), search),
)


def compare(rotations: int, *, only: str = "") -> list[Row]:
    """Measure both engines in turns and return the rows of the table."""
    paths = (find("stockfish"), find("rookery-engine"))
    rows = [Row(quantity, [], []) for quantity, _ in MEASURES if only in quantity.name]
    measures = [measure for quantity, measure in MEASURES if only in quantity.name]
    for rotation in range(rotations):
        print(f"rotation {rotation + 1} of {rotations}", file=sys.stderr, flush=True)
        for row, measure in zip(rows, measures, strict=True):
            turns = [(paths[0], row.baseline), (paths[1], row.ours)]
            for path, values in turns if rotation % 2 else reversed(turns):
                values.append(measure(path))
    return rows


def _prepare(engine: Engine, position: str) -> None:
    engine.say("uci")
    engine.until("uciok")
    engine.say(f"position {position}")
    engine.say("isready")
    engine.until("readyok")
