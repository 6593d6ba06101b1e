"""The base of the stores of works, with the register of the servers that do them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import sqlalchemy as sa

from rookery_server.database.database import Database
from rookery_server.database.server_register import OwnClaims, ServerRegister


class WorkStore(ABC):
    """The tables of one kind of work; `close` it.  All calls block, and belong to one thread."""

    def __init__(
        self, url: str, works: sa.Table, visible: Sequence[str], claims: sa.Table, own: OwnClaims
    ) -> None:
        """Open the database.

        Args:
            url: of the database.
            works: the table, by whose name the register calls the work.
            visible: the stages of works that their accounts see.
            claims: the table of claims.
            own: what this process knows that it has begun there, also by another store.

        Raises:
            StoreError: it cannot be used.

        """
        self._database = Database(url, is_durable=True)
        self._register = ServerRegister(self._database, works.name, claims, own)
        self._stage = works.c.stage
        self._visible = visible

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def register_server(self) -> int:
        """Enter this run of the server; return its number."""
        with self._database.writing() as connection:
            return self._register.enter(connection)

    def show_server(self, server: int, now: float) -> tuple[bool, int]:
        """Record that this server is there, and free what was begun by others that are not.

        What this server has begun without knowing of it is free, too.

        Args:
            server: this one.
            now: s of this process's clock.

        Returns:
            False if this server itself was given up; and how many others there are.

        """
        with self._database.writing() as connection:
            found = self._register.show_presence(connection, server, now)
            self._free_more(connection, server)
        return found.is_known, found.others

    def remove_server(self, server: int) -> None:
        """Free what this server has begun: it ends."""
        with self._database.writing() as connection:
            self._register.remove(connection, [server])
            self._free_more(connection, server)

    def _free_more(  # noqa: B027  # Of most work there are claims alone.
        self, connection: sa.Connection, server: int
    ) -> None:
        """Free what was begun besides claims: by servers that are gone, or unknown to this one."""

    def states(self) -> dict[str, int]:
        """Return how many works there are of each stage that accounts see."""
        query = sa.select(self._stage, sa.func.count()).where(self._stage.in_(self._visible))
        with self._database.reading() as connection:
            rows = connection.execute(query.group_by(self._stage)).all()
        return {str(stage): int(count) for stage, count in rows}

    @abstractmethod
    def purge(self) -> bool:
        """Remove some of what was deleted; return whether there may be more."""
