"""Trees that are built of others or of lines, in the database: they are begun, go on, and end."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import msgspec
import sqlalchemy as sa

from rookery_protocol.errors import RefusedError
from rookery_server.config.resources import Quota
from rookery_server.database.database import Database
from rookery_server.database.tables import project_claims, projects
from rookery_server.growth.merging import rank_of_root
from rookery_server.growth.node import ROOT
from rookery_server.growth.steering import add_line
from rookery_server.projects.project_queries import (
    NEXT_REVISION,
    changing,
    check_room,
    insert_project,
    insert_row,
    select_project,
    select_projects,
    stored_counts,
)
from rookery_server.projects.root_history import with_root
from rookery_server.projects.stored_project import (
    STEERABLE,
    Build,
    BuildStep,
    DamageError,
    NewProject,
    ProjectStage,
    StoredProject,
    encode,
)
from rookery_server.projects.tree_build import TreeBuild
from rookery_server.projects.tree_growth import TreeGrowth, damage_told
from rookery_server.projects.tree_store import TreeReader, TreeStore

MOST_MOVES = 100  # of lines that one transaction adds, so that others need not wait
Lines = Sequence[Sequence[str]]  # of moves


class ProjectBuilds:
    """The builds of one database.  All calls block, as those of `ProjectStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin_merge(self, target: int, other: int) -> bool:
        """Begin to add another tree to a tree; return False if one of both cannot be used now.

        Raises:
            ForeignTreeError: the root of the other is no position of the tree.
            StoreError: the database cannot be used, or a tree is damaged.

        """
        with changing(self._database, target) as connection:
            found, source = (select_project(connection, each) for each in (target, other))
            if not _can_build(found) or not _can_build(source):
                return False
            assert found
            assert source
            with damage_told():
                tree = TreeStore(connection, found.tree, found.positions)
                rank_of_root(tree, TreeReader(connection, source.tree))
            build = Build(
                source=source.number,
                bound=source.positions,
                step=BuildStep.OWN,
                after=found.stage,
                total=2 * found.positions + 3 * source.positions,
            )
            self._begin_draft(connection, found, build)
        return True

    def begin_import(self, target: int, lines: Lines) -> bool:
        """Begin to add lines to a tree; return False if that cannot be now.

        Raises:
            StoreError: the database cannot be used.

        """
        with changing(self._database, target) as connection:
            found = select_project(connection, target)
            if not _can_build(found):
                return False
            assert found
            self.begin_lines(connection, found, lines)
        return True

    def begin_lines(
        self,
        connection: sa.Connection,
        project: StoredProject,
        lines: Lines,
        *,
        is_new: bool = False,
    ) -> None:
        """Have a project wait for lines, within a transaction that has locked it.

        Args:
            connection: of the transaction.
            project: the project.
            lines: from its root on, which can be played.
            is_new: it is removed if it cannot have them all.

        """
        build = Build(
            step=BuildStep.LINES,
            after=project.stage,
            total=sum(map(len, lines)),
            is_new=is_new,
            lines=tuple(map(tuple, lines)),
        )
        self._begin(connection, project, build)

    def begin_copy(
        self, source: StoredProject, number: int, new: NewProject, quota: Quota
    ) -> StoredProject:
        """Store a project that is to have a node of another one as its root, and what is below.

        It is paused when it has its tree.

        Args:
            source: the other project.
            number: of its node.
            new: the project, with the position of the node as its root.
            quota: of the account of both.

        Raises:
            RefusedError: the account has as many projects as it may.
            StoreError: the database cannot be used, or the tree is damaged.

        """
        now = self._database.now
        with self._database.writing() as connection:
            node = TreeReader(connection, source.tree).node(number)
            stage = ProjectStage.PAUSED
            copied = insert_project(connection, now, new, quota, stage)
            copied = TreeGrowth(connection, copied, copied.created).save()
            build = Build(
                source=source.number,
                bound=source.positions,
                step=BuildStep.CHILDREN,
                after=stage,
                total=2 * node.size,
                is_new=True,
                node=number,
            )
            self._begin_draft(connection, copied, build)
            found = select_project(connection, copied.number)
            assert found
            return found

    def building(self) -> list[StoredProject]:
        """Return the projects whose trees are built; those among them that are damaged fail."""
        is_building = projects.c.stage == ProjectStage.BUILDING
        with self._database.reading() as connection:
            found = select_projects(connection, is_building)
        damaged = [each for each in found if each.stage is ProjectStage.FAILED]
        for each in damaged:
            with changing(self._database, each.number) as connection:
                self._change(
                    connection, each, is_building, stage=each.stage, reason=each.reason,
                    cause=each.cause, draft=None, build=None,
                )  # fmt: skip
        return [each for each in found if each not in damaged]

    def advance(self, project: int, quota: Quota) -> bool:
        """Do a portion; return whether there are more.

        Raises:
            RefusedError: the account would have more positions than it may; the build has ended.
            StoreError: the database cannot be used.  If it is a `DamageError`, the build has ended.

        """
        try:
            with changing(self._database, project) as connection:
                return self._advance(connection, project, quota)
        except (RefusedError, DamageError):
            self._give_up(project)
            raise

    def give_drafts_up(self, connection: sa.Connection) -> None:
        """Have the drafts removed whose projects are not building any more."""
        others = projects.alias().c
        building = others.stage == ProjectStage.BUILDING
        is_used = sa.exists().where(
            (building & (others.draft == projects.c.number)) | (others.tree == projects.c.number)
        )
        here = (projects.c.stage == ProjectStage.DRAFT) & ~is_used
        connection.execute(sa.update(projects).where(here).values(stage=ProjectStage.DELETED))

    def remove_row(self, connection: sa.Connection, number: int) -> None:
        """Remove the row of a project without a tree, or keep its number for the tree of another.

        SQLite would give the number to the next project.
        """
        here = projects.c.number == number
        used = sa.select(projects.c.number).where(projects.c.tree == number).limit(1)
        if connection.execute(used).first() is None:
            connection.execute(sa.delete(projects).where(here))
        else:
            kept = sa.update(projects).where(here)
            connection.execute(kept.values(stage=ProjectStage.DRAFT, tree=None))

    def _begin_draft(self, connection: sa.Connection, project: StoredProject, build: Build) -> None:
        """Have a project wait for another tree."""
        like = NewProject(project.account, "", project.root, project.settings)
        draft = insert_row(connection, self._database.now, like, ProjectStage.DRAFT)
        self._begin(connection, project, build, draft)

    def _begin(
        self,
        connection: sa.Connection,
        project: StoredProject,
        build: Build,
        draft: int | None = None,
    ) -> None:
        """Have a project wait for its tree; what is searched for it is searched again then."""
        self._change(
            connection, project, stage=ProjectStage.BUILDING, draft=draft, build=encode(build)
        )
        mine = project_claims.c.project == project.number
        connection.execute(sa.update(project_claims).where(mine).values(server=None))

    def _advance(self, connection: sa.Connection, number: int, quota: Quota) -> bool:
        found = select_project(connection, number)
        if found is None or found.stage is not ProjectStage.BUILDING:
            return False
        assert found.build
        if found.build.step is BuildStep.LINES:
            return self._add_lines(connection, found, found.build, quota)
        assert found.build.source
        source = select_project(connection, found.build.source)
        if source is None or source.stage is ProjectStage.DELETED:
            raise DamageError("the other project was deleted")
        with damage_told():
            portion = TreeBuild(connection, found, source)
            build = portion.advance()
        stored = stored_counts(connection, found.account.name).positions
        check_room(build.last, quota.project_nodes - stored + found.positions)
        if build.step is not BuildStep.DONE:
            self._change(connection, found, build=encode(build))
            return True
        now = connection.execute(sa.select(self._database.now)).scalar_one()
        history = with_root(found.history, portion.store.node(ROOT), now)
        self._change(
            connection, found, stage=build.after, positions=build.last, tree=found.draft,
            draft=None, build=None, history=encode(history), reason=None, cause=None,
        )  # fmt: skip
        former = sa.update(projects).where(projects.c.number == found.draft)
        connection.execute(former.values(tree=found.tree, stage=ProjectStage.DELETED))
        return False

    def _add_lines(
        self, connection: sa.Connection, project: StoredProject, build: Build, quota: Quota
    ) -> bool:
        """Add some lines to the tree itself; return whether there are more."""
        now = connection.execute(sa.select(self._database.now)).scalar_one()
        count = _count_fitting(build.lines, MOST_MOVES)
        some, others = build.lines[:count], build.lines[count:]
        with damage_told():
            growth = TreeGrowth(connection, project, now)
            for line in some:
                add_line(growth.tree, line)
        check_room(growth.store.last, growth.room(quota))
        growth.save()
        if not others:
            self._change(connection, project, stage=build.after, build=None)
            return False
        done = build.done + sum(map(len, some))
        rest = msgspec.structs.replace(build, lines=others, done=done)
        self._change(connection, project, build=encode(rest))
        return True

    def _give_up(self, number: int) -> None:
        """Have a project go on with the tree that it has; a new one is removed."""
        with changing(self._database, number) as connection:
            found = select_project(connection, number)
            if found and found.stage is ProjectStage.BUILDING and found.build:
                stage = ProjectStage.DELETED if found.build.is_new else found.build.after
                self._change(connection, found, stage=stage, draft=None, build=None)

    def _change(
        self,
        connection: sa.Connection,
        project: StoredProject,
        here: sa.ColumnElement[bool] | None = None,
        **values: object,
    ) -> None:
        common: dict[str, Any] = {"updated": self._database.now, "revision": NEXT_REVISION}
        change = sa.update(projects).where(projects.c.number == project.number)
        change = change if here is None else change.where(here)
        connection.execute(change.values(common | values))


def _can_build(project: StoredProject | None) -> bool:
    return project is not None and project.stage in STEERABLE


def _count_fitting(lines: Lines, most: int) -> int:
    """Return how many of the first lines have so many moves in all; one, if that is longer."""
    return max(1, sum(count <= most for count in accumulate(map(len, lines))))
