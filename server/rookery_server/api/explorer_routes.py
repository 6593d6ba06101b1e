"""The routes of the explorer: the operator's games or book by position, and a game as PGN."""

import asyncio
import logging
import sqlite3
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import chess
import msgspec
from aiohttp import web

from rookery_server.api.documents import PGN, json_answer, read_query
from rookery_server.api.explorer_answer import book_result, explorer_result
from rookery_server.api.lookup_schema import ExplorerResult, LookupQuery
from rookery_server.api.search_request import read_position
from rookery_server.config.sections import ExplorerConfig
from rookery_server.explorer.game_file import GameFile
from rookery_server.explorer.polyglot_book import SUFFIX, PolyglotBook
from rookery_server.http.problem import ProblemError
from rookery_server.http.web_app import API

logger = logging.getLogger(__name__)

MOST_WAITING = 256  # requests; a look-up takes less than a millisecond but for the disk
_MOST_DIGITS = 18  # of an id
_BROKEN = (sqlite3.Error, zlib.error, msgspec.MsgspecError, UnicodeDecodeError, TypeError)

T = TypeVar("T")


class ExplorerRoutes:
    """The handlers of one server, and the thread that reads its file."""

    def __init__(self, config: ExplorerConfig) -> None:
        self._config = config
        self._file: GameFile | PolyglotBook | None = None
        self._executor = ThreadPoolExecutor(1, "explorer")
        self._waiting = 0

    @property
    def name(self) -> str | None:
        """The name of the games, or of the book; None if there are none."""
        if self._file is None:
            return None
        return self._config.name or ("book" if isinstance(self._file, PolyglotBook) else "masters")

    def routes(self) -> list[web.AbstractRouteDef]:
        """Return the routes."""
        return [
            web.get(f"{API}/explorer", self.explorer),
            web.get(f"{API}/explorer/games/{{id}}", self.game),
        ]

    def open(self) -> None:
        """Open the file, if there is one.

        Raises:
            ServerError: it cannot be read.

        """
        if path := self._config.file:
            is_book = path.suffix.lower() == SUFFIX
            self._file = PolyglotBook(path) if is_book else GameFile(path)

    def close(self) -> None:
        """Close the file when the thread is done with it."""
        if self._file:
            self._executor.submit(self._file.close)
        self._executor.shutdown(wait=False)

    async def explorer(self, request: web.Request) -> web.Response:
        """Answer with what was played in a position."""
        asked, file = read_query(request, LookupQuery), self._opened()
        board = read_position(asked.fen, asked.moves.split(), "standard", path="?").board
        return json_answer(await self._run(lambda: self._look_up(file, board)))

    async def game(self, request: web.Request) -> web.Response:
        """Answer with a game."""
        file, text = self._opened(), request.match_info["id"]
        is_id = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
        found = (
            await self._run(lambda: [each.pgn() for each in file.games([int(text)])])
            if is_id and isinstance(file, GameFile)
            else []
        )
        if not found:
            raise ProblemError(404, "there is no game of this id")
        return web.Response(text=found[0], content_type=PGN, charset="utf-8")

    def _opened(self) -> GameFile | PolyglotBook:
        if self._file is None:
            raise ProblemError(404, "this server has no games for its explorer")
        return self._file

    def _look_up(self, file: GameFile | PolyglotBook, board: chess.Board) -> ExplorerResult:
        name = self.name or ""
        if isinstance(file, PolyglotBook):
            return book_result(name, board, file.moves(board))
        entry = file.entry(board)
        return explorer_result(name, board, entry, file.games(entry.games))

    async def _run(self, action: Callable[[], T]) -> T:
        """Do something in the thread.

        Raises:
            ProblemError: too much waits for it, or the file is broken.

        """
        if self._waiting >= MOST_WAITING:
            raise ProblemError(503, "the explorer is busy", fields={"Retry-After": "1"})
        self._waiting += 1
        doing = asyncio.get_running_loop().run_in_executor(self._executor, action)
        doing.add_done_callback(self._finish)  # Though the client may have gone.
        try:
            return await asyncio.shield(doing)
        except _BROKEN as error:
            logger.warning("explorer.file: cannot read %s: %s", self._config.file, error)
            raise ProblemError(503, "the games of the explorer cannot be read") from error

    def _finish(self, doing: "asyncio.Future[T]") -> None:
        self._waiting -= 1
        if not doing.cancelled():
            doing.exception()  # It was seen, though the client may have gone.
