"""A remote engine for python-chess: protocol and transport over a bridge, and two ways to connect.

A server speaks for itself in `info string rookery ...`.  Of that a program hears what
concerns it: a search that was refused raises, all else is logged.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar, cast

from chess.engine import (
    BaseCommand,
    CommandState,
    EngineError,
    EngineTerminatedError,
    SimpleEngine,
    UciProtocol,
    run_in_background,
)

from rookery_bridge.bridge import Bridge
from rookery_bridge.command_arguments import trust_of
from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_protocol.address import Address, check_trust
from rookery_protocol.dialer import DialError
from rookery_protocol.notices import Meaning, Notice, legible
from rookery_protocol.tls_trust import Trust
from rookery_uci import MAX_LINE

logger = logging.getLogger(__name__)

PATIENCE = 60.0  # s that a lost server has to come back; it keeps a session so long
_GOODBYE = 2.5  # s
_STDIN, _STDOUT = 0, 1
_ENDED, _FAILED = 0, 1

T = TypeVar("T")

_NO_ANSWER = (Meaning.REFUSED, Meaning.PUT_OFF)  # what a notice means after which none comes
_OURS = b"info string rookery"
# python-chess makes as many dictionaries as a line has variations before it.
_TOO_MANY = re.compile(rb"^info (?!string )[^\n]*?\bmultipv\b(?![ \t]+\d{1,3}\s)[^\n]*\n", re.M)
_NO_MOVE = b"bestmove (none)\n"


class RemoteProtocol(UciProtocol):
    """A remote engine.  `reason` says why it is gone, once it is."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.reason = ""
        self._address = address
        self._searches = 0  # whose bestmove is to come
        self._refusal: EngineError | None = None  # of the first of them

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Take whole lines of the engine's."""
        piece = data.encode() if isinstance(data, str) else bytes(data)
        if b"multipv" in piece:
            piece = _TOO_MANY.sub(b"", piece)
        if self._refusal is None and _OURS not in piece:
            self._searches -= piece.startswith(b"bestmove") + piece.count(b"\nbestmove")
            super().pipe_data_received(fd, piece)
            return
        for line in piece.splitlines(keepends=True):
            if not self._is_taken(line):
                super().pipe_data_received(fd, line)

    def send_line(self, line: str) -> None:
        """Say a line, and count the searches."""
        self._searches += line.startswith("go")
        super().send_line(line)

    def connection_lost(self, exc: Exception | None) -> None:
        """End what runs with the reason; python-chess would name an exit status."""
        commands: list[BaseCommand[Any]] = [
            command for command in (self.command, self.next_command) if command
        ]
        self.command = self.next_command = None
        try:
            for command in commands:
                self._end_command(command)
        finally:
            super().connection_lost(exc)  # Else `quit` would wait for ever.

    async def communicate(self, command_factory: Callable[["RemoteProtocol"], BaseCommand[T]]) -> T:
        """Run a command.

        Raises:
            EngineTerminatedError: the engine is gone; the text says why.

        """
        if self.returncode.done():
            raise self._end()
        return await super().communicate(command_factory)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} ({self._address})>"

    def _end(self) -> EngineTerminatedError:
        return EngineTerminatedError(self.reason or f"{self._address}: the session has ended")

    def _end_command(self, command: BaseCommand[Any]) -> None:
        """Let all who wait for a command hear that the engine is gone."""
        if command.state is not CommandState.NEW and not command.result.cancelled():
            _tell(command, self._end())
        if not command.result.done():  # It has not begun, or is an analysis that searches not yet.
            command.result.set_exception(self._end())

    def _is_taken(self, line: bytes) -> bool:
        """Say whether a line is not for the command that runs."""
        if line.startswith(_OURS):
            self._note(line.decode(errors="replace").strip())
            return True
        self._searches -= line.startswith(b"bestmove")
        if self._refusal is None:
            return False
        if line.startswith(b"bestmove"):
            refusal, self._refusal = self._refusal, None
            self._fail(refusal)
            return True
        return line.startswith(b"info ")  # of another position, perhaps

    def _note(self, line: str) -> None:
        notice = Notice.parse(line)
        logger.info("%s: %s", self._address, legible(line.removeprefix("info string ")))
        is_refusal = notice and notice.code.meaning in _NO_ANSWER and self._searches
        if notice and is_refusal and self._refusal is None:
            self._refusal = EngineError(f"{self._address}: {legible(notice.text)}")
            self.send_line("stop")  # The search may be one without an end.

    def _fail(self, error: EngineError) -> None:
        """Let the search that runs end with an error, and the next one begin."""
        command = self.command
        if command is None or command.state is not CommandState.ACTIVE:
            super().pipe_data_received(1, _NO_MOVE)
            return
        _tell(command, error)
        if not command.finished.done():
            command.set_finished()


def _tell(command: BaseCommand[Any], error: EngineError) -> None:
    # A wait for an analysis, once cancelled, has cancelled what it waited for.
    with contextlib.suppress(asyncio.InvalidStateError):
        command.engine_terminated(error)


