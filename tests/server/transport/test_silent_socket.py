"""Nobody answers at the operator's socket: why, and what to do."""

import socket
from pathlib import Path

import pytest

from rookery_protocol.errors import ServerError
from rookery_server.http.admin_socket import send_command


def refusal(path: Path) -> str:
    with pytest.raises(ServerError) as caught:
        send_command(path, {"do": "sessions"}, patience=0.1)
    return str(caught.value)


def test_server_that_has_ended_is_told_from_one_that_never_was(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    where = f"no server answers at {path}: "
    assert refusal(path).startswith(f"{where}there is no such socket: start the server")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert refusal(path).startswith(f"{where}the server that made this socket has ended")
    path.unlink()
    path.write_text("")
    assert refusal(path).startswith(f"{where}that is no socket; --config FILE or --socket")


def test_server_that_stands_still_is_said_so(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as standing:
        standing.bind(str(tmp_path / "socket"))
        standing.listen()
        assert "it stands still, or has too much to do: see its log" in refusal(tmp_path / "socket")
