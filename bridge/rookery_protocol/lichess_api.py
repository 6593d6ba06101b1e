"""The API of external engines, as Lichess has it: what is said in it, as values, and as JSON.

https://lichess.org/api#tag/External-engine.  A *provider* registers engines, and takes
work for them; a *requester* asks for work.  The bridge's provider and the server's broker
share this.  No I/O.

Numbers of time are milliseconds, of memory MiB.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from hashlib import sha256
from typing import Any, ClassVar, Self

from rookery_uci import BestMove, Limits, Option

VARIANTS = (
    "chess", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "3check",
)  # fmt: skip
ENGINES = "/api/external-engine"  # and an engine's id behind it
WORK = "/api/external-engine/work"  # and a job's id behind it
KEEPALIVE = b'{"keepalive":true}\n'
SILENCE = 15.0  # s after which a keep-alive is sent
LONG_POLL = 10.0  # s that a broker keeps a provider waiting for work
TAKE_PATIENCE = 15.0  # s that a requester waits for a provider to take its work

NO_MOVE = "(none)"
NO_MOVES = (NO_MOVE, "0000", "NULL")  # what engines say when there is none
MAX_PV = 30  # moves of a line that a requester hears
MAX_MOVES = 600
_LONGEST_MOVE = 8  # characters
_MAX_NUMBER = 2**63 - 1


class LichessApiError(ValueError):
    """Something is not as the API has it; the text says what, and what was expected."""


def selector(secret: str) -> str:
    """Return what engines of one provider are found by: who knows it cannot be that provider."""
    return sha256(f"providerSecret:{secret}".encode()).hexdigest()


def with_known_moves(best: BestMove) -> BestMove:
    """Return a best move in the broker's words, if it is none; and no ponder move that is none."""
    move = NO_MOVE if best.move in NO_MOVES else best.move
    return BestMove(move, None if best.ponder in NO_MOVES else best.ponder)


def variants_of(option: Option | None) -> tuple[str, ...]:
    """Return the variants of the API that an engine plays, by its option UCI_Variant."""
    return tuple(each for each in VARIANTS if option and each in option.var) or ("chess",)


def maximum_of(option: Option | None) -> int:
    """Return the largest value of an engine's Threads or Hash; 1 if it has no such option."""
    return max(1, option.max) if option and option.max else 1


# --- fields: each has a reader, which is given the key and the value, and returns what it means

_Reading = Mapping[str, Callable[[str, object], object]]  # the metadata of a field


def _text(least: int = 1, most: int = 4096) -> _Reading:
    def read_value(key: str, value: object) -> str:
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise LichessApiError(f"{key} needs {least} to {most} characters, not {value!r:.60}")
        return value

    return {"read": read_value}


