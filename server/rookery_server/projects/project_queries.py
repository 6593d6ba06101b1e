"""Queries on the table of projects, each within a transaction of its caller."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account, Role
from rookery_server.config.resources import Quota
from rookery_server.database.database import Database, lock_account, lock_project
from rookery_server.database.tables import project_claims, projects
from rookery_server.projects.root_history import RootHistory
from rookery_server.projects.stored_project import (
    NO_BUDGET,
    VISIBLE,
    Build,
    DamageError,
    EndCause,
    NewProject,
    ProjectBudget,
    ProjectCounts,
    ProjectRoot,
    ProjectSettings,
    ProjectStage,
    StoredProject,
    decode,
    encode,
)

_OTHERS = ("claimed", "refreshed", "tree")
_COLUMNS = [each for each in projects.columns if each.name not in _OTHERS]
_COUNTERS = ("positions", "leaves", "nodes", "spent")
_NUMBERS = ("number", "tree", "draft", "created", "updated", "revision", "held")
_PLAIN = ("id", "name", "reason", *_NUMBERS, *_COUNTERS)
_ID_BYTES = 16  # of a project's id, which none can guess
# What a project has whose row cannot be read.
_NO_ROOT, _NO_SETTINGS = ProjectRoot(""), ProjectSettings(())


_held = (project_claims.c.project == projects.c.number) & project_claims.c.server.is_not(None)
# The number by which nodes and links have a project.
TREE = sa.func.coalesce(projects.c.tree, projects.c.number)
_count = sa.select(sa.func.count()).where(_held).scalar_subquery()
_SELECT = sa.select(*_COLUMNS, TREE.label("tree"), _count.label("held"))
_SELECT_ONE = _SELECT.where(projects.c.number == sa.bindparam("at"))
NEXT_REVISION = projects.c.revision + 1  # of a project that changes
_COUNT = sa.select(sa.func.count(), sa.func.sum(projects.c.positions)).where(
    (projects.c.account == sa.bindparam("whose")) & projects.c.stage.in_(VISIBLE)
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


@contextmanager
def changing(database: Database, *numbers: int) -> Iterator[sa.Connection]:
    """Begin a transaction that alone changes these projects: each writes rows that it has read.

    All are locked in the same order, so that none waits for another that waits for it.
    """
    with database.writing() as connection:
        for each in sorted(set(numbers)):
            lock_project(connection, each)
        yield connection


def insert_project(
    connection: sa.Connection,
    now: sa.ColumnElement[int],
    new: NewProject,
    quota: Quota,
    stage: ProjectStage = ProjectStage.ACTIVE,
) -> StoredProject:
    """Store a project without a tree.

    Args:
        connection: of a transaction.
        now: the time by the database.
        new: the project.
        quota: of its account.
        stage: its state.

    Raises:
        RefusedError: the account has as many projects as it may.

    """
    lock_account(connection, new.account.name)
    if (count := stored_counts(connection, new.account.name).projects) >= quota.projects:
        have = f"you have {count} projects, and may have {quota.projects}"
        raise RefusedError(Code.QUOTA_PROJECTS, f"{have}: delete one")
    found = select_project(connection, insert_row(connection, now, new, stage))
    assert found
    return found


def insert_row(
    connection: sa.Connection, now: sa.ColumnElement[int], new: NewProject, stage: ProjectStage
) -> int:
    """Store the row of a project; return its number."""
    values = {
        "id": secrets.token_hex(_ID_BYTES),
        "account": new.account.name,
        "role": str(new.account.role),
        "token": new.account.token,
        "name": new.name,
        "root": encode(new.root),
        "settings": encode(new.settings),
        "budget": encode(new.budget),
        "stage": stage,
        "created": now,
        "updated": now,
        **dict.fromkeys((*_COUNTERS, "claimed"), 0),
    }
    insert = sa.insert(projects).values(values).returning(projects.c.number)
    return int(connection.execute(insert).scalar_one())


def check_room(positions: int, room: int) -> None:
    """Raise RefusedError if a tree has more positions than it may have."""
    if positions > room:
        have = f"the tree would have {positions} positions, and may have {max(0, room)}"
        raise RefusedError(Code.QUOTA_PROJECTS, f"{have}: delete a project")


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
            "build": None,
            "stage": ProjectStage.FAILED,
            "reason": str(error),
            "cause": EndCause.DAMAGE,
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
        cause = row["cause"] and EndCause(row["cause"])
    except ValueError as error:
        raise DamageError(f"the project cannot be read: {error}") from error
    return {
        "account": Account(row["account"], role, row["token"]),
        "root": decode("the root of the project", row["root"], ProjectRoot),
        "settings": decode("the settings of the project", row["settings"], ProjectSettings),
        "budget": decode("the budget of the project", row["budget"], ProjectBudget),
        "history": decode("the history of the project", row["history"], RootHistory),
        "build": row["build"] and decode("the build of the project", row["build"], Build),
        "stage": stage,
        "cause": cause,
    }
