"""The register of the servers at one database, by which each learns of others that are gone.

A server has one number for each kind of work that it does there, and shows now and then that it
is still at it.  The claims of a server that is gone are free.  So are those that a process knows
nothing of: a transaction may be committed though its end is not heard of.  The store of the work
calls this within its own transactions, and frees what else there is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from rookery_server.database.database import Database
from rookery_server.database.process_identity import ProcessIdentity
from rookery_server.database.silences import Silences
from rookery_server.database.tables import job_servers


@dataclass(frozen=True, slots=True)
class Attendance:
    """The servers at one kind of work, as one of them finds them.

    `is_known` is False if that one was given up by the others, which `others` counts.
    """

    is_known: bool
    others: int


@dataclass(slots=True)
class OwnClaims:
    """The claims that this process has, by their numbers, and the silences of other servers."""

    claims: set[int] = field(default_factory=set)
    silences: Silences = field(default_factory=Silences)


class ServerRegister:
    """The numbers of the servers at one kind of work, and their claims."""

    def __init__(self, database: Database, work: str, claims: sa.Table, own: OwnClaims) -> None:
        """Make a register.

        Args:
            database: that has it.
            work: the kind of work.
            claims: the table of its claims, with a `number` and a `server` that may be null.
            own: what this process knows.

        """
        self.identity = ProcessIdentity.own()
        self._now = database.now
        self._work = work
        self._claims = claims
        self._own = own

    def enter(self, connection: sa.Connection) -> int:
        """Enter this run of the server; return its number."""
        new = sa.insert(job_servers).values(
            machine=self.identity.machine,
            process=self.identity.process,
            work=self._work,
            seen=self._now,
        )
        return int(connection.execute(new.returning(job_servers.c.number)).scalar_one())

    def show_presence(self, connection: sa.Connection, server: int, now: float) -> Attendance:
        """Record that a server is there, and remove others that are not; free what is nobody's.

        Args:
            connection: of a transaction.
            server: this one.
            now: s of this process's clock.

        """
        table = job_servers.c
        # SQLite gives the number of a server that was removed to the next.
        is_own = (
            (table.number == server)
            & (table.work == self._work)
            & (table.machine == self.identity.machine)
            & (table.process == self.identity.process)
        )
        alive = sa.update(job_servers).where(is_own).values(seen=self._now)
        others = sa.select(table.number, table.machine, table.process, table.seen).where(
            (table.work == self._work) & (table.number != server)
        )
        is_known = connection.execute(alive).rowcount > 0
        rows = connection.execute(others).all()
        silent = self._own.silences.update({row.number: row.seen for row in rows}, now)
        gone = [
            number
            for number, machine, process, _ in rows
            if number in silent or self.identity.knows_gone(machine, process)
        ]
        self.remove(connection, gone)
        self._free_unknown(connection, server)
        return Attendance(is_known, len(rows) - len(gone))

    def remove(self, connection: sa.Connection, servers: Sequence[int]) -> None:
        """Remove servers, and free the claims of all that are not there."""
        connection.execute(sa.delete(job_servers).where(job_servers.c.number.in_(servers)))
        left = sa.update(self._claims).where(self._claims.c.server.not_in(self.present()))
        connection.execute(left.values(server=None))

    def _free_unknown(self, connection: sa.Connection, server: int) -> None:
        """Free claims of this server that this process knows nothing of."""
        claims = self._claims.c
        found = connection.execute(sa.select(claims.number).where(claims.server == server))
        mine = set(found.scalars())
        self._own.claims &= mine
        if unknown := mine - self._own.claims:
            free = sa.update(self._claims).where(claims.number.in_(unknown))
            connection.execute(free.values(server=None))

    def present(self) -> sa.Select[tuple[int]]:
        """Return a query of the numbers of all servers that are there.

        A server that was given up may begin something before it hears of that; no number of it
        is among these.
        """
        return sa.select(job_servers.c.number).where(job_servers.c.work == self._work)
