"""Work of low priority, as workers see it: its sources, their works, and parts of those.

A source knows what there is to do and has it in a database; workers know which engine has time.
A worker claims a batch of a work, searches it with its engine, and has what was found written.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from rookery_analysis.engine_supply import EngineSettings
from rookery_server.access.account import Account
from rookery_server.background.database_trouble import DatabaseTrouble
from rookery_server.background.work_engine import WorkEngine

WorkKey: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Work:
    """Something that an account has a server's engines do.

    `kind` is the name of its source, and `number` its own there.  Work for several engines is one
    `Work` for each of them, with the same number and another `part`.  `units` is how many batches
    may be claimed of it at most, as far as is known; 0 is that all is done or in work.
    """

    kind: str
    number: int
    id: str
    account: Account
    engine: str
    settings: EngineSettings
    priority: int = 0  # among the works of its account
    units: int = 1
    part: int = 0

    @property
    def key(self) -> WorkKey:
        """The key of it and all of its parts, of no other work."""
        return self.kind, self.number

    @property
    def threads(self) -> int:
        """The threads of its engine."""
        return self.settings.number("Threads")

    @property
    def fields(self) -> dict[str, object]:
        """Its fields in each event of the log."""
        return {self.kind: self.id, "account": self.account.name, "engine": self.engine}

    def is_same(self, other: "Work | None") -> bool:
        """Return whether it is the same part of the same work, whatever has been done since."""
        return other is not None and (self.key, self.part) == (other.key, other.part)

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Batch(ABC):
    """A part of a work that this server has claimed.

    `is_lost`: the work was stopped, or another server has the claim; nothing that is found would be
    written.  `gives_way`: its search may take long, and is given up for a client that waits for an
    engine; others are soon over.
    """

    gives_way = False

    def __init__(self, work: Work) -> None:
        self.work = work
        self.is_lost = False

    @abstractmethod
    async def search(self, engine: WorkEngine) -> None:
        """Search all of it.

        Raises:
            ServerError: the work can never be done.
            FaultyEngineError: the engine did not start, several times.
            UnreachableEngineError: there is no room for it now, or it cannot be reached.

        """

    @abstractmethod
    async def write(self, *, is_last: bool) -> None:
        """Write what was found, however long the database takes to work again.

        Args:
            is_last: all of it was searched, and its claim ends.

        """

    @abstractmethod
    def release(self) -> None:
        """Let others have what is not done, even if this server ends now."""


class WorkClaims:
    """The place of this run of the server in the database of one kind of work.

    Its claims have its number, `server`, which is 0 before there is any work.  `is_alone` says that
    no other server does such work.
    """

    def __init__(self, name: str) -> None:
        """Begin without a number; `name` is the work's in the log."""
        self.server = 0
        self.is_alone = True
        self.trouble = DatabaseTrouble(name)


@dataclass(slots=True)
class WorkCounts:
    """The numbers of one kind of work for the metrics, since the server has begun."""

    database_errors: int = 0
    by_state: dict[str, int] = field(default_factory=dict)
    workers: int = 0  # that are at it now


class WorkSource(Protocol):
    """The works of one kind, and their claims."""

    kind: str

    @property
    def claims(self) -> WorkClaims:
        """The claims of this server."""

    @property
    def counts(self) -> WorkCounts:
        """The numbers, among which the runner counts the workers."""

    def works(self) -> Sequence[Work]:
        """Return all works that are not over."""

    async def claim(self, work: Work, former: Batch | None) -> Batch | None:
        """Claim a batch, and read it.

        Args:
            work: one of the source's own.
            former: the batch that its worker is at meanwhile, of this work or of another.

        Returns:
            None if there is nothing to claim, which `works` tells from then on, or if the database
            could not be used, after a pause.

        """

    async def fail(self, work: Work, why: str) -> None:
        """End a work that can never be done."""
