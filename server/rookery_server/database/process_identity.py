"""The identity of this process, by which servers on the same machine know if it still runs.

A process is told from a later one of the same number by the time of its start.  Numbers mean
something only within one boot and one namespace of processes: two containers may have the
same ones.  Elsewhere, silence alone tells that a server is gone.
"""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

_STARTED = 19  # the field of /proc/PID/stat, counted behind the name of the program


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process, and the machine on which its number means something."""

    machine: str
    process: str

    @classmethod
    def own(cls) -> "ProcessIdentity":
        """Return that of this process; of a system that does not tell, one that is nobody's."""
        try:
            boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
            space = Path("/proc/self/ns/pid").readlink().name
            return cls(f"{boot} {space}"[:64], f"{os.getpid()} {_started(os.getpid())}")
        except OSError:
            return cls(secrets.token_hex(16), str(os.getpid()))

    def knows_gone(self, machine: str, process: str) -> bool:
        """Return whether another process is known to have ended."""
        if machine != self.machine:
            return False
        number, _, started = process.partition(" ")
        try:
            return _started(int(number)) != started
        except (OSError, ValueError):
            return True


def _started(number: int) -> str:
    """Return when a process has started.

    Raises:
        OSError: there is none, or none that still runs.

    """
    text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    fields = text.rpartition(")")[2].split()
    if fields[0] in ("Z", "X"):
        raise ProcessLookupError
    return fields[_STARTED]
