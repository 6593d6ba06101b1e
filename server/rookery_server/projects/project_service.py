"""The projects of a server: they grow as long as they may, by the workers for all such work.

`async with ProjectService(...) as service:` goes on with what earlier runs have left.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

from rookery_server.access.account import Account
from rookery_server.background.followers import Followers
from rookery_server.background.work_runner import WorkRunner
from rookery_server.growth.expansion import Project
from rookery_server.growth.node import Node
from rookery_server.growth.steering import add_line
from rookery_server.manager import SessionManager
from rookery_server.projects.growing_projects import GrowthCounts
from rookery_server.projects.growth_claims import GrowthClaims
from rookery_server.projects.growth_source import GrowthSource
from rookery_server.projects.growth_upkeep import GrowthUpkeep
from rookery_server.projects.project_builds import MOST_MOVES, Lines
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.project_thread import ProjectThread
from rookery_server.projects.stored_project import (
    VISIBLE,
    NewProject,
    ProjectBudget,
    ProjectSettings,
    ProjectStage,
    StoredProject,
)
from rookery_server.projects.tree_builder import TreeBuilder
from rookery_server.projects.tree_store import TreeReader
from rookery_server.tablebases.tables import SyzygyTables
from rookery_server.task_service import TaskService

T = TypeVar("T")


class ProjectService(TaskService):
    """The projects of all accounts."""

    def __init__(
        self,
        manager: SessionManager,
        runner: WorkRunner,
        url: str,
        tables: SyzygyTables | None = None,
    ) -> None:
        """Make a service.

        Args:
            manager: has the engines, and the quotas of accounts.
            runner: works at projects; it ends before this.
            url: of the database.
            tables: the tablebases of the server, for this alone; they are closed at its end.

        """
        super().__init__()
        self.counts = GrowthCounts()
        self._manager = manager
        self._store = ProjectThread(url)
        claims = GrowthClaims(
            self._store, self.counts, quota_of=manager.quota_of, changed=self._project_changed
        )
        self._source = GrowthSource(claims, self.counts, tables)
        runner.add_source(self._source)
        self._upkeep = GrowthUpkeep(self._store, url, runner, self._source)
        self._builder = TreeBuilder(
            self._store,
            may_have_work=lambda: self._upkeep.may_have_work,
            quota_of=manager.quota_of,
            changed=self._project_changed,
        )
        self._followers = Followers()

    def _loops(self) -> Mapping[str, Coroutine[None, None, None]]:
        return {"upkeep of projects": self._upkeep.run(), "building of trees": self._builder.run()}

    async def _close(self) -> None:
        """Let other servers go on with the work."""
        self._source.close()
        await self._upkeep.close()
        await self._store.close()
        self._followers.wake_all()

    # --- for accounts

    async def create(self, new: NewProject, lines: Lines = (), wait: float = 0.0) -> StoredProject:
        """Begin a project; lines from its root on, which can be played, are searched first.

        It has them within some seconds, or later.

        Raises:
            RefusedError: the account may not have it, or one of its engines.
            StoreError: the database cannot be used.

        """
        for each in new.settings.engines:
            self._manager.fleet.engine_for(new.account, each.name)
        await self._upkeep.open()
        quota = self._manager.quota_of(new.account)
        project = await self._store.run(ProjectStore.create, new, quota, lines)
        if lines:
            await self._builder.wait_for_end(project, wait)
        self._upkeep.wake()
        return project

    async def add_lines(self, project: StoredProject, lines: Lines, wait: float) -> bool:
        """Add lines from the root on, which can be played; they are searched first.

        The tree has them within some seconds, or later.

        Returns:
            False if the tree cannot be changed now.

        Raises:
            RefusedError: the account would have more positions than it may; what is added stays.

        """

        def add(tree: Project) -> bool:
            for line in lines:
                add_line(tree, line)
            return True

        if sum(map(len, lines)) <= MOST_MOVES:  # What is searched meanwhile is not lost.
            return await self.change_tree(project, add) is not None
        number = project.number
        begun = await self._store.run(lambda store: store.builds.begin_import(number, lines))
        if begun:
            await self._builder.wait_for_end(project, wait)
            await self._tell_changed(project)
        return begun

    async def project_of(self, account: Account, id_: str) -> StoredProject | None:
        """Return a project of an account; None if it has none of that id."""
        if not self._upkeep.may_have_work:
            return None
        return await self._store.run(ProjectStore.project_of, account.name, id_)

    async def projects_of(self, account: Account) -> list[StoredProject]:
        """Return the newest projects of an account."""
        if not self._upkeep.may_have_work:
            return []
        return await self._store.run(ProjectStore.projects_of, account.name)

    async def roots_of(self, projects: Sequence[StoredProject]) -> dict[int, Node]:
        """Return the roots of trees by the numbers of their projects; without damaged ones."""
        if not projects:
            return {}
        return await self._store.run(ProjectStore.roots_of, [each.number for each in projects])

    async def read_tree(self, project: StoredProject, action: Callable[[TreeReader], T]) -> T:
        """Read something of a tree, as it is at one moment."""
        return await self._store.run(ProjectStore.read_tree, project.number, action)

    async def change_tree(self, project: StoredProject, action: Callable[[Project], T]) -> T | None:
        """Do something with a tree in one transaction; return None if there is no such project.

        Raises:
            RefusedError: the account would have more positions than it may.

        """
        quota = self._manager.quota_of(project.account)
        result = await self._store.run(ProjectStore.change_tree, project.number, action, quota)
        await self._tell_changed(project)
        return result

    async def search_again(self, project: StoredProject, number: int, nodes: int) -> bool:
        """Have a node searched again with so many nodes; return False if that cannot be now."""
        run = self._store.run
        is_claimed = await run(ProjectStore.search_again, project.number, number, nodes)
        await self._tell_changed(project)
        return is_claimed

    async def change(
        self,
        project: StoredProject,
        *,
        name: str | None = None,
        settings: ProjectSettings | None = None,
        budget: ProjectBudget | None = None,
    ) -> None:
        """Change what a project is called and how it grows; None keeps what there is."""
        await self._store.run(
            ProjectStore.change, project.number, name=name, settings=settings, budget=budget
        )
        await self._tell_changed(project)

    async def merge(self, target: StoredProject, other: StoredProject, wait: float) -> bool:
        """Add the tree of another project of the same account, within some seconds or later.

        Returns:
            False if one of both cannot be used now.

        Raises:
            ForeignTreeError: the root of the other is no position of the tree.
            RefusedError: the account would have more positions than it may.

        """
        numbers = target.number, other.number
        begun = await self._store.run(lambda store: store.builds.begin_merge(*numbers))
        if begun:
            # At once: the end may come while the workers learn of the build.
            await asyncio.gather(
                self._builder.wait_for_end(target, wait), self._tell_changed(target)
            )
            await self._tell_changed(target)
        return begun

    async def copy(
        self, source: StoredProject, number: int, new: NewProject, wait: float
    ) -> StoredProject:
        """Begin a project with a node of another one as its root; it is paused.

        It has its tree within some seconds, or later.

        Raises:
            RefusedError: the account has as many projects or positions as it may.

        """
        quota = self._manager.quota_of(new.account)
        copied = await self._store.run(
            lambda store: store.builds.begin_copy(source, number, new, quota)
        )
        await self._builder.wait_for_end(copied, wait)
        return copied

    async def _tell_changed(self, project: StoredProject) -> None:
        """Have the workers and all that follow learn of a change by the owner."""
        await self._upkeep.learn_works()
        self._project_changed(project)

    async def pause(self, project: StoredProject) -> None:
        """Grow a project no more, until it is resumed."""
        await self._change_stage(project, [ProjectStage.ACTIVE], ProjectStage.PAUSED)

    async def resume(self, project: StoredProject, account: Account) -> None:
        """Grow a project again, whatever has ended it, for an account as it is now."""
        await self._store.run(ProjectStore.change_account, project.number, account)
        before = [ProjectStage.PAUSED, ProjectStage.FINISHED, ProjectStage.FAILED]
        await self._change_stage(project, before, ProjectStage.ACTIVE)

    async def delete(self, project: StoredProject) -> None:
        """Remove a project with its tree."""
        await self._change_stage(project, VISIBLE, ProjectStage.DELETED)

    async def _change_stage(
        self, project: StoredProject, before: Sequence[ProjectStage], after: ProjectStage
    ) -> None:
        await self._store.run(ProjectStore.change_stage, project.number, before, after)
        await self._tell_changed(project)

    # --- news

    def following(self, projects: Sequence[StoredProject]) -> AbstractContextManager[asyncio.Event]:
        """Have an event that is set whenever one of some projects has changed."""
        return self._followers.following([each.number for each in projects])

    def _project_changed(self, project: StoredProject) -> None:
        self._followers.wake(project.number)
