"""HTTP with the analysis service of one server: requests, and attempts at them.

A redirect is never followed, because the token is for one server, and no answer can fill the
memory.  What the server puts off, and what is lost with a connection, is asked again until the
patience ends; callers ask only what may be asked twice.
"""

import asyncio
import json
import logging
import random
import socket
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from importlib.metadata import version
from typing import IO, Any
from urllib.parse import quote
from urllib.request import getproxies, proxy_bypass

import aiohttp

from rookery_bridge.client.service_error import (
    PASSING,
    DocumentError,
    ServiceError,
    SilentServerError,
)
from rookery_protocol.address import Address
from rookery_protocol.backoff import Backoff
from rookery_protocol.dialer import OPEN_TIMEOUT, failed_dial, how_to_log_in, no_answer
from rookery_protocol.errors import in_words
from rookery_protocol.notices import Code, legible
from rookery_protocol.tls_trust import Trust

logger = logging.getLogger(__name__)

PATIENCE = 60.0  # s that a lost or busy server has before a call fails
ANSWER_TIMEOUT = 30.0  # s in which an answer begins that needs no engine
_BODY_TIMEOUT = 60.0  # s in which an answer of one document ends, once it has begun
_WORTH_TELLING = 0.5  # s
_FIRST_PATIENCE = 5.0  # s, if it accepts connections and has never answered
_LONGEST_WAIT = 10.0  # s between two attempts, if the server does not say more
_MAX_LINE = 1 << 24  # bytes of one document; a game of 2,000 half-moves has a few MB
_DEAD_AFTER = 30_000  # ms that a peer may acknowledge nothing of what was sent to it
# s (macOS calls it TCP_KEEPALIVE), s, probes
_KEEP_ALIVE = {"TCP_KEEPIDLE": 20, "TCP_KEEPALIVE": 20, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}
_PROBLEM = "application/problem+json"

