"""What several tests of the server share: engines with bad habits, and clients."""

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from rookery_server.account import Role
from rookery_server.app import App
from rookery_server.session import Session
from rookery_server.token import ID_BYTES, SECRET_BYTES, Record, Token
from rookery_server.tokens import TokenFile
from rookery_server.wire import Code, Notice

HABITS = ("polite", "deaf", "dies", "flood", "long", "latin", "lazy", "parent", "stderr")
ODD_ENGINE = Path(__file__).parent / "data" / "odd_engine.py"
TIMEOUT = 20.0  # s; far beyond what anything here takes


def odd(habit: str) -> tuple[str, ...]:
    """Return the command of an engine with that habit."""
    return (sys.executable, "-S", str(ODD_ENGINE), habit)


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

    @property
    def sessions(self) -> list[Session]:
        return [relay.session for relay in self._relays]

    def engine_pids(self) -> list[int]:
        return [relay.engine.pid for relay in self._relays]

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


def add_token(path: Path, name: str = "alice", **fields: object) -> str:
    """Make a token, put it into the file, and return it."""
    token = Token(secrets.token_hex(ID_BYTES), secrets.token_urlsafe(SECRET_BYTES))
    record = Record(token.id, name, Role.MEMBER, token.digest(), datetime.now(UTC))
    TokenFile(path).change(lambda ring: ring.with_record(replace(record, **fields)))  # type: ignore[arg-type]
    return token.reveal()


async def gone(pid: int) -> None:
    """Wait until a process is gone, and no zombie is left of it."""
    async with asyncio.timeout(TIMEOUT):
        while Path(f"/proc/{pid}").exists():
            await asyncio.sleep(0.01)


def code_of(line: str) -> Code:
    """Return the code of a notice, which the line must be."""
    notice = Notice.parse(line)
    assert notice, line
    return notice.code
