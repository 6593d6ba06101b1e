"""The routes of shared games: `/v1/games` and what is below it.

All who know the id of a game may read it; the rest is for the account that shares it.
"""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable
from io import BytesIO
from itertools import islice
from logging import getLogger

from aiohttp import web
from msgspec import UNSET, UnsetType

from rookery_analysis.pgn_splitter import split_games
from rookery_analysis.pgn_tree import read_tree
from rookery_protocol.errors import SHUTTING_DOWN, RefusedError
from rookery_protocol.notices import Code
from rookery_server.api.documents import json_answer, read_json
from rookery_server.api.job_documents import date_text
from rookery_server.api.schema import (
    MAX_PGN,
    GameChange,
    GameRequest,
    OwnGame,
    OwnGameList,
    SharedGame,
)
from rookery_server.database.database import StoreError
from rookery_server.http.problem import ProblemError, problem_answer
from rookery_server.http.web_app import ACCOUNT, public, shown_in_frames
from rookery_server.shared_games import game_store
from rookery_server.shared_games.game_service import USUAL_DAYS, GameService
from rookery_server.token_bucket import TooOftenError
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.http_connection import HEAD, connection_of

logger = getLogger(__name__)

LONGEST_ID = 100  # characters, as the description has it; real ones have 22
RETRY_AFTER = {"Retry-After": "5"}  # s until a database may work again
_NO_GAME = "there is no such game, or not any more"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # what databases and UTF-8 have no room for
_FRESH = {"Cache-Control": "no-store"}  # A link that was withdrawn ends at once.

Handler = Callable[[web.Request, GameService], Awaitable[web.Response]]


class GameRoutes:
    """The routes of shared games; `service` is there while games are shared."""

    def __init__(self, policy: ConnectionPolicy) -> None:
        self.service: GameService | None = None
        self._policy = policy

    @property
    def routes(self) -> list[web.RouteDef]:
        """The routes for `WebApp`."""
        one = "/v1/games/{id}"
        return [
            web.post("/v1/games", self._handler(self._share)),
            web.get("/v1/games", self._handler(self._list)),
            web.get(one, shown_in_frames(public(self._handler(self._read)))),
            web.patch(one, self._handler(self._change)),
            web.delete(one, self._handler(self._withdraw)),
        ]

    def _handler(self, handle: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
        """Return a handler whose errors are answers."""

        async def answer_request(request: web.Request) -> web.Response:
            if self.service is None:
                raise RefusedError(Code.GAMES_OFF, "this server shares no games")
            if not self.service.is_open:
                raise RefusedError(*SHUTTING_DOWN)
            try:
                return await handle(request, self.service)
            except TooOftenError as error:
                wait = {"Retry-After": str(math.ceil(error.wait))}
                return problem_answer(429, str(error), None, wait)
            except StoreError as error:
                logger.warning("a request for shared games has no database: %s", error)
                text = "the database of shared games cannot be used now"
                return problem_answer(503, text, None, RETRY_AFTER)

        return answer_request

    async def _share(self, request: web.Request, service: GameService) -> web.Response:
        wanted = await read_json(request, GameRequest)
        await asyncio.to_thread(_check_pgn, wanted.pgn)
        _check_title(wanted.title)
        days = _days(wanted.days, service.most_days)
        game = await service.create(request[ACCOUNT], wanted.title, wanted.pgn, days)
        return json_answer(_own_game(game), 201, {"Location": f"/v1/games/{game.id}"})

    async def _list(self, request: web.Request, service: GameService) -> web.Response:
        account = request[ACCOUNT]
        games = [_own_game(each) for each in await service.games_of(account)]
        document = OwnGameList(
            games=games,
            most_games=service.most_games(account),
            most_days=service.most_days,
            frames=bool(service.config.server.frame_ancestors),
        )
        return json_answer(document, fields=_FRESH)

    async def _read(self, request: web.Request, service: GameService) -> web.Response:
        connection = connection_of(request)
        self._policy.follow_proxy(connection, request[HEAD])
        game = await service.read_game(_id_of(request), connection.address)
        if game is None:
            raise web.HTTPNotFound(text=_NO_GAME)
        document = SharedGame(
            id=game.id,
            title=game.title,
            pgn=game.pgn,
            updated=date_text(game.updated),
            expires=_end_text(game),
        )
        return json_answer(document, fields=_FRESH)

    async def _change(self, request: web.Request, service: GameService) -> web.Response:
        wanted = await read_json(request, GameChange)
        if wanted.pgn is not UNSET:
            await asyncio.to_thread(_check_pgn, wanted.pgn)
        if wanted.title is not UNSET:
            _check_title(wanted.title)
        is_prolonged = wanted.days is not UNSET
        game = await service.change(
            request[ACCOUNT],
            _id_of(request),
            pgn=None if wanted.pgn is UNSET else wanted.pgn,
            title=None if wanted.title is UNSET else wanted.title,
            days=_days(wanted.days, service.most_days) if is_prolonged else None,
            is_prolonged=is_prolonged,
        )
        if game is None:
            raise web.HTTPNotFound(text=_NO_GAME)
        return json_answer(_own_game(game))

    async def _withdraw(self, request: web.Request, service: GameService) -> web.Response:
        if not await service.remove(request[ACCOUNT], _id_of(request)):
            raise web.HTTPNotFound(text=_NO_GAME)
        return web.Response(status=204)


def _id_of(request: web.Request) -> str:
    id_ = request.match_info["id"]
    if len(id_) > LONGEST_ID or not id_.isascii() or not id_.isprintable():
        raise web.HTTPNotFound(text=_NO_GAME)
    return id_


def _check_pgn(pgn: str) -> None:
    """Check that a text is one game in PGN that can be stored; its moves are not played.

    Raises:
        ProblemError: it is not.

    """
    if _UNSTORABLE.search(pgn):
        expected = "text without NUL and without halves of characters"
        text = "the game has characters that cannot be stored"
        raise ProblemError(422, text, path="$.pgn", expected=expected)
    data = pgn.encode()
    if len(data) > MAX_PGN:
        raise ProblemError(422, f"the game has {len(data)} bytes", path="$.pgn",
                           expected=f"at most {MAX_PGN} bytes of UTF-8")  # fmt: skip
    games = list(islice(split_games(BytesIO(data)), 2))
    tree = read_tree(games[0].data, 1) if len(games) == 1 else None
    if tree is None or not (tree.tags or tree.root.children):
        found = "more than one game" if len(games) > 1 else "no game"
        raise ProblemError(422, f"$.pgn has {found}", path="$.pgn", expected="one game in PGN")


def _check_title(title: str) -> None:
    if not title.isprintable():
        raise ProblemError(422, "a title has no control characters", path="$.title")


def _days(wanted: int | UnsetType | None, most: int | None) -> int | None:
    """Return the days for which a game is shared.

    Raises:
        ProblemError: the operator does not allow so many.

    """
    if wanted is UNSET:
        return USUAL_DAYS if most is None else min(USUAL_DAYS, most)
    if most is not None and (wanted is None or wanted > most):
        raise ProblemError(422, f"a game is shared for {most} days at most", path="$.days",
                           expected=f"a whole number <= {most}")  # fmt: skip
    return wanted


def _own_game(game: game_store.SharedGame) -> OwnGame:
    return OwnGame(
        id=game.id,
        title=game.title,
        size=game.size,
        created=date_text(game.created),
        updated=date_text(game.updated),
        expires=_end_text(game),
    )


def _end_text(game: game_store.SharedGame) -> str | None:
    return None if game.expires is None else date_text(game.expires)
