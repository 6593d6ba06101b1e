"""A server with real engines, and a client of HTTP."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
from helpers.client_server import ENGINE, STOCKFISH
from helpers.support import Running, odd

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig


@pytest.fixture
def config() -> Config:
    engines = (
        EngineConfig("rookery", (ENGINE,)),
        EngineConfig("stockfish", (STOCKFISH,)),
        EngineConfig("variants", odd("variants")),
        EngineConfig("dies", odd("dies")),
    )
    return Config(engines=engines, server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0))


@pytest.fixture
async def client(app: Running) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{app.port}") as session:
        yield session
