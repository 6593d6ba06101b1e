"""The task of a server that builds trees of others, portion by portion, for all that wait."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from rookery_protocol.errors import RefusedError, ServerError
from rookery_server.access.account import Account
from rookery_server.background.database_trouble import DatabaseTrouble
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError
from rookery_server.log import about
from rookery_server.projects.project_thread import ProjectThread
from rookery_server.projects.stored_project import DamageError, StoredProject

logger = logging.getLogger(__name__)

POLL = 5.0  # s from one look at the database to the next: another server may have begun something


class TreeBuilder:
    """The builds that one server goes on with; `run` does so until it is cancelled."""

    def __init__(
        self,
        store: ProjectThread,
        *,
        may_have_work: Callable[[], bool],
        quota_of: Callable[[Account], Quota],
        changed: Callable[[StoredProject], None],
    ) -> None:
        """Build nothing yet.

        Args:
            store: the database.
            may_have_work: False as long as nothing was ever stored.
            quota_of: returns what an account may store.
            changed: is called after each portion.

        """
        self._store = store
        self._may_have_work = may_have_work
        self._quota_of = quota_of
        self._changed = changed
        self._trouble = DatabaseTrouble("trees")
        self._woken = asyncio.Event()
        self._ends: dict[int, asyncio.Future[None]] = {}

    async def run(self) -> None:
        """Do a portion of each build in turn, and look for others now and then."""
        while True:
            self._woken.clear()
            try:
                if self._may_have_work():
                    await self._build_all()
            except StoreError as error:
                self._trouble.report(error)
            except Exception:  # It would be the end of all builds, unsaid.
                logger.exception("an error of the server at the building of trees")
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self._woken.wait()

    def wake(self) -> None:
        """Look at the database at once."""
        self._woken.set()

    async def wait_for_end(self, project: StoredProject, seconds: float) -> bool:
        """Wait for the end of a build by this server; return False if it takes longer.

        Raises:
            RefusedError: the account would have more positions than it may.
            DamageError: a tree is damaged.

        """
        end = self._ends.setdefault(project.number, asyncio.get_running_loop().create_future())
        self.wake()
        await asyncio.wait({end}, timeout=seconds)
        if end.done():
            end.result()
            return True
        return False

    async def _build_all(self) -> None:
        while found := await self._store.run(lambda store: store.builds.building()):
            self._trouble.end()
            self._end_others(found)
            for each in found:
                await self._build(each)
        self._end_others([])

    async def _build(self, project: StoredProject) -> None:
        """Do a portion."""
        quota = self._quota_of(project.account)
        failure: ServerError | None = None
        try:
            if await self._store.run(lambda store: store.builds.advance(project.number, quota)):
                self._changed(project)
                return
        except (RefusedError, DamageError) as error:
            text = "the tree of project %s is not built: %s"
            fields = about(project=project.id, account=project.account.name)
            logger.warning(text, project.id, error, extra=fields)
            failure = error
        self._end(project.number, failure)
        self._changed(project)

    def _end_others(self, building: list[StoredProject]) -> None:
        """Learn that all other builds have ended, whoever did the last portion."""
        for number in self._ends.keys() - {each.number for each in building}:
            self._end(number, None)

    def _end(self, number: int, failure: ServerError | None) -> None:
        end = self._ends.pop(number, None)
        if end is None or end.done():
            return
        if failure:
            end.set_exception(failure)
            end.exception()  # The client may have gone.
        else:
            end.set_result(None)
