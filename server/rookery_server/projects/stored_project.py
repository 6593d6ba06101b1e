"""Projects as the database has them: their roots, settings and budgets.  No I/O.

Settings and budgets are JSON in the database, and what clients send of them is read as the same
kinds, with the same bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec

from rookery_server.access.account import Account
from rookery_server.database.database import StoreError
from rookery_server.growth.settings import GrowthSettings, SideSettings
from rookery_server.projects.root_history import RootHistory

MOST_MOVES = 2000  # of the game before a root
MOST_ENGINES = 64  # of a project, with those that search no more
MOST_OPTIONS = 100  # of an engine, as in requests
MOST_NODES = 10**12  # of one search
MOST_TIME = 24 * 60 * 60 * 1000  # ms of one search of the least importance
_SHOWN = 60  # characters of what is wrong

Text = Annotated[str, msgspec.Meta(max_length=4096)]
Count = Annotated[int, msgspec.Meta(ge=1, le=2**53)]

T = TypeVar("T")


class DamageError(StoreError):
    """A row of a project is not what this server writes; the text says what is wrong with it."""


class ProjectStage(StrEnum):
    """The state of a project in the database.

    While its tree is built of others or of lines, it does not grow.  A `draft` keeps the number of
    a tree that is built of others, and is none for any account, as `deleted` is none.
    """

    ACTIVE = "active"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"
    BUILDING = "building"
    DRAFT = "draft"
    DELETED = "deleted"


# The tree of the others is not changed by growth or an account.
STEERABLE = (
    ProjectStage.ACTIVE,
    ProjectStage.PAUSED,
    ProjectStage.FINISHED,
    ProjectStage.FAILED,
)
# An account can neither see nor change the others.
VISIBLE = (*STEERABLE, ProjectStage.BUILDING)


class EndCause(StrEnum):
    """The reason why a project does not grow, for programs.

    The first five are the bounds of a budget, by their names.
    """

    POSITIONS = "positions"
    NODES = "nodes"
    CPU_SECONDS = "cpu_seconds"
    UNTIL = "until"
    STABLE = "stable"
    EXHAUSTED = "exhausted"  # there is nothing left to search
    QUOTA = "quota"  # of its account
    ENGINE = "engine"  # its engines cannot search for it
    DAMAGE = "damage"  # what is stored of it cannot be read


@dataclass(frozen=True, slots=True)
class GrowthEnd:
    """The reason why a project does not grow, for programs and as a sentence."""

    cause: EndCause
    reason: str


class ProjectRoot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The position that a project begins with: a FEN, and the moves of the game up to it.

    `variant` is as python-chess names it in UCI.
    """

    fen: Annotated[str, msgspec.Meta(max_length=200)]
    moves: Annotated[tuple[Text, ...], msgspec.Meta(max_length=MOST_MOVES)] = ()
    variant: Annotated[str, msgspec.Meta(max_length=32)] = "chess"
    chess960: bool = False


class ProjectEngine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An engine that searches for a project, and its options.

    One that is retired searches no more; it keeps its place, by which nodes name it.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
    options: Annotated[tuple[tuple[Text, Text], ...], msgspec.Meta(max_length=MOST_OPTIONS)] = ()
    is_retired: bool = False


class SideRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The growth where one side is to move; `SideSettings` says what each means."""

    width: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 25  # centipawns
    lines: Annotated[int, msgspec.Meta(ge=1, le=20)] = 4
    limit: Annotated[int, msgspec.Meta(ge=1, le=20)] | None = None


class ProjectSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The way in which a project grows; `GrowthSettings` says what each number means."""

    engines: Annotated[
        tuple[ProjectEngine, ...], msgspec.Meta(min_length=1, max_length=MOST_ENGINES)
    ]
    nodes: Annotated[int, msgspec.Meta(ge=1, le=MOST_NODES)] = 100_000
    movetime: Annotated[int, msgspec.Meta(ge=1, le=MOST_TIME)] | None = None
    white: SideRules = SideRules()
    black: SideRules = SideRules()

    @property
    def growth(self) -> GrowthSettings:
        """The settings as the algorithm takes them."""
        return GrowthSettings(_side(self.white), _side(self.black), self.nodes, self.movetime)


def with_engines(
    former: Sequence[ProjectEngine], wanted: Sequence[ProjectEngine]
) -> tuple[ProjectEngine, ...]:
    """Return the engines of a project that is to have others: all keep their places."""
    new = list(wanted)
    places = []
    for each in former:
        plain = msgspec.structs.replace(each, is_retired=False)
        if plain in new:
            new.remove(plain)
            places.append(plain)
        else:
            places.append(msgspec.structs.replace(each, is_retired=True))
    return (*places, *new)


