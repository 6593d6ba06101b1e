"""HTTP and handshakes as odd programs and bad networks send them, over real sockets."""

import asyncio
from dataclasses import replace

import pytest
from helpers.support import TIMEOUT, Running, until
from websockets.frames import Frame, Opcode

from rookery_server.config.config import Config
from rookery_server.config.sections import ConnectionConfig, MetricsConfig

GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
HANDSHAKE = (
    b"GET /engines/polite HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)
MUCH = 20_000 * b"x"
BAD_TARGETS = [
    b"healthz", b"*", b"/\0", b"/a\tb", b"/a\x7fb", b"/healthz#x", b"/%", b"/%zz", b"/%4",
    b"ftp://127.0.0.1/healthz", b"http:///healthz", b"http://a@127.0.0.1/healthz",
    b"http://127.0.0.1:x/", b"http:/healthz", b"127.0.0.1:80",
]  # fmt: skip
BAD_FIELDS = [
    b"a : b", b" a: b", b"a\t: b", b"a: b\r\n c", b"a: b\nc: d", b"a: b\rc: d", b"a: b\0", b": b",
    b"no colon", b"Content-Length: 0\r\nContent-Length: 5", b"Content-Length: 5",
    b"Content-Length: 0, 0", b"Content-Length: +0", b"Content-Length: -0", b"Content-Length: 0x0",
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity",
    b"Content-Length: 0\r\nTransfer-Encoding: chunked", b"Transfer-Encoding:\tchunked",
]  # fmt: skip
BAD_HOSTS = [
    b"", 2 * b"Host: 127.0.0.1\r\n", b"Host: 127.0.0.1\r\nhost: evil.example\r\n",
    b"Host: a b\r\n", b"Host: 127.0.0.1, evil.example\r\n", b"Host: a@127.0.0.1\r\n",
    b"Host: 127.0.0.1/\r\n", b"Host: http://127.0.0.1\r\n", b"Host: 127.0.0.1:x\r\n",
    b"Host: [::1\r\n", b"Host: \xe4\r\n",
]  # fmt: skip


async def answer_to(
    app: Running, *pieces: bytes, ends: bool = False, port: int | None = None
) -> bytes:
    """Send pieces, and perhaps the end of all input; return all that is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port or app.port)
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
    monkeypatch.setattr("rookery_server.transport.websocket.LINGER", 3600.0)
    patient = replace(config.server, handshake_timeout=3600.0)
    async with Running(replace(config, server=patient)) as app:
        await answer_to(app, GET.replace(b"/healthz", target), ends=ends == "before the answer")
        await until(lambda: not app._policy.connection_count)


async def test_second_request_does_not_take_the_answer_of_the_first(app: Running) -> None:
    answer = await answer_to(app, GET + GET)
    assert answer.count(b"HTTP/1.1 200 ") == 1
    assert answer.endswith(b"\r\n\r\nok\n")


async def test_request_may_come_byte_by_byte(app: Running) -> None:
    pieces = [bytes([byte]) for byte in GET]
    assert (await answer_to(app, *pieces, b"and more")).endswith(b"\r\n\r\nok\n")


NO_REQUESTS = [
    b"GET /\r\n\r\n",
    b"GET / HTTP/2.0\r\n\r\n",
    "GET /ä HTTP/1.1\r\n\r\n".encode(),
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n",
    b"\x80\x81\xff\r\n\r\n",
    *(GET.replace(b"GET", method) for method in (b"", b"get", b"G(T", b"G\tT", b"G\0T", b"<b>")),
    *(GET.replace(b"/healthz", target) for target in BAD_TARGETS),
    *(GET.replace(b"\r\n\r\n", b"\r\n" + field + b"\r\n\r\n") for field in BAD_FIELDS),
    *(GET.replace(b"Host: 127.0.0.1\r\n", hosts) for hosts in BAD_HOSTS),
    GET.replace(b"HTTP/1.1", b"HTTP/1.1 "),
    GET.replace(b"HTTP/1.1", b"http/1.1"),
    GET.replace(b" /", b"  /"),
    b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n",
    HANDSHAKE.replace(b"Host: 127.0.0.1\r\n", b""),
    HANDSHAKE.replace(b"Host: 127.0.0.1\r\n", 2 * b"Host: 127.0.0.1\r\n"),
    HANDSHAKE.replace(b"Upgrade:", b"Upgrade :"),
]


async def test_what_is_no_request_is_told_so(app: Running) -> None:
    for request in NO_REQUESTS:
        answer = await answer_to(app, request)
        assert answer.startswith(b"HTTP/1.1 400 "), request
        assert b"\r\n\r\nbad request: " in answer, request
        assert answer.endswith(b"\n")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\n" + 1500 * b"a: b\r\n", 431),
        (b"GET / HTTP/1.1\r\na: " + MUCH, 431),
        (GET.replace(b"\r\n\r\n", b"\r\n" + 128 * b"a: b\r\n" + b"\r\n"), 431),
        (b"GET /" + MUCH + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 414),
        (MUCH, 414),
        (b"GET / HTTP/1.1\r\nno header\r\n" + MUCH, 431),
        (b"nonsense\r\n" + MUCH, 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 20000\r\n\r\n" + MUCH, 400),
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 20000\r\n\r\n" + MUCH, 405),
        (GET.replace(b"GET", b"POST") + MUCH, 405),
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


@pytest.mark.parametrize(
    "target",
    [b"/healthz", b"/readyz", b"/metrics", b"/connect", b"/no", b"/engines/polite", b"/engines/x"],
)
async def test_head_has_no_body(app: Running, target: bytes) -> None:
    request = GET.replace(b"GET /healthz", b"HEAD " + target)
    assert (await answer_to(app, request)).endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("target", "fields", "status"),
    [
        (b"http://127.0.0.1/healthz", b"", 200),
        (b"HTTP://127.0.0.1:8080/connect", b"", 200),
        (b"https://localhost/connect", b"", 200),
        (b"http://127.0.0.1", b"", 200),
        (b"http://127.0.0.1?x", b"", 200),
        (b"http://127.0.0.1/nothing", b"", 404),
        (b"http://127.0.0.1/?token=rk_a", b"", 400),
        (b"http://evil.example/connect", b"", 421),  # whatever `Host` says
        (b"http://127.0.0.1/engines/polite", b"Origin: https://evil.example\r\n", 403),
        (b"http://127.0.0.1/metrics", b"X-Forwarded-For: 192.0.2.1\r\n", 401),
    ],
)
async def test_target_may_be_a_whole_url(
    app: Running, target: bytes, fields: bytes, status: int
) -> None:
    request = GET.replace(b"/healthz", target).replace(b"\r\n\r\n", b"\r\n" + fields + b"\r\n")
    assert (await answer_to(app, request)).startswith(b"HTTP/1.1 %d " % status)


async def test_handshake_may_be_for_a_whole_url(app: Running) -> None:
    url = HANDSHAKE.replace(b"/engines", b"http://localhost/engines").replace(b"127.", b"evil.")
    answer = await answer_to(app, url + line("uci") + line("quit"))
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert b"uciok" in answer


async def test_programs_of_old_name_no_host_to_ask_how_it_is(app: Running) -> None:
    """HAProxy's own checks are of HTTP/1.0."""
    assert (await answer_to(app, b"GET /readyz HTTP/1.0\r\n\r\n")).startswith(b"HTTP/1.0 200 ")


@pytest.mark.parametrize("method", [b"OPTIONS", b"CONNECT", b"TRACE", b"PUT"])
async def test_other_methods_are_not_allowed(app: Running, method: bytes) -> None:
    targets = {b"OPTIONS": b"*", b"CONNECT": b"127.0.0.1:80"}
    request = GET.replace(b"GET /healthz", method + b" " + targets.get(method, b"/"))
    answer = await answer_to(app, request)
    assert answer.startswith(b"HTTP/1.1 405 ")
    assert b"Allow: GET, HEAD\r\n" in answer


async def test_other_version_of_websocket_is_told_which_one_is_spoken(app: Running) -> None:
    answer = await answer_to(app, HANDSHAKE.replace(b"Version: 13", b"Version: 12"))
    assert answer.startswith(b"HTTP/1.1 426 ")
    assert b"Sec-WebSocket-Version: 13\r\n" in answer


# --- what each answer says to browsers

ANSWERED = {
    "a page": (GET.replace(b"/healthz", b"/"), 200),
    "the plain page": (GET.replace(b"/healthz", b"/connect"), 200),
    "the engines": (GET.replace(b"/healthz", b"/engines"), 200),
    "health": (GET, 200),
    "metrics": (GET.replace(b"/healthz", b"/metrics"), 200),
    "nothing": (GET.replace(b"/healthz", b"/nothing"), 404),
    "another method": (GET.replace(b"GET", b"POST"), 405),
    "no request": (b"nonsense\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "too much": (b"GET / HTTP/1.1\r\na: " + MUCH, 431),
    "a long target": (b"GET /" + MUCH, 414),
    "another name": (GET.replace(b"/healthz", b"/").replace(b"127.0.0.1", b"evil.example"), 421),
    "a token": (GET.replace(b"/healthz", b"/?token=x"), 400),
    "no upgrade": (GET.replace(b"/healthz", b"/engines/polite"), 426),
    "no engine": (GET.replace(b"/healthz", b"/engines/nobody"), 404),
    "no key": (HANDSHAKE.replace(b"Sec-WebSocket-Key", b"X"), 400),
    "another page": (HANDSHAKE.replace(b"\r\n\r\n", b"\r\nOrigin: https://x.example\r\n\r\n"), 403),
    "no admin": (
        HANDSHAKE.replace(b"/engines/polite", b"/admin/orders").replace(
            b"\r\n\r\n", b"\r\nVia: 1.1 x\r\n\r\n"
        ),
        401,
    ),
}


def assert_protected(answer: bytes, status: int) -> None:
    head = answer.partition(b"\r\n\r\n")[0].decode()
    assert head.startswith(f"HTTP/1.1 {status} ")
    fields = dict(each.split(": ", 1) for each in head.split("\r\n")[1:])
    assert len(fields) == head.count("\r\n")  # none is there twice
    policy = fields["Content-Security-Policy"]
    for rule in ("default-src 'none'", "base-uri", "form-action", "frame-ancestors 'none'"):
        assert rule in policy
    assert fields["X-Content-Type-Options"] == "nosniff"
    assert fields["X-Frame-Options"] == "DENY"
    assert fields["Referrer-Policy"] == "no-referrer"
    assert "Server" not in fields
    assert "Strict-Transport-Security" not in fields  # It came without TLS.


async def test_no_answer_may_be_framed_or_read_as_another_type(app: Running) -> None:
    for request, status in ANSWERED.values():
        assert_protected(await answer_to(app, request), status)


async def test_answers_of_a_full_server_and_of_the_port_for_metrics_are_no_exception(
    config: Config,
) -> None:
    full = replace(config, connections=ConnectionConfig(total=1), metrics=MetricsConfig(port=0))
    async with Running(full) as app:
        metrics = GET.replace(b"/healthz", b"/metrics")
        port = app.metrics_port
        assert_protected(await answer_to(app, metrics, port=port), 200)
        assert_protected(await answer_to(app, GET.replace(b"/healthz", b"/no"), port=port), 404)
        assert_protected(await answer_to(app, metrics.replace(b"1.1", b"1.1", 1)), 404)
        async with app.tcp() as first:  # It counts as logged in, and makes room for nobody.
            first.say("isready")
            assert await first.hear() == "readyok"
            assert_protected(await answer_to(app, GET.replace(b"/healthz", b"/")), 503)


async def test_lines_that_come_with_the_handshake_are_heard(app: Running) -> None:
    answer = await answer_to(app, HANDSHAKE + line("uci") + line("isready") + line("quit"))
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert answer.index(b"uciok") < answer.index(b"readyok")


async def test_client_that_ends_behind_its_handshake_is_let_go(app: Running) -> None:
    answer = await answer_to(app, HANDSHAKE + line("uci"), ends=True)
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert b"uciok" in answer
