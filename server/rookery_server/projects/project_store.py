"""The projects in the database.  All calls block, and belong to one thread.

Several servers may grow one project.  Each claims leaves of its tree; the claims of a server that
is silent for long, or is known to have ended, are free.  The tree itself is in `tree_store`.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import sqlalchemy as sa

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.config.resources import Quota
from rookery_server.database.database import Database, lock_account, lock_project
from rookery_server.database.server_register import OwnClaims, ServerRegister
from rookery_server.database.tables import (
    project_claims,
    project_links,
    project_nodes,
    projects,
)
from rookery_server.growth.expansion import Project
from rookery_server.growth.merging import copy_subtree
from rookery_server.growth.node import Node
from rookery_server.growth.steering import add_line
from rookery_server.projects.project_queries import (
    NEXT_REVISION,
    select_project,
    select_projects,
    stored_counts,
)
from rookery_server.projects.stored_project import (
    VISIBLE,
    DamageError,
    NewProject,
    ProjectBudget,
    ProjectSettings,
    ProjectStage,
    StoredProject,
    encode,
)
from rookery_server.projects.tree_growth import (
    FROM_THE_BEGINNING,
    Claim,
    FinishedSearch,
    Growth,
    TreeGrowth,
    damage_told,
)
from rookery_server.projects.tree_store import TreeReader, TreeStore, select_roots

T = TypeVar("T")
ID_BYTES = 16  # of a project's id, which none can guess
PURGED = 2000  # nodes that are removed at once, so that others need not wait
LISTED = 1000  # projects, the newest ones
WORK = "projects"  # as the register of servers calls it


class ProjectStore:
    """The tables of projects; `close` it."""

    def __init__(self, url: str, own: OwnClaims | None = None) -> None:
        """Open the database.

        Args:
            url: of the database.
            own: what this process knows that it has begun there, also by another `ProjectStore`.

        Raises:
            StoreError: it cannot be used.

        """
        self._own = own or OwnClaims()
        self._database = Database(url, is_durable=True)
        self._register = ServerRegister(self._database, WORK, project_claims, self._own)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    # --- servers

    def register_server(self) -> int:
        """Enter this run of the server; return its number."""
        with self._database.writing() as connection:
            return self._register.enter(connection)

    def show_server(self, server: int, now: float) -> tuple[bool, int]:
        """Record that this server is there, and free what was begun by others that are not.

        Args:
            server: this one.
            now: s of this process's clock.

        Returns:
            False if this server itself was given up; and how many others there are.

        """
        with self._database.writing() as connection:
            found = self._register.show_presence(connection, server, now)
        return found.is_known, found.others

    def remove_server(self, server: int) -> None:
        """Free what this server has begun: it ends."""
        with self._database.writing() as connection:
            self._register.remove(connection, [server])

    # --- projects for their accounts

    def create(
        self, new: NewProject, quota: Quota, lines: Sequence[Sequence[str]] = ()
    ) -> StoredProject:
        """Store a project with its root, and with lines from there that are searched first.

        Raises:
            RefusedError: the account has as many projects or positions as it may.

        """
        with self._database.writing() as connection:
            project = self._insert(connection, new, quota, ProjectStage.ACTIVE)
            growth = TreeGrowth(connection, project, project.created)
            for line in lines:
                add_line(growth.tree, line)
            _check_room(growth.store.last, growth.room(quota))
            return growth.save()

    def copy(
        self, source: StoredProject, number: int, new: NewProject, quota: Quota
    ) -> StoredProject:
        """Store a project that has a node of another one as its root, and what is below.

        It is paused.

        Args:
            source: the other project.
            number: of its node.
            new: the project, with the position of the node as its root.
            quota: of the account of both.

        Raises:
            RefusedError: the account has as many projects or positions as it may.
            StoreError: the database cannot be used, or the tree is damaged.

        """
        with self._failing(source.number), self._database.writing() as connection:
            copied = self._insert(connection, new, quota, ProjectStage.PAUSED)
            lock_project(connection, source.number)
            tree = TreeStore(connection, copied.number, 0)
            with damage_told():
                growth = new.settings.growth
                copy_subtree(TreeReader(connection, source.number), number, tree, growth)
            tree.flush()
            have = stored_counts(connection, new.account.name).positions
            _check_room(tree.last, quota.project_nodes - have)
            here = projects.c.number == copied.number
            connection.execute(sa.update(projects).where(here).values(positions=tree.last))
        return replace(copied, positions=tree.last)

    def _insert(
        self, connection: sa.Connection, new: NewProject, quota: Quota, stage: ProjectStage
    ) -> StoredProject:
        """Store a project without a tree.

        Raises:
            RefusedError: the account has as many as it may.

        """
        values = {
            "id": secrets.token_hex(ID_BYTES),
            "account": new.account.name,
            "role": str(new.account.role),
            "token": new.account.token,
            "name": new.name,
            "root": encode(new.root),
            "settings": encode(new.settings),
            "budget": encode(new.budget),
            "stage": stage,
            "created": self._database.now,
            "updated": self._database.now,
            **dict.fromkeys(_COUNTERS, 0),
        }
        lock_account(connection, new.account.name)
        if (count := stored_counts(connection, new.account.name).projects) >= quota.projects:
            have = f"you have {count} projects, and may have {quota.projects}"
            raise RefusedError(Code.QUOTA_PROJECTS, f"{have}: delete one")
        insert = sa.insert(projects).values(values).returning(projects.c.number)
        number = connection.execute(insert).scalar_one()
        (found,) = select_projects(connection, projects.c.number == number)
        return found

    def projects_of(self, account: str, limit: int = LISTED) -> list[StoredProject]:
        """Return the newest projects of an account."""
        here = (projects.c.account == account) & projects.c.stage.in_(VISIBLE)
        with self._database.reading() as connection:
            return select_projects(connection, here, limit)

    def project_of(self, account: str, id_: str) -> StoredProject | None:
        """Return a project of an account; None if it has none of that id."""
        mine = (projects.c.account == account) & (projects.c.id == id_)
        with self._database.reading() as connection:
            found = select_projects(connection, mine & projects.c.stage.in_(VISIBLE))
        return next(iter(found), None)

    def roots_of(self, numbers: Sequence[int]) -> dict[int, Node]:
        """Return the roots of trees by the numbers of their projects; without damaged ones."""
        with self._database.reading() as connection:
            return select_roots(connection, numbers)

    def states(self) -> dict[str, int]:
        """Return how many projects there are of each state."""
        query = sa.select(projects.c.stage, sa.func.count()).where(projects.c.stage.in_(VISIBLE))
        with self._database.reading() as connection:
            rows = connection.execute(query.group_by(projects.c.stage)).all()
        return {str(stage): int(count) for stage, count in rows}

    def active_projects(self) -> list[StoredProject]:
        """Return all projects that grow; those among them that are damaged fail."""
        with self._database.reading() as connection:
            found = select_projects(connection, projects.c.stage == ProjectStage.ACTIVE)
        for each in found:
            if each.stage is ProjectStage.FAILED:
                self.fail(each.number, each.reason or "")
        return [each for each in found if each.stage is ProjectStage.ACTIVE]

    # --- growth

    def advance(
        self,
        project: int,
        server: int,
        finished: Sequence[FinishedSearch],
        most: int,
        quota: Quota,
    ) -> Growth | None:
        """Store the results of searches, and begin others.

        Args:
            project: the project.
            server: that has made the searches, and is to make the others.
            finished: the results.
            most: how many searches to begin at most.
            quota: of the project's account.

        Returns:
            What became of it; None if the project does not grow any more: then nothing is stored.

        Raises:
            RefusedFindingError: a result cannot be that of its search; nothing is stored.
            StoreError: the database cannot be used.  If it is a `DamageError`, the project has
                failed.

        """
        claims: list[Claim] = []
        with self._growing(project, ProjectStage.ACTIVE) as growth, damage_told():
            if growth is None:
                return None
            lost = growth.finish(finished, server)
            if most:
                claims = growth.claim(server, self._own.claims, most, growth.room(quota))
            result = Growth(growth.save(), tuple(claims), lost)
        self._own.claims -= {each.claim for each in finished}
        self._own.claims |= {each.number for each in claims}
        return result

    def release(self, claims: Sequence[Claim], server: int) -> None:
        """Let any server have what was claimed."""
        numbers = [each.number for each in claims]
        mine = project_claims.c.number.in_(numbers) & (project_claims.c.server == server)
        with self._changing(*{each.project for each in claims}) as connection:
            freed = sa.update(project_claims).where(mine).values(server=None)
            changed = set(connection.execute(freed.returning(project_claims.c.project)).scalars())
            here = projects.c.number.in_(changed)
            connection.execute(sa.update(projects).where(here).values(revision=NEXT_REVISION))
        self._own.claims -= set(numbers)

    def search_again(self, project: int, number: int, nodes: int) -> bool:
        """Have a node searched again with so many nodes; return False if that cannot be now.

        Raises:
            StoreError: the database cannot be used, or the tree is damaged.

        """
        with self._growing(project, *VISIBLE) as growth, damage_told():
            if growth is None or not growth.claim_again(number, nodes):
                return False
            growth.save()
        return True

    def change_tree(self, project: int, action: Callable[[Project], T], quota: Quota) -> T | None:
        """Do something with a tree in one transaction; return None if there is no such project.

        Raises:
            RefusedError: the account would have more positions than it may.
            StoreError: the database cannot be used, or the tree is damaged.

        """
        with self._growing(project, *VISIBLE) as growth:
            if growth is None:
                return None
            result = action(growth.tree)
            _check_room(growth.store.last, growth.room(quota))
            growth.save()
        return result

    def merge(self, target: int, other: StoredProject, quota: Quota) -> bool:
        """Add another tree to a tree; return False if there is no such project.

        Raises:
            ForeignTreeError: the root of the other is no position of the tree.
            RefusedError: the account would have more positions than it may.
            StoreError: the database cannot be used, or a tree is damaged.

        """
        with self._growing(target, *VISIBLE, other=other.number) as growth:
            if growth is None:
                return False
            growth.merge(other)
            _check_room(growth.store.last, growth.room(quota))
            growth.save()
        return True

    def read_tree(self, project: int, action: Callable[[TreeReader], T]) -> T:
        """Read something of a tree, as it is at one moment.

        Raises:
            StoreError: the database cannot be used, or the tree is damaged.

        """
        with self._failing(project), self._database.reading() as connection:
            return action(TreeReader(connection, project))

    def refresh(self, project: int) -> bool:
        """Give some nodes priorities by new settings; return whether there are more of them."""
        with self._growing(project, *VISIBLE) as growth, damage_told():
            if growth is None:
                return False
            has_more = growth.refresh_some()
            growth.save()
        return has_more

    @contextmanager
    def _growing(
        self, project: int, *stages: ProjectStage, other: int | None = None
    ) -> Iterator[TreeGrowth | None]:
        """Lock a project in a transaction, and another one; None if it is in another state.

        One that is found to be damaged fails.
        """
        both = (project, project if other is None else other)
        with self._failing(project), self._changing(*both) as connection:
            found = select_project(connection, project)
            if found is None or found.stage not in stages:
                yield None
            else:
                now = connection.execute(sa.select(self._database.now)).scalar_one()
                yield TreeGrowth(connection, found, now)

    @contextmanager
    def _failing(self, project: int) -> Iterator[None]:
        """End the growth of a project that is found to be damaged."""
        try:
            yield
        except DamageError as error:
            self.fail(project, str(error))
            raise

    # --- changes

    def change(
        self,
        project: int,
        *,
        name: str | None = None,
        settings: ProjectSettings | None = None,
        budget: ProjectBudget | None = None,
    ) -> bool:
        """Change what a project is called and how it grows; None keeps what there is.

        Returns:
            False if there is no such project any more.

        """
        values: dict[str, Any] = {"updated": self._database.now, "revision": NEXT_REVISION}
        if name is not None:
            values["name"] = name
        if settings is not None:
            values["settings"] = encode(settings)
        if budget is not None:
            values["budget"] = encode(budget)
        here = (projects.c.number == project) & projects.c.stage.in_(VISIBLE)
        with self._changing(project) as connection:
            found = select_project(connection, project)
            if settings and found and settings.growth != found.settings.growth:
                values["refreshed"] = FROM_THE_BEGINNING
            change = sa.update(projects).where(here).values(values)
            return connection.execute(change).rowcount > 0

    def change_account(self, project: int, account: Account) -> None:
        """Record the role and the token by which its account has come last."""
        values = {
            "role": str(account.role),
            "token": account.token,
            "revision": NEXT_REVISION,
        }
        with self._changing(project) as connection:
            change = sa.update(projects).where(projects.c.number == project).values(values)
            connection.execute(change)

    def change_stage(
        self,
        project: int,
        before: Sequence[ProjectStage],
        after: ProjectStage,
        reason: str | None = None,
    ) -> bool:
        """Change the state of a project from one of some others; return whether it was one.

        The claims of one that is not active any more are free.
        """
        here = (projects.c.number == project) & projects.c.stage.in_(before)
        values = {
            "stage": after,
            "reason": reason,
            "updated": self._database.now,
            "revision": NEXT_REVISION,
        }
        with self._changing(project) as connection:
            change = sa.update(projects).where(here).values(values)
            if not connection.execute(change).rowcount:
                return False
            if after is not ProjectStage.ACTIVE:
                mine = project_claims.c.project == project
                connection.execute(sa.update(project_claims).where(mine).values(server=None))
        return True

    def fail(self, project: int, why: str) -> None:
        """End the growth of a project that cannot go on."""
        before = [ProjectStage.ACTIVE, ProjectStage.PAUSED, ProjectStage.FINISHED]
        self.change_stage(project, before, ProjectStage.FAILED, why)

    @contextmanager
    def _changing(self, *numbers: int) -> Iterator[sa.Connection]:
        """Begin a transaction that alone changes these projects: each writes rows that it has read.

        All are locked in the same order, so that none waits for another that waits for it.
        """
        with self._database.writing() as connection:
            for each in sorted(set(numbers)):
                lock_project(connection, each)
            yield connection

    def purge(self) -> bool:
        """Remove some of what was deleted; return whether there may be more."""
        deleted = projects.c.stage == ProjectStage.DELETED
        query = sa.select(projects.c.number).where(deleted).limit(1)
        with self._database.writing() as connection:
            if (project := connection.execute(query).scalar()) is None:
                return False
            if not (_purge_nodes(connection, project)):
                for table in (project_links, project_claims):
                    connection.execute(sa.delete(table).where(table.c.project == project))
                connection.execute(sa.delete(projects).where(projects.c.number == project))
        return True


# Of a new project.
_COUNTERS = ("positions", "leaves", "claimed", "nodes", "spent")


def _check_room(positions: int, room: int) -> None:
    """Raise RefusedError if a tree has more positions than it may have."""
    if positions > room:
        have = f"the tree would have {positions} positions, and may have {max(0, room)}"
        raise RefusedError(Code.QUOTA_PROJECTS, f"{have}: delete a project")


def _purge_nodes(connection: sa.Connection, project: int) -> int:
    """Remove the first nodes of a project, and the links to them; return how many nodes."""
    nodes, links = project_nodes.c, project_links.c
    here = nodes.project == project
    first = connection.execute(sa.select(sa.func.min(nodes.number)).where(here)).scalar()
    if first is None:
        return 0
    end = first + PURGED
    some_links = (links.project == project) & (links.child < end)
    connection.execute(sa.delete(project_links).where(some_links))
    some = sa.delete(project_nodes).where(here & (nodes.number < end))
    return connection.execute(some).rowcount