def _side(rules: SideRules) -> SideSettings:
    return SideSettings(rules.width, rules.lines, rules.limit)


class ProjectBudget(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The end of a project; None is no bound.

    `positions`: of its tree.  `nodes`, `cpu_seconds`: of all its searches.  `until`: a time in
    seconds of the epoch.  `stable`: positions added since the best move changed last.
    """

    positions: Count | None = None
    nodes: Count | None = None
    cpu_seconds: Count | None = None
    until: Count | None = None
    stable: Count | None = None

    def exceeded(
        self, *, positions: int, nodes: int, spent: int, now: int, unchanged: int
    ) -> GrowthEnd | None:
        """Return why a project is over; None if it is not.

        Args:
            positions: in its tree, and those that are being searched.
            nodes: of its searches, and of those that are under way.
            spent: ms of CPU of its searches.
            now: s of the epoch.
            unchanged: positions that were added since the best move changed last.

        """
        if self.until is not None and now >= self.until:
            return GrowthEnd(EndCause.UNTIL, "its time is over")
        if self.positions is not None and positions >= self.positions:
            sentence = f"it has the {self.positions} positions that it was to have"
            return GrowthEnd(EndCause.POSITIONS, sentence)
        if self.nodes is not None and nodes >= self.nodes:
            sentence = f"it has searched the {self.nodes} nodes that it was to search"
            return GrowthEnd(EndCause.NODES, sentence)
        if self.cpu_seconds is not None and spent >= 1000 * self.cpu_seconds:
            sentence = f"it has taken the {self.cpu_seconds} seconds of CPU that it was to take"
            return GrowthEnd(EndCause.CPU_SECONDS, sentence)
        if self.stable is not None and unchanged >= self.stable:
            sentence = f"its best move has been the same for {unchanged} positions"
            return GrowthEnd(EndCause.STABLE, sentence)
        return None


NO_BUDGET = ProjectBudget()


class BuildStep(StrEnum):
    """The next thing to do for a tree that is built."""

    LINES = "lines"  # lines are added to the tree itself
    OWN = "own"  # the nodes that it has are copied
    POSITIONS = "positions"  # what the searches of the other have found is added,
    LINKS = "links"  # and its links
    CHILDREN = "children"  # the nodes below those are copied that are there
    VALUES = "values"  # all that follows is carried up
    DONE = "done"


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tree that is built of others or of lines: how far it is.

    `source` is the project whose tree is added, or a part of it that begins with `node`, as far as
    it has numbers up to `bound`.  `place` says where the step goes on, and `last` is the number of
    the last node so far.  Without a source, `lines` are those that are still to be added.  A
    project that `is_new` is removed if it cannot have its tree.  `done` and `total` count what is
    to be done, as far as that is known.
    """

    step: BuildStep
    after: ProjectStage  # the state at the end
    total: int
    is_new: bool = False
    lines: tuple[tuple[str, ...], ...] = ()
    source: int | None = None
    bound: int = 0
    node: int | None = None
    place: tuple[int, ...] = ()
    last: int = 0
    done: int = 0


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project that is posted."""

    account: Account
    name: str
    root: ProjectRoot
    settings: ProjectSettings
    budget: ProjectBudget = NO_BUDGET


@dataclass(frozen=True, slots=True)
class StoredProject:
    """A project of the database.

    `positions` counts the nodes of its tree, and `leaves` the searches that were stored; `nodes`
    and `spent` (ms of CPU) are what those have taken.  `held` counts the searches that servers
    have begun, and `revision` the changes; `history` has the last ones at the root.  `cause` and
    `reason` are those of its `GrowthEnd`, if it does not grow by itself.  `tree` is the number of
    its tree, and `draft` that of the one that is built.  Times are seconds of the epoch.
    """

    number: int
    id: str
    account: Account
    name: str
    root: ProjectRoot
    settings: ProjectSettings
    budget: ProjectBudget
    stage: ProjectStage
    reason: str | None
    cause: EndCause | None
    positions: int
    leaves: int
    nodes: int
    spent: int
    created: int
    updated: int
    revision: int
    tree: int
    history: RootHistory = ()
    draft: int | None = None
    build: Build | None = None
    held: int = 0


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """The projects of an account: how many, and the nodes of all their trees."""

    projects: int = 0
    positions: int = 0


def encode(value: msgspec.Struct | RootHistory) -> str:
    """Return the JSON of what a project has that is more than a number or a text."""
    return msgspec.json.encode(value).decode()


def decode(what: str, text: str, kind: type[T]) -> T:
    """Read JSON of the database.

    Raises:
        DamageError: it is none, or none of that kind; `what` names it.

    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise DamageError(f"{what} cannot be read: {error}: {text[:_SHOWN]!r}") from error
