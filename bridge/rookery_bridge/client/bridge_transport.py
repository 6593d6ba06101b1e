"""The transport that python-chess uses as the process of an engine: a bridge to a remote one."""

import asyncio
from typing import cast

from chess.engine import EngineError

from rookery_bridge.bridge import Bridge
from rookery_bridge.client.uci_protocol import RemoteProtocol
from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_protocol.address import Address
from rookery_protocol.dialer import DialError
from rookery_protocol.tls_trust import Trust
from rookery_uci import MAX_LINE

PATIENCE = 60.0  # s that a lost server has to come back; it keeps a session so long
_GOODBYE = 2.5  # s
_STDIN, _STDOUT = 0, 1
_ENDED, _FAILED = 0, 1


class RemoteTransport(asyncio.SubprocessTransport):
    """Carries a protocol's lines over as many connections as it takes.

    There is no process here, so signals end the session, and `get_pid` is a number that
    tells one engine from another and no more.
    """

    def __init__(
        self,
        protocol: RemoteProtocol,
        address: Address,
        trust: Trust,
        *,
        correct_clocks: bool = True,
        patience: float = PATIENCE,
    ) -> None:
        super().__init__()
        self._protocol = protocol
        self._address = address
        self._status: int | None = None
        self._is_closing = False
        # A program wants an error where a GUI wants any move at all.
        options = BridgeOptions(correct_clocks=correct_clocks, may_guess=False)
        self._bridge = Bridge(address, trust, self._hear, options, patience=patience)
        self._stdin = _Stdin(self)
        protocol.connection_made(self)
        # It lives as long as this, and no group can: whoever calls gets this back at once.
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run(), name=f"bridge to {address}")
        self._task.add_done_callback(self._finish)

    def say(self, line: bytes) -> None:
        """Tell the engine a line, without its newline.

        Raises:
            EngineError: it is longer than a line may be.

        """
        if len(line) > MAX_LINE:
            raise EngineError(f"the line has {len(line)} bytes; {MAX_LINE} at most are sent")
        if not self._is_closing:
            self._bridge.receive_line(line)

    # --- as asyncio has it

    def get_pid(self) -> int:
        """Return a number that tells this engine from others."""
        return id(self)

    def get_returncode(self) -> int | None:
        """Return 0 if the session has ended as asked, 1 if not; None if it goes on."""
        return self._status

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        """Return what takes the lines for the engine, for 0; there are no others."""
        return self._stdin if fd == _STDIN else None

    def is_closing(self) -> bool:
        """Say whether the session is ending or has ended."""
        return self._is_closing

    def close(self) -> None:
        """End the session; `connection_lost` follows within `_GOODBYE` seconds."""
        if self._is_closing:
            return
        self._is_closing = True
        if self._bridge.is_met:
            # A connection that is only dropped leaves a session that waits for its return.
            self._bridge.receive_line(b"quit")
            asyncio.get_running_loop().call_later(_GOODBYE, self._task.cancel)
        else:
            self._task.cancel()

    def send_signal(self, signal: int) -> None:
        """End the session, whatever the signal."""
        self.close()

    def terminate(self) -> None:
        """End the session."""
        self.close()

    def kill(self) -> None:
        """End the session."""
        self.close()

    # --- the bridge

    def _hear(self, piece: bytes) -> None:
        if not self._is_closing:
            self._protocol.pipe_data_received(_STDOUT, piece)

    async def _run(self) -> None:
        try:
            await self._bridge.run()
        except DialError as error:
            what = "ended the session" if self._bridge.is_met else "cannot be reached"
            self._protocol.reason = f"{self._address} {what}: {error}"

    def _finish(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else cast(Exception | None, task.exception())
        is_good = error is None and not self._protocol.reason
        self._status = _ENDED if is_good else _FAILED
        self._is_closing = True
        self._protocol.process_exited()
        self._protocol.connection_lost(error)


class _Stdin(asyncio.WriteTransport):
    """The pipe to the engine, as far as it is used."""

    def __init__(self, transport: RemoteTransport) -> None:
        super().__init__()
        self._transport = transport

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Tell the engine lines, each with its newline."""
        for line in bytes(data).splitlines():
            self._transport.say(line)

    def is_closing(self) -> bool:
        """Say whether the session is ending or has ended."""
        return self._transport.is_closing()