Body = Callable[[], AsyncIterator[bytes]]  # its pieces, for each attempt anew


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """One request of the API.

    `patience` is the time in seconds for which nothing may come; None is no limit.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Body | None = None
    patience: float | None = ANSWER_TIMEOUT

    @classmethod
    def of_document(
        cls,
        method: str,
        path: str,
        document: Mapping[str, object],
        *,
        patience: float | None = ANSWER_TIMEOUT,
    ) -> "ServiceRequest":
        """Return a request that sends a document of JSON."""
        content = json.dumps(document).encode()

        async def body() -> AsyncIterator[bytes]:
            yield content

        headers = {"Content-Type": "application/json", "Content-Length": str(len(content))}
        return cls(method, path, {}, headers, body, patience)


def path_to(collection: str, id_: str) -> str:
    """Return the path of a job or a project: what the collection has of this id."""
    if not id_:
        raise ValueError(f"an id of {collection} is empty")
    return f"{collection}/{quote(id_, safe='')}"


class ServiceConnection:
    """The way to one server: `async with ServiceConnection(address, trust) as connection:`."""

    def __init__(
        self,
        address: Address,
        trust: Trust,
        *,
        patience: float = PATIENCE,
        report: Callable[[str], None] = logger.info,
    ) -> None:
        """Prepare for a server.

        Args:
            address: of its web port.
            trust: the token that is shown, and how the server is authenticated.
            patience: s that a lost or busy server has before a call fails.
            report: is told why a request has to be repeated.

        """
        self.address = address
        self.patience = patience
        self.report = report
        self.was_reached = False
        self._trust = trust
        self._proxy = _proxy_for(address)
        self._http: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "ServiceConnection":
        """Get ready; nothing is connected to yet."""
        headers = {"User-Agent": f"rookery-bridge/{version('rookery-chess')}"}
        if self._trust.token:
            headers["Authorization"] = f"Bearer {self._trust.token}"
        trust: ssl.SSLContext | bool = self._trust.context() if self.address.is_secure else True
        self._http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ssl=trust, socket_factory=_make_socket),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        http, self._http = self._http, None
        if http:
            await http.close()

    async def call(self, request: ServiceRequest) -> object:
        """Send a request until it is answered; return the document of the answer, if it has one.

        Raises:
            ServiceError: it was not answered in time, or refused.

        """
        attempts = Attempts(self)
        while True:
            try:
                return await self.call_once(request)
            except ServiceError as error:
                await attempts.wait_after(error)

    async def call_once(self, request: ServiceRequest) -> object:
        """Send a request that must not be repeated; return the document of the answer, if any.

        Raises:
            ServiceError: it was not answered, or refused.

        """
        async with self._exchange(request) as response:
            text = await _whole(response)
        return _parse(text) if text.strip() else None

    async def save(self, request: ServiceRequest, file: IO[bytes]) -> None:
        """Write an answer into a file, which is written anew if the connection is lost.

        Raises:
            OSError: the file cannot be written.
            ServiceError: as `call`.

        """
        attempts = Attempts(self)
        while True:
            try:
                async with aclosing(self.pieces(request)) as pieces:
                    async for piece in pieces:
                        file.write(piece)
                return
            except ServiceError as error:
                await attempts.wait_after(error)
                file.seek(0)
                file.truncate()

    async def pieces(self, request: ServiceRequest) -> AsyncGenerator[bytes, None]:
        """Send a request once, and yield its answer as it comes.

        Raises:
            ServiceError: there is no answer, or a refusal, or it was cut off.

        """
        async with self._exchange(request) as response:
            async for piece in response.content.iter_any():
                yield piece

    async def documents(self, request: ServiceRequest) -> AsyncGenerator[dict[str, object], None]:
        """Send a request once, and yield the documents of its answer, one a line, as they come.

        Raises:
            ServiceError: as `pieces`; or a document is a problem.

        """
        rest = bytearray()
        accept = {"Accept": "application/x-ndjson", **request.headers}
        async with aclosing(self.pieces(replace(request, headers=accept))) as pieces:
            async for piece in pieces:
                rest += piece
                if b"\n" not in piece:
                    if len(rest) > _MAX_LINE:
                        raise DocumentError(f"a line has more than {_MAX_LINE} bytes")
                    continue
                *lines, rest = rest.split(b"\n")
                for line in lines:
                    if line.strip():
                        yield _document(bytes(line))
        if rest.strip():
            yield _document(bytes(rest))

    @asynccontextmanager
    async def _exchange(self, request: ServiceRequest) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request, and yield the answer unless it is a refusal."""
        assert self._http, "it is opened by `async with`"
        content: dict[str, Any] = {"data": request.body()} if request.body else {}
        timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=OPEN_TIMEOUT, sock_read=request.patience
        )
        has_begun = False
        try:
            async with self._http.request(
                request.method,
                f"{self.address.web_url}{request.path}",
                params=request.query,
                headers=request.headers,
                timeout=timeout,
                allow_redirects=False,
                proxy=self._proxy,
                **content,
            ) as response:
                self.was_reached = True
                await self._check(response)
                has_begun = True
                yield response
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            if has_begun and isinstance(error, aiohttp.SocketTimeoutError):
                text = f"{self.address.web_url}: the server has stopped answering"
                raise SilentServerError(text) from error
            raise self._failure(error) from error

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        """Raise what an answer refuses."""
        status = response.status
        if status < HTTPStatus.MULTIPLE_CHOICES:
            return
        if status < HTTPStatus.BAD_REQUEST:  # The token is for this server only.
            target = legible(response.headers.get("Location", "nowhere"))
            raise ServiceError(
                f"{self.address.web_url} leads elsewhere, to {target!r}: give that address if you"
                " know whose it is, or log in to your network in a browser",
                status=status,
                is_final=True,
            )
        if status == HTTPStatus.UNAUTHORIZED and not self._trust.token:
            text = how_to_log_in(self._trust)
            code = Code.UNAUTHORIZED
            raise ServiceError(text, status=status, code=code, is_final=True)
        wait = _seconds(response.headers.get("Retry-After"))
        body = await _whole(response)
        if response.content_type == _PROBLEM:
            raise ServiceError.of_problem(_document(body, is_problem=True), status, wait)
        raise self._foreign(status, response.reason or "", wait)

    def _foreign(self, status: int, reason: str, wait: float | None) -> ServiceError:
        """Return the error for an answer that is not of the API."""
        text = f"{self.address.web_url} answers with HTTP status {status} {reason}".rstrip()
        if status in PASSING:
            return ServiceError(f"{text}; the server may be starting", status=status, wait=wait)
        text += "; it has no analysis service (/v1): it is an older server or another program"
        return ServiceError(f"{text}, or a proxy does not pass it on", status=status, is_final=True)

    def _failure(self, error: Exception) -> ServiceError:
        """Return the error for a connection that could not be made, or was lost.

        A server that was never reached is taken for a wrong address.
        """
        where, is_wrong = self.address.web_url, not self.was_reached
        if isinstance(error, aiohttp.SocketTimeoutError):
            return ServiceError(f"{where}: the server has stopped answering")
        if isinstance(error, TimeoutError):
            return ServiceError(f"{where}: {no_answer(OPEN_TIMEOUT, '')}", is_final=is_wrong)
        if isinstance(error, aiohttp.InvalidURL | aiohttp.ClientHttpProxyError):
            text = f"{where}: {legible(str(error))}"
            return ServiceError(text, is_final=True)
        if isinstance(error, aiohttp.ClientPayloadError | aiohttp.ServerDisconnectedError):
            hint = "; does that port want TLS, https://?" if is_wrong else ""
            hint = "" if self.address.is_secure else hint
            return ServiceError(f"{where}: the connection was lost{hint}")
        if isinstance(error, aiohttp.ClientResponseError):
            text = f"{where}: what answers speaks no HTTP; is it the server's port for TCP?"
            return ServiceError(text, is_final=True)
        found = failed_dial(_cause(error), self._trust)
        is_final = found.is_final or (is_wrong and isinstance(error, aiohttp.ClientConnectorError))
        return ServiceError(f"{where}: {found}", code=found.code, is_final=is_final)


