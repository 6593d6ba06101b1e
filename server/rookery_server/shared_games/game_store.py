"""The shared games in the database.  All calls block, and belong to one thread.

No clock: `now` is in seconds of the epoch.  A game whose time is over is none any more, whether or
not its row is there still.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.database.database import Database, lock_account
from rookery_server.database.tables import shared_games

ID_BYTES = 16  # of a game's id, which none can guess
LISTED = 1000  # games, the newest ones
_NAMES = [each.name for each in shared_games.columns]
_WITHOUT_PGN = [each for each in shared_games.columns if each.name != "pgn"]


@dataclass(frozen=True, slots=True)
class SharedGame:
    """A game that an account shares; `size` is in bytes, and a list has no `pgn`.

    Times are seconds of the epoch.  Without `expires` it stays until it is removed.
    """

    id: str
    account: str
    title: str
    size: int
    created: int
    updated: int
    expires: int | None
    pgn: str = ""


class GameStore:
    """The table of shared games; `close` it."""

    def __init__(self, url: str) -> None:
        """Open the database.

        Raises:
            StoreError: it cannot be used.

        """
        self._database = Database(url, is_durable=True)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def create(
        self, account: str, title: str, pgn: str, *, expires: int | None, now: int, most: int
    ) -> SharedGame:
        """Store a game, if its account has fewer than `most`.

        Raises:
            RefusedError: it has as many as it may.

        """
        size = len(pgn.encode())
        id_ = _new_id()
        game = SharedGame(id_, account, title, size, now, now, expires, pgn)
        values = {name: getattr(game, name) for name in _NAMES}
        mine = (shared_games.c.account == account) & _is_there(now)
        with self._database.writing() as connection:
            lock_account(connection, account)
            query = sa.select(sa.func.count()).select_from(shared_games).where(mine)
            if (count := connection.execute(query).scalar_one()) >= most:
                text = f"you share {count} games, and may share {most}: withdraw one"
                raise RefusedError(Code.QUOTA_GAMES, text)
            connection.execute(sa.insert(shared_games).values(values))
        return game

    def game(self, id_: str, now: int) -> SharedGame | None:
        """Return a game by its id, whosoever it is; None if there is none."""
        query = sa.select(*_WITHOUT_PGN, shared_games.c.pgn)
        with self._database.reading() as connection:
            row = connection.execute(query.where((shared_games.c.id == id_) & _is_there(now)))
            found = row.first()
        return None if found is None else SharedGame(**found._asdict())

    def games_of(self, account: str, now: int) -> list[SharedGame]:
        """Return the games of an account, the newest first."""
        mine = (shared_games.c.account == account) & _is_there(now)
        query = sa.select(*_WITHOUT_PGN).where(mine).order_by(shared_games.c.created.desc())
        with self._database.reading() as connection:
            return [SharedGame(**row._asdict()) for row in connection.execute(query.limit(LISTED))]

    def all_games(self, now: int, most: int) -> tuple[list[SharedGame], int]:
        """Return the newest games of all accounts, and how many there are in all."""
        query = sa.select(*_WITHOUT_PGN).where(_is_there(now))
        count = sa.select(sa.func.count()).select_from(shared_games).where(_is_there(now))
        newest = query.order_by(shared_games.c.created.desc()).limit(most)
        with self._database.reading() as connection:
            games = [SharedGame(**row._asdict()) for row in connection.execute(newest)]
            return games, int(connection.execute(count).scalar_one())

    def games_by_id(self, beginning: str, now: int) -> list[SharedGame]:
        """Return two of the games whose id begins so, at most: one is the game that is meant."""
        begins = shared_games.c.id.startswith(beginning, autoescape=True)
        query = sa.select(*_WITHOUT_PGN).where(begins & _is_there(now)).limit(2)
        with self._database.reading() as connection:
            found = [SharedGame(**row._asdict()) for row in connection.execute(query)]
        # SQLite takes capitals for small letters there.
        return [game for game in found if game.id.startswith(beginning)]

    def change(
        self, account: str, id_: str, values: Mapping[str, object], now: int
    ) -> SharedGame | None:
        """Change a game of an account; return None if it has none of that id."""
        here = (shared_games.c.id == id_) & (shared_games.c.account == account) & _is_there(now)
        change = sa.update(shared_games).where(here).values({**values, "updated": now})
        with self._database.writing() as connection:
            row = connection.execute(change.returning(*_WITHOUT_PGN)).first()
        return None if row is None else SharedGame(**row._asdict())

    def remove(self, account: str, id_: str) -> bool:
        """Remove a game of an account; return whether it had one of that id."""
        here = (shared_games.c.id == id_) & (shared_games.c.account == account)
        with self._database.writing() as connection:
            return connection.execute(sa.delete(shared_games).where(here)).rowcount > 0

    def clean(self, now: int) -> int:
        """Remove the games whose time is over; return how many are left."""
        with self._database.writing() as connection:
            connection.execute(sa.delete(shared_games).where(~_is_there(now)))
            query = sa.select(sa.func.count()).select_from(shared_games)
            return int(connection.execute(query).scalar_one())


def _new_id() -> str:
    """Return an id that is no option on a command line."""
    while (id_ := secrets.token_urlsafe(ID_BYTES)).startswith("-"):
        pass
    return id_


def _is_there(now: int) -> sa.ColumnElement[bool]:
    expires = shared_games.c.expires
    return expires.is_(None) | (expires > now)
