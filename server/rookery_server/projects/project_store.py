"""The projects in the database.  All calls block, and belong to one thread.

Several servers may grow one project.  Each claims leaves of its tree; the claims of a server that
is silent for long, or is known to have ended, are free.  The tree itself is in `tree_store`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sa

from rookery_server.access.account import Account
from rookery_server.background.work_store import WorkStore
from rookery_server.config.resources import Quota
from rookery_server.database.server_register import OwnClaims
from rookery_server.database.tables import (
    project_claims,
    project_links,
    project_nodes,
    projects,
)
from rookery_server.growth.expansion import Project
from rookery_server.growth.node import Node
from rookery_server.projects.project_builds import Lines, ProjectBuilds
from rookery_server.projects.project_queries import (
    NEXT_REVISION,
    TREE,
    changing,
    check_room,
    insert_project,
    select_project,
    select_projects,
)
from rookery_server.projects.stored_project import (
    STEERABLE,
    VISIBLE,
    DamageError,
    EndCause,
    GrowthEnd,
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
from rookery_server.projects.tree_store import TreeReader, select_roots

T = TypeVar("T")
ID_BYTES = 16  # of a project's id, which none can guess
PURGED = 2000  # nodes that are removed at once, so that others need not wait
LISTED = 1000  # projects, the newest ones


class ProjectStore(WorkStore):
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
        super().__init__(url, projects, VISIBLE, project_claims, self._own)
        self.builds = ProjectBuilds(self._database)

    # --- projects for their accounts

    def create(self, new: NewProject, quota: Quota, lines: Lines = ()) -> StoredProject:
        """Store a project with its root; lines from there on, which can be played, are added then.

        Raises:
            RefusedError: the account has as many projects or positions as it may.

        """
        with self._database.writing() as connection:
            project = insert_project(connection, self._database.now, new, quota)
            growth = TreeGrowth(connection, project, project.created)
            check_room(growth.store.last, growth.room(quota))
            created = growth.save()
            if lines:
                self.builds.begin_lines(connection, created, lines, is_new=True)
            return created

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

    def active_projects(self) -> list[StoredProject]:
        """Return all projects that grow; those among them that are damaged fail."""
        with self._database.reading() as connection:
            found = select_projects(connection, projects.c.stage == ProjectStage.ACTIVE)
        for each in found:
            if each.stage is ProjectStage.FAILED:
                self.fail(each.number, GrowthEnd(EndCause.DAMAGE, each.reason or ""))
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
        with changing(self._database, *{each.project for each in claims}) as connection:
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
        with self._growing(project, *STEERABLE) as growth, damage_told():
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
        with self._growing(project, *STEERABLE) as growth:
            if growth is None:
                return None
            before = growth.store.last
            result = action(growth.tree)
            if growth.store.last > before:  # An account with too many may do what adds none.
                check_room(growth.store.last, growth.room(quota))
            growth.save()
        return result

    def read_tree(self, project: int, action: Callable[[TreeReader], T]) -> T:
        """Read something of a tree, as it is at one moment.

        Raises:
            StoreError: the database cannot be used, or the tree is damaged.

        """
        with self._failing(project), self._database.reading() as connection:
            tree = connection.execute(sa.select(TREE).where(projects.c.number == project)).scalar()
            return action(TreeReader(connection, project if tree is None else tree))

    def refresh(self, project: int) -> bool:
        """Give some nodes priorities by new settings; return whether there are more of them."""
        with self._growing(project, *STEERABLE) as growth, damage_told():
            if growth is None:
                return False
            has_more = growth.refresh_some()
            growth.save()
        return has_more

    @contextmanager
    def _growing(self, project: int, *stages: ProjectStage) -> Iterator[TreeGrowth | None]:
        """Lock a project in a transaction; None if it is in another state.

        One that is found to be damaged fails.
        """
        with self._failing(project), changing(self._database, project) as connection:
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
            self.fail(project, GrowthEnd(EndCause.DAMAGE, str(error)))
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
        with changing(self._database, project) as connection:
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
        with changing(self._database, project) as connection:
            change = sa.update(projects).where(projects.c.number == project).values(values)
            connection.execute(change)

    def change_stage(
        self,
        project: int,
        before: Sequence[ProjectStage],
        after: ProjectStage,
        end: GrowthEnd | None = None,
    ) -> bool:
        """Change the state of a project from one of some others; return whether it was one.

        The claims of one that is not active any more are free.
        """
        here = (projects.c.number == project) & projects.c.stage.in_(before)
        values = {
            "stage": after,
            "reason": end and end.reason,
            "cause": end and end.cause,
            "updated": self._database.now,
            "revision": NEXT_REVISION,
        }
        with changing(self._database, project) as connection:
            change = sa.update(projects).where(here).values(values)
            if not connection.execute(change).rowcount:
                return False
            if after is not ProjectStage.ACTIVE:
                mine = project_claims.c.project == project
                connection.execute(sa.update(project_claims).where(mine).values(server=None))
        return True

    def fail(self, project: int, end: GrowthEnd) -> None:
        """End the growth of a project that cannot go on."""
        before = [ProjectStage.ACTIVE, ProjectStage.PAUSED, ProjectStage.FINISHED]
        self.change_stage(project, before, ProjectStage.FAILED, end)

    def purge(self) -> bool:
        """Remove some of what was deleted; return whether there may be more."""
        deleted = projects.c.stage == ProjectStage.DELETED
        query = sa.select(projects.c.number, TREE).where(deleted).limit(1)
        with self._database.writing() as connection:
            self.builds.give_drafts_up(connection)
            if (found := connection.execute(query).first()) is None:
                return False
            project, tree = found
            if not _purge_nodes(connection, tree):
                for table, number in ((project_links, tree), (project_claims, project)):
                    connection.execute(sa.delete(table).where(table.c.project == number))
                self.builds.remove_row(connection, project)
        return True


def _purge_nodes(connection: sa.Connection, tree: int) -> int:
    """Remove the first nodes of a tree, and the links to them; return how many nodes."""
    nodes, links = project_nodes.c, project_links.c
    here = nodes.project == tree
    first = connection.execute(sa.select(sa.func.min(nodes.number)).where(here)).scalar()
    if first is None:
        return 0
    end = first + PURGED
    some_links = (links.project == tree) & (links.child < end)
    connection.execute(sa.delete(project_links).where(some_links))
    some = sa.delete(project_nodes).where(here & (nodes.number < end))
    return connection.execute(some).rowcount
