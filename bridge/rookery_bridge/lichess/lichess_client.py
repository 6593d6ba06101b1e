"""The endpoints of Lichess and its broker, or of others with the same API, as calls."""

import asyncio
import json
import socket
from collections.abc import AsyncIterable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import TypeVar
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

T = TypeVar("T")

LICHESS = "https://lichess.org"
BROKER = "https://engine.lichess.ovh"

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
    site: str = LICHESS
    broker: str = BROKER


class LichessClient:
    """A client of the site and its broker: `async with LichessClient(place) as lichess:`."""

    def __init__(self, place: LichessPlace) -> None:
        self._place = place
        self._http: aiohttp.ClientSession

    async def __aenter__(self) -> "LichessClient":
        """Get ready; nothing is connected to yet."""
        self._http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, socket_factory=_socket),
            headers={"User-Agent": "rookery-bridge"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Close all connections."""
        await self._http.close()

    # --- the site

    async def engines(self) -> list[ExternalEngine]:
        """Return the engines that are registered for the token."""
        answer = await self._call("GET", ENGINES)
        if not isinstance(answer, list):
            raise LichessError(f"{self._place.site} answers with no list of engines")
        return [_read(ExternalEngine.parse, each) for each in answer]

    async def register(self, registration: LichessRegistration) -> ExternalEngine:
        """Register an engine: anew, or instead of the one that has its name."""
        known = [each for each in await self.engines() if each.name == registration.name]
        method, path = ("PUT", _path_of(known[0])) if known else ("POST", ENGINES)
        answer = await self._call(method, path, registration.json())
        return _read(ExternalEngine.parse, answer)

    async def unregister(self, engine: ExternalEngine) -> None:
        """Delete an engine."""
        await self._call("DELETE", _path_of(engine))

    async def _call(self, method: str, path: str, body: object = None) -> object:
        try:
            async with self._http.request(
                method,
                f"{self._place.site}{path}",
                json=body,
                headers={"Authorization": f"Bearer {self._place.token}"},
                timeout=aiohttp.ClientTimeout(CALL_TIMEOUT, sock_connect=CONNECT_TIMEOUT),
                allow_redirects=False,
            ) as response:
                await _check(response, self._place.site)
                return json.loads(await _body(response))
        except _FAILURES as error:
            raise LichessError(f"{self._place.site}: {_reason(error)}") from error

    # --- the broker

    async def acquire(self, secret: str) -> LichessJob | None:
        """Wait for work for the engines of a provider; None if none has come in time."""
        try:
            async with self._http.post(
                f"{self._place.broker}{WORK}",
                json={"providerSecret": secret},
                timeout=aiohttp.ClientTimeout(POLL_TIMEOUT, sock_connect=CONNECT_TIMEOUT),
                allow_redirects=False,
            ) as response:
                await _check(response, self._place.broker)
                if response.status == HTTPStatus.NO_CONTENT:
                    return None
                return _read(LichessJob.parse, json.loads(await _body(response)))
        except _FAILURES as error:
            raise LichessError(f"{self._place.broker}: {_reason(error)}") from error

    async def submit(self, job: LichessJob, lines: AsyncIterable[bytes]) -> None:
        """Upload the lines of a job as they come; this ends early if the requester has left."""
        try:
            async with self._http.post(
                f"{self._place.broker}{WORK}/{quote(job.id, safe='')}",
                data=_Lines(lines, content_type="text/plain; charset=utf-8"),
                timeout=aiohttp.ClientTimeout(None, sock_connect=CONNECT_TIMEOUT),
                allow_redirects=False,
            ) as response:
                await _check(response, self._place.broker)
        except _FAILURES as error:
            raise LichessError(f"{self._place.broker}: {_reason(error)}") from error


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


def _read(parse: Callable[[object], T], document: object) -> T:
    try:
        return parse(document)
    except LichessApiError as error:
        raise LichessError(f"what came is not as the API has it: {error}") from error


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
