"""The processors of each search thread: the option `NumaPolicy`.

On a machine whose memory belongs to several groups of processors (NUMA nodes) a
thread is quicker when it stays with one of them.  Only Linux names the groups and
binds threads; elsewhere every policy is as `none`.

Source of the policies: Stockfish's documentation of the option.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from rookery_uci import UciError

NODES = Path("/sys/devices/system/node")
NAMES = ("auto", "none", "system", "hardware")
MAX_CPU = 4095  # the largest number that a list may have, so that none fills the memory

Cpus = frozenset[int]


def places(policy: str, threads: int) -> list[Cpus]:
    """Return the processors of each thread; [] if threads are not bound.

    Raises:
        UciError: the policy is not understood.

    """
    nodes = nodes_of(policy)
    if policy in ("", "auto") and not _pays(nodes, threads):
        return []
    return distribute(nodes, threads)


def nodes_of(policy: str) -> list[Cpus]:
    """Return the groups of processors that a policy means.

    Raises:
        UciError: the policy is not understood.

    """
    if policy == "none":
        return []
    if policy == "hardware":
        return machine_nodes()
    if policy in ("", "auto", "system"):
        allowed = allowed_cpus()
        return [node & allowed for node in machine_nodes() if node & allowed]
    return [parse_cpus(part, policy) for part in policy.split(":")]


def machine_nodes() -> list[Cpus]:
    """Return the machine's groups by Linux; [] where they are unknown."""
    found = []
    for path in sorted(NODES.glob("node[0-9]*/cpulist")):
        try:
            cpus = path.read_text().strip()
            found += [parse_cpus(cpus, cpus)] if cpus else []
        except (OSError, UciError):
            return []
    return found


def parse_cpus(text: str, policy: str) -> Cpus:
    """Parse a list such as `0-15,32-47`.

    Raises:
        UciError: it is no such list.

    """
    cpus: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        low, high = _number(first), _number(last if dash else first)
        if low is None or high is None or not low <= high <= MAX_CPU:
            raise UciError(
                f"NumaPolicy needs {', '.join(NAMES)} or lists of processors such as"
                f" '0-15,32-47:16-31', not {policy[:80]!r}"
            )
        cpus.update(range(low, high + 1))
    return frozenset(cpus)


def distribute(nodes: Sequence[Cpus], threads: int) -> list[Cpus]:
    """Give each thread to the group that has most processors left for each of its threads."""
    if not nodes:
        return []
    given = [0] * len(nodes)
    found = []
    for _ in range(threads):
        best = min(range(len(nodes)), key=lambda index: (given[index] + 1) / len(nodes[index]))
        given[best] += 1
        found.append(nodes[best])
    return found


def allowed_cpus() -> Cpus:
    """Return the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))


def bind(cpus: Cpus) -> None:
    """Keep the calling thread on these processors; those that do not exist are ignored."""
    if hasattr(os, "sched_setaffinity"):
        try:
            os.sched_setaffinity(0, cpus)
        except OSError:  # none of them exists, or is ours: then it runs where it can
            return


def _pays(nodes: Sequence[Cpus], threads: int) -> bool:
    """Say whether there are so many threads that one group would be crowded."""
    return len(nodes) > 1 and 2 * threads > max(map(len, nodes))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
