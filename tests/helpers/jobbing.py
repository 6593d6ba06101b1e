"""Databases, positions and answers of jobs."""

import json
import random
from collections.abc import Iterable
from pathlib import Path

import chess
import sqlalchemy as sa

from rookery_server.access.account import LOCAL, Account
from rookery_server.config.resources import Quota
from rookery_server.database.database import Database
from rookery_server.database.tables import metadata
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.stored_job import GAMES, POSITIONS, JobSettings, NewJob, StoredJob
from rookery_uci import Limits

FEW = Limits(nodes=200)
MUCH = Quota(stored_jobs=10_000, stored_positions=100_000_000, stored_mb=1000)


def clear(url: str) -> None:
    """Remove all tables of a PostgreSQL database."""
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        tables = ", ".join(["alembic_version", *metadata.tables])
        connection.execute(sa.text(f"DROP TABLE IF EXISTS {tables}"))
    engine.dispose()


def empty_tables(url: str) -> None:
    """Make our tables in a database of PostgreSQL if they are not there, and empty them."""
    database = Database(url)
    with database.writing() as connection:
        connection.execute(sa.text(f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY"))
    database.close()


def file_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'cache.sqlite'}"


def fens(count: int, seed: int = 1) -> list[str]:
    """Return positions of games by chance."""
    chooser = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(60):
            if board.is_game_over():
                break
            board.push(chooser.choice(list(board.legal_moves)))
            found.append(board.fen())
    return found[:count]


def items_of(positions: Iterable[str]) -> list[str]:
    return [json.dumps({"fen": fen}) for fen in positions]


def new_job(
    account: Account = LOCAL, limits: Limits = FEW, engine: str = "rookery", **fields: object
) -> NewJob:
    options = fields.pop("options", ())
    lines = fields.pop("lines", 1)
    settings = JobSettings(limits, lines, options)  # type: ignore[arg-type]
    return NewJob(account, engine, settings, **fields)  # type: ignore[arg-type]


def put_job(url: str, inputs: list[str], new: NewJob | None = None) -> StoredJob:
    """Store a job as a server does; any server at the database may work at it."""
    store = JobStore(url)
    server = store.register_server()
    job, _ = store.create(new or new_job(), server, MUCH)
    for first in range(0, len(inputs), 1000):
        store.append(job, server, first, inputs[first : first + 1000], MUCH)
    job = store.submit(job.number, server)
    store.remove_server(server)
    store.close()
    return job


def timeless(text: str) -> object:
    """Return an answer without what depends on time."""
    document = json.loads(text)
    document.get("analysis", {}).pop("time", None)
    return document


KINDS = (POSITIONS, GAMES)
