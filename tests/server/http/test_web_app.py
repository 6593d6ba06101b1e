"""Handlers below `/v1`, and what the application does for them, over real sockets."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from helpers.support import TIMEOUT, Running, add_token, bearer, request_for, until

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server import app as app_module
from rookery_server.access.account import LOCAL, Account
from rookery_server.config.config import Config
from rookery_server.config.sections import ConnectionConfig
from rookery_server.http.web_app import ACCOUNT, WebApp, public
from rookery_server.transport import http_connection, request_body
from rookery_server.transport.request_body import read_body

MOST = 100_000  # bytes of a body
PAGE = "https://club.example"


@dataclass
class Handlers:
    """Handlers as the API has them, and what has happened to them."""

    running: int = 0
    cancelled: int = 0
    accounts: list[Account] = field(default_factory=list)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/account", self.account),
            web.get("/v1/things/{id}", self.account),
            web.get("/v1/open", self.open),
            web.get("/v1/refused", self.refused),
            web.get("/v1/missing", self.missing),
            web.get("/v1/broken", self.broken),
            web.get("/v1/half", self.half),
            web.get("/v1/wait", self.wait),
            web.get("/v1/open/wait", self.open_wait),
            web.get("/v1/stream", self.stream),
            web.get("/v1/pieces", self.pieces),
            web.post("/v1/length", self.length),
        ]

    async def account(self, request: web.Request) -> web.Response:
        self.accounts.append(request[ACCOUNT])
        return web.json_response({"account": request[ACCOUNT].name, **request.match_info})

    @public
    async def open(self, request: web.Request) -> web.Response:
        assert ACCOUNT not in request
        return web.json_response({})

    async def refused(self, request: web.Request) -> web.Response:
        raise RefusedError(Code.QUOTA_CPU, "it is used up", wait=6.5)

    async def missing(self, request: web.Request) -> web.Response:
        raise web.HTTPNotFound(text="there is no such job")

    async def broken(self, request: web.Request) -> web.Response:
        raise ValueError("a fault of ours")

    async def half(self, request: web.Request) -> web.Response:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"{}\n")
        raise RefusedError(Code.QUOTA_CPU, "it is used up")

    async def wait(self, request: web.Request) -> web.Response:
        self.running += 1
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1
        return web.Response()

    @public
    async def open_wait(self, request: web.Request) -> web.Response:
        return await self.wait(request)

    async def stream(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        await response.write(b"{}\n")
        await self.wait(request)
        return response

    async def pieces(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"{}\n")
        await response.write_eof()
        return response

    async def length(self, request: web.Request) -> web.Response:
        return web.json_response({"length": len(await read_body(request, MOST))})


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> Handlers:
    """Have each server have these handlers."""
    handlers = Handlers()

    def web_app(*arguments: Any) -> WebApp:
        return WebApp(*arguments[:-1], handlers.routes())

    monkeypatch.setattr(app_module, "WebApp", web_app)
    return handlers


@pytest.fixture
async def open_app(handlers: Handlers, config: Config) -> AsyncIterator[Running]:
    config = replace(config, server=replace(config.server, origins=(PAGE,)))
    async with Running(config) as app:
        yield app


@pytest.fixture
async def closed_app(handlers: Handlers, closed: Config) -> AsyncIterator[Running]:
    async with Running(closed) as app:
        yield app


async def answer_to(app: Running, *pieces: bytes, ends: bool = False) -> tuple[str, str]:
    """Send pieces; return head and body of all that is answered until the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    try:
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0)
        if ends:
            writer.write_eof()
        async with asyncio.timeout(TIMEOUT):
            head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    finally:
        writer.close()
    return head, body


def see_problem(answer: tuple[str, str], status: int, code: Code | None = None) -> str:
    """Check a document that says what is wrong; return its `detail`."""
    head, body = answer
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert "\r\nContent-Type: application/problem+json\r\n" in head
    assert "\r\nX-Content-Type-Options: nosniff\r\n" in head
    document = json.loads(body)
    assert document["status"] == status
    assert document["title"]
    assert document.get("code") == (None if code is None else str(code))
    return str(document["detail"])


# --- who asks


async def test_without_tokens_the_account_is_the_local_one(
    open_app: Running, handlers: Handlers
) -> None:
    head, _ = await answer_to(open_app, request_for("/v1/account"))
    assert head.startswith("HTTP/1.1 200 ")
    assert handlers.accounts == [LOCAL]


