"""Questions to a server over HTTP: its engines, and its clock.

All this is public, but a token is shown, if there is one, because some engines are not shown to
all: callers must have checked that it goes nowhere in clear text (`check_secrecy`).  The calls
block; `call_in_thread` is for callers that cannot wait.
"""

import asyncio
import http.client
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from threading import Thread
from typing import ParamSpec, TypeVar

from rookery_protocol.address import Address
from rookery_protocol.engine_names import ENGINES_PATH, is_engine_name
from rookery_protocol.notices import SHOWN, Notice, legible
from rookery_protocol.tls_trust import Trust

_LONGEST = 1 << 20  # bytes of an answer that are read
_MOST = 256  # engines of a server: each may be set up, and has files then
_PATIENCE = 10.0  # s for each step of it

P = ParamSpec("P")
T = TypeVar("T")


class InquiryError(Exception):
    """The answer is of no Rookery server; the text says what it said instead."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """`engines` by name, the default one first; `login`: whether a token is wanted.

    `date` is the server's time when it answered, if it said so, in whole seconds.
    """

    engines: tuple[str, ...]
    login: bool
    date: datetime | None


def ask_server(address: Address, trust: Trust, patience: float = _PATIENCE) -> ServerAnswer:
    """Ask a server for its engines.

    Raises:
        OSError: it cannot be reached, or TLS cannot be agreed upon.
        InquiryError: it is no Rookery server.

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
        raise InquiryError(legible(why, 2 * SHOWN)) from error
    except http.client.HTTPException as error:
        raise InquiryError(f"it does not speak HTTP: {legible(repr(error))}") from error
    finally:
        connection.close()
    if response.status != http.client.OK:
        text = body.decode(errors="replace").strip().splitlines() or [""]
        raise InquiryError(f"HTTP status {response.status}: {legible(text[0])}")
    return _read(body, response.headers)


def _read(body: bytes, headers: Message) -> ServerAnswer:
    try:
        said = json.loads(body)
        engines = said["engines"]
        if not (isinstance(engines, list) and engines):
            raise ValueError("no engines")
        if len(engines) > _MOST:
            raise InquiryError(
                f"it has {len(engines)} engines, more than the {_MOST} of any server"
            )
        if not all(isinstance(each, str) and is_engine_name(each) for each in engines):
            raise ValueError("no names of engines")
        login = said["login"] is True
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InquiryError("what answers there is no Rookery server") from error
    return ServerAnswer(tuple(dict.fromkeys(engines)), login, _date(headers.get("Date")))


def _date(text: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if text else None
    except ValueError:
        return None


async def call_in_thread(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread of its own, and return or raise as it does.

    Cancellation leaves the thread alone; it ends with the program, if not before.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def finish(settling: Callable[..., None], value: object) -> None:
        if not done.done():
            settling(value)

    def run() -> None:
        settling: Callable[..., None] = done.set_result
        value: object
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            settling, value = done.set_exception, error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(finish, settling, value)

    Thread(target=run, name="blocking call", daemon=True).start()
    return await done
