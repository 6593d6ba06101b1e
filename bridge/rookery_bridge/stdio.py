"""The shim between a chess GUI and a remote engine: to the GUI it is the engine.

What the GUI types is read by a thread, because that works for pipes and terminals
on every system, and handed to the event loop; what the engine says is written to
stdout as it comes, whole lines at once.
"""

import asyncio
import contextlib
import os
import re
import signal
import time
from collections.abc import Sequence
from threading import Thread
from typing import NoReturn

from rookery_bridge.bridge import Bridge
from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_protocol import console
from rookery_protocol.address import Address
from rookery_protocol.dialer import DialError
from rookery_protocol.notices import legible
from rookery_protocol.tls_trust import Trust
from rookery_uci import TypedLines

_STDIN, _STDOUT = 0, 1
_PIECE = 65536  # bytes read at once
_MOMENT = 0.005  # s
_FAILED = 1  # exit status
_LONGEST = 1000  # characters of a complaint
# Only a position is ever so long, and without it nothing is to be searched.
_LEFT_OUT = b"position fen left-out"
# Answers that engines end by a blank line, which programs wait for; sessions leave it out.
_ENDS_BLANK = re.compile(rb"^(?:Nodes searched: |Final evaluation).*\n", re.MULTILINE)


class Shim:
    """The two streams of a GUI: its lines for the bridge, and the lines that it hears."""

    def __init__(
        self,
        address: Address,
        trust: Trust,
        options: BridgeOptions,
        fallback: Sequence[str],
        *,
        must_reach: bool,
    ) -> None:
        self.bridge = Bridge(
            *(address, trust, self.write_to_gui, options), fallback=fallback, must_reach=must_reach
        )
        self._address = address
        self._lines = TypedLines()
        self._is_alone = False  # nobody hears what it writes
        self._has_ended = False  # its input

    async def run(self) -> int:
        """Be the engine until the GUI ends, or it cannot be had; return the exit status."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):  # Windows has no signals to speak of.
            loop.add_signal_handler(signal.SIGTERM, self.quit_bridge)
        Thread(target=_read_stdin, args=(loop, self), name="read stdin", daemon=True).start()
        try:
            await self.bridge.run()
        except DialError as error:
            if self.bridge.conversation.is_met:
                complain(f"{self._address} ended the session: {error}")
            else:
                complain(f"cannot reach {self._address}: {error}")
            return _FAILED
        return 0

    def write_to_gui(self, piece: bytes) -> None:
        """Let the GUI hear whole lines.  If it is gone, so is the reason to be here."""
        if self._is_alone:
            return
        loop = asyncio.get_running_loop()
        if not write(_ENDS_BLANK.sub(rb"\g<0>\n", piece)):
            self._is_alone = True
            # The server is told: else it would search on, and wait for the bridge to come back.
            loop.call_soon(self.quit_bridge)
        elif self._has_ended:
            loop.call_soon(self._see_to_end)

    def typed(self, data: bytes) -> None:
        """Take bytes from the GUI; none at all is the end of its input."""
        for piece in (data or b"\n").splitlines(keepends=True):
            left_out = self._lines.overlong
            for line in self._lines.feed(piece):
                self.bridge.receive_line(line)
            if self._lines.overlong > left_out:
                complain(f"a line of more than {self._lines.limit} bytes was left out")
                self.bridge.receive_line(_LEFT_OUT)
        if not data:
            self._has_ended = True
            self._see_to_end()

    def quit_bridge(self) -> None:
        """Say `quit` in the GUI's stead."""
        if not self.bridge.conversation.is_quitting:
            self.bridge.receive_line(b"quit")

    def _see_to_end(self) -> None:
        """Leave when nothing is awaited: a script ends its input, and reads on."""
        if not self.bridge.conversation.has_pending_moves:
            self.quit_bridge()


def write(piece: bytes) -> bool:
    """Write whole lines to stdout; say whether there still is somebody to read them.

    It waits for a GUI that does not read, and with it waits the network, so that
    nothing is lost and nothing piles up here.
    """
    while piece:
        try:
            piece = piece[os.write(_STDOUT, piece) :]
        except BlockingIOError:
            _make_blocking(_STDOUT)
        except OSError:  # on Windows error 22
            return False
    return True


def _make_blocking(descriptor: int) -> None:
    """Have the next call wait; where Python cannot do that, wait a moment before it."""
    if hasattr(os, "set_blocking"):
        os.set_blocking(descriptor, True)
    else:  # on Windows before Python 3.12
        time.sleep(_MOMENT)


def exit_now(status: int) -> NoReturn:
    """End the process at once.

    A name that is being looked up cannot be given up: its thread would be waited for,
    which takes a minute where no name server answers.
    """
    console.flush_streams()
    os._exit(status)


def complain(text: str) -> None:
    """Say what is wrong on stderr, and to the GUI in a line that its log shows."""
    console.complain(f"rookery-bridge: {text}")
    write(f"info string rookery-bridge: {legible(text, _LONGEST)}\n".encode())


def _read_stdin(loop: asyncio.AbstractEventLoop, shim: Shim) -> None:
    data = b"\n"
    while data:
        try:
            data = os.read(_STDIN, _PIECE)
        except BlockingIOError:  # The program before has left the terminal so, or the GUI has.
            _make_blocking(_STDIN)
            continue
        except OSError:
            data = b""
        try:
            loop.call_soon_threadsafe(shim.typed, data)
        except RuntimeError:  # The loop is closed: the bridge is ending.
            return
