"""Questions to a server: over HTTP its engines, its clock and the kind of a port; and a visit.

All that is asked over HTTP is public, but a token is shown, if there is one, because some engines
are not shown to all: callers must have checked that it goes nowhere in clear text
(`check_secrecy`).  `ask_server` blocks; `call_in_thread` is for callers that cannot wait.
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
from rookery_protocol.dialer import DialError
from rookery_protocol.engine_names import ENGINES_PATH, is_engine_name
from rookery_protocol.hello import Hello
from rookery_protocol.line_connection import LineConnection, dial_lines
from rookery_protocol.notices import SHOWN, Code, Meaning, Notice, legible
from rookery_protocol.tls_trust import Trust
from rookery_uci import Id, UciError, parse_reply

PROBE_PATIENCE = 2.0  # s for each of the two ways in which a port is asked of what kind it is

_LONGEST = 1 << 20  # bytes of an answer that are read
_MOST = 256  # engines of a server: each may be set up, and has files then
_PATIENCE = 10.0  # s for each step of it
_MOST_HEARD = 1 << 22  # bytes of a visit: 40 answers to `uci` together have less than a quarter
_TITLE = 100  # characters of an engine's name
_LEAVE = 1.0  # s that the server has to take its leave

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
        if trust.token:  # With one the server names engines, too, that are not for all.
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
        are_names = all(isinstance(each, str) and is_engine_name(each) for each in engines)
    except (ValueError, KeyError, TypeError, RecursionError):
        are_names = False
    if not (are_names and engines and isinstance(engines, list)):
        raise InquiryError("what answers there is no Rookery server")
    if len(engines) > _MOST:
        raise InquiryError(f"it has {len(engines)} engines, more than the {_MOST} of any server")
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


class Visit:
    """One connection to a remote engine, as questions and answers, while a block lasts.

    Unlike the bridge a visitor does not come back: what goes wrong is what one wants to know.

    Raises:
        DialError: the server cannot be reached, or has refused.

    """

    def __init__(self, address: Address, trust: Trust) -> None:
        self._address = address
        self._trust = trust
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()  # None is the end
        self._connection: LineConnection
        self._closed: asyncio.Task[str]
        self._notice: Notice | None = None
        self._heard = 0  # bytes

    async def __aenter__(self) -> "Visit":
        hello = Hello(session="new")
        self._connection = await dial_lines(self._address, self._trust, self._receive, hello)
        self._closed = asyncio.create_task(self._connection.wait_end(), name="await close")
        self._closed.add_done_callback(lambda _: self._lines.put_nowait(None))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Take leave, so that the engine is free at once."""
        self.send_line("quit")
        await asyncio.wait({self._closed}, timeout=_LEAVE)
        self._connection.abort()
        self._closed.cancel()

    def send_line(self, line: str) -> None:
        """Say a line."""
        self._connection.send_line(line.encode())

    def _receive(self, piece: bytes) -> None:
        """Take whole lines of the server's."""
        self._heard += len(piece)
        if self._heard > _MOST_HEARD:
            self._connection.abort()
            return
        for line in piece.decode(errors="replace").split("\n")[:-1]:
            self._notice = Notice.parse(line) or self._notice
            self._lines.put_nowait(line)

    async def request(self, question: str, answer: str, patience: float) -> list[str]:
        """Say a line; return what is said up to the first line that starts like the answer.

        Raises:
            DialError: the server has refused, or is gone.
            TimeoutError: it takes longer.

        """
        self.send_line(question)
        return await self.until(answer, patience)

    async def until(self, answer: str, patience: float) -> list[str]:
        """Return what is said up to the first line that starts like the answer, as `request`."""
        lines: list[str] = []
        async with asyncio.timeout(patience):
            while not lines or not lines[-1].startswith(answer):
                line = await self._lines.get()
                if line is None:
                    raise self._end(answer)
                lines.append(line)
        return lines

    def _end(self, answer: str) -> DialError:
        if self._heard > _MOST_HEARD:
            return DialError(f"it says {self._heard} bytes, and not {answer!r}")
        notice = self._notice
        text = self._closed.result() or (notice.text if notice else "the connection was lost")
        return DialError(text, notice.code if notice else None)

    async def search(self, patience: float) -> None:
        """Have the engine search as little as it can: the server answers all else without one.

        Raises:
            DialError: as `request`; or no engine is free, or none searches.
            TimeoutError: it takes longer.

        """
        try:
            lines = await self.request("go depth 1 nodes 1", "bestmove", patience)
        except TimeoutError:
            notice = self._notice
            if notice and notice.code.meaning is Meaning.NO_ENGINE:
                raise DialError(notice.text, notice.code) from None
            raise
        for notice in map(Notice.parse, lines):  # The first says why, if there are several.
            if notice and notice.code.meaning is Meaning.PUT_OFF:
                raise DialError(notice.text, notice.code)

    async def title(self, patience: float) -> str:
        """Return what the engine calls itself.

        Raises:
            DialError, TimeoutError: as `request`.

        """
        for line in await self.request("uci", "uciok", patience):
            with suppress(UciError):
                reply = parse_reply(line)
                if isinstance(reply, Id) and reply.kind == "name":
                    return legible(reply.text, _TITLE)
        return ""
