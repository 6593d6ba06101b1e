"""`rookery-server join --check`: each thing that keeps a machine from joining is named."""

import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import trustme
from bench.child import free_port
from helpers.joining import joining, url_of
from helpers.support import Running, add_token

from rookery_server.access.account import Role
from rookery_server.config.config import Config
from rookery_server.config.sections import TlsConfig

WRONG = "WRONG  "


@pytest.fixture
async def server(closed: Config) -> AsyncIterator[Running]:
    async with Running(closed) as running:
        yield running


async def checked(url: str, *arguments: str, token: str = "") -> tuple[int, list[str]]:
    """Return its status, and what it says."""
    async with joining(url, "--check", *arguments, token=token) as machine:
        status = await machine.ended()
        return status, [line.rstrip() for line in machine.said]


def wrong(said: list[str]) -> list[str]:
    return [line.removeprefix(WRONG) for line in said if line.startswith(WRONG)]


async def test_all_is_well_and_nothing_is_joined(server: Running, tokens: Path) -> None:
    pc = add_token(tokens, "anna", role=Role.HOST)
    status, said = await checked(url_of(server), token=pc)
    assert status == 0, said
    assert [line.split(":")[0] for line in said[:-1]] == [
        "ok     name",
        f"ok     port {server.port}",
        "ok     server",
        "ok     engine odd",
        "ok     budget",
    ]
    assert said[-1] == "all is well"
    assert pc not in "".join(said)
    assert "odd@anna" not in server.host.fleet.joined.pools


async def test_token_of_a_player_is_named_and_so_is_what_to_do(server: Running, token: str) -> None:
    status, said = await checked(url_of(server), token=token)
    assert status == 1
    (line,) = wrong(said)
    assert line.startswith("server: HTTP status 401: unauthorized: ")
    assert "'--role host'" in line
    assert "rookery-server invite --role host" in line


async def test_unknown_token(server: Running) -> None:
    status, said = await checked(url_of(server), token="rk_000000000000_" + "x" * 32)
    assert status == 1
    assert wrong(said)[0].startswith("server: HTTP status 401: unauthorized: the token")


async def test_engine_that_does_not_answer_is_named_beside_one_that_does(
    server: Running, tokens: Path
) -> None:
    pc = add_token(tokens, "anna", role=Role.HOST)
    engines = ("--engine", "mute=/bin/false", "--engine", "fish=/usr/games/stockfish")
    status, said = await checked(url_of(server), *engines, token=pc)
    assert status == 1
    (line,) = wrong(said)
    assert line.startswith("engine mute: ")
    assert any(each.startswith("ok     engine fish: answers") for each in said)


async def test_unknown_host_and_closed_port_are_told_apart_and_engines_looked_at_all_the_same() -> (
    None
):
    for url, what in (
        ("ws://no-such-host.invalid", "name: no-such-host.invalid"),
        (f"ws://127.0.0.1:{free_port()}", "port "),
    ):
        status, said = await checked(url)
        assert status == 1
        assert wrong(said)[0].startswith(what)
        assert any(each.startswith("ok     engine odd") for each in said)


async def test_silent_port_is_left_after_a_while() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        status, said = await checked(f"wss://127.0.0.1:{port}")
    assert status == 1
    assert wrong(said) == ["TLS: no answer within 5 s: does that port speak TLS?"]


async def test_something_else_answers(server: Running) -> None:
    status, said = await checked(f"ws://127.0.0.1:{server.tcp_port}")
    assert status == 1
    assert wrong(said)[0].startswith("server: ")
    _, said = await checked(f"wss://127.0.0.1:{server.tcp_port}")
    assert wrong(said)[0].startswith("TLS: the server does not speak TLS on that port: ")


async def test_certificate_and_its_absence(closed: Config, tokens: Path, tmp_path: Path) -> None:
    issued = trustme.CA().issue_cert("127.0.0.1")
    files = TlsConfig(tmp_path / "certificate.pem", tmp_path / "key.pem")
    files.key.write_bytes(issued.private_key_pem.bytes())
    files.certificate.write_bytes(issued.cert_chain_pems[0].bytes())
    pc = add_token(tokens, "anna", role=Role.HOST)
    async with Running(replace(closed, tls=files)) as server:
        _, said = await checked(url_of(server), token=pc)
        assert "--ca or --pin say whom to trust" in wrong(said)[0]
        _, said = await checked(url_of(server), "--pin", "0" * 64, token=pc)
        assert "has another SHA-256 than --pin" in wrong(said)[0]
        pin = ssl.PEM_cert_to_DER_cert(issued.cert_chain_pems[0].bytes().decode())
        status, said = await checked(url_of(server), "--pin", sha256(pin).hexdigest(), token=pc)
        assert status == 0, said
        assert any("the server is known by its fingerprint" in line for line in said)
        _, said = await checked(f"ws://127.0.0.1:{server.port}", token=pc)
        assert wrong(said)[0].startswith("server: there is no WebSocket")


async def test_machines_that_are_not_wanted(closed: Config, tokens: Path) -> None:
    pc = add_token(tokens, "anna", role=Role.HOST)
    async with Running(replace(closed, machines=replace(closed.machines, enabled=False))) as server:
        status, said = await checked(url_of(server), token=pc)
    assert status == 1
    assert "no machine may join this server" in wrong(said)[0]


async def test_way_over_a_proxy_is_not_looked_at_from_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://ben:secret@127.0.0.1:{free_port()}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    status, said = await checked("wss://rook.example")
    assert status == 1
    assert said[0].startswith("ok     proxy: the way is over 127.0.0.1:")
    assert wrong(said)[0].startswith("server: ")
    assert "secret" not in "".join(said)
