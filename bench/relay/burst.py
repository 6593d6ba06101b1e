"""Short runs of the load generator, and the quantities read from them.

A burst is short so that all lanes can take their turn before the machine's mood
changes.  Floods therefore last equally *long* in each lane, not equally many lines:
a first try finds out how many lines that takes.  Only lines that arrived count: a
server may leave out stale `info` lines for a slow reader.
"""

import json
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass

from bench.child import running
from bench.relay.build import build
from bench.relay.lane import POLICY_TCP, POLICY_WS, TCP, WS, Lane, Lanes
from bench.table import Quantity

LIMIT = 30  # s, of one run of the load generator
SETTLE = 0.15  # s between runs, in which the last one's engines end
FLOOD = 0.4  # s that a flood lasts
CROWD = 4  # sessions that flood beside an idle one
FILES = 1024  # open files of a server, as most systems set it

BY_LINE = ("--send", "setoption name Flush value line")
PACED = (
    "--send", "setoption name Interval value 1000", "--send", "setoption name Stamp value true",
)  # fmt: skip


class BurstError(Exception):
    """A server did not do what was asked of it; the text says what happened."""


@dataclass(frozen=True, slots=True)
class Burst:
    """One run of the load generator against each lane.

    `flood` bursts get a number of lines that lasts; `crowded` ones run beside
    `CROWD` flooding sessions.  `fresh` ones want a server that has done nothing
    before, with `files` as its limit of open files.
    """

    name: str
    arguments: tuple[str, ...]
    lanes: Lanes = WS
    flood: bool = False
    crowded: bool = False
    fresh: bool = False
    files: int | None = None

    @property
    def sessions(self) -> int:
        """Return the number of sessions that the load generator opens."""
        return int(self.arguments[1])


