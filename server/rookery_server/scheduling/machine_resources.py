"""The resources of the machine: CPUs, memory and descriptors.  Reads the system's files.

A container sees the whole machine's CPUs and memory, and may use what its control
group (cgroup) allows.  The tightest bound counts, of the group or of any above it;
both versions of cgroups are read, and what cannot be read is no bound.

https://docs.kernel.org/admin-guide/cgroup-v2.html, and cgroup-v1/ beside it.
"""

import errno
import logging
import os
import re
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rookery_server.config.resources import Size

logger = logging.getLogger(__name__)

ROOT = Path("/")
MIB = 1 << 20

ENOUGH_DESCRIPTORS = 1 << 20  # nothing is gained by more, and "infinite" is no number
FEW_SESSIONS = 64  # fewer are logged, for clients will be refused
RESERVED_DESCRIPTORS = 64  # for listening, logs, HTTP, and engines about to be started
DESCRIPTORS_PER_SESSION = 3  # a socket, and two pipes to the engine
FEW_DESCRIPTORS = 16  # an engine needs 6 for a moment, a connection 1
SHORT = (errno.EMFILE, errno.ENFILE)  # of the process, of the machine

# Half of the memory is for hash at most.  An engine needs 60-100 MiB besides, more with a
# large network: three quarters are for all that engines take, and the rest is for spare
# ones, the system and this server.
HASH_SHARE = 2
ENGINES_SHARE = 3, 4

_ESCAPE = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Machine:
    """The resources that this process and its children may use."""

    threads: int
    memory_mb: int
    descriptors: int

    @property
    def size(self) -> Size:
        """The part of it for engines, if the operator does not say."""
        part, whole = ENGINES_SHARE
        hash_mb = max(1, self.memory_mb // HASH_SHARE)
        return Size(self.threads, hash_mb, max(1, part * self.memory_mb // whole))

    def spare(self, sessions: int) -> int:
        """Return how many descriptors are left beside those of so many sessions."""
        used = RESERVED_DESCRIPTORS + sessions * DESCRIPTORS_PER_SESSION
        return max(0, self.descriptors - used)

    def is_short(self) -> bool:
        """Return whether hardly any descriptors are left: soon nothing can be opened."""
        try:
            lowest = os.dup(sys.__stderr__.fileno() if sys.__stderr__ else 0)
        except OSError as error:
            return error.errno in SHORT
        os.close(lowest)  # The kernel gives the lowest number that is free.
        return lowest >= self.descriptors - FEW_DESCRIPTORS

    @property
    def sessions(self) -> int:
        """The number of sessions, each with an engine, that have descriptors enough."""
        # Of few, half: a server that does nothing has 24 open.
        reserved = min(RESERVED_DESCRIPTORS, self.descriptors // 2)
        return max(1, (self.descriptors - reserved) // DESCRIPTORS_PER_SESSION)


def survey() -> Machine:
    """Look at this machine, and raise the limit of descriptors as far as is allowed."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    machine = Machine(threads(ROOT, affinity()), memory_mb(ROOT, memory), raise_descriptors())
    if machine.sessions < FEW_SESSIONS:
        logger.warning(
            "there is room for %d connections only: no more than %d files may be open (ulimit -n)",
            machine.sessions, machine.descriptors,
        )  # fmt: skip
    return machine


def affinity() -> int:
    """Return how many CPUs this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads(root: Path, cpus: int) -> int:
    """Return how many threads can run at once: whole CPUs, and at least one."""
    quotas = [quota for group in groups(root, "cpu") if (quota := cpu_quota(group)) is not None]
    return max(1, int(min([cpus, *quotas])))


def memory_mb(root: Path, memory: int) -> int:
    """Return how many MiB can be used, of a memory in bytes."""
    bounds = [bound for group in groups(root, "memory") if (bound := memory_bound(group))]
    return min([memory, *bounds]) // MIB


def raise_descriptors() -> int:
    """Raise the limit of open descriptors as far as is allowed, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH_DESCRIPTORS if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError) as error:
        logger.warning("no more than %d descriptors can be open: %s", soft, error)
        return soft
    return wanted


def cpu_quota(group: Path) -> float | None:
    """Return how many CPUs a group may use; None if there is no bound."""
    quota, period = (*_text(group / "cpu.max").split(), "", "")[:2]
    if not quota:
        quota = _text(group / "cpu.cfs_quota_us").strip()
        period = _text(group / "cpu.cfs_period_us").strip()
    if not quota.isdecimal() or not period.isdecimal() or int(period) == 0:
        return None  # "max" in version 2, -1 in version 1
    return int(quota) / int(period)


def memory_bound(group: Path) -> int | None:
    """Return how many bytes a group may use; None if there is no bound."""
    text = _text(group / "memory.max") or _text(group / "memory.limit_in_bytes")
    return int(text) if text.strip().isdecimal() else None


def groups(root: Path, controller: str) -> Iterator[Path]:
    """Yield the folders of this process's groups that bear on a controller.

    Of each hierarchy that has it: the group itself, then those above it, up to where
    the hierarchy is mounted.
    """
    own = dict(_own_groups(root, controller))
    for line in _text(root / "proc/self/mountinfo").splitlines():
        mount = _mount(line, controller)
        if mount is None or mount[0] not in own:
            continue
        version, inside, at = mount
        top = root / at.lstrip("/")
        # In a container the mount may show only the part below its own group.
        path = own[version]
        below = path.removeprefix(inside.rstrip("/")) if inside != "/" else path
        folder = top / below.lstrip("/")
        yield from (each for each in (folder, *folder.parents) if each.is_relative_to(top))


def _own_groups(root: Path, controller: str) -> Iterator[tuple[int, str]]:
    """Yield the version of each hierarchy with a controller, and this process's group in it."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        if number == "0" and not controllers:
            yield 2, path
        elif controller in controllers.split(","):
            yield 1, path


def _mount(line: str, controller: str) -> tuple[int, str, str] | None:
    """Return of a line of mountinfo: version, group at its root, where; None if it is other."""
    before, _, after = line.partition(" - ")
    fields, kind = before.split(), after.split()
    if len(fields) < 5 or len(kind) < 3:
        return None
    inside, at = (_ESCAPE.sub(lambda code: chr(int(code[1], 8)), text) for text in fields[3:5])
    if kind[0] == "cgroup2":
        return 2, inside, at
    if kind[0] == "cgroup" and controller in kind[2].split(","):
        return 1, inside, at
    return None


def _text(path: Path) -> str:
    """Return what a file of the system says; nothing if it is not there."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
