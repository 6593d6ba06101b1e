"""Queries on the tables of jobs, each within a transaction of its caller."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from rookery_server.database.tables import job_claims, job_items, job_results, jobs
from rookery_server.jobs.stored_job import (
    JobSettings,
    JobStage,
    StoredAmount,
    StoredJob,
    account_of,
)

_COLUMNS = [each for each in jobs.columns if each.name != "loader"]


def select_jobs(
    connection: sa.Connection, here: sa.ColumnElement[bool], limit: int | None = None
) -> list[StoredJob]:
    """Return jobs, the newest first."""
    claims = sa.select(sa.func.count()).where(job_claims.c.job == jobs.c.number)
    freed = claims.where(job_claims.c.server.is_(None)).scalar_subquery()
    held = claims.where(job_claims.c.server.is_not(None)).scalar_subquery()
    query = sa.select(*_COLUMNS, freed.label("freed"), held.label("held")).where(here)
    query = query.order_by(jobs.c.number.desc()).limit(limit)
    return [_job_of(row._asdict()) for row in connection.execute(query)]


def stored_amount(connection: sa.Connection, account: str) -> StoredAmount:
    """Return what an account has stored, with what is being read."""
    query = sa.select(sa.func.count(), sa.func.sum(jobs.c.total), sa.func.sum(jobs.c.size))
    here = (jobs.c.account == account) & (jobs.c.stage != JobStage.DELETED)
    count, items, size = connection.execute(query.where(here)).one()
    return StoredAmount(count, int(items or 0), int(size or 0))


def _job_of(row: dict[str, Any]) -> StoredJob:
    account = account_of(row.pop("account"), row.pop("role"), row.pop("token"))
    row["settings"] = JobSettings.parse(row["settings"])
    row["stage"] = JobStage(row["stage"])
    return StoredJob(account=account, **row)


def open_items(
    connection: sa.Connection, job: int, first: int, count: int
) -> Iterator[tuple[int, str]]:
    """Yield the items of a claim that have no result."""
    table = job_items.c
    query = sa.select(table.number, table.input).where(
        (table.job == job) & table.number.between(first, first + count - 1)
    )
    known = numbers_with_result(connection, job, first, count)
    for number, text in connection.execute(query.order_by(table.number)):
        if number not in known:
            yield number, text


def numbers_with_result(connection: sa.Connection, job: int, first: int, count: int) -> set[int]:
    """Return which of so many items have a result."""
    table = job_results.c
    here = (table.job == job) & table.number.between(first, first + count - 1)
    return set(connection.execute(sa.select(table.number).where(here)).scalars())


def remove_some(connection: sa.Connection, table: sa.Table, job: int, most: int) -> int:
    """Remove the first rows of a job; return how many."""
    here = table.c.job == job
    first = connection.execute(sa.select(sa.func.min(table.c.number)).where(here)).scalar()
    if first is None:
        return 0
    some = here & (table.c.number < first + most)
    return connection.execute(sa.delete(table).where(some)).rowcount