async def test_a_token_is_wanted_where_there_are_some(
    closed_app: Running, handlers: Handlers, token: str
) -> None:
    answer = await answer_to(closed_app, request_for("/v1/account"))
    see_problem(answer, 401, Code.UNAUTHORIZED)
    assert 'WWW-Authenticate: Bearer realm="rookery"' in answer[0]
    head, _ = await answer_to(closed_app, request_for("/v1/account", **bearer(token)))
    assert head.startswith("HTTP/1.1 200 ")
    assert handlers.accounts == [Account("alice")]
    assert (await answer_to(closed_app, request_for("/v1/open")))[0].startswith("HTTP/1.1 200 ")


async def test_each_request_of_a_connection_has_its_own_account(
    closed_app: Running, handlers: Handlers, token: str, tokens: Path
) -> None:
    other = add_token(tokens, "bob")
    closed_app.reload()
    async with aiohttp.ClientSession(
        f"http://127.0.0.1:{closed_app.port}", connector=aiohttp.TCPConnector(limit=1)
    ) as http:
        statuses = []
        for headers in (bearer(token), {}, bearer(other), {}):
            async with http.get("/v1/account", headers=headers) as response:
                statuses.append(response.status)
                await response.read()
    assert statuses == [200, 401, 200, 401]
    assert [each.name for each in handlers.accounts] == ["alice", "bob"]


async def test_strange_page_and_strange_name_may_not_use_it(open_app: Running) -> None:
    evil = {"Origin": "https://evil.example"}
    see_problem(
        await answer_to(open_app, request_for("/v1/account", **evil)), 403, Code.WRONG_ORIGIN
    )
    named = request_for("/v1/account", host="evil.example")
    see_problem(await answer_to(open_app, named), 421, Code.WRONG_HOST)
    told = request_for("/v1/account?token=x")
    see_problem(await answer_to(open_app, told), 400, Code.TOKEN_IN_URL)


async def test_page_that_is_listed_may_use_it_and_read_the_answer(open_app: Running) -> None:
    allowed = f"\r\nAccess-Control-Allow-Origin: {PAGE}\r\n"
    tried = {"/v1/account": 200, "/v1/pieces": 200, "/v1/refused": 429, "/v1/nothing": 404}
    for path, status in tried.items():
        head, _ = await answer_to(open_app, request_for(path, Origin=PAGE))
        assert head.startswith(f"HTTP/1.1 {status} ")
        assert allowed in head
        assert "\r\nAccess-Control-Expose-Headers: Content-Disposition, ETag, " in head
    asked = request_for("/v1/account", method="OPTIONS", Origin=PAGE)
    head, _ = await answer_to(open_app, asked)
    assert head.startswith("HTTP/1.1 204 ")
    assert allowed in head
    assert "Authorization" in head
    assert "If-Match" in head
    assert "PUT" in head
    strange = request_for("/v1/account", method="OPTIONS", Origin="https://evil.example")
    assert "Allow-Origin" not in (await answer_to(open_app, strange))[0]


# --- what is wrong


async def test_refusal_is_a_problem_with_its_code_and_wait(open_app: Running) -> None:
    answer = await answer_to(open_app, request_for("/v1/refused"))
    assert see_problem(answer, 429, Code.QUOTA_CPU) == "it is used up"
    assert "\r\nRetry-After: 7\r\n" in answer[0]
    assert open_app._policy.refusals[Code.QUOTA_CPU] == 1


async def test_what_is_not_there_is_said_and_no_method_that_is_not_for_it(
    open_app: Running,
) -> None:
    for path in ("/v1/nothing", "/v1/", "/v1/account/x", "/v1/acc%6funt"):
        assert see_problem(await answer_to(open_app, request_for(path)), 404)
    assert see_problem(await answer_to(open_app, request_for("/v1/missing")), 404) == (
        "there is no such job"
    )
    answer = await answer_to(open_app, request_for("/v1/account", method="DELETE"))
    assert "DELETE is not for here" in see_problem(answer, 405)
    assert "\r\nAllow: GET, HEAD\r\n" in answer[0]
    answer = await answer_to(open_app, request_for("/v1/length"))
    see_problem(answer, 405)
    assert "\r\nAllow: POST\r\n" in answer[0]


