"""What the system holds an engine to, whatever it does: its priority, and its memory.

Hash and threads are clamped before an engine hears of them (see offer.py). This is the wall
behind: an engine that takes more all the same fails by itself, and the server, which gives way
to no engine, goes on.
"""

import contextlib
import os
import resource
from dataclasses import dataclass

from rookery_server.config import validators
from rookery_server.config.schema import setting

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one engine's process, and of what it starts.

    `nice`: how far it stands back where CPUs are short, 0 to 19 (nice(2)); what
    stands back further by its starter is brought forward by root only.
    `memory_mb`: MiB of address space of each of its processes (RLIMIT_AS), None for no bound.
    """

    nice: int = setting(validators.whole(0, 19), 5)
    memory_mb: int | None = setting(validators.or_none(validators.whole(16, 1 << 24)), None)

    def hold(self, pid: int) -> None:
        """Hold a process that has just been started to them; one that is gone needs none."""
        with contextlib.suppress(ProcessLookupError):
            if self.nice:
                self._set_back(pid)
            if self.memory_mb and hasattr(resource, "prlimit"):  # Linux; elsewhere only hash is.
                bound = self.memory_mb * _MIB
                resource.prlimit(pid, resource.RLIMIT_AS, (bound, bound))

    def _set_back(self, pid: int) -> None:
        try:
            os.setpriority(os.PRIO_PROCESS, pid, self.nice)
        except PermissionError:  # It stands back further, and only root may bring it forward.
            if os.getpriority(os.PRIO_PROCESS, pid) < self.nice:
                raise
