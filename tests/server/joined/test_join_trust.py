"""The trust of a machine that joins, and what others can see of it."""

import argparse
import json
import os
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import trustme
from helpers.joining import joining, offered, shows, url_of
from helpers.support import Running, add_token, hear_until, odd

from rookery_protocol.errors import ConfigError
from rookery_protocol.invitation import Invitation
from rookery_protocol.tls_trust import TrustError
from rookery_server.access.account import Role
from rookery_server.commands.join import _parser, config_of, server_of
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import TlsConfig
from rookery_server.join.engine_link import messages

TOKEN = "rk_000000000000_" + "x" * 32


@pytest.fixture
def closed(closed: Config, tmp_path: Path) -> Config:
    issued = trustme.CA().issue_cert("127.0.0.1")
    files = TlsConfig(tmp_path / "certificate.pem", tmp_path / "key.pem")
    files.key.write_bytes(issued.private_key_pem.bytes())
    files.certificate.write_bytes(issued.cert_chain_pems[0].bytes())
    return replace(closed, tls=files, engines=(EngineConfig("polite", odd("polite")),))


@pytest.fixture
def pin(closed: Config) -> str:
    assert closed.tls
    pem = closed.tls.certificate.read_text()
    return sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()


@pytest.fixture
async def server(closed: Config) -> AsyncIterator[Running]:
    async with Running(closed) as running:
        yield running


async def test_machine_joins_over_tls_by_pin_and_by_link(
    server: Running, tokens: Path, token: str, pin: str, closed: Config
) -> None:
    assert closed.tls
    pc = add_token(tokens, "anna", role=Role.HOST)
    link = str(Invitation("wss", "127.0.0.1", server.port, None, pc, pin))
    for arguments, shown in (((url_of(server), "--pin", pin), pc), ((link,), "")):
        async with joining(*arguments, token=shown) as machine:
            await machine.until("joined, offers odd@anna")
            await offered(server, "odd@anna")
            context = ssl.create_default_context(cafile=closed.tls.certificate)
            context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
            async with server.websocket("odd@anna", ssl=context, **shows(token)) as client:
                await client.send("go depth 1")
                assert (await hear_until(client, "bestmove"))[-1] == "bestmove e2e4"
        assert pc not in "".join(machine.said)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "the server is not trusted: "),
        (("--pin", "0" * 64), "its certificate has another SHA-256 than --pin"),
    ],
)
async def test_server_that_is_not_trusted_does_not_see_the_token(
    server: Running, arguments: tuple[str, ...], why: str
) -> None:
    async with joining(url_of(server), *arguments, token=TOKEN) as machine:
        assert await machine.ended() == 1
        assert why in machine.said[-1]


async def test_secret_of_a_link_is_not_in_what_ps_shows_if_it_comes_by_stdin() -> None:
    options = parsed("-")
    reading, writing = os.pipe()
    os.write(writing, f"{Invitation('wss', 'rook.example', 443, None, TOKEN, None)}\n".encode())
    os.close(writing)
    with os.fdopen(reading) as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", stream)
        server = server_of(options, {})
    assert (server.url, server.trust.token) == ("wss://rook.example:443", TOKEN)
    assert TOKEN not in repr(server)


@pytest.mark.skipif(os.name != "posix", reason="only there a file has such a mode")
def test_token_that_others_can_use_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    for mode in (0o640, 0o600):
        file.chmod(mode)
        server = server_of(parsed("wss://rook.example", "--token-file", str(file)), {})
        assert server.trust.token == TOKEN
    _, errors = capsys.readouterr()
    (warning,) = errors.splitlines()
    assert warning.startswith("rookery-server: note: others of this machine can use ")
    assert warning.endswith(f"(mode 0640), and with it your token: chmod 600 {file}")


def test_link_that_does_not_come_is_asked_for() -> None:
    with Path(os.devnull).open() as nothing, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", nothing)
        for text in ("", "-"):
            with pytest.raises(ConfigError, match="a link is wanted, in the command or on stdin"):
                server_of(_parser().parse_args([text] if text else []), {})


def test_end_of_input_in_a_terminal_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", end)
    with pytest.raises(ConfigError, match="a link is wanted"):
        server_of(_parser().parse_args([]), {})


def parsed(*arguments: str) -> argparse.Namespace:
    return _parser().parse_args(arguments)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://rook.example", "wss://HOST"),
        ("wss://", "wss://HOST"),
        ("wss://user:secret@rook.example", "wss://HOST"),
        ("wss://rook.example?token=x", "wss://HOST"),
        ("wss://rook.example:99999", "no address"),
        ("rookery://rook.example:1/#wss", "not whole"),
        ("'rookery://rook.example:1/#wss+token:secret+sum:0'", "not whole"),
        ("see rookery://rook.example:1/#wss+token:secret", "a link of 'rookery-server invite'"),
    ],
)
def test_address_that_is_none_is_refused_without_its_secret(address: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why) as caught:
        server_of(parsed(address), {})
    assert "secret" not in str(caught.value)
    assert "token=x" not in str(caught.value)


def test_token_does_not_leave_the_machine_in_clear() -> None:
    environment = {"ROOKERY_TOKEN": TOKEN}
    with pytest.raises(TrustError, match="unencrypted"):
        server_of(parsed("ws://rook.example"), environment)
    assert server_of(parsed("ws://127.0.0.1:8080"), environment).trust.token == TOKEN
    assert server_of(parsed("ws://rook.example", "--insecure"), environment).trust.token == TOKEN


def test_engine_that_may_use_files_is_not_offered_to_others(tmp_path: Path) -> None:
    command = json.dumps(list(odd("polite")))
    path = tmp_path / "join.toml"
    path.write_text(f"[engines.odd]\ncommand = {command}\nfiles = true\n")
    with pytest.raises(ConfigError, match=r"engines\.odd\.files lets the server read and write"):
        config_of(parsed("wss://rook.example", "--config", str(path)))


def test_budget_is_the_owners_word_and_the_command_line_is_over_it(tmp_path: Path) -> None:
    command = json.dumps(list(odd("polite")))
    path = tmp_path / "join.toml"
    path.write_text(
        f"[engines.odd]\ncommand = {command}\n[budget]\nthreads = 3\nhash_mb = 100\n"
        "[quota]\nthreads = 2\n"
    )
    config = config_of(parsed("wss://rook.example", "--config", str(path), "--threads", "5"))
    assert (config.budget.threads, config.budget.hash_mb) == (5, 100)
    quota = config.quotas.of("member", "server", 16)
    assert (quota.threads, quota.hash_mb, quota.lines_per_second) == (2, None, None)
    assert not config.cache.enabled


@pytest.mark.parametrize("sizes", [[1], [65536], [65536, 65536], [30000] * 7, [1] * 1000])
def test_messages_hold_whole_lines_and_are_no_longer_than_they_may_be(sizes: list[int]) -> None:
    lines = [b"x" * size for size in sizes]
    piece = b"".join(line + b"\n" for line in lines)
    found = list(messages(piece))
    assert b"\n".join(found).split(b"\n") == lines
    assert all(len(message) <= 65536 for message in found)


@pytest.mark.parametrize("before", [b"", b"info depth 1\n" * 3])
def test_line_that_no_message_has_room_for_is_left_out(before: bytes) -> None:
    mended = (b"\xff" * 30_000).decode(errors="replace").encode()
    found = b"\n".join(messages(before + mended + b"\nreadyok\n" + mended + b"\n"))
    assert found + b"\n" == before + b"readyok\n"
