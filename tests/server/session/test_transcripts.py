"""Whole sessions with the server, line by line: what its client and its engine hear."""

import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.returning import Link, TcpLink, WebSocketLink
from helpers.stage import Puppets, Script, transcripts
from helpers.support import DATA, Running

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig


class Client:
    """A client over either transport; it has as many connections as the transcript wants."""

    def __init__(self, server: Running, transport: str) -> None:
        self._server = server
        self._transport = transport
        self._link: Link | None = None

    async def say(self, line: str) -> None:
        if self._link is None:
            await self._connect(line)
        else:
            await self._link.send(line)

    async def _connect(self, line: str) -> None:
        if self._transport == "tcp":
            self._link = await TcpLink.open(self._server.tcp_port, line)
        else:
            self._link = await WebSocketLink.open(self._server.port, line, engine="puppet")

    async def hear(self) -> str:
        assert self._link
        try:
            return await self._link.hear()
        except ConnectionError as error:
            code = str(error).removeprefix("closed").strip()
            return f"(end {code})" if code else "(end)"

    async def undergo(self, event: str) -> None:
        assert event == "cut"
        assert self._link
        self._link.drop()
        self._link = None


@pytest.fixture
async def engines(tmp_path: Path) -> AsyncIterator[Puppets]:
    async with Puppets(tmp_path / "puppets") as puppets:
        yield puppets


@pytest.fixture
def config(config: Config, engines: Puppets) -> Config:
    command = (sys.executable, "-S", str(DATA / "puppet_engine.py"), str(engines.path))
    return replace(config, engines=(EngineConfig("puppet", command),))


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
@pytest.mark.parametrize("path", transcripts("server"), ids=lambda path: path.stem)
async def test_session_goes_as_written(
    path: Path, transport: str, app: Running, engines: Puppets
) -> None:
    client, watcher = (Client(app, transport) for _ in range(2))
    await Script(path).play(client=client, watcher=watcher, engine=engines)
