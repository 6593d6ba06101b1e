"""The shim between a chess GUI and a remote engine: to the GUI it is the engine.

What the GUI types is read by a thread, because that works for pipes and terminals
on every system, and handed to the event loop; what the engine says is written to
stdout as it comes, whole lines at once.
"""

import asyncio
import os
import sys
from threading import Thread

from rookery_bridge.address import Address
from rookery_bridge.remote import Remote, RemoteError, connect
from rookery_bridge.trust import Trust
from rookery_engine.uci import LineBuffer, UciError, Word, parse_command

QUIT_TIMEOUT = 2.0  # s that the engine has for its last words
_STDIN, _STDOUT = 0, 1
_PIECE = 65536  # bytes read at once
_FAILED = 1  # exit status


class Shim:
    """One GUI and one remote engine.  What is typed before the connection is up waits."""

    def __init__(self) -> None:
        self.quitting = asyncio.Event()
        self._remote: Remote | None = None
        self._lines = LineBuffer()
        self._waiting: list[bytes] = []

    def connected(self, remote: Remote) -> None:
        """Take the connection, and send what waits for it."""
        self._remote = remote
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            remote.tell(line)

    def typed(self, data: bytes) -> None:
        """Take bytes from the GUI; none at all is the end of its input."""
        for line in self._lines.feed(data or b"\n"):
            self._send(line)
        if not data and not self.quitting.is_set():
            self._send(b"quit")

    def _send(self, line: bytes) -> None:
        if self._remote:
            self._remote.tell(line)
        else:
            self._waiting.append(line)
        if is_quit(line):
            self.quitting.set()


async def run(address: Address, trust: Trust) -> int:
    """Be the engine until it or the GUI ends; return the exit status."""
    shim = Shim()
    loop = asyncio.get_running_loop()
    Thread(target=_read_stdin, args=(loop, shim), name="read stdin", daemon=True).start()
    try:
        remote = await connect(address, write, trust)
    except RemoteError as error:
        complain(f"cannot reach {address}: {error}")
        return _FAILED
    shim.connected(remote)
    reason = await _until_end(shim, remote)
    if reason is None or shim.quitting.is_set():
        return 0
    complain(f"{address} ended the session: {reason or 'without a reason'}")
    return _FAILED


async def _until_end(shim: Shim, remote: Remote) -> str | None:
    """Wait until either side is done; None if the GUI was first and the engine is late."""
    closed = asyncio.create_task(remote.until_closed(), name="await close")
    quitting = asyncio.create_task(shim.quitting.wait(), name="await quit")
    await asyncio.wait((closed, quitting), return_when=asyncio.FIRST_COMPLETED)
    quitting.cancel()
    try:
        async with asyncio.timeout(QUIT_TIMEOUT):
            return await closed
    except TimeoutError:
        await remote.close()
        return None


def is_quit(line: bytes) -> bool:
    """Say whether a line means `quit`, however it is written."""
    if b"quit" not in line:
        return False
    try:
        return parse_command(line.decode(errors="replace")) is Word.QUIT
    except UciError:
        return False


def write(piece: bytes) -> None:
    """Write whole lines to stdout.

    It waits for a GUI that does not read, and with it waits the network, so that
    nothing is lost and nothing piles up here.
    """
    try:
        while piece:
            piece = piece[os.write(_STDOUT, piece) :]
    except BrokenPipeError:  # The GUI is gone, and so is the reason to be here.
        os._exit(0)


def complain(text: str) -> None:
    """Say what is wrong on stderr, and to the GUI in a line that its log shows."""
    sys.stderr.write(f"rookery-bridge: {text}\n")
    write(f"info string rookery-bridge: {text}\n".encode())


def _read_stdin(loop: asyncio.AbstractEventLoop, shim: Shim) -> None:
    data = b"\n"
    while data:
        try:
            data = os.read(_STDIN, _PIECE)
        except OSError:
            data = b""
        try:
            loop.call_soon_threadsafe(shim.typed, data)
        except RuntimeError:  # The loop is closed: the bridge is ending.
            return
