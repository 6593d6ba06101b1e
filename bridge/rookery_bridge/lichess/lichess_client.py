"""The endpoints of Lichess and its broker, or of others with the same API, as calls."""

import asyncio
import json
import socket
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import quote

import aiohttp
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import AsyncIterablePayload

from rookery_protocol.lichess_api import (
    ENGINES,
    LONG_POLL,
    WORK,
    ExternalEngine,
    LichessApiError,
    LichessJob,
    LichessRegistration,
)
from rookery_protocol.notices import legible
from rookery_protocol.tls_trust import Trust

T = TypeVar("T")

CALL_TIMEOUT = 15.0  # s for a registration
POLL_TIMEOUT = LONG_POLL + 2.0  # s for work to come
CONNECT_TIMEOUT = 10.0  # s
DEAD_AFTER = 30_000  # ms that a peer may acknowledge nothing of what was sent to it
MAX_ANSWER = 1 << 20  # bytes; that of a list of 500 engines has 200 KB
RATE_LIMITED = 60.0  # s; Lichess asks for a minute

_LONGEST = 400  # characters of what is said of a failure

_FINAL = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)


class LichessError(Exception):
    """A call has failed; the text says why.

    `is_final`: it would fail again; `wait`: s before the next one, at least.
    """

    def __init__(self, text: str, *, is_final: bool = False, wait: float = 0.0) -> None:
        super().__init__(legible(text, _LONGEST))
        self.is_final = is_final
        self.wait = wait


@dataclass(frozen=True, slots=True)
class LichessPlace:
    """The addresses of the site and of its broker, and the token that is shown."""

    token: str = field(repr=False)
    site: str
    broker: str


class LichessClient:
    """A client of the site and its broker: `async with LichessClient(place) as lichess:`."""

    def __init__(self, place: LichessPlace) -> None:
        self._place = place
        self._http: aiohttp.ClientSession

    async def __aenter__(self) -> "LichessClient":
        """Get ready; nothing is connected to yet."""
        self._http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ssl=Trust().context(), socket_factory=_socket),
            headers={"User-Agent": "rookery-bridge"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        await self._http.close()

    # --- the site

    async def engines(self) -> list[ExternalEngine]:
        """Return the engines that are registered for the token."""
        return await self._call_site("GET", ENGINES, _parse_engines)

    async def register(self, registration: LichessRegistration) -> ExternalEngine:
        """Register an engine: anew, or instead of the one that has its name."""
        known = [each for each in await self.engines() if each.name == registration.name]
        method, path = ("PUT", _path_of(known[0])) if known else ("POST", ENGINES)
        return await self._call_site(method, path, ExternalEngine.parse, registration.json())

    async def unregister(self, engine: ExternalEngine) -> None:
        """Delete an engine."""
        await self._call_site("DELETE", _path_of(engine), lambda document: document)

    async def _call_site(
        self, method: str, path: str, parse: Callable[[object], T], body: object = None
    ) -> T:
        headers = {"Authorization": f"Bearer {self._place.token}"}
        async with self._request(
            method, self._place.site, path, CALL_TIMEOUT, headers=headers, json=body
        ) as response:
            return parse(json.loads(await _body(response)))

    # --- the broker

    async def acquire(self, secret: str) -> LichessJob | None:
        """Wait for work for the engines of a provider; None if none has come in time."""
        body = {"providerSecret": secret}
        async with self._request(
            "POST", self._place.broker, WORK, POLL_TIMEOUT, json=body
        ) as response:
            if response.status == HTTPStatus.NO_CONTENT:
                return None
            return LichessJob.parse(json.loads(await _body(response)))

    async def submit(self, job: LichessJob, lines: AsyncIterable[bytes]) -> None:
        """Upload the lines of a job as they come; this ends early if the requester has left."""
        path = f"{WORK}/{quote(job.id, safe='')}"
        data = _Lines(lines, content_type="text/plain; charset=utf-8")
        async with self._request("POST", self._place.broker, path, None, data=data):
            pass

    @asynccontextmanager
    async def _request(
        self, method: str, where: str, path: str, total: float | None, **content: Any
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request, and yield the answer, unless that is a refusal.

        `total` is the seconds that it may take.

        Raises:
            LichessError: there is no answer, or none that can be read, or a refusal.

        """
        try:
            async with self._http.request(
                method,
                f"{where}{path}",
                timeout=aiohttp.ClientTimeout(total, sock_connect=CONNECT_TIMEOUT),
                allow_redirects=False,
                **content,
            ) as response:
                await _check(response, where)
                yield response
        except LichessApiError as error:
            raise LichessError(f"what came is not as the API has it: {error}") from error
        except _FAILURES as error:
            raise LichessError(f"{where}: {_reason(error)}") from error


class _Lines(AsyncIterablePayload):
    """Lines that may be long in coming: the headers are sent before the first."""

    async def write_with_length(
        self, writer: AbstractStreamWriter, content_length: int | None
    ) -> None:
        writer.send_headers()
        await super().write_with_length(writer, content_length)


# A body that is no JSON raises ValueError, as one that is no UTF-8, or nests too deeply.
_FAILURES = (aiohttp.ClientError, OSError, TimeoutError, ValueError, RecursionError)


async def _check(response: aiohttp.ClientResponse, where: str) -> None:
    status = response.status
    if status < HTTPStatus.MULTIPLE_CHOICES:
        return
    if status < HTTPStatus.BAD_REQUEST:  # The token and the secret are for this place only.
        target = legible(response.headers.get("Location", "nowhere"))
        raise LichessError(
            f"{where} leads elsewhere, to {target}: compare the address", is_final=True
        )
    async with asyncio.timeout(CALL_TIMEOUT):
        body = (await _body(response)).decode(errors="replace").strip()
    raise LichessError(
        f"{where} answers with status {status}: {legible(body) or response.reason}",
        is_final=status in _FINAL,
        wait=RATE_LIMITED if status == HTTPStatus.TOO_MANY_REQUESTS else 0.0,
    )


async def _body(response: aiohttp.ClientResponse) -> bytes:
    """Return the body of an answer.

    Raises:
        LichessError: it is longer than any.

    """
    body = bytearray()
    async for piece in response.content.iter_any():
        body += piece
        if len(body) > MAX_ANSWER:
            raise LichessError(f"an answer has more than {MAX_ANSWER} bytes")
    return bytes(body)


def _path_of(engine: ExternalEngine) -> str:
    return f"{ENGINES}/{quote(engine.id, safe='')}"


def _parse_engines(document: object) -> list[ExternalEngine]:
    if not isinstance(document, list):
        raise LichessApiError(f"this is no list of engines: {document!r:.40}")
    return [ExternalEngine.parse(each) for each in document]


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return str(error) or type(error).__name__


def _socket(address: "aiohttp.AddrInfoType") -> socket.socket:
    """Make a socket that notices a dead peer: keep-alives keep it busy, so silence says nothing."""
    family, kind, protocol, _, _ = address
    made = socket.socket(family, kind, protocol)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)
    return made
