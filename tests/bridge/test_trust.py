"""The bridge in front of a server that wants a token, and of one that speaks TLS."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from ssl import PEM_cert_to_DER_cert

import pytest
import trustme
from helpers.certificates import certificate
from helpers.support import TIMEOUT, Running, add_token, odd

from rookery_protocol.address import Address, check_secrecy
from rookery_protocol.tls_trust import Trust, TrustError, read_pin, read_token, token_of
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig

BRIDGE = str(Path(sys.executable).with_name("rookery-bridge"))
POLITE = EngineConfig("polite", odd("polite"))


@pytest.fixture
def token(tmp_path: Path) -> str:
    result = add_token(tmp_path / "tokens")
    (tmp_path / "token").write_text(f"{result}\n")
    (tmp_path / "token").chmod(0o600)
    return result


@pytest.fixture
async def server(tmp_path: Path, token: str) -> AsyncIterator[Running]:
    config = ServerConfig(port=0, tcp_port=0, tokens=tmp_path / "tokens")
    async with Running(Config(engines=(POLITE,), server=config)) as running:
        yield running


@pytest.fixture
async def secure(tmp_path: Path) -> AsyncIterator[Running]:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    tls = certificate(tmp_path, authority, "127.0.0.1")
    server = ServerConfig(port=0, tcp_port=0)
    async with Running(Config(engines=(POLITE,), server=server, tls=tls)) as running:
        yield running


async def run(*arguments: str, token: str = "") -> tuple[int | None, list[str], str]:
    environment = dict(os.environ) | ({"ROOKERY_TOKEN": token} if token else {})
    bridge = await asyncio.create_subprocess_exec(
        BRIDGE, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment
    )
    async with asyncio.timeout(TIMEOUT):
        out, err = await bridge.communicate(b"isready\nquit\n")
    return bridge.returncode, out.decode().splitlines(), err.decode()


def both(app: Running) -> list[str]:
    ws, tcp = ("wss", "tls") if app.config.tls else ("ws", "tcp")
    return [f"{ws}://127.0.0.1:{app.port}/engines/polite", f"{tcp}://127.0.0.1:{app.tcp_port}"]


async def test_token_of_a_file_is_shown(server: Running, tmp_path: Path) -> None:
    for address in both(server):
        assert await run(address, "--token-file", str(tmp_path / "token")) == (0, ["readyok"], "")


@pytest.mark.skipif(os.name != "posix", reason="only there a file has such a mode")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
async def test_token_that_others_can_use_is_warned_of(
    server: Running, tmp_path: Path, mode: int
) -> None:
    token = tmp_path / "my token"
    (tmp_path / "token").rename(token)
    token.chmod(mode)
    status, out, errors = await run(both(server)[0], "--token-file", str(token))
    assert (status, out[-1]) == (0, "readyok")
    (warning,) = errors.splitlines()
    assert f"{mode:04o}" in warning
    assert f"chmod 600 '{token}'" in warning
    assert out[0].endswith(warning.removeprefix("rookery-bridge: "))
    bridge = await asyncio.create_subprocess_exec(
        BRIDGE, "doctor", both(server)[0], "--token-file", str(token), stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(TIMEOUT):
        _, err = await bridge.communicate()
    assert (bridge.returncode, err.decode().strip()) == (0, warning)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "ascii"])
def test_token_is_read_as_windows_writes_it(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "token").touch(0o600)
    (tmp_path / "token").write_bytes("rk_a_b\r\n".encode(encoding))
    assert read_token(tmp_path / "token", pytest.fail) == "rk_a_b"


async def test_token_of_the_environment_is_shown(server: Running, token: str) -> None:
    for address in both(server):
        assert await run(address, token=token) == (0, ["readyok"], "")


@pytest.mark.parametrize("host", ["192.0.2.1", "rook.example", "[2001:db8::1]", "127.0.0.1.x"])
def test_token_does_not_leave_the_machine_unencrypted(host: str) -> None:
    for plain, secure, path in (("ws", "wss", "/engines/polite"), ("tcp", "tls", "/polite")):
        address = Address.parse(f"{plain}://{host}:8080{path}")
        with pytest.raises(TrustError, match=rf"use {secure}:// .* or say --insecure"):
            check_secrecy(address, Trust("rk_a"))
        check_secrecy(address, Trust())
        check_secrecy(Address.parse(f"{secure}://{host}:8080{path}"), Trust("rk_a"))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "[::1]"])
def test_token_may_go_unencrypted_on_this_machine(host: str) -> None:
    check_secrecy(Address.parse(f"ws://{host}:8080/engines/polite"), Trust("rk_a"))


async def test_plain_address_with_a_token_is_refused_unless_insecure() -> None:
    status, lines, errors = await run("tcp://192.0.2.1:1", token="rk_a")
    assert status == 2
    for heard in (lines[-1], errors):  # by the GUI, and in a terminal
        assert "the token would go to 192.0.2.1 unencrypted" in heard
    status, lines, errors = await run("tcp://localhost.invalid:1", "--insecure", token="rk_a")
    assert status == 1
    assert "unencrypted" not in errors


async def test_who_has_no_token_is_told_what_to_do(server: Running) -> None:
    websocket, tcp = both(server)
    status, lines, errors = await run(websocket)
    assert status == 1
    assert "the server wants a token: put the one" in lines[-1]
    assert "--token-file FILE, or set ROOKERY_TOKEN" in errors
    status, lines, errors = await run(tcp)
    assert "the server wants a token: put the one" in lines[-1]


async def test_wrong_token_is_told_of(server: Running) -> None:
    wrong = "rk_000000000000_" + "A" * 32
    for address in both(server):
        _, lines, errors = await run(address, token=wrong)
        assert "the token is unknown, revoked or expired" in lines[0]
        assert lines[0].startswith("info string rookery-bridge: cannot reach ")
        assert wrong not in f"{lines} {errors}"


async def test_authority_is_trusted_if_it_is_named(secure: Running, tmp_path: Path) -> None:
    for address in both(secure):
        assert await run(address, "--ca", str(tmp_path / "ca.pem")) == (0, ["readyok"], "")
        status, lines, _ = await run(address)
        assert status == 1
        assert "the server is not trusted: " in lines[0]
        assert lines[0].endswith("--ca or --pin say whom to trust")


async def test_authority_is_trusted_besides_those_of_the_system(
    secure: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.pem"
    trustme.CA().cert_pem.write_to_path(str(other))
    address = both(secure)[1]
    assert (await run(address, "--ca", str(other)))[0] == 1
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    assert await run(address, "--ca", str(other)) == (0, ["readyok"], "")


async def test_certificate_is_trusted_by_its_pin(secure: Running, tmp_path: Path) -> None:
    certificate = (tmp_path / "certificate.pem").read_text()
    pin = sha256(PEM_cert_to_DER_cert(certificate)).hexdigest()
    for address in both(secure):
        assert await run(address, "--pin", pin) == (0, ["readyok"], "")
        status, lines, _ = await run(address, "--pin", "0" * 64)
        assert status == 1
        assert f"its certificate has another SHA-256 than --pin: {pin}" in lines[0]


def test_pin_reads_as_openssl_prints_it() -> None:
    pin = bytes(range(32))
    assert read_pin(pin.hex()) == pin
    assert read_pin(f"sha256 Fingerprint={pin.hex(':').upper()}") == pin
    for text in ("", "abc", pin.hex()[2:], "x" * 64):
        with pytest.raises(TrustError, match="--pin needs the 64 digits"):
            read_pin(text)


def test_token_is_one_word_of_ascii(tmp_path: Path) -> None:
    assert token_of("x", " rk_a \n") == "rk_a"
    for text in ("", "a b", "a\nb", "é", "a\0"):
        with pytest.raises(TrustError, match="x needs a token and nothing else"):
            token_of("x", text)
    with pytest.raises(TrustError, match="none: No such file or directory; it is to be"):
        read_token(tmp_path / "none", pytest.fail)
    assert "secret" not in repr(Trust("secret"))


async def test_files_that_cannot_be_used_are_usage_errors(tmp_path: Path) -> None:
    (tmp_path / "nonsense").write_text("nonsense nonsense")
    address = "wss://127.0.0.1:1/engines/polite"
    for option in ("--ca", "--token-file"):
        for file in ("nonsense", "none"):
            status, _, errors = await run(address, option, str(tmp_path / file))
            assert status == 2
            assert f"rookery-bridge: {option} " in errors
            assert "Traceback" not in errors
