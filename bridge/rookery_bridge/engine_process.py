"""An engine of this machine, as a process."""

import asyncio
import contextlib
import os
import subprocess
from asyncio.subprocess import DEVNULL, PIPE, Process, SubprocessStreamProtocol
from collections.abc import Callable, Sequence

from rookery_protocol.environment import for_engines
from rookery_protocol.notices import harmless
from rookery_uci import LineBuffer

_PIECE = 65536  # bytes read at once
# On Windows: without it an engine may open a window, and hears Ctrl-C that is for the bridge.
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)
_END_TIMEOUT = 1.0  # s from `quit` until it is killed, and then until it is left


class LocalEngine:
    """An engine.  Lines that are sent before it is up wait.

    Args:
        command: the program and its arguments.
        receive: the receiver of its output: whole lines, each ended by a newline.
        lose: the receiver of why it is gone, if it was not told to end.

    """

    def __init__(
        self,
        command: Sequence[str],
        receive: Callable[[bytes], None],
        lose: Callable[[str], None],
    ) -> None:
        self._command = command
        self._receive = receive
        self._lose = lose
        self._process: Process | None = None
        self._waiting: list[bytes] = []

    def send_lines(self, lines: Sequence[bytes]) -> None:
        """Send lines to the engine."""
        if self._process is None:
            self._waiting += lines
        elif self._process.stdin and not self._process.stdin.is_closing():
            self._process.stdin.write(b"".join(line + b"\n" for line in lines))

    async def run(self) -> None:
        """Run it until it ends, or the task is cancelled."""
        try:
            self._process, transport = await _start(self._command)
        except OSError as error:
            self._lose(f"{self._command[0]}: {error.strerror}")
            return
        waiting, self._waiting = self._waiting, []
        self.send_lines(waiting)
        try:
            assert self._process.stdout
            lines = LineBuffer()
            while data := await self._process.stdout.read(_PIECE):
                if piece := lines.feed_piece(data):
                    self._receive(harmless(piece))
            await _wait(self._process)
            status = self._process.returncode
            ended = "has closed its output" if status is None else f"has ended with status {status}"
            self._lose(f"{self._command[0]} {ended}")
        finally:
            await _end(self._process, transport)


async def _start(command: Sequence[str]) -> tuple[Process, asyncio.SubprocessTransport]:
    """Start a program; return it with its transport, which alone can close its pipes."""
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(_PIECE, loop),
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=for_engines(os.environ),
        creationflags=_NO_WINDOW,
    )
    return Process(transport, protocol, loop), transport


async def _wait(process: Process) -> None:
    """Wait for the end of a process, but not for long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END_TIMEOUT):
            await process.wait()


async def _end(process: Process, transport: asyncio.SubprocessTransport) -> None:
    """End a process, and close its pipes: a child of it may hold them for ever."""
    if process.returncode is None:
        assert process.stdin
        assert process.stdout
        with contextlib.suppress(OSError, TimeoutError):
            process.stdin.write(b"stop\nquit\n")
            async with asyncio.timeout(_END_TIMEOUT):
                while await process.stdout.read(
                    _PIECE
                ):  # An engine that cannot write does not read `quit`.
                    pass
                await process.wait()
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    for end in (0, 1):
        if pipe := transport.get_pipe_transport(end):
            pipe.close()
    await _wait(process)
