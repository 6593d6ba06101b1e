"""The games that accounts share: made, read by a link, changed and withdrawn.

`async with GameService(...) as service:` removes those whose time is over now and then.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import ANYBODY, Account
from rookery_server.config.config import Config
from rookery_server.config.resources import Quota
from rookery_server.database.store_service import StoreCounts, StoreService
from rookery_server.log import about
from rookery_server.shared_games.game_store import GameStore, SharedGame
from rookery_server.token_bucket import TokenBuckets, TooOftenError

logger = logging.getLogger(__name__)

DAY = 86_400  # s
USUAL_DAYS = 365  # that a game is shared, if its account says nothing else
WRITES = (0.5, 20)  # of one account: in a second in the long run, and at once
READS = (10.0, 100)  # of one address; a page with several boards reads some at once
SHOWN = 6  # characters of an id in the log: the whole of it is a secret

_NO_ACCOUNTS = (
    "this server has no accounts, so it could not tell whose link is whose: it shares games only"
    " where it wants tokens, or on its own machine"
)


@dataclass(slots=True)
class GameCounts(StoreCounts):
    """The numbers for the metrics."""

    reads: int = 0


class GameService(StoreService[GameStore]):
    """The shared games of all accounts."""

    name = "shared games"
    cleaning = 60.0
    counts: GameCounts

    def __init__(
        self,
        config: Config,
        url: str,
        quota_of: Callable[[Account], Quota],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Make a service.

        Args:
            config: of the server; it may be replaced.
            url: of the database.
            quota_of: returns what an account may store.
            clock: returns the seconds of the epoch.

        """
        super().__init__(url, GameStore, clock)
        self.config = config
        self.counts = GameCounts()
        self._quota_of = quota_of
        self._writes = TokenBuckets[str](*WRITES)
        self._reads = TokenBuckets[str](*READS)

    @property
    def most_days(self) -> int | None:
        """The most days for which a game may be shared; None is no bound."""
        return self.config.games.most_days

    def most_games(self, account: Account) -> int:
        """Return how many games an account may share."""
        return self._quota_of(account).stored_games

    # --- for the account

    async def create(self, account: Account, title: str, pgn: str, days: int | None) -> SharedGame:
        """Share a game for so many days; None is for good.

        Raises:
            RefusedError: the account may not.
            StoreError: the database cannot be used.

        """
        self._check_writer(account)
        now = self._now()
        game = await self._store.run(
            GameStore.create, account.name, title, pgn,
            expires=_end(now, days), now=now, most=self.most_games(account),
        )  # fmt: skip
        self.counts.stored += 1
        self._log("shares", account, game.id)
        return game

    async def games_of(self, account: Account) -> list[SharedGame]:
        """Return the games of an account, the newest first."""
        self._check_account(account)
        if not self._may_have_rows:
            return []
        return await self._store.run(GameStore.games_of, account.name, self._now())

    async def change(
        self,
        account: Account,
        id_: str,
        *,
        pgn: str | None = None,
        title: str | None = None,
        days: int | None = None,
        is_prolonged: bool = False,
    ) -> SharedGame | None:
        """Change a game of an account; None keeps what there is.

        With `is_prolonged` it is shared for so many days from now on, where None is for good.
        """
        self._check_writer(account)
        if not self._may_have_rows:
            return None
        now = self._now()
        values: dict[str, object] = {}
        if pgn is not None:
            values |= {"pgn": pgn, "size": len(pgn.encode())}
        if title is not None:
            values["title"] = title
        if is_prolonged:
            values["expires"] = _end(now, days)
        game = await self._store.run(GameStore.change, account.name, id_, values, now)
        if game:
            self._log("changed", account, id_)
        return game

    async def remove(self, account: Account, id_: str) -> bool:
        """Withdraw a game of an account; return whether it had one of that id."""
        self._check_writer(account)
        if not self._may_have_rows:
            return False
        is_removed = await self._store.run(GameStore.remove, account.name, id_)
        if is_removed:
            self.counts.stored = max(0, self.counts.stored - 1)
            self._log("withdrew", account, id_)
        return is_removed

    # --- for all who have the link

    async def read_game(self, id_: str, address: str) -> SharedGame | None:
        """Return a game by its id; None if there is none, or not any more.

        Raises:
            TooOftenError: too many were read from that address of late.

        """
        _spend(self._reads, address, "you read games too often")
        if not self._may_have_rows:
            return None
        self.counts.reads += 1
        return await self._store.run(GameStore.game, id_, self._now())

    # --- for the operator

    async def all_games(self, most: int) -> tuple[list[SharedGame], int]:
        """Return the newest games of all accounts, and how many there are in all."""
        if not self._may_have_rows:
            return [], 0
        return await self._store.run(GameStore.all_games, self._now(), most)

    async def games_by_id(self, beginning: str) -> list[SharedGame]:
        """Return two of the games whose id begins so, at most."""
        if not self._may_have_rows:
            return []
        return await self._store.run(GameStore.games_by_id, beginning, self._now())

    async def end_game(self, game: SharedGame) -> None:
        """Withdraw a game of any account."""
        if await self._store.run(GameStore.remove, game.account, game.id):
            self.counts.stored = max(0, self.counts.stored - 1)

    # --- the rest

    def _check_account(self, account: Account) -> None:
        if account == ANYBODY:
            raise RefusedError(Code.GAMES_OFF, _NO_ACCOUNTS)

    def _check_writer(self, account: Account) -> None:
        self._check_account(account)
        _spend(self._writes, account.name, "you change what you share too often")

    def _log(self, what: str, account: Account, id_: str) -> None:
        text = "%s %s the game %s..."
        logger.info(text, account.name, what, id_[:SHOWN], extra=about(account=account.name))

    async def _clean(self) -> int:
        """Remove what is over; return the number of games."""
        return await self._store.run(GameStore.clean, self._now())


def _spend(buckets: TokenBuckets[str], key: str, text: str) -> None:
    if wait := buckets.spend(key, time.monotonic()):
        raise TooOftenError(f"{text}: wait a moment", wait)


def _end(now: int, days: int | None) -> int | None:
    return None if days is None else now + days * DAY
