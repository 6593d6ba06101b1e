"""Projects of the analysis service: positions whose trees are kept, and grow."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO

from rookery_bridge.client.service_connection import ServiceConnection, ServiceRequest, path_to
from rookery_bridge.client.service_results import read_document, read_list

PROJECTS = "/v1/projects"
_SILENCE = 60.0  # s without anything of an export, after which it is asked for anew


@dataclass(frozen=True, slots=True)
class RemoteProject:
    """A project.

    `stage` is `active`, `paused`, `finished` or `failed`.  `positions` are in its tree, `searches`
    were made for it, with `nodes` and `cpu_seconds`, and `searching` are under way.
    """

    id: str
    stage: str
    positions: int
    name: str = ""
    reason: str | None = None
    variant: str = "standard"
    position: dict[str, object] = field(default_factory=dict)
    engines: tuple[dict[str, object], ...] = ()
    settings: dict[str, object] = field(default_factory=dict)
    budget: dict[str, object] = field(default_factory=dict)
    searches: int = 0
    searching: int = 0
    nodes: int = 0
    cpu_seconds: float = 0.0
    created: str = ""
    updated: str = ""


class RemoteProjects:
    """The projects of an account on one server."""

    def __init__(self, connection: ServiceConnection) -> None:
        self._connection = connection

    async def create(self, wanted: Mapping[str, object]) -> RemoteProject:
        """Begin a project as the API describes it (`ProjectRequest`); it is asked for once.

        Raises:
            ServiceError: the server refuses it, or cannot be reached.

        """
        request = ServiceRequest.of_document("POST", PROJECTS, wanted)
        return read_document(RemoteProject, await self._connection.call_once(request))

    async def list(self) -> tuple[RemoteProject, ...]:
        """Return the projects of this account, the newest first."""
        document = await self._connection.call(ServiceRequest("GET", PROJECTS))
        return tuple(read_list(RemoteProject, document, "projects"))

    async def look_up(self, id_: str) -> RemoteProject:
        """Return a project as it is now."""
        return await self._call(ServiceRequest("GET", path_to(PROJECTS, id_)))

    async def change(self, id_: str, change: Mapping[str, object]) -> RemoteProject:
        """Change a project as the API describes it (`ProjectChange`)."""
        path = path_to(PROJECTS, id_)
        return await self._call(ServiceRequest.of_document("PATCH", path, change))

    async def pause(self, id_: str) -> RemoteProject:
        """Have a project not grow until it is resumed."""
        return await self.change(id_, {"stage": "paused"})

    async def resume(self, id_: str) -> RemoteProject:
        """Have a project grow again."""
        return await self.change(id_, {"stage": "active"})

    async def delete(self, id_: str) -> None:
        """Remove a project with its tree."""
        await self._connection.call(ServiceRequest("DELETE", path_to(PROJECTS, id_)))

    async def save_export(self, id_: str, query: Mapping[str, str], file: IO[bytes]) -> None:
        """Write a tree into a file, which is written anew if the connection is lost.

        Args:
            id_: of the project.
            query: the form (`format`) and the bounds, as the API has them.
            file: the file.

        Raises:
            OSError: the file cannot be written.
            ServiceError: the server refuses, or does not come back in time.

        """
        path = f"{path_to(PROJECTS, id_)}/export"
        await self._connection.save(ServiceRequest("GET", path, query, patience=_SILENCE), file)

    async def _call(self, request: ServiceRequest) -> RemoteProject:
        return read_document(RemoteProject, await self._connection.call(request))
