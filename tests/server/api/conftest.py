"""A server with real engines, and clients of HTTP."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from helpers.client_server import ENGINE, STOCKFISH
from helpers.project_api import Accounts, Api
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


@pytest.fixture
async def accounts(app: Running, tokens: Path) -> AsyncIterator[Accounts]:
    """Yield clients of the projects of some accounts."""
    async with aiohttp.ClientSession() as session:
        yield Accounts(app, session, tokens)


@pytest.fixture
def ann(accounts: Accounts) -> Api:
    return accounts.ann
