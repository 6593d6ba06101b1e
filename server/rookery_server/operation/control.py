"""What the operator tells a running server, over a Unix socket that is only his.

Each line is a JSON object, and so is each answer:

    {"do": "sessions"}            {"ok": true, "sessions": [{"session": 7, ...}, ...]}
    {"do": "end", "session": 7}   {"ok": true}
    {"do": "drain"}               {"ok": true}
    anything else                 {"ok": false, "error": "..."}

Who may connect may do all of it; so nobody but the owner of the socket (and root) may.
"""

import asyncio
import contextlib
import errno
import json
import logging
import os
import socket
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from rookery_engine.uci import LineBuffer
from rookery_server.errors import ServerError
from rookery_server.sessions.audience import Audience
from rookery_server.sessions.host import Host
from rookery_server.sessions.relay import Relay
from rookery_server.wire import OWNER, Close, Code

logger = logging.getLogger(__name__)

SYSTEM_PLACE = Path("/run/rookery/control.sock")
_PRIVATE = 0o600


class OccupiedError(ServerError):
    """Another server has the socket."""


def usual_places(environment: Mapping[str, str]) -> list[Path]:
    """Return where the socket is if nothing else is said: the user's place, the system's."""
    own = environment.get("XDG_RUNTIME_DIR")
    return [*([Path(own) / "rookery.sock"] if own else []), SYSTEM_PLACE]


def place_for(setting: Path | bool, environment: Mapping[str, str]) -> Path | None:
    """Return where a server makes its socket, by what the configuration says."""
    if isinstance(setting, Path):
        return setting
    places = [each for each in usual_places(environment) if os.access(each.parent, os.W_OK)]
    return places[0] if setting and places else None


class Control:
    """The socket of a running server: `async with Control(path, host, drain):`."""

    def __init__(self, path: Path, host: Host, drain: Callable[[], None]) -> None:
        self._path = path
        self._host = host
        self._drain = drain
        self._server: asyncio.Server

    async def __aenter__(self) -> "Control":
        """Listen.

        Raises:
            OccupiedError: another server has the socket.
            ServerError: it cannot be made.

        """
        try:
            _remove_stale(self._path)
            sock = _bind(self._path)
        except OSError as error:
            raise ServerError(f"control.socket {self._path}: {error.strerror}") from error
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(lambda: _Operator(self._answer), sock=sock)
        logger.info("the operator's socket is %s", self._path)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Listen no more."""
        self._server.close()
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

    def _answer(self, request: object) -> dict[str, object]:
        match request:
            case {"do": "sessions"}:
                return {"ok": True, "sessions": self._sessions()}
            case {"do": "end", "session": int(number)}:
                return self._end(number)
            case {"do": "drain"}:
                logger.info("the operator has the server drained")
                self._drain()
                return {"ok": True}
        return _error("this wants 'do' with 'sessions', 'end' and a 'session', or 'drain'")

    def _sessions(self) -> list[dict[str, object]]:
        now = asyncio.get_running_loop().time()
        relays = sorted(self._host.relays, key=lambda relay: relay.number)
        return [_describe(relay, now) | _room(self._host.rooms.of(relay), now) for relay in relays]

    def _end(self, number: int) -> dict[str, object]:
        for relay in self._host.relays:
            if relay.number == number:
                logger.info("session %d is ended by the operator", number)
                relay.close(Close.POLICY, Code.ENDED, "the operator has ended the session")
                return {"ok": True}
        return _error(f"there is no session {number}")


class _Operator(asyncio.Protocol):
    """One connection of the operator's: lines, and an answer to each."""

    def __init__(self, answer: Callable[[object], dict[str, object]]) -> None:
        self._answer = answer
        self._lines = LineBuffer()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass

    def data_received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            try:
                answer = self._answer(json.loads(line))
            except (ValueError, RecursionError) as error:
                answer = _error(f"this is no JSON: {error}")
            self._transport.write(json.dumps(answer).encode() + b"\n")


def ask(path: Path, request: dict[str, object], *, patience: float) -> dict[str, object]:
    """Ask the server that has this socket; return its answer.

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
        raise ServerError(f"no server answers at {path}: {error}") from error
    if not answer["ok"]:
        raise ServerError(answer["error"])
    return cast(dict[str, object], answer)  # _answer made it


def _describe(relay: Relay, now: float) -> dict[str, object]:
    return {
        "session": relay.number,
        "account": relay.account.name,
        "engine": relay.engine_name,
        "state": relay.session.state.name.lower() if relay.client else "detached",
        "address": relay.client.address if relay.client else None,
        "seconds": round(now - relay.totals.began, 1),
        "idle_seconds": round(now - relay.idle_since, 1),
        "lines_heard": relay.lines_heard,
        "searches": relay.totals.searches,
    }


def _room(audience: Audience | None, now: float) -> dict[str, object]:
    """Describe who watches a session; None is that nobody may."""
    if audience is None:
        return {"watching": None}
    spectators = [
        {
            "id": id_,
            "account": each.account.name,
            "address": each.client.address,
            "seconds": round(now - each.began, 1),
        }
        for id_, each in audience.room.watchers.items()
    ]
    control = audience.room.control or OWNER
    return {"watching": len(spectators), "control": control, "spectators": spectators}


def _error(text: str) -> dict[str, object]:
    return {"ok": False, "error": text}


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
    """Return a socket at a path that only its owner may connect to, from the first moment."""
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
