"""Requests of the benchmarks for a server's projects, over HTTP."""

import asyncio
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import aiohttp

WAIT = 25  # s that the server may hold back an answer until something has changed
Document = dict[str, Any]


class ProjectsApi:
    """A client of one server."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._session.close()

    async def create(
        self, fen: str, nodes: int, budget: Mapping[str, int], options: Mapping[str, int]
    ) -> str:
        """Create a project of the default engine; return its id."""
        document = {
            "position": {"fen": fen},
            "engines": [{"options": options}],
            "settings": {"nodes": nodes},
            "budget": budget,
        }
        return str((await self._post("/v1/projects", document))["id"])

    async def read_document(self, path: str, **query: str | int) -> Document:
        """Return the document at a path."""
        async with self._session.get(f"{self._url}{path}", params=query) as response:
            return _document(path, response.status, await response.json())

    async def read_text(self, path: str, **query: str | int) -> str:
        """Return the text at a path."""
        async with self._session.get(f"{self._url}{path}", params=query) as response:
            return await response.text()

    async def until_over(self, project: str) -> Document:
        """Return the document of a project once it grows no more."""
        found = await self.read_document(f"/v1/projects/{project}")
        while found["stage"] == "active":
            found = await self.read_document(
                f"/v1/projects/{project}", after=str(found["version"]), wait=WAIT
            )
            await asyncio.sleep(0.1)  # A growing tree changes all the time.
        return found

    async def analyse(
        self, fen: str, nodes: int, options: Mapping[str, int], lines: int = 1
    ) -> Document:
        """Return what one search finds, which knows nothing of others."""
        document = {
            "fen": fen,
            "limits": {"nodes": nodes},
            "options": options,
            "lines": lines,
            "fresh": True,
        }
        return await self._post("/v1/analyse", document)

    async def _post(self, path: str, document: Mapping[str, object]) -> Document:
        async with self._session.post(f"{self._url}{path}", json=document) as response:
            return _document(path, response.status, await response.json())


def _document(path: str, status: int, document: Document) -> Document:
    if status >= 400:
        sys.exit(f"bench: {path} was refused: {document}")
    return document
