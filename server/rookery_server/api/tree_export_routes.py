"""The route of exports: a whole tree, sent in portions while it is read."""

import asyncio
from collections.abc import Callable
from functools import partial

from aiohttp import web

from rookery_protocol.legality import STANDARD
from rookery_server.api.documents import NDJSON, PGN, read_query
from rookery_server.api.project_access import (
    RETRY_AFTER,
    AskedProject,
    ProjectAccess,
    ProjectConflictError,
)
from rookery_server.api.project_operations import BOOK
from rookery_server.api.project_schema import ExportQuery
from rookery_server.api.tree_documents import node_line
from rookery_server.growth.tree_book import BookBounds
from rookery_server.growth.tree_pgn import PgnBounds
from rookery_server.http.problem import ProblemError
from rookery_server.http.web_app import API
from rookery_server.projects.stored_project import StoredProject
from rookery_server.projects.tree_export import BookExport, NodeLines, PgnExport, TreeExport
from rookery_server.projects.tree_growth import start_of
from rookery_server.transport.http_connection import connection_of

READING_TIME = 60.0  # s that a client may take to read a portion

_KINDS = {
    "ndjson": (f"{NDJSON}; charset=utf-8", "ndjson"),
    "pgn": (f"{PGN}; charset=utf-8", "pgn"),
    "polyglot": (BOOK, "bin"),
}


class TreeExportRoutes:
    """The route of exports."""

    def __init__(self, access: ProjectAccess) -> None:
        self._access = access
        self._exporting: set[str] = set()  # accounts

    @property
    def routes(self) -> list[web.RouteDef]:
        """The route for `WebApp`."""
        return [web.get(f"{API}/projects/{{id}}/export", self._access.handler(self._export))]

    async def _export(self, asked: AskedProject) -> web.StreamResponse:
        """Send an export; an account has one at a time, as all share the database."""
        name = asked.account.name
        if name in self._exporting:
            text = "you are exporting another tree: wait for its end"
            raise ProblemError(429, text, fields=RETRY_AFTER)
        self._exporting.add(name)
        try:
            return await _send_export(asked)
        finally:
            self._exporting.remove(name)


async def _send_export(asked: AskedProject) -> web.StreamResponse:
    query = read_query(asked.request, ExportQuery)
    project = await asked.project()
    if query.format == "polyglot" and project.root.variant != STANDARD:
        raise ProjectConflictError("a Polyglot book has chess only, and no variants")
    kind, suffix = _KINDS[query.format]
    named = f'attachment; filename="project-{project.id[:8]}.{suffix}"'
    export = _export_of(project, query)
    try:
        first = await _next_portion(asked, project, export)
        response = web.StreamResponse(
            headers={
                "Content-Type": kind,
                "Content-Disposition": named,
                "Cache-Control": "no-store",
            }
        )
        await response.prepare(asked.request)
        portion: bytes | None = first
        while portion is not None:
            await _send(asked, response, portion)
            portion = await _next_portion(asked, project, export)
    finally:
        export.close()
    await response.write_eof()
    return response


def _export_of(project: StoredProject, query: ExportQuery) -> TreeExport:
    if query.format == "pgn":
        return PgnExport(project, PgnBounds(query.plies, query.nodes, query.visits))
    if query.format == "polyglot":
        return BookExport(project, BookBounds(query.plies, query.visits))
    rules, _, _ = start_of(project.root)
    line_of: Callable[..., bytes] = partial(node_line, rules=rules)
    return NodeLines(line_of, plies=query.plies, visits=query.visits)


async def _next_portion(
    asked: AskedProject, project: StoredProject, export: TreeExport
) -> bytes | None:
    """Return the next bytes that are some; None after the last."""
    while True:
        portion = await asked.service.read_tree(project, export.next_portion)
        if portion or portion is None:
            return portion


async def _send(asked: AskedProject, response: web.StreamResponse, content: bytes) -> None:
    """Send a part of an answer; a client that reads too slowly is left."""
    if not asked.policy.still_admits(asked.account):
        raise ConnectionResetError("the token is not good any more")
    try:
        async with asyncio.timeout(READING_TIME):
            await response.write(content)
    except TimeoutError:
        connection_of(asked.request).abort()  # What waits for it would keep it open.
        raise ConnectionResetError("the client does not read") from None
