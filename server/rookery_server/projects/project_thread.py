"""The thread of the projects' database, which can undo and free what was begun there."""

from collections.abc import Sequence

from rookery_server.database.database_thread import DatabaseThread
from rookery_server.database.server_register import OwnClaims
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.tree_growth import Claim


class ProjectThread(DatabaseThread[ProjectStore]):
    """The store of projects, opened when it is used first; `close` it."""

    def __init__(self, url: str) -> None:
        self._own = OwnClaims()
        super().__init__("projects", lambda: ProjectStore(url, self._own))

    def release_soon(self, claims: Sequence[Claim], server: int) -> None:
        """Let others have claims, when there is time."""
        numbers = {each.number for each in claims}
        self.free(
            lambda store: store.release(claims, server),
            lambda: self._own.claims.difference_update(numbers),
        )