async def test_fault_of_ours_is_logged_and_not_shown(
    open_app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await answer_to(open_app, request_for("/v1/broken"))
    assert see_problem(answer, 500) == "the server has failed: see its log"
    assert len([each for each in caplog.records if each.exc_info]) == 1


async def test_error_in_the_middle_of_an_answer_ends_it_short(
    open_app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    head, body = await answer_to(open_app, request_for("/v1/half"))
    assert head.startswith("HTTP/1.1 200 ")
    assert body == "3\r\n{}\n\r\n"  # and no last chunk
    assert not [each for each in caplog.records if each.exc_info]


async def test_part_of_a_path_may_be_encoded(open_app: Running) -> None:
    _, body = await answer_to(open_app, request_for("/v1/things/a%40b"))
    assert json.loads(body)["id"] == "a@b"


# --- bodies


def with_body(body: bytes, *fields: str, path: str = "/v1/length", method: str = "POST") -> bytes:
    head = "\r\n".join((f"{method} {path} HTTP/1.1", "Host: localhost", *fields, "", ""))
    return head.encode() + body


async def test_body_comes_by_its_length_or_in_chunks(open_app: Running) -> None:
    whole = with_body(b"hello", "Content-Length: 5", "Connection: close")
    assert json.loads((await answer_to(open_app, whole))[1]) == {"length": 5}
    assert json.loads((await answer_to(open_app, whole, ends=True))[1]) == {"length": 5}
    chunks = with_body(b"2\r\nhe\r\n", "Transfer-Encoding: chunked", "Connection: close")
    assert json.loads((await answer_to(open_app, chunks, b"3\r\nllo\r\n0\r\n\r\n"))[1]) == {
        "length": 5
    }


@pytest.mark.parametrize(
    "fields",
    [
        ("Content-Length: 5", "Content-Length: 6"), ("Content-Length: 5, 5",),
        ("Content-Length: +5",), ("Content-Length: 5", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked, identity",), ("Transfer-Encoding: xchunked",),
    ],
)  # fmt: skip
async def test_length_that_can_be_read_in_two_ways_is_refused(
    open_app: Running, fields: tuple[str, ...]
) -> None:
    head, _ = await answer_to(open_app, with_body(b"hello", *fields, "Connection: close"))
    assert head.startswith("HTTP/1.1 400 ")
    assert "\r\nConnection: close" in head


@pytest.mark.parametrize(
    "body", [b"5 \r\nhello\r\n0\r\n\r\n", b"5\nhello\n0\n\n", b"-5\r\nhello", b"0x5\r\nhello",
             b"5\r\nhelloX\r\n0\r\n\r\n", b"fffffffffffffffff\r\nhello"],
)  # fmt: skip
async def test_chunk_that_is_none_ends_the_request(open_app: Running, body: bytes) -> None:
    head, _ = await answer_to(open_app, with_body(body, "Transfer-Encoding: chunked"))
    assert head.startswith("HTTP/1.1 400 ")
    assert "\r\nConnection: close" in head


async def test_too_large_a_body_is_refused_before_it_is_read(open_app: Running) -> None:
    told = with_body(b"x" * 1000, f"Content-Length: {MOST + 1}")
    see_problem(await answer_to(open_app, told), 413)
    chunk = b"4000\r\n" + 0x4000 * b"x" + b"\r\n"
    endless = with_body(b"", "Transfer-Encoding: chunked")
    see_problem(await answer_to(open_app, endless, *(12 * [chunk])), 413)


async def test_compressed_body_is_refused_and_not_unpacked(open_app: Running) -> None:
    bomb = gzip.compress(b"x" * 50_000_000)
    assert len(bomb) < MOST
    for coding in ("gzip", "deflate", "br", "gzip, identity"):
        fields = (f"Content-Encoding: {coding}", f"Content-Length: {len(bomb)}")
        answer = await answer_to(open_app, with_body(bomb, *fields))
        assert "without Content-Encoding" in see_problem(answer, 415)
        assert "\r\nAccept-Encoding: identity\r\n" in answer[0]
    fields = ("Content-Encoding: identity", "Content-Length: 5", "Connection: close")
    plain = with_body(b"hello", *fields)
    assert (await answer_to(open_app, plain))[0].startswith("HTTP/1.1 200 ")


async def test_chunks_of_an_old_client_are_refused(open_app: Running) -> None:
    # A proxy may see another end of the body, and so another beginning of the next request.
    told = with_body(b"5\r\nhello\r\n0\r\n\r\n", "Transfer-Encoding: chunked")
    answer = await answer_to(open_app, told.replace(b"HTTP/1.1", b"HTTP/1.0", 1))
    assert answer[0].split(" ")[1] == "400"
    assert "HTTP/1.0 has no Transfer-Encoding" in answer[1]


async def test_body_that_comes_a_byte_at_a_time_ends_in_time(
    open_app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_body, "PATIENCE", 0.3)
    reader, writer = await asyncio.open_connection("127.0.0.1", open_app.port)
    writer.write(with_body(b"", "Content-Length: 1000"))
    async with asyncio.timeout(TIMEOUT):
        while not reader._buffer:  # type: ignore[attr-defined]
            writer.write(b"x")
            await asyncio.sleep(0.02)
        head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    writer.close()


async def test_body_of_a_get_is_refused(open_app: Running) -> None:
    body = with_body(b"hello", "Content-Length: 5", path="/v1/account", method="GET")
    head, text = await answer_to(open_app, body)
    assert head.startswith("HTTP/1.1 400 ")
    assert text == "bad request: GET has no body\n"


# --- the end of a request


@pytest.mark.parametrize("path", ["/v1/wait", "/v1/stream"])
@pytest.mark.parametrize("rudely", [True, False])
async def test_client_that_goes_ends_its_request_at_once(
    open_app: Running, handlers: Handlers, path: str, rudely: bool
) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", open_app.port)
    writer.write(request_for(path))
    await until(lambda: handlers.running)
    if rudely:
        writer.transport.abort()
    else:
        writer.close()
    async with asyncio.timeout(2):
        await until(lambda: handlers.cancelled)
        await until(lambda: not open_app._policy.connection_count)


@pytest.mark.parametrize("path", ["/v1/wait", "/v1/stream"])
async def test_server_that_ends_ends_requests_and_idle_connections(
    handlers: Handlers, config: Config, path: str
) -> None:
    loop = asyncio.get_running_loop()
    async with Running(config) as app:
        idle, idle_writer = await asyncio.open_connection("127.0.0.1", app.port)
        idle_writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await idle.readuntil(b"ok\n")
        _, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(request_for(path))
        await until(lambda: handlers.running)
        began = loop.time()
    assert handlers.cancelled == 1
    assert loop.time() - began < 6
    assert await idle.read() == b""
    assert not app._policy.connection_count
    writer.close()
    idle_writer.close()


async def test_request_that_is_answered_counts_as_a_connection(
    handlers: Handlers, config: Config
) -> None:
    async with Running(replace(config, connections=ConnectionConfig(total=1))) as app:
        _, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(request_for("/v1/wait"))
        await until(lambda: handlers.running)
        head, _ = await answer_to(app, request_for("/v1/account"))
        assert head.startswith("HTTP/1.1 503 ")
        assert handlers.running == 1
        writer.close()
        await until(lambda: not app._policy.connection_count)


async def test_stranger_in_the_middle_of_a_request_makes_room_and_a_member_does_not(
    handlers: Handlers, closed: Config, token: str
) -> None:
    limits = ConnectionConfig(unauthenticated=2, network_share=1.0)
    async with Running(replace(closed, connections=limits)) as app:
        writers = []
        for path, fields in (("/v1/wait", bearer(token)), ("/v1/open/wait", {})):
            _, writer = await asyncio.open_connection("127.0.0.1", app.port)
            writer.write(request_for(path, **fields))
            writers.append(writer)
        await until(lambda: handlers.running == 2)
        for _ in range(2):
            writers.append((await asyncio.open_connection("127.0.0.1", app.port))[1])
        await until(lambda: handlers.cancelled == 1)
        assert handlers.running == 1
        assert app._policy.evictor.evicted == 1
        for each in writers:
            each.close()


async def test_answer_says_which_connection_has_asked(
    open_app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "KEPT", 3600.0)
    reader, writer = await asyncio.open_connection("127.0.0.1", open_app.port)
    for _ in range(3):
        writer.write(b"GET /v1/account HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        await reader.readuntil(b"}")
    assert open_app._policy.connection_count == 1
    assert not open_app._policy.admission.strangers
    writer.close()
    await until(lambda: not open_app._policy.connection_count)