def _number(least: int, most: int, *, zero: int = 0) -> _Reading:
    """Return the reading of a number; 0 means `zero`."""

    def read_value(key: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise LichessApiError(f"{key} needs a number from {least} to {most}, not {value!r:.40}")
        return value or zero

    return {"read": read_value}


def _read_variant(key: str, value: object) -> str:
    if value not in VARIANTS:
        raise LichessApiError(f"{key} is one of {', '.join(VARIANTS)}, not {value!r:.40}")
    return str(value)


def _read_variants(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise LichessApiError(f"{key} is a list, not {value!r:.40}")
    # Those that come to be later are none of ours.
    return tuple(each for each in value or ["chess"] if each in VARIANTS)


def _read_moves(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(each, str) and len(each) <= _LONGEST_MOVE for each in value
    ):
        raise LichessApiError(f"{key} is a list of UCI moves, not {value!r:.40}")
    if len(value) > MAX_MOVES:
        raise LichessApiError(f"{key} has {MAX_MOVES} at most, not {len(value)}")
    return tuple(value)


_THREADS, _HASH, _LIMIT = _number(1, 65536), _number(1, 1048576), _number(1, _MAX_NUMBER)
_VARIANTS: _Reading = {"read": _read_variants}


@dataclass(frozen=True, slots=True)
class _JsonObject:
    """A value whose fields are those of a JSON object."""

    _what: ClassVar[str]  # in errors

    @classmethod
    def parse(cls, document: object) -> Self:
        """Read the JSON.

        Raises:
            LichessApiError: something is not as the API has it.

        """
        if not isinstance(document, Mapping):
            raise LichessApiError(f"{cls._what} is a JSON object, not {document!r:.40}")
        values: dict[str, Any] = {}
        for each in fields(cls):
            key = _camel(each.name)
            if (value := document.get(key)) is not None:
                values[each.name] = each.metadata["read"](key, value)
            elif each.default is MISSING:
                raise LichessApiError(f"{cls._what} needs {key}")
        return cls(**values)

    def json(self) -> dict[str, object]:
        """Return the fields in the spelling of JSON; those that are absent are left out."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {_camel(name): _as_json(value) for name, value in values if value is not None}


@dataclass(frozen=True, slots=True)
class LichessRegistration(_JsonObject):
    """An engine, as its provider offers it."""

    _what = "a registration"
    name: str = field(metadata=_text(3, 200))
    max_threads: int = field(metadata=_THREADS)
    max_hash: int = field(metadata=_HASH)
    provider_secret: str = field(metadata=_text(16, 1024), repr=False)
    variants: tuple[str, ...] = field(metadata=_VARIANTS, default=("chess",))
    provider_data: str | None = field(metadata=_text(0, 65536), default=None)


@dataclass(frozen=True, slots=True)
class ExternalEngine(_JsonObject):
    """A registered engine, as those see it who may use it."""

    _what = "an external engine"
    id: str = field(metadata=_text())  # eei_...
    name: str = field(metadata=_text())
    # ees_...: a client that shows it may ask for work.
    client_secret: str = field(metadata=_text(), repr=False)
    user_id: str = field(metadata=_text())
    max_threads: int = field(metadata=_THREADS)
    max_hash: int = field(metadata=_HASH)
    variants: tuple[str, ...] = field(metadata=_VARIANTS, default=("chess",))
    provider_data: str | None = field(metadata=_text(0, 65536), default=None)


@dataclass(frozen=True, slots=True)
class LichessWork(_JsonObject):
    """A search that is asked for.  Exactly one of the last three says when it ends."""

    _what = "work"
    session_id: str = field(metadata=_text())
    threads: int = field(metadata=_THREADS)
    hash: int = field(metadata=_HASH)
    multi_pv: int = field(metadata=_number(0, 5, zero=1))
    variant: str = field(metadata={"read": _read_variant})
    initial_fen: str = field(metadata=_text())
    moves: tuple[str, ...] = field(metadata={"read": _read_moves})
    movetime: int | None = field(metadata=_LIMIT, default=None)
    depth: int | None = field(metadata=_LIMIT, default=None)
    nodes: int | None = field(metadata=_LIMIT, default=None)

    def __post_init__(self) -> None:
        """Check that the search has one end.

        Raises:
            LichessApiError: it has none, or more.

        """
        given = [key for key in ("movetime", "depth", "nodes") if getattr(self, key) is not None]
        if len(given) != 1:
            raise LichessApiError(
                f"work needs one of movetime, depth and nodes, not {' and '.join(given) or 'none'}"
            )

    @property
    def limits(self) -> Limits:
        """The end of the search."""
        return Limits(movetime=self.movetime, depth=self.depth, nodes=self.nodes)

    def options(self) -> dict[str, str]:
        """Return the options that an engine needs for it, as far as it has them."""
        return {
            "UCI_AnalyseMode": "true",
            "UCI_Chess960": "true",  # The moves come so: the king takes its rook.
            "Threads": str(self.threads),
            "Hash": str(self.hash),
            "MultiPV": str(self.multi_pv),
            "UCI_Variant": self.variant,
        }

    def within(self, engine: ExternalEngine) -> "LichessWork":
        """Return it with no more than the engine has been registered with."""
        return replace(
            self,
            threads=min(self.threads, engine.max_threads),
            hash=min(self.hash, engine.max_hash),
        )


@dataclass(frozen=True, slots=True)
class LichessJob(_JsonObject):
    """Work for a provider, which uploads the lines of its engine by the id, once."""

    _what = "a job"
    id: str = field(metadata=_text())
    work: LichessWork = field(metadata={"read": lambda _, value: LichessWork.parse(value)})
    engine: ExternalEngine = field(metadata={"read": lambda _, value: ExternalEngine.parse(value)})


def _as_json(value: object) -> object:
    if isinstance(value, _JsonObject):
        return value.json()
    return list(value) if isinstance(value, tuple) else value


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
