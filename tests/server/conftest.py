"""A server in this process, with engines that have bad habits."""

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bench.postgres import postgres
from helpers.jobbing import empty_tables, file_url
from helpers.saying import say
from helpers.support import Running, add_token, odd, session_of

from rookery_server.access.account import Keyring, Role
from rookery_server.access.token_file import TokenFile
from rookery_server.config.addresses import network_list
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import ANY_SIZE
from rookery_server.config.sections import ServerConfig
from rookery_server.database.database import Database
from rookery_server.session.session import Session


@pytest.fixture
def habits() -> tuple[str, ...]:
    """Return the habits of the server's engines; modules that need more than one say so.

    Each starts with each server, and takes 0.02 s of CPU.
    """
    return ("polite",)


@pytest.fixture
def config(habits: tuple[str, ...]) -> Config:
    engines = [EngineConfig(habit, odd(habit)) for habit in habits]
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
    alone.attach(ANY_SIZE)
    return alone


@pytest.fixture
def searching(session: Session) -> Session:
    say(session, "go infinite")
    return session


# --- a server that wants tokens


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    path = tmp_path / "tokens"
    TokenFile(path).change(lambda _: Keyring())
    return path


@pytest.fixture
def token(tokens: Path) -> str:
    return add_token(tokens)


@pytest.fixture
def closed(config: Config, tokens: Path) -> Config:
    """Return the configuration of a server that wants tokens."""
    proxies = network_list("k", ["127.0.0.3"])
    server = replace(config.server, tokens=tokens, handshake_timeout=5.0, trusted_proxies=proxies)
    return replace(config, server=server)


@pytest.fixture
async def server(closed: Config, token: str) -> AsyncIterator[Running]:
    async with Running(closed) as running:
        yield running


@pytest.fixture
def pc(tokens: Path) -> str:
    """Return the token of a machine that joins."""
    return add_token(tokens, "anna", role=Role.HOST)


# --- databases


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """Return the URL of a database of PostgreSQL with our tables, and nothing in them."""
    empty_tables(postgres_server)
    return postgres_server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of SQLite with our tables, and nothing in them."""
    folder = tmp_path_factory.mktemp("template")
    Database(file_url(folder)).close()
    (file,) = folder.iterdir()
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database with our tables, and nothing in them.

    To make the tables takes ten times as long as to copy them, or to empty them.
    """
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path)
        return file_url(tmp_path)
    found: str = request.getfixturevalue("postgres_url")
    return found
