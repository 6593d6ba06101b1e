"""An engine for the provider: a process of this machine, or a session with a server."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rookery_bridge.bridge import Bridge
from rookery_bridge.command_arguments import split_command
from rookery_bridge.engine_process import LocalEngine
from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_protocol.address import Address
from rookery_protocol.dialer import DialError
from rookery_protocol.tls_trust import Trust

PATIENCE = 60.0  # s that a lost server has to come back; a session is kept so long
_GOODBYE = 2.5  # s that a server has to end a session

Hear = Callable[[bytes], None]  # takes whole lines, each ended by a newline
Lost = Callable[[str], None]  # takes why the engine is gone, if nobody has asked it to go


class Engine(Protocol):
    """What the provider needs of an engine.  It is told `uci` first by itself."""

    def send_lines(self, lines: Sequence[bytes]) -> None:
        """Tell it lines."""

    async def run(self) -> None:
        """Run it until it ends, or the task is cancelled."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where an engine comes from: the command that starts it, or its address."""

    name: str  # by which Lichess shows it
    command: tuple[str, ...] = ()
    address: Address | None = None
    trust: Trust = field(default_factory=Trust)

    @classmethod
    def parse(cls, text: str, trust: Trust) -> "Source":
        """Read `NAME=COMMAND` or `NAME=ADDRESS`.

        Raises:
            AddressError: what looks like an address is none.
            ValueError: it is neither.

        """
        name, _, what = text.partition("=")
        if not name.strip() or not what.strip():
            raise ValueError(f"--engine needs NAME=COMMAND or NAME=ADDRESS, not {text!r}")
        if "://" in what.split()[0]:
            return cls(name.strip(), address=Address.parse(what.strip()), trust=trust)
        try:
            return cls(name.strip(), split_command(what))
        except ValueError as error:
            raise ValueError(f"--engine {name}: {what!r} is no command: {error}") from error

    def make(self, hear: Hear, lost: Lost) -> Engine:
        """Return an engine that is yet to be run."""
        if self.address:
            return RemoteEngine(self.address, self.trust, hear, lost)
        return LocalEngine(self.command, hear, lost)


class RemoteEngine:
    """A session with a server.  What it is told before it is up waits."""

    def __init__(self, address: Address, trust: Trust, hear: Hear, lost: Lost) -> None:
        # A requester wants what was found, and not a move at any price.
        options = BridgeOptions(correct_clocks=False, may_guess=False)
        self._address = address
        self._lost = lost
        self._bridge = Bridge(address, trust, hear, options, patience=PATIENCE)
        self._bridge.receive_line(b"uci")

    def send_lines(self, lines: Sequence[bytes]) -> None:
        """Tell it lines."""
        for line in lines:
            self._bridge.receive_line(line)

    async def run(self) -> None:
        """Run it until it ends, or the task is cancelled."""
        # Cancelled, it has to say goodbye: else the server keeps the session for a while.
        running = asyncio.ensure_future(self._bridge.run())
        try:
            await asyncio.shield(running)
            self._lost(f"{self._address} has ended the session")
        except DialError as error:
            self._lost(f"{self._address}: {error}")
        except asyncio.CancelledError:
            self._bridge.receive_line(b"quit")
            with contextlib.suppress(DialError, TimeoutError):
                await asyncio.wait_for(running, _GOODBYE)
            raise
