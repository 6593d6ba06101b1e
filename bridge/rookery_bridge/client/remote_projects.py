"""Projects of the analysis service: positions whose trees are kept, and grow."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import IO
from urllib.parse import quote

from rookery_bridge.client.service_connection import (
    Attempts,
    ServiceConnection,
    ServiceError,
    ServiceRequest,
)
from rookery_bridge.client.service_results import DocumentError, read_document, read_list

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
        async with aclosing(self._connection.pieces(_request("POST", PROJECTS, wanted))) as pieces:
            content = b"".join([piece async for piece in pieces])
        try:
            return _project(json.loads(content))
        except ValueError as error:
            raise _strange(error) from error

    async def list(self) -> tuple[RemoteProject, ...]:
        """Return the projects of this account, the newest first."""
        document = await self._connection.call(ServiceRequest("GET", PROJECTS))
        try:
            return tuple(read_list(RemoteProject, document, "projects"))
        except DocumentError as error:
            raise _strange(error) from error

    async def look_up(self, id_: str) -> RemoteProject:
        """Return a project as it is now."""
        return _project(await self._connection.call(ServiceRequest("GET", _path(id_))))

    async def change(self, id_: str, change: Mapping[str, object]) -> RemoteProject:
        """Change a project as the API describes it (`ProjectChange`)."""
        return _project(await self._connection.call(_request("PATCH", _path(id_), change)))

    async def pause(self, id_: str) -> RemoteProject:
        """Have a project not grow until it is resumed."""
        return await self.change(id_, {"stage": "paused"})

    async def resume(self, id_: str) -> RemoteProject:
        """Have a project grow again."""
        return await self.change(id_, {"stage": "active"})

    async def delete(self, id_: str) -> None:
        """Remove a project with its tree."""
        await self._connection.call(ServiceRequest("DELETE", _path(id_)))

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
        attempts = Attempts(self._connection)
        request = ServiceRequest("GET", f"{_path(id_)}/export", query, patience=_SILENCE)
        while True:
            try:
                async with aclosing(self._connection.pieces(request)) as pieces:
                    async for piece in pieces:
                        file.write(piece)
                return
            except ServiceError as error:
                await attempts.wait_after(error)
                file.seek(0)
                file.truncate()


def _request(method: str, path: str, document: Mapping[str, object]) -> ServiceRequest:
    content = json.dumps(document).encode()

    async def body() -> AsyncIterator[bytes]:
        yield content

    headers = {"Content-Type": "application/json", "Content-Length": str(len(content))}
    return ServiceRequest(method, path, {}, headers, body)


def _path(id_: str) -> str:
    if not id_:
        raise ValueError("the id of a project is empty")
    return f"{PROJECTS}/{quote(id_, safe='')}"


def _project(document: object) -> RemoteProject:
    try:
        return read_document(RemoteProject, document)
    except DocumentError as error:
        raise _strange(error) from error


def _strange(error: ValueError) -> ServiceError:
    return ServiceError(f"what came is not as the API has it: {error}", is_final=True)
