"""A server in this process with real engines, and a program of a model that uses it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from helpers.client_server import engines
from helpers.mcp_client import at, model_client
from helpers.support import Running
from mcp import Client

from rookery_server.config.config import Config
from rookery_server.config.sections import CacheConfig, ServerConfig


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Running]:
    settings = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5)
    config = Config(engines(), settings, cache=CacheConfig(file=tmp_path / "jobs.sqlite"))
    async with Running(config) as running:
        yield running


@pytest.fixture
async def client(app: Running) -> AsyncIterator[Client]:
    async with model_client(at(app)) as client:
        yield client
