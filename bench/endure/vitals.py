"""A server's memory, descriptors, children and tasks, read from outside."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Vitals:
    """Resources that a server holds.

    `rss` is in MiB and of the server alone; `children` are processes below it, which
    are its engines; `files` its open descriptors; `tasks` what its event loop runs.
    The rest is as `/metrics` has it; all 0 if that does not answer.
    """

    rss: float
    files: int
    threads: int
    children: int
    zombies: int
    tasks: int = 0
    sessions: int = 0
    connections: int = 0
    spares: int = 0
    deaths: int = 0

    @property
    def files_besides(self) -> int:
        """The descriptors besides two pipes of each engine: how many are spare varies."""
        return self.files - 2 * (self.children + self.zombies)

    @property
    def is_quiet(self) -> bool:
        """Return whether there are only the engines that sessions and the spare ones need."""
        return self.children <= self.sessions + max(self.spares, 1) and not self.zombies

    def __str__(self) -> str:
        return (
            f"{self.rss:.1f} MiB, {self.files} files, {self.children} engines,"
            f" {self.zombies} zombies, {self.tasks} tasks, {self.sessions} sessions"
        )


async def vitals(pid: int, metrics_port: int) -> Vitals:
    """Return how the server is now."""
    below = descendants(pid)
    numbers = await _metrics(metrics_port)
    root = Path(f"/proc/{pid}")
    return Vitals(
        rss=int((root / "statm").read_text().split()[1]) * PAGE / (1 << 20),
        files=len(list((root / "fd").iterdir())),
        threads=len(list((root / "task").iterdir())),
        children=sum(state != "Z" for state in below.values()),
        zombies=sum(state == "Z" for state in below.values()),
        tasks=int(numbers.get("rookery_tasks", 0)),
        sessions=int(numbers.get("rookery_sessions", 0)),
        connections=int(numbers.get("rookery_connections", 0)),
        spares=int(numbers.get("rookery_spare_engines", 0)),
        deaths=int(numbers.get("rookery_engine_deaths_total", 0)),
    )


def descendants(pid: int) -> dict[int, str]:
    """Return the processes below one, and the state of each as `ps` has it."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # It has just ended.
                continue
            parents.setdefault(int(words[1]), []).append((int(entry.name), words[0]))
    found: dict[int, str] = {}
    left = [pid]
    while left:
        for child, state in parents.get(left.pop(), ()):
            found[child] = state
            left.append(child)
    return found


async def _metrics(port: int) -> dict[str, float]:
    """Return the metrics by name, the labels of each added up."""
    try:
        async with asyncio.timeout(10):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            text = (await reader.read()).decode()
            writer.close()
    except (OSError, TimeoutError):
        return {}
    sums: dict[str, float] = {}
    for line in text.splitlines():
        name, _, value = line.rpartition(" ")
        if name.startswith(("rookery_", "process_")):
            name = name.partition("{")[0]
            sums[name] = sums.get(name, 0.0) + float(value)
    return sums
