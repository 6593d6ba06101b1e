"""Engines with bad habits and clients, for several tests of the server."""

import asyncio
import os
import resource
import secrets
import shlex
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from rookery_protocol.notices import Code, Notice
from rookery_server.access.account import ID_BYTES, SECRET_BYTES, AccessToken, Role, TokenRecord
from rookery_server.access.token_file import TokenFile
from rookery_server.app import App
from rookery_server.config.engines import Policy
from rookery_server.config.resources import ANY_SIZE, Size
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.session.session import Session
from rookery_server.session.validator import Validator
from rookery_uci import EngineIdentity

STUBBORN = ("deaf", "parent")  # they take 2 s to end, and so does a server that has them
DATA = Path(__file__).parents[1] / "data"
ODD_ENGINE = DATA / "odd_engine.py"
STOCKFISH = EngineIdentity.parse((DATA / "stockfish_15.uci").read_text().splitlines())
FAIRY = EngineIdentity.parse(
    [
        "option name Hash type spin default 16 min 1 max 1024",
        "option name UCI_Chess960 type check default false",
        "option name UCI_Variant type combo default chess"
        " var chess var crazyhouse var atomic var horde var xiangqi",
    ]
)
TIMEOUT = 40.0  # s; far beyond what anything here takes, also on a machine that stalls


def numbered() -> tuple[str, ...]:
    """Return the command of an engine that tells searches apart."""
    return (sys.executable, "-S", str(DATA / "numbered_engine.py"))


def odd(habit: str) -> tuple[str, ...]:
    """Return the command of an engine with that habit."""
    return (sys.executable, "-S", str(ODD_ENGINE), habit)


def program(path: Path, *command: str) -> Path:
    """Make a program that is this command, in the place of what is there."""
    fresh = path.with_suffix(".new")
    fresh.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n")
    fresh.chmod(0o755)
    return fresh.rename(path)


def offer_of(
    policy: Policy | None = None, ceiling: Size = ANY_SIZE, answer: EngineIdentity = STOCKFISH
) -> OfferedOptions:
    """Return what clients have of an engine, of Stockfish's if nothing else is said."""
    return OfferedOptions(answer, policy or Policy(), ceiling)


def session_of(offer: OfferedOptions | None = None) -> Session:
    """Return a new conversation."""
    return Session(Validator(offer or offer_of()))


@dataclass
class Lines:
    """A TCP client, as lines."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    async def hear(self) -> str:
        """Return the next line; "" when the server has closed."""
        async with asyncio.timeout(TIMEOUT):
            return (await self.reader.readline()).decode().rstrip("\n")

    async def hear_until(self, start: str) -> list[str]:
        """Return lines up to the first that starts so, or up to the end."""
        lines = [await self.hear()]
        while lines[-1] and not lines[-1].startswith(start):
            lines.append(await self.hear())
        return lines


class Running(App):
    """A server in this process, with ways to reach it and to look into it."""

    is_numbered = False  # whether its engine tells searches apart

    @property
    def sessions(self) -> list[Session]:
        return [actor.session for actor in self.host.actors]

    def engine_pids(self) -> list[int]:
        return [actor.flow.engine.pid for actor in self.host.actors if actor.flow.engine]

    async def one_engine(self) -> list[int]:
        """Wait until there is an engine, and return the pids of all."""
        await until(self.engine_pids)
        return self.engine_pids()

    def waiting(self) -> int:
        """Return how many bytes wait for clients that read slowly."""
        ears = [actor.flow.channel for actor in self.host.actors]
        return sum(ear.outbox.size for ear in ears if ear)

    def websocket(self, engine: str, **settings: object) -> connect:
        scheme = "wss" if self.config.tls else "ws"
        url = f"{scheme}://127.0.0.1:{self.port}/engines/{engine}"
        return connect(url, compression=None, proxy=None, **settings)  # type: ignore[arg-type]

    @asynccontextmanager
    async def tcp(self) -> AsyncIterator[Lines]:
        client = Lines(*await asyncio.open_connection("127.0.0.1", self.tcp_port))
        try:
            yield client
        finally:
            client.writer.close()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def dial(server: Running, source: str = "127.0.0.1") -> Lines:
    return Lines(
        *await asyncio.open_connection("127.0.0.1", server.tcp_port, local_addr=(source, 0))
    )


def request_for(path: str, *, method: str = "GET", host: str = "localhost", **fields: str) -> bytes:
    """Return a request that is the only one of its connection."""
    headers = {"Host": host, "Connection": "close", **fields}
    head = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join((f"{method} {path} HTTP/1.1", *head, "", "")).encode()


async def get(
    app: App, path: str, port: int | None = None, *, source: str = "127.0.0.1", **fields: str
) -> tuple[int, str]:
    """Return the status and the body of an answer."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port or app.port, local_addr=(source, 0)
    )
    writer.write(request_for(path, **fields))
    async with asyncio.timeout(TIMEOUT):
        top, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    return int(top.split()[1]), body


