"""A server in this process, for bridges that are real processes; and a bridge in plain lines."""

from collections.abc import AsyncIterator

import pytest
from helpers.support import Running, odd
from helpers.talking import Talk

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig


@pytest.fixture
def habits() -> tuple[str, ...]:
    """Return the habits of the server's engines; modules that need more than one say so."""
    return ("polite",)


@pytest.fixture
async def app(habits: tuple[str, ...]) -> AsyncIterator[Running]:
    engines = tuple(EngineConfig(habit, odd(habit)) for habit in habits)
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5)
    async with Running(Config(engines=engines, server=server)) as running:
        yield running


@pytest.fixture
def talk() -> Talk:
    """Return a conversation of a bridge that has a server."""
    talk = Talk()
    talk.link()
    talk.heard()
    return talk


@pytest.fixture
def pair() -> Talk:
    """Return a conversation of a bridge that has a server, and an engine of this machine."""
    talk = Talk(fall_back=True)
    talk.link()
    talk.heard()
    return talk
