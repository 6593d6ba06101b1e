"""The answers of the analysis service: what a server says under `/v1`, as typed values.  No I/O.

Members that later versions of a server add are skipped, and those that it leaves out have their
defaults.  Scores are White's.
"""

import functools
import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import chess
from chess.engine import Cp, Mate, PovScore, PovWdl, Wdl

from rookery_bridge.client.service_error import DocumentError

T = TypeVar("T")

FINISHED, FAILED, PAUSED = "finished", "failed", "paused"  # states of a job


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """One line of play, and what it is worth to White: `cp` or `mate`.

    `pv` has the moves in UCI, `san` as people write them if that was asked for; `bound` is `lower`
    or `upper` where the score is no more than that.
    """

    pv: tuple[str, ...]
    san: tuple[str, ...] = ()
    cp: int | None = None
    mate: int | None = None
    bound: str | None = None
    wdl: tuple[int, int, int] | None = None
    depth: int | None = None
    seldepth: int | None = None
    nodes: int | None = None

    @property
    def score(self) -> PovScore | None:
        """The score for python-chess; None if there is none."""
        if self.mate is not None:
            return PovScore(Mate(self.mate), chess.WHITE)
        return None if self.cp is None else PovScore(Cp(self.cp), chess.WHITE)

    @property
    def chances(self) -> PovWdl | None:
        """The chances for python-chess: wins, draws and losses in a thousand games."""
        return None if self.wdl is None else PovWdl(Wdl(*self.wdl), chess.WHITE)

    @property
    def moves(self) -> tuple[chess.Move, ...]:
        """The moves for python-chess."""
        return tuple(map(chess.Move.from_uci, self.pv))


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """The analysis of a position; `lines` are the best first.

    `final` is true for the last result of a search, which has `best`: None if the game is over,
    and `outcome` says how.  `fen` is the position behind the moves, `time` in milliseconds,
    `cached` the date of the search of which this was kept, and `notices` what the server has to
    say of the search.
    """

    fen: str
    engine: str
    final: bool = True
    id: str | int | None = None
    best: str | None = None
    ponder: str | None = None
    depth: int | None = None
    nodes: int | None = None
    time: int | None = None
    lines: tuple[AnalysisLine, ...] = ()
    outcome: str | None = None
    cached: str | None = None
    notices: tuple[str, ...] = ()

    @property
    def score(self) -> PovScore | None:
        """The score of the best line; None if there is none."""
        return self.lines[0].score if self.lines else None

    @property
    def move(self) -> chess.Move | None:
        """The best move for python-chess; None if there is none, or none yet."""
        return None if self.best is None else chess.Move.from_uci(self.best)


@dataclass(frozen=True, slots=True)
class ServiceOption:
    """An option of an engine, within the bounds of this account."""

    name: str
    type: str  # check, spin, combo, button or string
    default: str | None = None
    min: int | None = None
    max: int | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceEngine:
    """An engine that this account may use; `title` is what it calls itself."""

    name: str
    title: str = ""
    author: str | None = None
    is_default: bool = False
    variants: tuple[str, ...] = ("standard",)
    options: tuple[ServiceOption, ...] = ()


@dataclass(frozen=True, slots=True)
class LimitsOfSearch:
    """The end of each search of a job: the first of these that is reached."""

    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None  # ms
    mate: int | None = None

    def __str__(self) -> str:
        names = ("nodes", "depth", "movetime", "mate")
        found = ((name, getattr(self, name)) for name in names)
        return " ".join(f"{name} {value}" for name, value in found if value is not None)


@dataclass(frozen=True, slots=True)
class CostOfJob:
    """The use that a job has made of engines so far; `time` is in milliseconds."""

    nodes: int = 0
    time: int = 0


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """A job.  `total` counts positions or games; `failed` are those with an error as result.

    `state` is `queued`, `running`, `paused`, `finished` or `failed`; `rate` in positions a second.
    """

    id: str
    kind: str  # positions or games
    state: str
    total: int
    name: str = ""
    reason: str | None = None  # of a job that has failed
    engine: str = ""
    limits: LimitsOfSearch = field(default_factory=LimitsOfSearch)
    lines: int = 1
    options: dict[str, object] = field(default_factory=dict)
    priority: int = 0
    done: int = 0
    failed: int = 0
    positions_done: int = 0
    rate: float | None = None
    seconds_left: float | None = None
    cost: CostOfJob = field(default_factory=CostOfJob)
    created: str = ""
    finished: str | None = None
    expires: str | None = None

    @property
    def is_over(self) -> bool:
        """True if no further result comes, unless a failed job is resumed."""
        return self.state in (FINISHED, FAILED)


@dataclass(frozen=True, slots=True)
class ItemFailure:
    """The reason why a position or a game has no analysis."""

    code: str
    detail: str
    path: str | None = None  # in what was sent


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """The one answer to a position or game of a job: `analysis`, `game` or `error`.

    `index` is its number in the input, from 0 on; `game` is as `rookery-server analyse --jsonl`
    has it.
    """

    index: int
    id: str | int | None = None
    analysis: AnalysisResult | None = None
    game: dict[str, object] | None = None
    error: ItemFailure | None = None


# --- documents


def read_document(kind: Callable[..., T], document: object, path: str = "$") -> T:
    """Return the value of one of these classes that a JSON document has.

    Raises:
        DocumentError: it has none.

    """
    if not isinstance(document, dict):
        raise DocumentError(f"{path} is no object")
    members = {
        name: _read_value(hint, document[name], f"{path}.{name}")
        for name, hint, is_needed in _members_of(kind)
        if name in document or _is_missing(name, path, is_needed=is_needed)
    }
    return kind(**members)


def read_list(kind: Callable[..., T], document: object, name: str) -> list[T]:
    """Return the values of a member that is a list.

    Raises:
        DocumentError: there is no such list.

    """
    found = document.get(name) if isinstance(document, dict) else None
    if not isinstance(found, list):
        raise DocumentError(f"$.{name} is no list")
    return [read_document(kind, each, f"$.{name}[{number}]") for number, each in enumerate(found)]


@functools.cache
def _members_of(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    """Return the members of a class: name, type, and true if there is no default."""
    hints = get_type_hints(kind)
    return tuple(
        (each.name, hints[each.name], each.default is MISSING and each.default_factory is MISSING)
        for each in fields(kind)
    )


def _is_missing(name: str, path: str, *, is_needed: bool) -> bool:
    if is_needed:
        raise DocumentError(f"{path} has no {name!r}")
    return False


def _read_value(hint: Any, value: object, path: str) -> object:  # a type
    """Return a value as its type wants it."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if value is None and types.NoneType in parts:
            return None
        kinds = [each for each in parts if each is not types.NoneType]
        plain = next((each for each in kinds if type(value) is each), None)
        return _read_value(plain or kinds[0], value, path)
    if origin is tuple:
        if not isinstance(value, list):
            raise DocumentError(f"{path} is no list")
        kinds = [parts[0]] * len(value) if Ellipsis in parts else list(parts)
        if len(kinds) != len(value):
            raise DocumentError(f"{path} has {len(value)} values, not {len(kinds)}")
        pairs = zip(kinds, value, strict=True)
        return tuple(_read_value(kind, each, f"{path}[]") for kind, each in pairs)
    if hint is float and type(value) is int:
        return float(value)
    plain_kind = origin or hint
    if plain_kind in (str, int, bool, float, dict):
        if type(value) is not plain_kind:
            raise DocumentError(f"{path} is no {plain_kind.__name__}, but {value!r:.40}")
        return value
    return read_document(hint, value, path)
