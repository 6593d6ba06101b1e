"""Analyses that are kept: what clients hear of them, with real engines over both transports."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from returning import Returning
from support import TIMEOUT, Running, add_token, hear_until, odd
from websockets.asyncio.client import ClientConnection

from rookery_engine.uci import Info, parse_reply
from rookery_server.cache.rule import CacheConfig
from rookery_server.config import Config, EngineConfig, ServerConfig, found, own_engine
from rookery_server.shares.quota import Quotas
from rookery_server.wire import Code, Hello, Notice

STOCKFISH = EngineConfig("stockfish", ("/usr/games/stockfish",))
POSITION = "position startpos moves e2e4 e7e5"
DEPTH = 9


class Client:
    """A client of either transport, that says lines and hears them."""

    def __init__(self, say: Callable[[str], object], hear: Callable[[str], object]) -> None:
        self._say, self._hear = say, hear

    async def say(self, *lines: str) -> None:
        for line in lines:
            result = self._say(line)
            if asyncio.iscoroutine(result):
                await result

    async def hear_until(self, start: str) -> list[str]:
        heard: list[str] = await self._hear(start)  # type: ignore[misc]
        return heard

    async def analyse(self, position: str = POSITION, go: str = f"go depth {DEPTH}") -> list[str]:
        """Search, and return what is heard."""
        await self.say(position, go)
        return await self.hear_until("bestmove")


@asynccontextmanager
async def over_tcp(app: Running, engine: str, token: str = "") -> AsyncIterator[Client]:
    async with app.tcp() as lines:
        lines.say(f"rookery engine {engine}" + (f" token {token}" if token else ""))
        yield Client(lines.say, lines.hear_until)


@asynccontextmanager
async def over_websocket(app: Running, engine: str, token: str = "") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with app.websocket(engine, additional_headers=headers) as connection:
        yield Client(connection.send, lambda start: hear_until(connection, start))


TRANSPORTS = {"tcp": over_tcp, "websocket": over_websocket}


def config_of(folder: Path, *engines: EngineConfig, **cache: object) -> Config:
    """Return a configuration that keeps everything, and waits for the database."""
    rule = CacheConfig(
        file=folder / "cache.sqlite", least_depth=1, least_seconds=0.0, patience=TIMEOUT
    )
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)
    return Config(engines or (STOCKFISH,), server, cache=replace(rule, **cache))  # type: ignore[arg-type]


def known(heard: list[str]) -> list[Info]:
    """Return the lines of the cache: what comes first, if it is marked so."""
    notice = Notice.parse(heard[0])
    if notice is None or notice.code is not Code.CACHED:
        assert not any("rookery cached" in line for line in heard), heard
        return []
    count = int(notice.text.split()[0])
    infos = [parse_reply(line) for line in heard[1 : 1 + count]]
    assert all(isinstance(each, Info) for each in infos)
    return infos  # type: ignore[return-value]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("engine", [STOCKFISH, own_engine()], ids=["stockfish", "rookery"])
async def test_known_position_is_told_first(
    tmp_path: Path, transport: str, engine: EngineConfig
) -> None:
    async with Running(config_of(tmp_path, found(engine))) as app:
        async with TRANSPORTS[transport](app, engine.name) as client:
            first = await client.analyse()
        async with TRANSPORTS[transport](app, engine.name) as client:
            second = await client.analyse()
    assert known(first) == []
    (line,) = known(second)
    assert line.depth == DEPTH
    assert line.multipv == 1
    assert line.score is not None
    assert (line.nodes, line.time) == (0, 0)
    searched = [parse_reply(each) for each in first if " pv " in each]
    assert (line.score, line.pv) in [(each.score, each.pv) for each in searched]  # type: ignore[union-attr]
    assert any(" depth 1 " in each for each in second[2:])  # the search itself went on
    assert sum(each.startswith("bestmove") for each in second) == 1
