"""Files that have no end, or that somebody would have to write first, hold nothing up."""

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from helpers.support import TIMEOUT, Running, add_token

from rookery_protocol.errors import ServerError
from rookery_server.access.tls import TlsContext
from rookery_server.access.token_file import TokenFile
from rookery_server.config import config as configuration
from rookery_server.config.config import Config, Overrides
from rookery_server.config.files import contents
from rookery_server.config.sections import RayConfig, TlsConfig
from rookery_server.lichess_broker.registrations import EngineRegistry


def pipe(path: Path) -> Path:
    os.mkfifo(path, 0o600)
    return path


def zeros(path: Path) -> Path:
    path.symlink_to("/dev/zero")
    return path


def terminal(path: Path) -> Path:
    path.symlink_to("/dev/ptmx")
    return path


def listener(path: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(path))
    return path


def huge(path: Path) -> Path:
    with path.open("wb") as file:
        file.truncate(1 << 40)  # It takes no room.
    path.chmod(0o600)
    return path


UNFIT = [pipe, zeros, terminal, listener, huge]
Make = Callable[[Path], Path]


@pytest.fixture
def tls(tmp_path: Path) -> TlsConfig:
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    files = TlsConfig(tmp_path / "cert.pem", tmp_path / "key.pem", tmp_path / "ca.pem")
    assert files.client_ca
    issued.cert_chain_pems[0].write_to_path(str(files.certificate))
    issued.private_key_pem.write_to_path(str(files.key))
    authority.cert_pem.write_to_path(str(files.client_ca))
    return files


@pytest.mark.timeout(20)
@pytest.mark.parametrize("make", UNFIT)
def test_every_file_of_the_operators_is_a_regular_one(
    make: Make, tmp_path: Path, tls: TlsConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error says which one is not, and nothing is waited for."""
    bad = make(tmp_path / "bad")
    monkeypatch.setattr("rookery_server.config.sections.find_spec", lambda _: object())
    reads: list[Callable[[], object]] = [
        lambda: configuration.load(bad, Overrides()),
        TokenFile(bad).read,
        lambda: TlsContext(replace(tls, certificate=bad)),
        lambda: TlsContext(replace(tls, key=bad)),
        lambda: TlsContext(replace(tls, client_ca=bad)),
        RayConfig("127.0.0.1:1", bad, "127.0.0.1").check_usable,
        lambda: EngineRegistry(bad),
    ]
    for read in reads:
        with pytest.raises(ServerError, match=str(bad)):
            read()


def test_links_are_followed_and_folders_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")  # as Kubernetes mounts secrets
    assert contents("k", tmp_path / "link", 4).data == b"text"
    with pytest.raises(ServerError, match=r"k: .*link has more than 3 bytes"):
        contents("k", tmp_path / "link", 3)
    with pytest.raises(IsADirectoryError):
        contents("k", tmp_path)
    with pytest.raises(FileNotFoundError):
        contents("k", tmp_path / "none")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("make", [pipe, zeros])
async def test_running_server_goes_on_with_what_it_has(
    make: Make, config: Config, tls: TlsConfig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """At SIGHUP it reads all of them, and its sessions must not wait for it."""
    tokens = tmp_path / "tokens"
    add_token(tokens)
    own = replace(tls, client_ca=None)
    server = replace(config.server, tokens=tokens)
    async with Running(replace(config, server=server, tls=own)) as app:
        for path in (tokens, own.certificate, own.key):
            path.unlink()
            make(path)
        began = asyncio.get_running_loop().time()
        app.reload()
        assert asyncio.get_running_loop().time() - began < TIMEOUT / 4
        assert "the tokens are as before: " in caplog.text
        assert "the certificate is as before: " in caplog.text
        assert app._policy._login.watcher
        assert len(app._policy._login.watcher.keyring) == 1
