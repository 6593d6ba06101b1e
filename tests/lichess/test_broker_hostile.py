"""Peers of the broker that send what is no request, or leave: none of it is in the log."""

import asyncio
import gc
import json
import logging
import socket
import struct
from collections.abc import AsyncIterator, Iterator

import pytest
from helpers.brokered import OFFER, SECRET, Around
from helpers.lichess_fake import work
from helpers.support import TIMEOUT, until

TOKEN = b"rk_0123456789ab_" + b"S" * 32
_POST = b"POST /api/external-engine/work HTTP/1.1\r\nHost: localhost\r\n"
_GET = b"GET /api/external-engine HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Return the log in all its detail; nothing of it is a bug."""
    with caplog.at_level(logging.DEBUG):
        yield caplog
    gc.collect()  # Errors that nobody has asked for are told now.
    records = caplog.get_records("call") + caplog.get_records("teardown")
    assert not [each for each in records if each.levelno >= logging.WARNING or each.exc_info]


async def open_to(place: Around) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", place.app.broker_port)


def leave(writer: asyncio.StreamWriter, *, rudely: bool) -> None:
    if rudely:
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


@pytest.mark.parametrize(
    "said",
    [
        _GET + b"Authorization: Bearer " + TOKEN + b"\r\r\n\r\n",  # of a file with CR LF
        _GET + b"Authorization: Bearer " + TOKEN + b"\xff\r\n\r\n",
        _GET + b"Authorization: Bearer " + 300 * TOKEN + b"\r\n\r\n",
        _GET + b"Authorization : Bearer " + TOKEN + b"\r\n\r\n",
        b"GET /" + 300 * TOKEN + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://[::1/" + TOKEN + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        _POST + b"Transfer-Encoding: chunked\r\n\r\n" + TOKEN + b"\r\n",
        _POST + b"Content-Length: -1\r\nX: " + TOKEN + b"\r\n\r\n",
        _POST + b"Content-Encoding: deflate\r\nContent-Length: 48\r\n\r\n" + TOKEN,
        _POST + b"Content-Type: multipart/x; boundary=\xff\r\nContent-Length: 2\r\n\r\n{}",
        _POST + b"Expect: \xff" + TOKEN + b"\r\nContent-Length: 2\r\n\r\n{}",
        _POST + b"Expect: " + TOKEN + b"\r\nContent-Length: 2\r\n\r\n{}",
        TOKEN + b"\r\n\r\n",
        b"\x16\x03\x01\x00\x10",
        b"\x00\x1b[31m\r\n\r\n",
    ],
)
async def test_what_is_no_request_is_answered_and_not_logged(
    place: Around, log: pytest.LogCaptureFixture, said: bytes
) -> None:
    reader, writer = await open_to(place)
    writer.write(said)
    async with asyncio.timeout(TIMEOUT):
        head = await reader.readuntil(b"\r\n\r\n")
    assert head.split()[1] in (b"400", b"401", b"414", b"415", b"417", b"431")
    assert b"\r\nserver:" not in head.lower()
    leave(writer, rudely=False)
    assert "SSSS" not in log.text


async def test_no_answer_names_a_version(place: Around) -> None:
    for method, path in (("GET", ""), ("GET", "/eei_none"), ("PATCH", ""), ("GET", "/x/y/z")):
        url = f"/api/external-engine{path}"
        async with place.alice.http.request(method, url) as response:
            assert "Server" not in response.headers


@pytest.mark.parametrize("rudely", [False, True])
@pytest.mark.parametrize("heard", [0, 1, 400])
async def test_requester_that_leaves_is_no_error(
    place: Around, log: pytest.LogCaptureFixture, heard: int, *, rudely: bool
) -> None:
    engine = await place.alice.engine("rookery")
    body = json.dumps({"clientSecret": engine["clientSecret"], "work": work()}).encode()
    path = f"/api/external-engine/{engine['id']}/analyse"
    for _ in range(3):
        reader, writer = await open_to(place)
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        async with asyncio.timeout(TIMEOUT):
            await reader.readexactly(heard)
            await until(lambda: place.app.sessions)
            leave(writer, rudely=rudely)
            await until(lambda: not place.app.sessions)


async def test_requester_that_leaves_while_it_is_told_is_no_error(
    place: Around, log: pytest.LogCaptureFixture
) -> None:
    """The end of its input closes the connection, into which the next line would be written."""
    _, engine = await place.alice.call("POST", "", OFFER)
    assert isinstance(engine, dict)
    body = json.dumps({"clientSecret": engine["clientSecret"], "work": work()}).encode()
    head = f"POST /api/external-engine/{engine['id']}/analyse HTTP/1.1\r\nHost: localhost\r\n"
    reader, writer = await open_to(place)
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    _, job = await place.alice.call("POST", "/work", {"providerSecret": SECRET})
    assert isinstance(job, dict)

    async def lines() -> AsyncIterator[bytes]:
        for depth in range(3000):
            yield b"info depth %d score cp 1 pv e7e5\n" % depth
            await asyncio.sleep(0)

    path = f"/api/external-engine/work/{job['id']}"
    uploading = asyncio.ensure_future(place.alice.http.post(path, data=lines()))
    async with asyncio.timeout(TIMEOUT):
        await reader.readuntil(b"pvs")
        writer.write_eof()
        (await uploading).close()
    leave(writer, rudely=False)


@pytest.mark.parametrize("rudely", [False, True])
@pytest.mark.parametrize(
    "said", [b"info depth 1 score cp 1 pv e7e5\n", b"info wdl \x1b[31m\n", b"info dep", b""]
)
async def test_provider_that_leaves_is_no_error(
    place: Around, log: pytest.LogCaptureFixture, said: bytes, *, rudely: bool
) -> None:
    _, engine = await place.alice.call("POST", "", OFFER)
    assert isinstance(engine, dict)
    asking = asyncio.ensure_future(place.alice.analyse(engine))
    _, job = await place.alice.call("POST", "/work", {"providerSecret": SECRET})
    assert isinstance(job, dict)
    _, writer = await open_to(place)
    head = f"POST /api/external-engine/work/{job['id']} HTTP/1.1\r\nHost: localhost\r\n"
    chunk = b"%x\r\n%b\r\n" % (len(said), said) if said else b""
    writer.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk)
    await writer.drain()
    broker = place.app._broker
    assert broker
    await until(lambda: not broker._exchange._taken)
    leave(writer, rudely=rudely)
    await (await asking).all()
