"""The operator's commands for the games that accounts share.

    {"do": "shared-games"}            {"ok": true, "total": 1, "shared-games": [{"id": ...}, ...]}
    {"do": "end-game", "game": "5f"}  {"ok": true}

A game is named by its id, the beginning of it, or a link to it: people who want a game taken down
send its link.
"""

import logging
import re
import time

from rookery_server.http.admin_error import database_of, only_one
from rookery_server.log import about
from rookery_server.shared_games.game_service import SHOWN, GameService
from rookery_server.shared_games.game_store import SharedGame

logger = logging.getLogger(__name__)

_LISTED = 200  # games, the newest ones
_LINK = re.compile(r".*#(?:game=)?([\w-]+)", re.ASCII)  # of the page, or of one for frames


class AdminGames:
    """The shared games of a server, as its operator has to do with them."""

    def __init__(self, service: GameService) -> None:
        self._service = service

    async def list(self) -> dict[str, object]:
        """Return the newest games, and how many there are in all.

        Raises:
            AdminError: the database cannot be used.

        """
        with database_of("shared games"):
            games, total = await self._service.all_games(_LISTED)
        now = time.time()
        return {"total": total, "shared-games": [_describe(each, now) for each in games]}

    async def end(self, name: str) -> None:
        """Withdraw a game: its link leads nowhere from now on.

        Raises:
            AdminError: there is no such game.

        """
        with database_of("shared games"):
            game = await self._find(name)
            await self._service.end_game(game)
        text = "the operator has withdrawn the game %s... of %s"
        logger.info(text, game.id[:SHOWN], game.account, extra=about(account=game.account))

    async def _find(self, name: str) -> SharedGame:
        link = _LINK.match(name)
        beginning = link[1] if link else name
        found = await self._service.games_by_id(beginning) if beginning else []
        return only_one(found, "shared game", beginning, "shared-games list")


def _describe(game: SharedGame, now: float) -> dict[str, object]:
    """Describe a game; times are in seconds, and without a `left` it is there for good."""
    return {
        "id": game.id,
        "account": game.account,
        "title": game.title,
        "size": game.size,
        "age": max(0, round(now - game.created)),
        "left": None if game.expires is None else max(0, round(game.expires - now)),
    }
