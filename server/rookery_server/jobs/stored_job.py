"""Jobs, their items and their claims as the database has them.  No I/O."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from rookery_analysis.engine_supply import EngineSettings
from rookery_protocol.errors import RefusedError
from rookery_server.access.account import Account, Role
from rookery_uci import Limits

POSITIONS, GAMES = "positions", "games"  # kinds of jobs


class TooMuchError(RefusedError):
    """A job has more than its account may store; the text says of what, and what to do."""


class JobStage(StrEnum):
    """The state of a job in the database; `deleted` is none for any account."""

    LOADING = "loading"  # its input is still read
    ACTIVE = "active"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"
    DELETED = "deleted"


# An account can neither see nor change the others.
VISIBLE = (JobStage.ACTIVE, JobStage.PAUSED, JobStage.FINISHED, JobStage.FAILED)


@dataclass(frozen=True, slots=True)
class JobSettings:
    """The search of each position: its limits, how many variations, and the engine's options."""

    limits: Limits
    lines: int = 1
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "JobSettings":
        """Read what `str` has written."""
        found = json.loads(text)
        options = tuple((name, value) for name, value in found["options"])
        return cls(Limits(**found["limits"]), found["lines"], options)

    @property
    def engine_settings(self) -> EngineSettings:
        """The setup of the engine."""
        return EngineSettings(lines=self.lines, options=self.options)

    def told_limits(self) -> dict[str, int]:
        """Return the limits that are set, by their names."""
        names = ("depth", "nodes", "movetime", "mate")
        return {name: value for name in names if (value := getattr(self.limits, name)) is not None}

    def __str__(self) -> str:
        limits = self.told_limits()
        return json.dumps({"limits": limits, "lines": self.lines, "options": self.options})


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job that is posted: whose, what it is called, and how it is searched.

    `request` is the client's own key, by which a job that is posted twice is one.
    """

    account: Account
    engine: str
    settings: JobSettings
    kind: str = POSITIONS
    name: str = ""
    priority: int = 0
    request: str | None = None


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job of the database; times are seconds of the epoch, and `spent` is in ms.

    `freed` counts its claims that are free again, `held` those that servers have.
    """

    number: int
    id: str
    account: Account
    request: str | None
    name: str
    kind: str
    engine: str
    settings: JobSettings
    priority: int
    stage: JobStage
    reason: str | None
    total: int
    size: int
    claimed: int
    done: int
    failed: int
    positions: int
    nodes: int
    spent: int
    created: int
    finished: int | None
    expires: int | None
    digest: str | None = None
    freed: int = 0
    held: int = 0

    @property
    def has_work(self) -> bool:
        """True if some of it may be claimed."""
        return self.stage is JobStage.ACTIVE and (self.claimed < self.total or self.freed > 0)

    @property
    def state(self) -> Literal["queued", "running", "paused", "finished", "failed"]:
        """The state as accounts are told it."""
        match self.stage:
            case JobStage.PAUSED:
                return "paused"
            case JobStage.FINISHED:
                return "finished"
            case JobStage.FAILED:
                return "failed"
        return "running" if self.held else "queued"

    def differences_to(self, new: NewJob) -> list[str]:
        """Return the members in which a job that is posted with the same key is another one."""
        mine, others = self.settings, new.settings
        pairs = {
            "engine": (self.engine, new.engine),
            "limits": (mine.limits, others.limits),
            "lines": (mine.lines, others.lines),
            "options": (mine.options, others.options),
            "name": (self.name, new.name),
            "priority": (self.priority, new.priority),
            new.kind: (self.kind, new.kind),
        }
        return [name for name, (one, other) in pairs.items() if one != other]


def account_of(name: str, role: str, token: str | None) -> Account:
    """Return the account of a job."""
    return Account(name, Role(role), token)


@dataclass(frozen=True, slots=True)
class Claim:
    """Items that a server has begun: their numbers, and the input of each that has no result."""

    number: int
    job: int
    items: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The one result of an item, a line of JSON, and what it has cost.

    `annotated` is a game in PGN.
    """

    number: int
    text: str
    annotated: str | None = None
    is_error: bool = False
    positions: int = 0
    nodes: int = 0
    spent: int = 0  # ms


@dataclass(frozen=True, slots=True)
class StoredAmount:
    """The jobs of an account: how many, of how many items, and the bytes of their input."""

    jobs: int = 0
    items: int = 0
    size: int = 0
