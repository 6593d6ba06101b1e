"""The reasons for which there is no connection to a server, for now or for good."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import pytest
import trustme
from helpers.analyse_program import write_games
from helpers.support import TIMEOUT

from rookery_analysis.engine_conversation import BusyServerError, UnreachableEngineError
from rookery_analysis.remote_engines import connect
from rookery_protocol.errors import ConfigError
from rookery_protocol.tls_trust import Trust
from rookery_server.commands.analyse import run

TOKEN = "rook_secret"


@asynccontextmanager
async def answering(
    answer: bytes, context: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Answer each request with `answer`; yield the address and the requests."""
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        scheme, host = ("wss", "localhost") if context else ("ws", "127.0.0.1")
        yield f"{scheme}://{host}:{port}/engines/rookery", heard


def response(status: str, body: bytes = b"", *fields: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


async def why_not(url: str, trust: Trust | None = None) -> Exception:
    with pytest.raises((UnreachableEngineError, ConfigError)) as refused:
        async with asyncio.timeout(TIMEOUT):
            await connect(url, trust or Trust())
    return refused.value


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("429 Too Many Requests", BusyServerError),
        ("503 Service Unavailable", UnreachableEngineError),
        ("404 Not Found", ConfigError),
    ],
)
async def test_text_of_a_server_steers_no_terminal(status: str, kind: type[Exception]) -> None:
    async with answering(response(status, b"no: " + b"\x1b[2J" * 1000)) as (url, _):
        error = await why_not(url)
    assert type(error) is kind
    text = str(error)
    assert text.startswith(f"{url} cannot be reached: HTTP status {status[:3]}: no: ?[2J?[2J")
    assert text.isprintable()
    assert len(text) < 600


async def test_server_that_wants_a_token_is_an_error_with_advice() -> None:
    async with answering(response("401 Unauthorized", b"no")) as (url, _):
        assert "add --token-file" in str(await why_not(url))
        assert "add --token-file" not in str(await why_not(url, Trust(TOKEN)))


async def test_a_token_is_shown_to_no_server_that_another_names() -> None:
    async with answering(response("200 OK")) as (other, heard):
        moved = response("302 Found", b"", f"Location: {other}")
        async with answering(moved) as (url, first):
            error = await why_not(url, Trust(TOKEN))
    assert isinstance(error, ConfigError)
    assert f"leads elsewhere, to {other!r}: that is no Rookery server" in str(error)
    assert TOKEN.encode() in first[0]
    assert not heard


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("ws://", "ws:// is no address: .*; it needs wss://HOST:PORT/engines/NAME"),
        ("ws://[::1/engines/a", "is no address: Invalid IPv6 URL; it needs wss://HOST"),
        ("ws://a:99999999/engines/a", "is no address: Port out of range .*; it needs wss://HOST"),
        ("ws://a..b/engines/a", "that is no name of a machine: "),
    ],
)
async def test_wrong_address_is_an_error_with_the_right_form(url: str, text: str) -> None:
    error = await why_not(url)
    assert isinstance(error, ConfigError)
    assert re.search(text, str(error))


@pytest.mark.parametrize("proxy", ["nonsense://anna:SECRET@127.0.0.1:1", "socks5://127.0.0.1:1"])
async def test_a_proxy_that_cannot_be_used_is_an_error(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("ws_proxy", proxy)
    monkeypatch.setenv("no_proxy", "")
    error = await why_not("ws://rook.invalid/engines/a")
    assert isinstance(error, ConfigError)
    assert "the proxy that this system is set to cannot be used: " in str(error)
    assert "SECRET" not in str(error)
    assert str(error).endswith("; change it, or set NO_PROXY to the server's name")


async def test_something_that_is_no_web_server_is_an_error() -> None:
    async with answering(b"SSH-2.0-OpenSSH_9.2\r\n") as (url, _):
        error = await why_not(url)
    assert isinstance(error, ConfigError)
    assert "there is no WebSocket: " in str(error)


async def test_a_certificate_is_believed_by_its_authority_or_its_fingerprint(
    tmp_path: Path,
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    shown = authority.issue_cert("localhost")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    shown.configure_cert(context)
    der = ssl.PEM_cert_to_DER_cert(shown.cert_chain_pems[0].bytes().decode())
    async with answering(response("503 No"), context) as (url, _):
        for trust in (Trust(authority=tmp_path / "ca.pem"), Trust(pin=sha256(der).digest())):
            assert "HTTP status 503" in str(await why_not(url, trust))
        for trust in (Trust(), Trust(pin=bytes(32))):
            error = await why_not(url, trust)
            assert isinstance(error, ConfigError)
            assert str(error).endswith("; --ca or --pin say whom to trust")


@pytest.mark.parametrize(
    ("token", "arguments", "text"),
    [
        ("two words\n", [], "token needs a token and nothing else"),
        ("good", ["--pin", "12"], "--pin needs the 64 digits of a SHA-256"),
        ("good", ["--ca", "none.pem"], "--ca none.pem: No such file"),
    ],
)
def test_wrong_token_pin_or_authority_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    token: str,
    arguments: list[str],
    text: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    games = write_games(tmp_path / "games.pgn", 1, 2)
    (tmp_path / "token").write_text(token)
    remote = ["--engine", "wss://127.0.0.1:1/engines/a", "--token-file", "token"]
    with pytest.raises(ConfigError, match=text):
        run([str(games), "--nodes", "1", "--jsonl", "out.jsonl", *remote, *arguments])
