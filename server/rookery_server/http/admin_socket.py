"""The operator's commands over a Unix socket: each line is one in JSON, and so is its answer.

A program that can connect can give all commands of `admin`; so only programs of the socket's
owner (and root) can.
"""

import asyncio
import contextlib
import errno
import json
import logging
import os
import socket
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from rookery_protocol.errors import ConfigError, ServerError
from rookery_server.http.admin import AdminAnswers, AdminCommands
from rookery_uci import LineBuffer

logger = logging.getLogger(__name__)

SYSTEM_PLACE = Path("/run/rookery/control.sock")
_PRIVATE = 0o600
_MOST_BYTES = 107  # of the path of a socket, by unix(7)


class OccupiedError(ServerError):
    """Another server has the socket."""


def usual_places(environment: Mapping[str, str]) -> list[Path]:
    """Return the default paths of the socket: the user's, and the system's."""
    own = environment.get("XDG_RUNTIME_DIR")
    return [*([Path(own) / "rookery.sock"] if own else []), SYSTEM_PLACE]


def place_for(setting: Path | bool, environment: Mapping[str, str]) -> Path | None:
    """Return the path of a server's socket by its configuration; None if it has none."""
    if isinstance(setting, Path):
        return setting
    places = [each for each in usual_places(environment) if os.access(each.parent, os.W_OK)]
    return places[0] if setting and places else None


def no_place(environment: Mapping[str, str]) -> str:
    """Return why a server has no socket at a default path, and what to do."""
    folders = " or ".join(str(each.parent) for each in usual_places(environment))
    return f"nothing can be made in {folders}; control.socket = PATH is another place"


def check_place(path: Path) -> None:
    """Check that a server could make its socket there, or has it already.

    Raises:
        ConfigError: it could not.

    """
    where, folder = f"control.socket {path}", path.absolute().parent
    if not (os.access(folder, os.W_OK | os.X_OK) and folder.is_dir()):
        raise ConfigError(f"{where}: {folder} is no folder that you may write into")
    if len(os.fsencode(path)) > _MOST_BYTES:
        raise ConfigError(f"{where}: a socket's path has {_MOST_BYTES} bytes at most")
    if path.exists() and not path.is_socket():
        raise ConfigError(f"{where} is there already, and is no socket")


class AdminSocket:
    """The socket of a running server: `async with AdminSocket(path, commands):`."""

    def __init__(self, path: Path, commands: AdminCommands) -> None:
        self._path = path
        self._commands = commands
        self._server: asyncio.Server

    async def __aenter__(self) -> "AdminSocket":
        """Listen.

        Raises:
            OccupiedError: another server has the socket.
            ServerError: it cannot be made.

        """
        try:
            _remove_stale(self._path)
            sock = _bind(self._path)
        except OSError as error:
            raise ServerError(f"control.socket {self._path}: {error.strerror or error}") from error
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(lambda: _Operator(self._commands), sock=sock)
        logger.info("the operator's socket is %s", self._path)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop listening."""
        self._server.close()
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()


class _Operator(asyncio.Protocol):
    """A connection of the operator's: lines, and an answer to each."""

    def __init__(self, commands: AdminCommands) -> None:
        self._answers = AdminAnswers(commands, lambda answer: self._transport.write(answer))
        self._lines = LineBuffer()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass

    def data_received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._answers.add_command(bytes(line))

    def connection_lost(self, _: Exception | None) -> None:
        self._answers.close()


def send_command(path: Path, request: dict[str, object], *, patience: float) -> dict[str, object]:
    """Send a command to the server that has this socket; return its answer.

    Raises:
        ServerError: there is none, or it cannot do that.

    """
    try:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(patience)
            sock.connect(os.fspath(path))
            sock.sendall(json.dumps(request).encode() + b"\n")
            with sock.makefile("rb") as lines:
                answer = json.loads(lines.readline())
    except (OSError, ValueError) as error:
        raise ServerError(
            f"no server answers at {path}: {_why_silent(path, error)};"
            " --config FILE or --socket PATH say where another one is"
        ) from error
    if not answer["ok"]:
        raise ServerError(answer["error"])
    return cast(dict[str, object], answer)  # `AdminCommands` made it


def _why_silent(path: Path, error: Exception) -> str:
    """Return why there is no answer at a socket, and what to do."""
    match error:
        case PermissionError():
            return "only the server's user and root may ask it (sudo, for one of systemd's)"
        case FileNotFoundError():
            return "there is no such socket: start the server, or see its log for where it is"
        case ConnectionRefusedError() if path.is_socket():
            return "the server that made this socket has ended: start it again"
        case ConnectionRefusedError():
            return "that is no socket"
        case TimeoutError():
            return "it stands still, or has too much to do: see its log"
        case OSError():
            return error.strerror or str(error)
    return "what it says is no answer of such a server"


def _remove_stale(path: Path) -> None:
    """Remove a socket that a server has left behind; raise if one has it."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ServerError(f"control.socket {path} is there already, and is no socket")
    with socket.socket(socket.AF_UNIX) as sock:
        code = sock.connect_ex(os.fspath(path))
    if code != errno.ECONNREFUSED:
        raise OccupiedError(f"another server has the socket {path}; set control.socket")
    path.unlink()


def _bind(path: Path) -> socket.socket:
    """Return a socket at a path to which only its owner may connect, from the first moment."""
    sock = socket.socket(socket.AF_UNIX)
    former = os.umask(0o777 & ~_PRIVATE)
    try:
        sock.bind(os.fspath(path))
    except OSError:
        sock.close()
        raise
    finally:
        os.umask(former)
    sock.setblocking(False)
    return sock
