"""Engines on Ray beside engines of this machine: `python -m bench.ray [speed] [faults]`.

A head without CPUs and two nodes are started on this machine, and one server that offers the
same engine's stand-in twice: from this machine, and from the nodes.

speed   RTT and flood of both in turns, through the server, by one client of TCP
faults  8 sessions search; an engine, its actor, a node and at last the head are ended, and a
        node is held: what the clients hear, and after how long
"""

import argparse
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from statistics import median

from bench.child import OUT, find, free_port, running, wait_for_port
from bench.cluster import Cluster, Node
from bench.relay.build import build
from bench.rooms import Owner

QUESTIONS = 300  # in a turn
FLOOD = 0.3  # s
SESSIONS = 8
CPUS = 12  # of each node, as Ray is told
PATIENCE = 30.0  # s until all sessions have another engine
HEADLESS = 80.0  # s: Ray gives up after 60


def main() -> None:
    """Measure what is asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench.ray", description=__doc__)
    parser.add_argument("what", nargs="*", choices=["speed", "faults", []], default=[])
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    what = options.what or ["speed", "faults"]
    OUT.mkdir(exist_ok=True)
    with served() as (cluster, port):
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs\n")
        if "speed" in what:
            speed(port, options.rounds)
        if "faults" in what:
            faults(cluster, port)


@contextmanager
def served() -> Iterator[tuple[Cluster, int]]:
    """Start a cluster and a server; yield the server's port."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ray-")))
        cluster = Cluster(folder)
        stack.callback(cluster.end)
        cluster.start_head(cpus=0)
        for _ in range(2):
            cluster.start_node(CPUS)
        port = free_port()
        config = folder / "rookery.toml"
        config.write_text(_CONFIG.format(cluster=cluster, port=port, engine=build("fakeengine")))
        process = stack.enter_context(
            running([find("rookery-server"), "serve", "--config", str(config)])
        )
        wait_for_port(port, process, seconds=60)
        yield cluster, port


_CONFIG = """
[server]
port = 0
tcp_port = {port}
[budget]
threads = 64
[cache]
enabled = false
[ray]
address = "{cluster.address}"
token = "{cluster.token}"
listen = "127.0.0.1"
[engines.near]
command = "{engine}"
strings = ["Flush"]
[engines.far]
command = "{engine}"
strings = ["Flush"]
ray = true
"""


def speed(port: int, rounds: int) -> None:
    """Print medians of both, and of the ratios of each round, which is short."""
    turns: dict[tuple[str, str], list[float]] = {}
    with ExitStack() as stack:
        owners = {
            (engine, flush): stack.enter_context(closing(Owner(port)))
            for engine in ("near", "far")
            for flush in ("block", "line")
        }
        for (engine, flush), owner in owners.items():
            owner.say(f"rookery engine {engine}", f"setoption name Flush value {flush}", "isready")
            owner.hear_until(b"readyok")
        for _ in range(rounds):
            for (engine, flush), owner in owners.items():
                if flush == "block":
                    trips = sorted(owner.round_trip() for _ in range(QUESTIONS))
                    turns.setdefault(("RTT p50, ms", engine), []).append(median(trips))
                    slow = trips[int(0.99 * len(trips))]
                    turns.setdefault(("RTT p99, ms", engine), []).append(slow)
                owner.say("go infinite")
                name = "flood, lines/s" if flush == "block" else "line by line, lines/s"
                turns.setdefault((name, engine), []).append(owner.flood(FLOOD))
                owner.say("stop")
                owner.hear_until(b"bestmove")
    print("| | local | Ray | Ray / local |\n|---|---|---|---|")
    for name, engine in turns:
        if engine == "near":
            near, far = turns[name, "near"], turns[name, "far"]
            ratio = median(there / here for here, there in zip(near, far, strict=True))
            print(f"| {name} | {median(near):.3g} | {median(far):.3g} | {ratio:.2f} |")
    print(flush=True)


class Session:
    """One that searches for ever, and notes when its engine is gone and another is there."""

    def __init__(self, port: int) -> None:
        self._owner = Owner(port)
        self._owner.say("rookery engine far", "setoption name Interval value 20000", "isready")
        self._owner.hear_until(b"readyok")
        self._owner.say("go infinite")
        self.heard: list[tuple[float, str]] = []  # notices, with when they came
        self.searched = time.monotonic()  # when it last heard of its search
        self.ended = 0.0
        self.moves = 0
        self.back = 0.0  # when it first heard of its search after a notice
        self._waits = False
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def forget(self) -> None:
        """Begin to note anew."""
        self.heard, self.back, self._waits = [], 0.0, False

    def stop(self) -> None:
        """Stop the search."""
        with suppress(OSError):
            self._owner.say("stop")

    def _read(self) -> None:
        with suppress(OSError, IndexError):
            while True:
                line, now = self._owner.hear_until(b""), time.monotonic()
                if b"rookery" in line:
                    self.heard.append((now, line.decode()))
                    self._waits = True
                elif line.startswith(b"info"):
                    self.searched = now
                    if self._waits and not self.back:
                        self.back = now
                elif line.startswith(b"bestmove"):
                    self.moves += 1
        self.ended = time.monotonic()


