"""Cost of an engine of a joined machine: `python -m bench.join [ROTATIONS]`.

One server offers an engine's stand-in of its own, and the same one over a machine that has
joined (a process beside it, without any network between).  In each rotation each takes its turn.

start   from the connection to the first `readyok`, ms
RTT     from `isready` to `readyok`: idle, and while the engine says a line each millisecond, ms;
        median, and p10, which is what it takes when no process has to wait for a processor
lines   that are heard in a second of a flood; of a machine 4 MB a second are taken at most
CPU     of the server, in seconds a second
"""

import time
from contextlib import ExitStack, closing
from statistics import median, quantiles

from bench.argument import counts
from bench.child import OUT, find, free_port, running, wait_for_port
from bench.relay.build import build
from bench.rooms import FLOOD, PAUSE, QUESTIONS, Owner, cpu

ENGINES = ("fake", "fake@local")
STARTS = 5  # in a turn
PATIENCE = 30.0  # s


def measure(rotations: int) -> None:
    """Take turns, and print the median of each engine, and of its ratio to the first."""
    OUT.mkdir(exist_ok=True)
    web, tcp = free_port(), free_port()
    fake = f"fake={build('fakeengine')}"
    server = [find("rookery-server"), "--port", str(web), "--tcp-port", str(tcp)]
    machine = [find("rookery-server"), "join", f"ws://127.0.0.1:{web}", "--engine", fake]
    turns: dict[tuple[str, str], list[float]] = {}
    with ExitStack() as stack:
        process = stack.enter_context(running([*server, "--engine", fake]))
        wait_for_port(tcp, process)
        stack.enter_context(running([*machine, "--threads", "8"]))
        _wait_until_offered(tcp)
        for _ in range(rotations):
            for engine in ENGINES:
                for what, number in _turn(process.pid, tcp, engine).items():
                    turns.setdefault((what, engine), []).append(number)
    for (what, engine), numbers in sorted(turns.items()):
        bases = turns[what, ENGINES[0]]
        ratio = median(mine / base for mine, base in zip(numbers, bases, strict=True))
        print(f"{what:<24} {engine:>11} {median(numbers):>12.2f}   {ratio:5.2f} x")


def _wait_until_offered(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        with closing(_session(port, ENGINES[1])) as owner:
            owner.say("uci")
            if b"engine-away" not in owner.hear_until((b"uciok", b"info string rookery")):
                return
        if time.monotonic() > until:
            raise RuntimeError("no machine has joined")
        time.sleep(0.1)


def _session(port: int, engine: str) -> Owner:
    owner = Owner(port)
    owner.say(f"rookery engine {engine}")
    return owner


def _turn(pid: int, port: int, engine: str) -> dict[str, float]:
    result, starts = {}, []
    for _ in range(STARTS):
        began = time.perf_counter()
        with closing(_session(port, engine)) as owner:
            owner.round_trip()
            starts.append(1000 * (time.perf_counter() - began))
            owner.say("quit")
        time.sleep(0.5)  # The next one finds all as it was.
    result["start, ms"] = median(starts)
    for interval, kind in ((None, "idle"), (1000, "at 1 line/ms"), (0, "in a flood")):
        with closing(_session(port, engine)) as owner:
            if interval is not None:
                owner.say(f"setoption name Interval value {interval}")
            owner.round_trip()
            if interval is not None:
                owner.say("go infinite")
            began, used = time.perf_counter(), cpu(pid)
            if interval == 0:
                result["flood, lines/s"] = owner.flood(FLOOD)
            else:
                trips = []
                for _ in range(QUESTIONS):
                    time.sleep(PAUSE)
                    trips.append(owner.round_trip())
                result[f"RTT {kind}, p50, ms"] = median(trips)
                result[f"RTT {kind}, p10, ms"] = quantiles(trips, n=10)[0]
            result[f"CPU {kind}"] = (cpu(pid) - used) / (time.perf_counter() - began)
            owner.say("quit")
    return result


def main() -> None:
    """Measure as often as the command line says."""
    measure(*counts("bench.join", __doc__, rotations=5))


if __name__ == "__main__":
    main()
