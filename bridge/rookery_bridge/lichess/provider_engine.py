"""Engines for the provider: processes of this machine, and sessions with a server."""

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

PieceSink = Callable[[bytes], None]  # receives whole lines, each ended by a newline
LossSink = Callable[[str], None]  # receives why the engine is gone, if it was not told to end


class ProviderEngine(Protocol):
    """An engine for the provider."""

    def send_lines(self, lines: Sequence[bytes]) -> None:
        """Send lines to the engine."""

    async def run(self) -> None:
        """Run it until it ends, or the task is cancelled."""


@dataclass(frozen=True, slots=True)
class ProviderSource:
    """The origin of an engine: the command that starts it, or its address."""

    name: str  # by which Lichess shows it
    command: tuple[str, ...] = ()
    address: Address | None = None
    trust: Trust = field(default_factory=Trust)

    @classmethod
    def parse(cls, text: str, trust: Trust) -> "ProviderSource":
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

    def create_engine(self, receive: PieceSink, lose: LossSink) -> ProviderEngine:
        """Return an engine that is yet to be run."""
        if self.address:
            return ServerSession(self.address, self.trust, receive, lose)
        return LocalEngine(self.command, receive, lose)


class ServerSession:
    """A session with a server.  Lines that are sent before it is up wait."""

    def __init__(self, address: Address, trust: Trust, receive: PieceSink, lose: LossSink) -> None:
        # A requester wants the engine's result, and not a move at any price.
        options = BridgeOptions(correct_clocks=False, may_guess=False)
        self._address = address
        self._lose = lose
        self._bridge = Bridge(address, trust, receive, options, patience=PATIENCE)

    def send_lines(self, lines: Sequence[bytes]) -> None:
        """Send lines to the engine."""
        for line in lines:
            self._bridge.receive_line(line)

    async def run(self) -> None:
        """Run it until it ends, or the task is cancelled."""
        # Cancelled, it has to send `quit`: else the server keeps the session for a while.
        running = asyncio.ensure_future(self._bridge.run())
        try:
            await asyncio.shield(running)
            self._lose(f"{self._address} has ended the session")
        except DialError as error:
            self._lose(f"{self._address}: {error}")
        except asyncio.CancelledError:
            self._bridge.receive_line(b"quit")
            with contextlib.suppress(DialError, TimeoutError):
                await asyncio.wait_for(running, _GOODBYE)
            raise
