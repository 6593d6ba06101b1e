"""The ends of child processes, which SIGCHLD tells of: one signal may stand for many."""

import asyncio
import logging
import os
import signal
import subprocess
from collections.abc import Callable

from rookery_server.engines.child_process import cpu_of, kill_group
from rookery_server.log import about

logger = logging.getLogger(__name__)

OnExit = Callable[[int, float | None], None]  # with the return code, and the CPU time if known


class Reaper:
    """Hears of every child process that ends, and leaves none behind as a zombie."""

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
        except Exception:  # Others have ended, too, and nobody is told of them again.
            logger.exception("the end of engine %d", pid, extra=about(pid=pid))


def _exited(kind: int, pid: int) -> int | None:
    """Return a child that has ended and is not reaped, of all or the one; else None."""
    try:
        result = os.waitid(kind, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None
    return result.si_pid if result else None
