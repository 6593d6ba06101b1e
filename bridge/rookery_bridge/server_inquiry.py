"""Questions to a server over HTTP: its engines, its clock, and the kind of a port.

All this is public, but a token is shown, if there is one, because some engines are not shown to
all: callers must have checked that it goes nowhere in clear text (`check_secrecy`).  `ask_server`
blocks; `call_in_thread` is for callers that cannot wait.
"""

import asyncio
import http.client
import json
import ssl
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from threading import Thread
from typing import ParamSpec, TypeVar

from rookery_protocol.address import Address
from rookery_protocol.engine_names import ENGINES_PATH, is_engine_name
from rookery_protocol.notices import SHOWN, Code, Notice, legible
from rookery_protocol.tls_trust import Trust

PROBE_PATIENCE = 2.0  # s for each of the two ways in which a port is asked of what kind it is

_LONGEST = 1 << 20  # bytes of an answer that are read
_MOST = 256  # engines of a server: each may be set up, and has files then
_PATIENCE = 10.0  # s for each step of it

P = ParamSpec("P")
T = TypeVar("T")


class InquiryError(Exception):
    """The answer has no engines: its text says what it said instead.

    `code` is that of the server's notice; None if it is no Rookery server that has answered.
    """

    def __init__(self, text: str, code: Code | None = None) -> None:
        super().__init__(text)
        self.code = code


class AnyCertificate(Trust):
    """Trust in whoever answers, where nothing secret is said, and nothing heard is trusted."""

    def context(self) -> ssl.SSLContext:
        """Return a context that checks nothing."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context


def ask_server(
    address: Address, trust: Trust, patience: float = _PATIENCE
) -> tuple[tuple[str, ...], datetime | None]:
    """Return a server's engines by name, the default one first, and its time in whole seconds.

    Raises:
        OSError: it cannot be reached, or TLS cannot be agreed upon.
        InquiryError: it says something else.

    """
    connection = http.client.HTTPConnection(address.host, address.port, timeout=patience)
    if address.is_secure:
        connection = http.client.HTTPSConnection(
            address.host, address.port, timeout=patience, context=trust.context()
        )
    try:
        headers = {"Connection": "close"}
        if trust.token:  # Who shows one is told of engines, too, that are not for all.
            headers["Authorization"] = f"Bearer {trust.token}"
        connection.request("GET", ENGINES_PATH.rstrip("/"), headers=headers)
        response = connection.getresponse()
        body = response.read(_LONGEST)
    except http.client.BadStatusLine as error:
        line = str(error.args[0]).strip()
        notice = Notice.parse(line)  # of the port for plain lines
        why = notice.text if notice else f"it does not speak HTTP, but says {line[:SHOWN]!r}"
        raise InquiryError(legible(why, 2 * SHOWN), notice.code if notice else None) from error
    except http.client.HTTPException as error:
        raise InquiryError(f"it does not speak HTTP: {legible(repr(error))}") from error
    finally:
        connection.close()
    if response.status != http.client.OK:
        text = next(iter(body.decode(errors="replace").strip().splitlines()), "")
        notice = Notice.parse(f"info string rookery {text}")
        code = notice.code if notice else None
        raise InquiryError(f"HTTP status {response.status}: {legible(text)}", code)
    return _engines_in(body), _date(response.getheader("Date"))


def _engines_in(body: bytes) -> tuple[str, ...]:
    try:
        engines = json.loads(body)["engines"]
        if not (isinstance(engines, list) and engines):
            raise ValueError("no engines")
        if len(engines) > _MOST:
            raise InquiryError(
                f"it has {len(engines)} engines, more than the {_MOST} of any server"
            )
        if not all(isinstance(each, str) and is_engine_name(each) for each in engines):
            raise ValueError("no names of engines")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InquiryError("what answers there is no Rookery server") from error
    return tuple(dict.fromkeys(engines))


def _date(text: str | None) -> datetime | None:
    with suppress(ValueError):
        return parsedate_to_datetime(text) if text else None
    return None


async def call_in_thread(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread of its own, and return or raise as it does.

    Cancellation leaves the thread alone; it ends with the program, if not before.
    """
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()  # From now on it cannot be cancelled.

    def run() -> None:
        try:
            done.set_result(function(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)

    Thread(target=run, name="blocking call", daemon=True).start()
    return await asyncio.wrap_future(done)


async def better_address(address: Address) -> Address | None:
    """Return the address that does on that port, if it is of a Rookery server and another.

    A port speaks HTTP or plain lines, with TLS or without, and a client that mixes them up is not
    understood: a TLS port hangs up on a client without TLS.  So it is asked once more in either
    way, without a token, and by a request that both kinds of port have an answer to.
    """
    for secure in (address.is_secure, not address.is_secure):
        found = None
        with suppress(OSError, UnicodeError):  # A TimeoutError is an OSError.
            async with asyncio.timeout(PROBE_PATIENCE):
                found = await _address_of_port(address, secure=secure)
        if found:
            return found if found.scheme != address.scheme else None
    return None


async def _address_of_port(address: Address, *, secure: bool) -> Address | None:
    """Return the address of the server that answers on a port; None if it is no Rookery server."""
    asked = replace(address, scheme="wss" if secure else "ws")
    try:
        engines, _ = await call_in_thread(ask_server, asked, AnyCertificate(), PROBE_PATIENCE)
    except InquiryError as error:
        if error.code is Code.WRONG_PROTOCOL:
            return replace(address, scheme="tls" if secure else "tcp")
        return replace(asked, engine=address.engine or "NAME") if error.code else None
    return replace(asked, engine=address.engine or engines[0])