def _rtt(name: str, sessions: int, lanes: Lanes, *more: str, count: int = 4000) -> Burst:
    counts = ("--count", str(count), "--warmup", str(count // 10))
    return Burst(name, ("--sessions", str(sessions), "--mode", "rtt", *counts, *more), lanes)


def _flood(name: str, sessions: int, lanes: Lanes, *more: str) -> Burst:
    arguments = ("--sessions", str(sessions), "--mode", "throughput", *more)
    return Burst(name, arguments, lanes, flood=True)


def _hold(name: str, sessions: int, files: int | None = None) -> Burst:
    arguments = ("--sessions", str(sessions), "--mode", "hold", "--hold", "1")
    return Burst(name, arguments, fresh=True, files=files)


_SETUP = ("--sessions", "60", "--mode", "setup")
# A session that is idle asks now and then; one that asks again at once keeps its turn.
_NOW_AND_THEN = ("--count", "150", "--warmup", "10", "--gap-us", "2000")
_FEW_RTTS = ("--sessions", "1", "--mode", "rtt", *_NOW_AND_THEN)
_STAMPED = ("--sessions", "16", "--mode", "throughput", "--lines", "1500", "--stamped", *PACED)

BURSTS = (
    _rtt("rtt 1", 1, WS),
    _rtt("rtt 16", 16, WS),
    _flood("flood 1", 1, WS),
    _flood("flood 16", 16, WS),
    _flood("line 1", 1, WS, *BY_LINE),
    _flood("line 16", 16, WS, *BY_LINE),
    Burst("paced", _STAMPED),
    Burst("setup", _SETUP),
    Burst("crowd", _FEW_RTTS, crowded=True),
    _rtt("tcp rtt 1", 1, TCP),
    _rtt("tcp rtt 16", 16, TCP),
    _flood("tcp flood 1", 1, TCP),
    _flood("tcp flood 16", 16, TCP),
    _flood("tcp line 1", 1, TCP, *BY_LINE),
    _flood("tcp line 16", 16, TCP, *BY_LINE),
    Burst("tcp setup", _SETUP, TCP),
    _hold("memory", 200),
    _hold("files", 400, FILES),
)  # fmt: skip

# What policy looks at most: a game that is said anew with each move, and an option.
_GAME = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 20
_SAID_GAME = ("--ready-cmd", f"{_GAME}\nisready")
_SAID_OPTION = ("--ready-cmd", "setoption name Interval value 0\nisready")
_ALL_AT_ONCE = ("--inflight", "16")  # nobody waits: only the CPU counts
_TRIPS = 8000
POLICY_BURSTS = (
    _rtt("policy rtt 1", 1, POLICY_WS, count=600),
    _rtt("policy tcp rtt 1", 1, POLICY_TCP, count=600),
    _rtt("policy game 1", 1, POLICY_TCP, *_SAID_GAME, count=600),
    _rtt("policy isready", 16, POLICY_TCP, *_ALL_AT_ONCE, count=_TRIPS),
    _rtt("policy game", 16, POLICY_TCP, *_ALL_AT_ONCE, *_SAID_GAME, count=_TRIPS),
    _rtt("policy option", 16, POLICY_TCP, *_ALL_AT_ONCE, *_SAID_OPTION, count=_TRIPS),
    _flood("policy flood 16", 16, POLICY_WS),
    _flood("policy line 16", 16, POLICY_WS, *BY_LINE),
)

_CPU = "srv_cpu_s_per_100k"
_MEMORY = "srv_pss_kb_per_session"

# Each quantity, the burst that it is read from, and its name in the generator's JSON.
QUANTITIES = (
    (Quantity("RTT p50, 1 session", "us", "lower", 0.85, 0.70), "rtt 1", "rtt_us_p50"),
    (Quantity("RTT p50, 16 sessions", "us", "lower", 0.85, 0.70), "rtt 16", "rtt_us_p50"),
    (Quantity("flood, 1 session", "lines/s", "higher", 12, 25), "flood 1", "lines_per_s"),
    (Quantity("flood, 16 sessions", "lines/s", "higher", 8, 14), "flood 16", "lines_per_s"),
    (Quantity("line by line, 1 session", "lines/s", "higher", 4, 8), "line 1", "lines_per_s"),
    (Quantity("line by line, 16 sessions", "lines/s", "higher", 4, 6), "line 16", "lines_per_s"),
    (Quantity("CPU, flood", "s/100k lines", "lower", 0.08, 0.04), "flood 16", _CPU),
    (Quantity("CPU, line by line", "s/100k lines", "lower", 0.12, 0.07), "line 16", _CPU),
    (Quantity("CPU, one line a ms", "s/100k lines", "lower", 0.8, 0.6), "paced", _CPU),
    (Quantity("delay p50, one line a ms", "us", "lower"), "paced", "delay_us_p50"),
    (Quantity("connect to readyok", "us", "lower", 1.2, 1.0), "setup", "setup_us_p50"),
    (Quantity("RTT p50 beside 4 floods", "us", "lower", 0.25, 0.10), "crowd", "rtt_us_p50"),
    (Quantity("memory of an idle session", "KB", "lower", 0.40, 0.27), "memory", _MEMORY),
    (Quantity(f"sessions with {FILES} open files", "", "higher", 1.25, 1.33), "files", "answered"),
    (Quantity("TCP RTT p50, 1 session", "us", "lower"), "tcp rtt 1", "rtt_us_p50"),
    (Quantity("TCP RTT p50, 16 sessions", "us", "lower"), "tcp rtt 16", "rtt_us_p50"),
    (Quantity("TCP flood, 1 session", "lines/s", "higher"), "tcp flood 1", "lines_per_s"),
    (Quantity("TCP flood, 16 sessions", "lines/s", "higher"), "tcp flood 16", "lines_per_s"),
    (Quantity("TCP line by line, 1 session", "lines/s", "higher"), "tcp line 1", "lines_per_s"),
    (Quantity("TCP line by line, 16 sessions", "lines/s", "higher"), "tcp line 16", "lines_per_s"),
    (Quantity("TCP connect to readyok", "us", "lower"), "tcp setup", "setup_us_p50"),
)  # fmt: skip

POLICY_QUANTITIES = (
    (Quantity("RTT p50, 1 session", "us", "lower"), "policy rtt 1", "rtt_us_p50"),
    (Quantity("TCP RTT p50, 1 session", "us", "lower"), "policy tcp rtt 1", "rtt_us_p50"),
    (Quantity("the same with a game of 80 plies", "us", "lower"), "policy game 1", "rtt_us_p50"),
    (Quantity("CPU, isready", f"s/{_TRIPS}", "lower"), "policy isready", "srv_cpu_s"),
    (Quantity("CPU, game and isready", f"s/{_TRIPS}", "lower"), "policy game", "srv_cpu_s"),
    (Quantity("CPU, option and isready", f"s/{_TRIPS}", "lower"), "policy option", "srv_cpu_s"),
    (Quantity("flood, 16 sessions", "lines/s", "higher"), "policy flood 16", "lines_per_s"),
    (Quantity("line by line, 16 sessions", "lines/s", "higher"), "policy line 16", "lines_per_s"),
    (Quantity("CPU, flood", "s/100k lines", "lower"), "policy flood 16", _CPU),
    (Quantity("CPU, line by line", "s/100k lines", "lower"), "policy line 16", _CPU),
)  # fmt: skip


def run(burst: Burst, lane: Lane, *, lines: int | None = None) -> dict[str, float]:
    """Run a burst against a lane and return the generator's figures.

    Raises:
        BurstError: a session did not come up, was lost, or was not answered in time.

    """
    with ExitStack() as stack:
        if burst.crowded:
            stack.enter_context(running(_crowd(lane)))
            time.sleep(2 * SETTLE)
        figures = _generate(burst, lane, lines)
    time.sleep(SETTLE)
    lost = figures["up"] < burst.sessions or figures["live_end"] < burst.sessions
    if figures["timed_out"] or (lost and burst.files is None):
        reason = figures.get("first_error", "no answer in time")
        raise BurstError(f"{burst.name}, {lane.name}: {reason}")
    return figures


def lines_for(burst: Burst, lane: Lane) -> int:
    """Return how many lines a session must ask for so that a flood lasts `FLOOD` seconds."""
    lines = 1000
    for _ in range(2):  # the first try is too short to be exact
        figures = run(burst, lane, lines=lines)
        lines = max(200, int(figures["lines_per_s"] * FLOOD / burst.sessions))
    return lines


def _generate(burst: Burst, lane: Lane, lines: int | None) -> dict[str, float]:
    command = [build("loadgen"), *lane.where, *burst.arguments, "--json", "--timeout", str(LIMIT)]
    command += ["--server-pid", str(lane.process.pid)]
    if lines is not None:
        command += ["--lines", str(lines)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=2 * LIMIT, check=False)
    if not done.stdout:
        raise BurstError(f"{burst.name}, {lane.name}: {done.stderr.strip()}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _crowd(lane: Lane) -> list[str]:
    """Return the generator's command for sessions that flood until they are ended."""
    flood = ("--mode", "throughput", "--go", "go infinite", "--timeout", str(2 * LIMIT))
    return [build("loadgen"), *lane.where, "--sessions", str(CROWD), *flood]
