"""Messages of `check` about addresses and ports that a server could not have."""

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.serving import SERVER
from helpers.support import TIMEOUT, odd

POLITE = f"[engines.polite]\ncommand = {list(odd('polite'))}\n"


def check(folder: Path, text: str) -> tuple[int, str, str]:
    """Check a configuration; return the status, where it listens, and its errors."""
    (folder / "rookery.toml").write_text(text)
    done = subprocess.run(
        [SERVER, "check", "--config", "rookery.toml"],
        cwd=folder, env=os.environ, capture_output=True, text=True,
        timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.partition("\n")[0], done.stderr


@pytest.fixture
def taken() -> Iterator[int]:
    """Return a port that something listens at."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.mark.parametrize(
    ("table", "name"),
    [("server", "port"), ("server", "tcp_port"), ("metrics", "port")],
)
def test_port_in_use_is_said_and_may_be_its_own(
    tmp_path: Path, taken: int, table: str, name: str
) -> None:
    ports = {"server": {"port": 0, "tcp_port": 0}, "metrics": {"port": 0}}
    ports[table][name] = taken
    text = "".join(
        f"[{each}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
        for each, keys in ports.items()
    )
    status, where, _ = check(tmp_path, text + POLITE)
    assert status == 0
    assert where.endswith(
        f", but {table}.{name} {taken} is in use: by this server, if it runs already;"
        " else choose another"
    )


def test_ports_that_are_free_are_no_news(tmp_path: Path) -> None:
    status, where, _ = check(tmp_path, f"[server]\nport = 0\ntcp_port = false\n{POLITE}")
    assert (status, where) == (0, "listens on 127.0.0.1, WebSocket 0, no TCP")


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("192.0.2.1", "is no address of this machine"),  # RFC 5737: an address of nobody
        ("no.such.invalid", "is no name that this machine knows: give an address of it"),
        ("a..b", "is no name that this machine knows"),
    ],
)
def test_address_that_a_server_cannot_have_is_refused(tmp_path: Path, host: str, why: str) -> None:
    status, _, errors = check(tmp_path, f"[metrics]\nport = 0\nhost = '{host}'\n{POLITE}")
    assert status == 2
    assert errors.startswith(f"rookery-server: metrics.host '{host}' {why}")