class Attempts:
    """The attempts at one request: how long to wait for the next, and when to give up."""

    def __init__(self, connection: ServiceConnection) -> None:
        self._connection = connection
        self._backoff = Backoff(first=0.2, longest=_LONGEST_WAIT)
        self._deadline: float | None = None  # once there was a failure
        self._reported = ""

    def reset(self) -> None:
        """Have what comes be a first failure again."""
        self._deadline = None
        self._backoff.reset()

    async def wait_after(self, error: ServiceError) -> None:
        """Wait before the next attempt.

        Raises:
            ServiceError: there is to be none.

        """
        if error.is_final:
            raise error
        now = asyncio.get_running_loop().time()
        if self._deadline is None:
            was_reached, patience = self._connection.was_reached, self._connection.patience
            self._deadline = now + (patience if was_reached else min(patience, _FIRST_PATIENCE))
        wait = max(self._backoff.next_wait(random.random()), error.wait or 0.0)  # noqa: S311
        if now + wait > self._deadline:
            if error.wait:
                error.add_note(f"the server would have it asked again in {in_words(error.wait)}")
            raise error
        if str(error) != self._reported and wait >= _WORTH_TELLING:
            self._reported = str(error)
            self._connection.report(f"{error}; asking again")
        await asyncio.sleep(wait)


# --- answers


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    """Return the body of an answer, which has a bound in size and in time."""
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            async for piece in response.content.iter_any():
                body += piece
                if len(body) > _MAX_LINE:
                    raise DocumentError(f"it has more than {_MAX_LINE} bytes")
    except TimeoutError as error:
        raise ServiceError("the server has not ended its answer in time") from error
    return bytes(body)


def _parse(text: bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = legible(text.decode(errors="replace"), 80)
        raise DocumentError(f"it is no JSON: {shown}") from error


def _document(text: bytes, *, is_problem: bool = False) -> dict[str, object]:
    """Return a document; one within a stream may be a problem.

    Raises:
        ServiceError: it is a problem, or no object.

    """
    found = _parse(text)
    if not isinstance(found, dict):
        raise DocumentError(f"it is no object: {legible(text.decode(errors='replace'), 80)}")
    status = found.get("status")
    if not is_problem and isinstance(status, int) and "title" in found and "type" in found:
        raise ServiceError.of_problem(found, status)
    return found


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a `Retry-After`, which may be a date."""
    if not text:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


# --- connections


def _cause(error: Exception) -> Exception:
    """Return what the system or TLS has said, in place of the library's error around it."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return error.certificate_error
    if isinstance(error, aiohttp.ClientConnectorError):
        return error.os_error
    return error


def _proxy_for(address: Address) -> str | None:
    """Return the proxy of this system's environment for a server; a `.netrc` is not asked."""
    if address.is_local or proxy_bypass(address.host):
        return None
    return getproxies().get("https" if address.is_secure else "http")


def _make_socket(address: "aiohttp.AddrInfoType") -> socket.socket:
    """Make a socket that notices a dead peer, while nothing is said as well."""
    family, kind, protocol, _, _ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE.items():
        if hasattr(socket, name):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAD_AFTER)
    return made
