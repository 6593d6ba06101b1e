"""An engine's process, as the system has it: started, limited, measured, ended and reaped.

The engine leads a process group of its own, so that whatever it starts ends with
it, and dies with the thread that has started it, however that ends (`setpriv --pdeathsig`; a
`preexec_fn` for it would hold up the event loop for 3.5 ms a start, this 0.2 ms).
"""

import asyncio
import contextlib
import logging
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from rookery_protocol.environment import for_engines
from rookery_server.config.engines import ResourceLimits
from rookery_server.log import about

_SETPRIV = shutil.which("setpriv")
_DIE_WITH_PARENT = (_SETPRIV, "--pdeathsig", "KILL", "--") if _SETPRIV else ()
_MIB = 1 << 20

logger = logging.getLogger(__name__)

OnExit = Callable[[int, float | None], None]  # with the return code, and the CPU time if known


def apply_limits(limits: ResourceLimits, pid: int) -> None:
    """Set the limits of a process that has just been started; one that is gone needs none."""
    with contextlib.suppress(ProcessLookupError):
        if limits.nice:
            _set_priority(pid, limits.nice)
        if limits.memory_mb and hasattr(resource, "prlimit"):  # Linux; elsewhere only hash is.
            bound = limits.memory_mb * _MIB
            resource.prlimit(pid, resource.RLIMIT_AS, (bound, bound))


def _set_priority(pid: int, nice: int) -> None:
    try:
        os.setpriority(os.PRIO_PROCESS, pid, nice)
    except PermissionError:  # Its priority is lower already, and only root may raise it.
        if os.getpriority(os.PRIO_PROCESS, pid) < nice:
            raise


def spawn(
    command: tuple[str, ...],
    limits: ResourceLimits,
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
        apply_limits(limits, process.pid)
    except OSError:  # No engine object will own it, so it must not go on.
        kill_group(process.pid, signal.SIGKILL)
        with process:  # closes its pipes, and waits for it
            raise
    return process


def kill_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if there still is one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def describe_exit(code: int) -> str:
    """Return the end of a process in words, from `Popen.returncode`."""
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


class Reaper:
    """Watcher of child processes by SIGCHLD, which leaves none behind as a zombie."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._watched: dict[int, tuple[subprocess.Popen[bytes], OnExit]] = {}
        self._emptied = asyncio.Event()
        self._emptied.set()
        # Not `loop.add_signal_handler`: uvloop keeps SIGCHLD to itself.
        self._former = signal.signal(
            signal.SIGCHLD, lambda *_: loop.call_soon_threadsafe(self._reap)
        )

    def watch(self, process: subprocess.Popen[bytes], on_exit: OnExit) -> None:
        """Call `on_exit` when the process has ended."""
        self._watched[process.pid] = process, on_exit
        self._emptied.clear()

    async def wait_until_none(self) -> None:
        """Wait until every process that is watched has ended."""
        await self._emptied.wait()

    def close(self) -> None:
        """Stop listening for SIGCHLD."""
        signal.signal(signal.SIGCHLD, self._former)

    def _reap(self) -> None:
        # One signal may stand for many children.  The kernel is asked for one that
        # has ended without being reaped yet; a child that is not ours may be in the
        # way, and then each of ours is asked.
        while (pid := _exited(os.P_ALL, 0)) in self._watched:
            self._finish(pid)
        if pid is not None:
            for ours in [ours for ours in self._watched if _exited(os.P_PID, ours)]:
                self._finish(ours)

    def _finish(self, pid: int) -> None:
        process, on_exit = self._watched.pop(pid)
        # What the engine started goes too.  Until it is reaped the zombie keeps its
        # number, so that this cannot meet a stranger.
        kill_group(pid, signal.SIGKILL)
        cpu = cpu_of(pid)  # The zombie keeps that, too.
        code = process.wait()
        if not self._watched:
            self._emptied.set()
        try:
            on_exit(code, cpu)
        except Exception:  # Others have ended, too, and are not reported again.
            logger.exception("the end of engine %d", pid, extra=about(pid=pid))


def _exited(kind: int, pid: int) -> int | None:
    """Return a child that has ended and is not reaped, of all or the one; else None."""
    try:
        result = os.waitid(kind, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None
    return result.si_pid if result else None
