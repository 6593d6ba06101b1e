"""Databases of jobs: SQLite in a file, and PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.postgres import postgres
from helpers.jobbing import clear, file_url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """Return the URL of an empty database of PostgreSQL."""
    clear(postgres_server)
    return postgres_server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    if request.param == "sqlite":
        return file_url(tmp_path)
    found: str = request.getfixturevalue("postgres_url")
    return found