def faults(cluster: Cluster, port: int) -> None:
    """Make trouble of every kind, and print what the sessions saw of it."""
    sessions = [Session(port) for _ in range(SESSIONS)]
    first, second = cluster.nodes[1:]
    print(
        f"| what is done to {SESSIONS} sessions | hear of it | after, s | search again after, s |"
    )
    print("|---|---|---|---|")
    _trouble("an engine is killed", sessions, lambda: os.kill(engines(first)[0], signal.SIGKILL))
    _trouble("its actor is killed", sessions, lambda: os.kill(actors(first)[0], signal.SIGKILL))
    _trouble("a node is killed", sessions, second.end)
    third = cluster.start_node(CPUS)
    _trouble("a node hangs", sessions, lambda: first.signal(signal.SIGSTOP))
    first.end()
    time.sleep(1)
    searching = [time.monotonic() - each.searched < 1 for each in sessions]
    print(f"\n{sum(searching)} of {SESSIONS} search")
    _without_head(cluster, sessions, third)
    for each in sessions:
        each.stop()
    _wait(lambda: all(each.moves or each.ended for each in sessions), PATIENCE)
    moves = [each.moves for each in sessions]
    print(f"bestmoves after `stop`: {moves}, connections lost: {sum(map(_is_over, sessions))}")
    _after(cluster, port)


def _trouble(what: str, sessions: list[Session], make: Callable[[], object]) -> None:
    """Do it, and print who noticed, and when they went on."""
    time.sleep(2)  # Spare engines are there again.
    for each in sessions:
        each.forget()
    began = time.monotonic()
    make()
    _wait(lambda: any(each.heard for each in sessions), PATIENCE)
    _wait(lambda: all(each.back or each.ended for each in sessions if each.heard), PATIENCE)
    time.sleep(1)  # Those who hear of it later than others.
    _wait(lambda: all(each.back or each.ended for each in sessions if each.heard), PATIENCE)
    told = [each for each in sessions if each.heard]
    after = [each.heard[0][0] - began for each in told]
    back = [each.back - began for each in told if each.back]
    ended = sum(map(_is_over, sessions))
    print(
        f"| {what} | {len(told)} | {_range(after)} | {len(back)}: {_range(back)} | {ended} |",
        flush=True,
    )
    for text in sorted({each.heard[0][1] for each in told})[:1]:
        print(f"<!-- {text} -->", flush=True)


def _without_head(cluster: Cluster, sessions: list[Session], node: Node) -> None:
    """End the head, and print how long sessions and the node go on without it."""
    for each in sessions:
        each.forget()
    began = time.monotonic()
    cluster.nodes[0].end()
    _wait(lambda: any(each.heard for each in sessions) or node.process.poll() is not None, HEADLESS)
    print(f"the head is killed: sessions went on for {time.monotonic() - began:.0f} s", flush=True)
    _wait(lambda: all(_is_over(each) or each.heard for each in sessions), PATIENCE)
    time.sleep(5)
    for text in sorted({text for each in sessions for _, text in each.heard}):
        print(f"    {text}")


def _after(cluster: Cluster, port: int) -> None:
    """Print whether the server serves, with and without a new head."""
    for name in ("near", "far"):
        print(f"without a head, {name}: {_ask(port, name, 40)}", flush=True)
    cluster.start_head(cpus=CPUS)
    began = time.monotonic()
    answer = ""
    while answer != "readyok" and time.monotonic() - began < HEADLESS:
        answer = _ask(port, "far", 20)
    print(f"with a new head, far: {answer} after {time.monotonic() - began:.0f} s")


def _ask(port: int, engine: str, patience: float) -> str:
    with closing(Owner(port)) as owner:
        owner.say(f"rookery engine {engine}", "isready")
        until = time.monotonic() + patience
        while time.monotonic() < until:
            with suppress(OSError):
                line = owner.hear_until(b"").decode()
                if line:
                    return line
                time.sleep(0.1)
    return "nothing"


def engines(node: Node) -> list[int]:
    """Return the engines that run on a node."""
    return [pid for pid in node.processes() if _name(pid) == "fakeengine"]


def actors(node: Node) -> list[int]:
    """Return the processes beside the engines of a node."""
    found = []
    for pid in engines(node):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found.append(int(fields[1]))
    return found


def _name(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def _is_over(session: Session) -> bool:
    return bool(session.ended)


def _range(numbers: list[float]) -> str:
    return f"{min(numbers):.2f} to {max(numbers):.2f}" if numbers else "-"


def _wait(condition: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)


if __name__ == "__main__":
    with suppress(subprocess.SubprocessError):
        main()
