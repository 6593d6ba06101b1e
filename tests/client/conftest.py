"""A server in this process with our engine, Stockfish, and engines with habits."""

from collections.abc import AsyncIterator

import pytest
from helpers.client_server import engines
from helpers.support import Running

from rookery_server.config.config import Config
from rookery_server.config.sections import ServerConfig


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5)
    async with Running(Config(engines(), server)) as running:
        yield running
