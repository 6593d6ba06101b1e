"""A server in this process, with engines that have bad habits."""

from collections.abc import AsyncIterator

import pytest
from saying import say
from support import HABITS, Running, odd, session_of

from rookery_server.config import Config, EngineConfig, ServerConfig
from rookery_server.sessions.session import Session


@pytest.fixture
def config() -> Config:
    engines = [EngineConfig(habit, odd(habit)) for habit in HABITS]
    missing = EngineConfig("missing", ("/no/such/program",))
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)
    return Config(engines=(*engines, missing), server=server)


@pytest.fixture
async def app(config: Config) -> AsyncIterator[Running]:
    async with Running(config) as running:
        yield running


@pytest.fixture
def alone() -> Session:
    """Return a session that has no engine yet."""
    return session_of()


@pytest.fixture
def session(alone: Session) -> Session:
    alone.attach()
    return alone


@pytest.fixture
def searching(session: Session) -> Session:
    say(session, "go infinite")
    return session
