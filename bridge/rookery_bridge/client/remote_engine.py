"""The two lines that a program changes: where it would start an engine, it connects to one."""

import asyncio
import logging
import os
from concurrent.futures import Future
from pathlib import Path

from chess.engine import SimpleEngine, run_in_background

from rookery_bridge.client.uci_protocol import PATIENCE, RemoteProtocol, RemoteTransport
from rookery_protocol.address import Address, check_secrecy
from rookery_protocol.tls_trust import Trust, read_pin, read_token, token_of

logger = logging.getLogger(__name__)

TOKEN = "ROOKERY_TOKEN"  # noqa: S105  # where it is, not what it is


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
    trust = _trust(token, token_file, ca, pin)
    if place.is_secure:
        trust.context()  # for its errors
    if not insecure:
        check_secrecy(place, trust)
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


def _trust(
    token: str | None, token_file: str | Path | None, ca: str | Path | None, pin: str | None
) -> Trust:
    if token is not None:
        token = token_of("token", token)
    elif token_file is not None:
        token = read_token(Path(token_file), logger.warning)
    elif text := os.environ.get(TOKEN):
        token = token_of(TOKEN, text)
    return Trust(token, Path(ca) if ca else None, read_pin(pin) if pin else None)