async def hear_until(client: ClientConnection, start: str) -> list[str]:
    """Return messages up to the first that starts so."""
    lines: list[str] = []
    async with asyncio.timeout(TIMEOUT):
        while not lines or not lines[-1].startswith(start):
            lines.append(str(await client.recv()))
    return lines


async def closing(client: ClientConnection) -> tuple[list[str], int | None]:
    """Return what is heard until the connection is closed, and the code."""
    lines = []
    async with asyncio.timeout(TIMEOUT):
        try:
            while True:
                lines.append(str(await client.recv()))
        except ConnectionClosed:
            return lines, client.close_code


def deny_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each file be another's: the tests may be root's, to whom nothing is refused."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("rookery_server.config.files._at_once", refuse)


def fill(descriptor: int) -> None:
    """Fill a pipe with empty lines, until nothing more goes in."""
    os.set_blocking(descriptor, False)
    with suppress(BlockingIOError):
        while True:
            os.write(descriptor, b"\n")
    os.set_blocking(descriptor, True)


@contextmanager
def full_disk(most: int) -> Iterator[None]:
    """Have no file of this process grow beyond so many bytes."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))


def add_token(path: Path, name: str = "alice", **fields: object) -> str:
    """Make a token, put it into the file, and return it."""
    token = AccessToken(secrets.token_hex(ID_BYTES), secrets.token_urlsafe(SECRET_BYTES))
    record = TokenRecord(token.id, name, Role.MEMBER, token.digest(), datetime.now(UTC))
    TokenFile(path).change(lambda ring: ring.updated([replace(record, **fields)]))  # type: ignore[arg-type]
    return token.reveal()


def effort(action: Callable[[], object]) -> int:
    """Return how many functions are called, which is the same on each machine."""
    calls = 0

    def note(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    former = sys.getprofile()
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(former)
    return calls


def remains(app: Running) -> dict[str, object]:
    """Return what there still is of sessions, by what it is."""
    host = app.host
    scheduler, registry, pools = host.scheduler, host._registry, host.fleet.pools.values()
    found = {
        "actors": list(host.actors),
        "slots": [*scheduler.budget, *scheduler._slots, *scheduler._undelivered],
        "tickets": [*scheduler._tickets, *scheduler._waiting],
        "rooms": [*host.rooms._by_name, *host.rooms._by_actor],
        "passes": len(registry),
        "sessions": [usage for usage in scheduler._usages.values() if usage.sessions],
        "asking": [pool.name for pool in pools if pool.waiting],
        "surplus": [pool.name for pool in pools if len(pool._coming) > pool.kept],
    }
    return {name: what for name, what in found.items() if what}


async def empty(app: Running) -> None:
    """Wait until nothing is left of any session; say what is if it stays."""
    until = asyncio.get_running_loop().time() + TIMEOUT
    while left := remains(app):
        assert asyncio.get_running_loop().time() < until, left
        await asyncio.sleep(0.01)


def ends() -> int:
    """Return how many ends of pipes and connections are open in this process.

    Files are left out: the cache and modules are opened when they are wanted first.
    """
    found = 0
    for each in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # that of the listing itself
            found += str(each.readlink()).startswith(("pipe:", "socket:"))
    return found


async def until(condition: Callable[[], object], patience: float = TIMEOUT) -> None:
    """Wait until something is true, for `patience` seconds at most."""
    async with asyncio.timeout(patience):
        while not condition():
            await asyncio.sleep(0.01)


def children(pid: int) -> list[int]:
    """Return the child processes of a process that starts them in its first thread."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def gone(pid: int) -> None:
    """Wait until a process is gone, and no zombie is left of it."""
    await until(lambda: not Path(f"/proc/{pid}").exists())


def code_of(line: str) -> Code:
    """Return the code of a notice, which the line must be."""
    notice = Notice.parse(line)
    assert notice, line
    return notice.code
