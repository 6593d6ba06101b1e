"""The register of the servers at one database, by which each learns of others that are gone.

A server has one number for each kind of work that it does there, and shows now and then that it
is still at it.  What a server that is gone had begun is freed by the store of that work, which
calls this within its own transactions.
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

    `is_known` is False if that one was given up by the others.  `gone` are the numbers of those to
    remove, and `others` counts the rest.
    """

    is_known: bool
    gone: list[int] = field(default_factory=list)
    others: int = 0


class ServerRegister:
    """The numbers of the servers at one kind of work."""

    def __init__(self, database: Database, work: str, silences: Silences) -> None:
        """Make a register.

        Args:
            database: that has it.
            work: the kind of work.
            silences: those of the other servers, as this process has seen them so far.

        """
        self.identity = ProcessIdentity.own()
        self._now = database.now
        self._work = work
        self._silences = silences

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
        """Record that a server is there; return which others are.

        Args:
            connection: of a transaction.
            server: this one.
            now: s of this process's clock.

        """
        table = job_servers.c
        alive = sa.update(job_servers).where(table.number == server).values(seen=self._now)
        others = sa.select(table.number, table.machine, table.process, table.seen).where(
            (table.work == self._work) & (table.number != server)
        )
        is_known = connection.execute(alive).rowcount > 0
        rows = connection.execute(others).all()
        silent = self._silences.update({row.number: row.seen for row in rows}, now)
        gone = [
            number
            for number, machine, process, _ in rows
            if number in silent or self.identity.knows_gone(machine, process)
        ]
        return Attendance(is_known, gone, len(rows) - len(gone))

    def remove(self, connection: sa.Connection, servers: Sequence[int]) -> None:
        """Remove servers; what they had begun is freed by the caller, who asks who is `present`."""
        connection.execute(sa.delete(job_servers).where(job_servers.c.number.in_(servers)))

    def present(self) -> sa.Select[tuple[int]]:
        """Return a query of the numbers of all servers that are there.

        A server that was given up may begin something before it hears of that; no number of it
        is among these.
        """
        return sa.select(job_servers.c.number).where(job_servers.c.work == self._work)
