"""Queries on the table of projects, each within a transaction of its caller."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from rookery_server.access.account import Account, Role
from rookery_server.database.tables import project_claims, projects
from rookery_server.projects.root_history import RootHistory
from rookery_server.projects.stored_project import (
    NO_BUDGET,
    DamageError,
    ProjectBudget,
    ProjectCounts,
    ProjectRoot,
    ProjectSettings,
    ProjectStage,
    StoredProject,
    decode,
)

_COLUMNS = [each for each in projects.columns if each.name not in ("claimed", "refreshed")]
_COUNTERS = ("positions", "leaves", "nodes", "spent")
_PLAIN = ("number", "id", "name", "reason", "created", "updated", "revision", "held", *_COUNTERS)
# What a project has whose row cannot be read.
_NO_ROOT, _NO_SETTINGS = ProjectRoot(""), ProjectSettings(())


_held = (project_claims.c.project == projects.c.number) & project_claims.c.server.is_not(None)
_count = sa.select(sa.func.count()).where(_held).scalar_subquery()
_SELECT = sa.select(*_COLUMNS, _count.label("held"))
_SELECT_ONE = _SELECT.where(projects.c.number == sa.bindparam("at"))
NEXT_REVISION = projects.c.revision + 1  # of a project that changes
_COUNT = sa.select(sa.func.count(), sa.func.sum(projects.c.positions)).where(
    (projects.c.account == sa.bindparam("whose")) & (projects.c.stage != ProjectStage.DELETED)
)


def select_projects(
    connection: sa.Connection, here: sa.ColumnElement[bool], limit: int | None = None
) -> list[StoredProject]:
    """Return projects, the newest first.

    One whose row is damaged has failed, whatever its state there, for that reason.
    """
    query = _SELECT.where(here).order_by(projects.c.number.desc()).limit(limit)
    return [_project_of(row._asdict()) for row in connection.execute(query)]


def select_project(connection: sa.Connection, number: int) -> StoredProject | None:
    """Return a project by its number, in any state; None if there is none."""
    row = connection.execute(_SELECT_ONE, {"at": number}).first()
    return None if row is None else _project_of(row._asdict())


def stored_counts(connection: sa.Connection, account: str) -> ProjectCounts:
    """Return how much an account has stored."""
    count, positions = connection.execute(_COUNT, {"whose": account}).one()
    return ProjectCounts(count, int(positions or 0))


def _project_of(row: dict[str, Any]) -> StoredProject:
    try:
        parsed = _parse(row)
    except DamageError as error:
        parsed = {
            "account": Account(row["account"]),
            "root": _NO_ROOT,
            "settings": _NO_SETTINGS,
            "budget": NO_BUDGET,
            "history": (),
            "stage": ProjectStage.FAILED,
            "reason": str(error),
        }
    return StoredProject(**({name: row[name] for name in _PLAIN} | parsed))


def _parse(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that are more than a number or a text.

    Raises:
        DamageError: one of them is damaged.

    """
    for name in _COUNTERS:
        if row[name] < 0:
            raise DamageError(f"{name} is {row[name]}, which is negative")
    try:
        role, stage = Role(row["role"]), ProjectStage(row["stage"])
    except ValueError as error:
        raise DamageError(f"the project cannot be read: {error}") from error
    return {
        "account": Account(row["account"], role, row["token"]),
        "root": decode("the root of the project", row["root"], ProjectRoot),
        "settings": decode("the settings of the project", row["settings"], ProjectSettings),
        "budget": decode("the budget of the project", row["budget"], ProjectBudget),
        "history": decode("the history of the project", row["history"], RootHistory),
        "stage": stage,
    }