class RemoteTransport(asyncio.SubprocessTransport, asyncio.WriteTransport):
    """Carries a protocol's lines over as many connections as it takes.

    There is no process here, so signals end the session, and `get_pid` is a number that
    tells one engine from another and no more.  It is the pipe to the engine as well.
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
        protocol.connection_made(self)
        # It lives as long as this, and no group can: whoever calls gets this back at once.
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._run(), name=f"bridge to {address}")
        self._task.add_done_callback(self._finish)

    # --- as asyncio has it

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send the engine lines, each with its newline.

        Raises:
            EngineError: one is longer than a line may be.

        """
        for line in bytes(data).splitlines():
            if len(line) > MAX_LINE:
                raise EngineError(f"the line has {len(line)} bytes; {MAX_LINE} at most are sent")
            if not self._is_closing:
                self._bridge.receive_line(line)

    def get_pid(self) -> int:
        """Return a number that tells this engine from others."""
        return id(self)

    def get_returncode(self) -> int | None:
        """Return 0 if the session has ended as asked, 1 if not; None if it goes on."""
        return self._status

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        """Return what takes the lines for the engine, for 0; there are no others."""
        return self if fd == _STDIN else None

    def is_closing(self) -> bool:
        """Say whether the session is ending or has ended."""
        return self._is_closing

    def close(self) -> None:
        """End the session; `connection_lost` follows within `_GOODBYE` seconds."""
        if self._is_closing:
            return
        self._is_closing = True
        if self._bridge.conversation.is_met:
            # A connection that is only dropped leaves a session that waits for its return.
            self._bridge.receive_line(b"quit")
            asyncio.get_running_loop().call_later(_GOODBYE, self._task.cancel)
        else:
            self._task.cancel()

    def send_signal(self, signal: int) -> None:
        """End the session, whatever the signal."""
        self.close()

    terminate = kill = close

    # --- the bridge

    def _hear(self, piece: bytes) -> None:
        if not self._is_closing:
            self._protocol.pipe_data_received(_STDOUT, piece)

    async def _run(self) -> None:
        try:
            await self._bridge.run()
        except DialError as error:
            what = "ended the session" if self._bridge.conversation.is_met else "cannot be reached"
            self._protocol.reason = f"{self._address} {what}: {error}"

    def _finish(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else cast(Exception | None, task.exception())
        is_good = error is None and not self._protocol.reason
        self._status = _ENDED if is_good else _FAILED
        self._is_closing = True
        self._protocol.process_exited()
        self._protocol.connection_lost(error)


async def popen_uci(
    address: str,
    *,
    token: str | None = None,
    token_file: str | Path | None = None,
    ca: str | Path | None = None,
    pin: str | None = None,
    insecure: bool = False,
    correct_clocks: bool = True,
    patience: float = PATIENCE,
) -> tuple[RemoteTransport, RemoteProtocol]:
    """Connect to a remote engine; like `chess.engine.popen_uci`, which starts a local one.

    The connection may be lost: the engine is found again, and what it searches goes on.

    Args:
        address: `ws://HOST:PORT/engines/NAME` or `tcp://HOST:PORT[/NAME]`; `wss`, `tls`.
        token: who asks, where the server wants to know; else `token_file` has it, else
            the environment's `ROOKERY_TOKEN`.  It is never a part of the address.
        token_file: a file with the token; one that others can use is warned of, in the log.
        ca: a file with the certificate of an authority to believe besides the system's.
        pin: the SHA-256 of the only certificate to believe.
        insecure: send the token unencrypted even to another machine.
        correct_clocks: whether the time that lines take is hidden from the engine's clock.
        patience: s that a lost server has to come back; after that the engine counts as
            terminated.

    Raises:
        AddressError: the address is none.  It is a `ValueError`.
        TrustError: the token, the authority or the pin cannot be used.  Likewise.
        EngineTerminatedError: the server cannot be reached, or has refused; it says why.

    """
    place = Address.parse(address)
    trust = trust_of(token, token_file, ca, pin, logger.warning)
    check_trust(place, trust, insecure=insecure)
    protocol = RemoteProtocol(str(place))
    transport = RemoteTransport(
        protocol, place, trust, correct_clocks=correct_clocks, patience=patience
    )
    try:
        await protocol.initialize()
    except BaseException:
        transport.close()
        raise
    return transport, protocol


def connect_uci(
    address: str,
    *,
    timeout: float | None = 10.0,
    debug: bool | None = None,
    token: str | None = None,
    token_file: str | Path | None = None,
    ca: str | Path | None = None,
    pin: str | None = None,
    insecure: bool = False,
    correct_clocks: bool = True,
    patience: float = PATIENCE,
) -> SimpleEngine:
    """Connect to a remote engine, blocking; like `chess.engine.SimpleEngine.popen_uci`.

    Args:
        address: as `popen_uci` has it, and so are those that are not named here.
        timeout: s that an operation may take longer than expected; see `SimpleEngine`.
        debug: whether asyncio looks after itself more closely.
        token: as `popen_uci` has it.
        token_file: likewise.
        ca: likewise.
        pin: likewise.
        insecure: likewise.
        correct_clocks: likewise.
        patience: likewise.

    Raises:
        TimeoutError: the engine has not answered in time.
        AddressError: as `popen_uci` has it.
        TrustError: likewise.
        EngineTerminatedError: likewise.

    """

    async def background(future: Future[SimpleEngine]) -> None:
        connecting = popen_uci(
            address,
            token=token,
            token_file=token_file,
            ca=ca,
            pin=pin,
            insecure=insecure,
            correct_clocks=correct_clocks,
            patience=patience,
        )
        transport, protocol = await asyncio.wait_for(connecting, timeout)
        engine = SimpleEngine(transport, protocol, timeout=timeout)
        future.set_result(engine)
        try:
            engine.returncode.set_result(await protocol.returncode)
        finally:
            engine.close()
        await engine.shutdown_event.wait()

    return run_in_background(background, name=f"SimpleEngine ({address})", debug=debug)
