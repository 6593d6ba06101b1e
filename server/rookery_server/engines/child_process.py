"""An engine's process, as the system has it: started, measured and ended.

The engine leads a process group of its own, so that whatever it starts ends with
it, and dies with the thread that has started it, however that ends (`setpriv --pdeathsig`; a
`preexec_fn` for it would hold up the event loop for 3.5 ms a start, this 0.2 ms).
"""

import contextlib
import os
import shutil
import signal
import subprocess
from pathlib import Path

from rookery_protocol.environment import for_engines
from rookery_server.engines.resource_limits import Limits

_SETPRIV = shutil.which("setpriv")
_DIE_WITH_PARENT = (_SETPRIV, "--pdeathsig", "KILL", "--") if _SETPRIV else ()


def spawn(
    command: tuple[str, ...],
    limits: Limits,
    *,
    stdin: int = subprocess.PIPE,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start an engine.

    Raises:
        OSError: the program cannot be started.

    """
    process = subprocess.Popen(
        (*_DIE_WITH_PARENT, *command),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        bufsize=0,
        process_group=0,
        env=for_engines(os.environ),
    )
    try:
        limits.hold(process.pid)
    except OSError:  # Nobody will hear of it, so it must not go on.
        kill_group(process.pid, signal.SIGKILL)
        with process:  # closes its pipes, and waits for it
            raise
    return process


def kill_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if there still is one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def describe_exit(code: int) -> str:
    """Say how a process ended, as `Popen.returncode` tells it."""
    if code >= 0:
        return f"it exited with status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:  # The real-time signals have no names, but for the first and the last.
        name = f"signal {-code}"
    text = f"it was killed by {name}"
    if code == -signal.SIGKILL:
        text += " (out of memory, perhaps)"
    return text


def cpu_of(pid: int) -> float | None:
    """Return the CPU time that a process has used, in seconds; None if that cannot be known."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:  # It is gone, or there is no /proc.
        return None
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int) -> int:
    """Return the memory that a process shares with no other, in MiB; 0 if that is not known."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    except OSError:  # It is gone, or there is no /proc.
        return 0
    return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE") >> 20
