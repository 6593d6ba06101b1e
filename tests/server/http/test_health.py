"""`rookery-server health`: what a container asks its server."""

import asyncio
import socket
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
import trustme
from helpers.serving import SERVER, serving
from helpers.support import TIMEOUT, add_token


async def health(*arguments: str) -> tuple[int, str, str]:
    """Ask; return the status, and what is said of it."""
    process = await asyncio.create_subprocess_exec(
        SERVER, "health", *arguments, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(TIMEOUT):
        output, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()


@pytest.mark.parametrize(("option", "answer"), [((), "ok\n"), (("--ready",), "ready\n")])
async def test_server_that_is_well(option: tuple[str, ...], answer: str) -> None:
    async with serving() as server:
        assert await health("--port", str(server.port), *option) == (0, answer, "")


async def test_server_that_listens_everywhere_is_asked_here(tmp_path: Path) -> None:
    add_token(tmp_path / "tokens")
    path = tmp_path / "rookery.toml"
    path.write_text("[server]\nhost = '0.0.0.0'\nplain = true\ntokens = 'tokens'\n")
    async with serving("--host", "127.0.0.1", "--tokens", str(tmp_path / "tokens")) as server:
        assert await health("--config", str(path), "--port", str(server.port)) == (0, "ok\n", "")


async def test_server_with_tls(tmp_path: Path) -> None:
    certificate = trustme.CA().issue_cert("rook.example")
    certificate.private_key_pem.write_to_path(tmp_path / "key.pem")
    for blob in certificate.cert_chain_pems:
        blob.write_to_path(tmp_path / "cert.pem", append=True)
    path = tmp_path / "rookery.toml"
    path.write_text("[tls]\ncertificate = 'cert.pem'\nkey = 'key.pem'\n")
    async with serving("--config", str(path)) as server:
        assert await health("--config", str(path), "--port", str(server.port)) == (0, "ok\n", "")


async def test_no_server() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        status, output, errors = await health("--port", str(port))
    assert (status, output) == (1, "")
    assert f"no answer from 127.0.0.1:{port}" in errors


async def test_server_that_is_stuck() -> None:
    """It listens, but does not turn: an answer never comes."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        status, _, errors = await health("--port", str(silent.getsockname()[1]))
    assert status == 1
    assert "timed out" in errors


async def test_configuration_that_is_none(tmp_path: Path) -> None:
    status, _, errors = await health("--config", str(tmp_path / "none.toml"))
    assert status == 2
    assert "cannot read" in errors
