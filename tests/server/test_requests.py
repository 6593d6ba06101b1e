"""HTTP and handshakes as odd programs and bad networks send them, over real sockets."""

import asyncio
from dataclasses import replace

import pytest
from support import TIMEOUT, Running, until
from websockets.frames import Frame, Opcode

from rookery_server.config import Config

GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HANDSHAKE = (
    b"GET /engines/polite HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)
MUCH = 20_000 * b"x"


async def answer_to(app: Running, *pieces: bytes, ends: bool = False) -> bytes:
    """Send pieces, and perhaps the end of all input; return all that is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        if ends:
            writer.write_eof()
        async with asyncio.timeout(TIMEOUT):
            return await reader.read()
    finally:
        writer.close()


def line(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=True)


@pytest.mark.parametrize("target", [b"/healthz", b"/connect", b"/nothing", b"/?token=x"])
async def test_request_is_answered_though_its_sender_says_no_more(
    app: Running, target: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """`nc -N`, and whoever else ends its side of the connection first."""
    request = GET.replace(b"/healthz", target)
    answer = await answer_to(app, request, ends=True)
    assert answer.startswith(b"HTTP/1.1 ")
    assert answer.endswith(b"\n")
    assert not [each for each in caplog.records if each.exc_info]


@pytest.mark.parametrize("ends", ["before the answer", "after it"])
@pytest.mark.parametrize("target", [b"/healthz", b"/nothing", b"/engines/polite"])
async def test_connection_is_over_once_both_have_said_all(
    config: Config, monkeypatch: pytest.MonkeyPatch, target: bytes, ends: str
) -> None:
    """A crowd that is refused would else hold descriptors and memory a second longer."""
    monkeypatch.setattr("rookery_server.app.CLOSE_TIMEOUT", 3600.0)
    patient = replace(config.server, handshake_timeout=3600.0)
    async with Running(replace(config, server=patient)) as app:
        await answer_to(app, GET.replace(b"/healthz", target), ends=ends == "before the answer")
        await until(lambda: not app._entrance.there)


async def test_second_request_does_not_take_the_answer_of_the_first(app: Running) -> None:
    answer = await answer_to(app, GET + GET)
    assert answer.count(b"HTTP/1.1 200 ") == 1
    assert answer.endswith(b"\r\n\r\nok\n")


async def test_request_may_come_byte_by_byte(app: Running) -> None:
    pieces = [bytes([byte]) for byte in GET]
    assert (await answer_to(app, *pieces, b"and more")).endswith(b"\r\n\r\nok\n")


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /\r\n\r\n",
        b"GET / HTTP/2.0\r\n\r\n",
        "GET /ä HTTP/1.1\r\n\r\n".encode(),
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n",
        b"\x80\x81\xff\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_told_so(app: Running, request_: bytes) -> None:
    answer = await answer_to(app, request_)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"\r\n\r\nbad request: " in answer
    assert answer.endswith(b"without a body\n")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\n" + 1500 * b"a: b\r\n", 431),
        (b"GET / HTTP/1.1\r\na: " + MUCH, 431),
        (b"GET / HTTP/1.1\r\nno header\r\n" + MUCH, 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 20000\r\n\r\n" + MUCH, 400),
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + MUCH, 405),
        (GET + MUCH, 200),
    ],
)
async def test_what_is_too_much_is_dropped_and_the_rest_answered_once(
    app: Running, request_: bytes, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """In whatever pieces it comes: all at once, or more when the answer is there already."""
    parts = [request_[at : at + 1000] for at in range(0, len(request_), 1000)]
    for pieces in ([request_], parts):
        answer = await answer_to(app, *pieces)
        assert answer.startswith(b"HTTP/1.1 %d " % status)
        assert answer.count(b"\r\n\r\n") == 1
    assert not [each for each in caplog.records if each.exc_info]


async def test_small_request_is_answered_though_much_follows_and_ends(app: Running) -> None:
    assert (await answer_to(app, GET + MUCH, ends=True)).startswith(b"HTTP/1.1 200 ")


async def test_connection_that_says_nothing_is_answered_by_nothing(app: Running) -> None:
    assert await answer_to(app, ends=True) == b""


@pytest.mark.parametrize("target", [b"/healthz", b"/readyz", b"/metrics", b"/connect", b"/no"])
async def test_head_has_no_body(app: Running, target: bytes) -> None:
    request = GET.replace(b"GET /healthz", b"HEAD " + target)
    assert (await answer_to(app, request)).endswith(b"\r\n\r\n")


async def test_lines_that_come_with_the_handshake_are_heard(app: Running) -> None:
    answer = await answer_to(app, HANDSHAKE + line("uci") + line("isready") + line("quit"))
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert answer.index(b"uciok") < answer.index(b"readyok")


async def test_client_that_ends_behind_its_handshake_is_let_go(app: Running) -> None:
    answer = await answer_to(app, HANDSHAKE + line("uci"), ends=True)
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert b"uciok" in answer
