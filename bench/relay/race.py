"""The relay benchmark: all servers run at once and take turns, burst by burst."""

import sys
import time
from contextlib import ExitStack
from math import inf

from bench.child import wait_until_settled
from bench.relay.burst import (
    BURSTS,
    POLICY_BURSTS,
    POLICY_QUANTITIES,
    QUANTITIES,
    Burst,
    BurstError,
    lines_for,
    run,
)
from bench.relay.lane import Lane, open_lane
from bench.table import Row

FRESH_ROTATIONS = 3  # a fresh server is slow to start, and what it answers hardly varies

# What a burst gave: lane -> the generator's figures of each rotation; None where it failed.
Figures = dict[str, list[dict[str, float] | None]]


class Race:
    """Runs the bursts in rotation and keeps what they gave.

    `failures` are the sentences on what a server did not do.
    """

    def __init__(self, rotations: int, *, only: str = "", policy: bool = False) -> None:
        """Make one of our server and others, or, for `policy`, of ours with and without."""
        self.rotations = rotations
        self.bursts = [
            burst for burst in (POLICY_BURSTS if policy else BURSTS) if only in burst.name
        ]
        self._quantities = POLICY_QUANTITIES if policy else QUANTITIES
        self.failures: list[str] = []
        self._figures: dict[str, Figures] = {
            burst.name: {name: [] for name in burst.lanes} for burst in self.bursts
        }
        self._lines: dict[tuple[str, str], int] = {}

    def run(self) -> dict[str, list[Row]]:
        """Start the servers, run all rotations and return the rows of each baseline's table."""
        lasting = [burst for burst in self.bursts if not burst.fresh]
        fresh = [burst for burst in self.bursts if burst.fresh]
        with ExitStack() as stack:
            names = dict.fromkeys(name for burst in lasting for name in burst.lanes)
            lanes = {name: open_lane(name, stack) for name in names}
            self._try_out(lasting, lanes)
            self._rotate(lasting, self.rotations, lanes)
        self._rotate(fresh, min(self.rotations, FRESH_ROTATIONS), {})
        return self._tables()

    def _try_out(self, bursts: list[Burst], lanes: dict[str, Lane]) -> None:
        """Find out how many lines a flood takes in each lane; it warms them up too."""
        started = _say("first try: ")
        for burst in bursts:
            for name in burst.lanes if burst.flood else ():
                try:
                    self._lines[burst.name, name] = lines_for(burst, lanes[name])
                except BurstError as error:
                    self.failures.append(str(error))
        _said(started)

    def _rotate(self, bursts: list[Burst], rotations: int, lanes: dict[str, Lane]) -> None:
        for rotation in range(rotations if bursts else 0):
            started = _say(f"rotation {rotation + 1} of {rotations}: ")
            for burst in bursts:
                _say(f"{burst.name}, ")
                # Each lane is the first of its rotation as often as the others.
                turn = rotation % len(burst.lanes)
                for name in burst.lanes[turn:] + burst.lanes[:turn]:
                    self._figures[burst.name][name].append(self._take(burst, name, lanes))
            _said(started)

    def _take(self, burst: Burst, name: str, lanes: dict[str, Lane]) -> dict[str, float] | None:
        """Run a burst in a lane, for which a fresh server is started if it asks for one."""
        lines = self._lines.get((burst.name, name))
        try:
            if not burst.fresh:
                return run(burst, lanes[name], lines=lines)
            with ExitStack() as stack:
                lane = open_lane(name, stack, files=burst.files)
                wait_until_settled(lane.process)
                return run(burst, lane, lines=lines)
        except BurstError as error:
            self.failures.append(str(error))
            return None

    def _tables(self) -> dict[str, list[Row]]:
        tables: dict[str, list[Row]] = {}
        for quantity, burst, field in self._quantities:
            if burst not in self._figures:
                continue
            # A failure counts as the worst there is, so that it cannot be overlooked.
            worst = inf if quantity.better == "lower" else 0.0
            lanes = {
                name: [worst if figures is None else figures[field] for figures in rotations]
                for name, rotations in self._figures[burst].items()
            }
            baseline, floor, ours = lanes
            row = Row(quantity, lanes[baseline], lanes[ours], lanes[floor])
            tables.setdefault(baseline, []).append(row)
        return tables


def _say(text: str) -> float:
    print(text, end="", file=sys.stderr, flush=True)
    return time.monotonic()


def _said(started: float) -> None:
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
