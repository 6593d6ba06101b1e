"""A Ray cluster of this machine: nodes that are started, and ended by their own numbers."""

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

from bench.child import free_port

STARTED = 90.0  # s for a node to be part of the cluster
# A node that does not answer for 3 s is given up, not for the half minute that is usual.
HEALTH = {
    "RAY_health_check_initial_delay_ms": "0",
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
}


class Node:
    """One node: all its processes are of one session."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self.log = log

    def processes(self) -> list[int]:
        """Return the processes of the node."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:  # It has ended meanwhile.
                continue
            if int(fields[3]) == self.process.pid:
                found.append(int(path.parent.name))
        return found

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all of it."""
        for pid in self.processes():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    def end(self) -> None:
        """End it at once."""
        until = time.monotonic() + STARTED
        while self.processes() and time.monotonic() < until:
            self.signal(signal.SIGKILL)
            self.process.poll()
            time.sleep(0.02)
        self.process.wait(STARTED)


class Cluster:
    """A head, and nodes beside it; all files are in one folder, whose path must be short."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = folder / "token"
        self.token.write_text(secrets.token_hex(32))
        self.address = f"127.0.0.1:{free_port()}"
        self.nodes: list[Node] = []

    def start_head(self, cpus: int) -> Node:
        """Start the head; it runs engines, too, unless it has no CPUs."""
        port = self.address.rpartition(":")[2]
        return self._start(
            *("--head", "--port", port, "--include-dashboard=false", "--disable-usage-stats"),
            *("--temp-dir", str(self.folder / "ray"), "--num-cpus", str(cpus)),
        )

    def start_node(self, cpus: int) -> Node:
        """Start another node."""
        return self._start("--address", self.address, "--num-cpus", str(cpus))

    def end(self) -> None:
        """End all nodes."""
        for node in reversed(self.nodes):
            node.end()

    def _start(self, *arguments: str) -> Node:
        log = self.folder / f"node-{len(self.nodes)}.log"
        program = Path(sys.executable).with_name("ray")
        environment = {
            **os.environ,
            **HEALTH,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(self.token),
        }
        with log.open("wb") as output:
            process = subprocess.Popen(
                [program, "start", "--block", "--node-ip-address", "127.0.0.1",
                 "--object-store-memory", str(80 << 20), "--min-worker-port", "0",
                 "--max-worker-port", "0", "--dashboard-agent-listen-port", str(free_port()),
                 *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                start_new_session=True,
            )  # fmt: skip
        node = Node(process, log)
        self.nodes.append(node)
        self._wait(node)
        return node

    def _wait(self, node: Node) -> None:
        until = time.monotonic() + STARTED
        while b"Ray runtime started" not in node.log.read_bytes():
            if node.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"a node of Ray did not start:\n{node.log.read_text()[-2000:]}")
            time.sleep(0.05)
