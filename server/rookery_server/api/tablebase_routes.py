"""The route of tablebases."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import chess
from aiohttp import web

from rookery_server.api.documents import json_answer, read_query
from rookery_server.api.lookup_schema import LookupQuery, TablebaseResult
from rookery_server.api.search_request import read_position
from rookery_server.api.tablebase_answer import tablebase_result
from rookery_server.http.problem import ProblemError
from rookery_server.http.web_app import API
from rookery_server.tablebases.tables import SyzygyTables, open_tables

logger = logging.getLogger(__name__)

MOST_WAITING = 32  # requests; a position takes some milliseconds
PATIENCE = 10.0  # s that a request waits, for a disk perhaps
_REMEMBERED = 4096  # positions
_BUSY = "the tablebases are busy: ask again"


class TablebaseRoutes:
    """The handler of one server, and the thread that reads its tables."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        self.men = 0  # that a position may have; 0 without tables
        self._folders = folders
        self._tables: SyzygyTables | None = None
        self._executor = ThreadPoolExecutor(1, "tablebases")
        self._waiting = 0
        self._look_up = lru_cache(_REMEMBERED)(self._probe)

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes."""
        return [web.get(f"{API}/tablebase", self.tablebase)]

    def open(self) -> None:
        """Find the tables.

        Raises:
            ServerError: a folder cannot be read.

        """
        self._tables = open_tables(self._folders)
        if self._tables is None:
            return
        self.men = self._tables.men
        if not self.men:
            logger.warning("tablebases.path: there is no table in %s", ", ".join(self._folders))

    def close(self) -> None:
        """Close the tables when the thread is done with them."""
        if self._tables:
            self._executor.submit(self._tables.close)
        self._executor.shutdown(wait=False)

    async def tablebase(self, request: web.Request) -> web.Response:
        """Answer with what the tables know of a position."""
        asked = read_query(request, LookupQuery)
        if self._tables is None:
            raise ProblemError(404, "this server has no tablebases")
        board = read_position(asked.fen, asked.moves.split(), "standard", path="?").board
        if self._waiting >= MOST_WAITING:
            raise ProblemError(503, _BUSY, fields={"Retry-After": "1"})
        self._waiting += 1
        looking = asyncio.get_running_loop().run_in_executor(
            self._executor, self._look_up, board.fen()
        )
        looking.add_done_callback(self._finish)  # Though the client may have gone.
        try:
            async with asyncio.timeout(PATIENCE):
                return json_answer(await asyncio.shield(looking))
        except TimeoutError:
            raise ProblemError(503, _BUSY, fields={"Retry-After": "10"}) from None

    def _finish(self, _: object) -> None:
        self._waiting -= 1

    def _probe(self, fen: str) -> TablebaseResult:
        assert self._tables
        return tablebase_result(chess.Board(fen), self._tables)
