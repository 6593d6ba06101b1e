"""The API of external engines, as Lichess has it: what is said in it, as values, and as JSON.

https://lichess.org/api#tag/External-engine.  A *provider* registers engines, and takes
work for them; a *requester* asks for work.  The bridge's provider and the server's broker
share this.  No I/O.

Numbers of time are milliseconds, of memory MiB.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import Any

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
_NAME = (3, 200)
_SECRET = (16, 1024)
_THREADS = (1, 65536)
_HASH = (1, 1048576)
_LINES = (0, 5)
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


@dataclass(frozen=True, slots=True)
class _JsonObject:
    """A value whose fields are those of a JSON object."""

    def json(self) -> dict[str, object]:
        """Return the fields in the spelling of JSON; those that are absent are left out."""
        return {
            _camel(name): list(each) if isinstance(each, tuple) else each
            for name, each in asdict(self).items()
            if each is not None
        }


@dataclass(frozen=True, slots=True)
class LichessRegistration(_JsonObject):
    """An engine, as its provider offers it."""

    name: str
    max_threads: int
    max_hash: int
    provider_secret: str = field(repr=False)
    variants: tuple[str, ...] = ("chess",)
    provider_data: str | None = None

    @classmethod
    def parse(cls, document: object) -> "LichessRegistration":
        """Read the JSON of a registration.

        Raises:
            LichessApiError: it is none.

        """
        fields = _Fields(document, "a registration")
        return cls(
            name=fields.text("name", *_NAME),
            provider_secret=fields.text("providerSecret", *_SECRET),
            **fields.abilities(),
        )


@dataclass(frozen=True, slots=True)
class ExternalEngine(_JsonObject):
    """A registered engine, as those see it who may use it."""

    id: str  # eei_...
    name: str
    client_secret: str = field(repr=False)  # ees_...: who knows it may ask for work
    user_id: str
    max_threads: int
    max_hash: int
    variants: tuple[str, ...] = ("chess",)
    provider_data: str | None = None

    @classmethod
    def parse(cls, document: object) -> "ExternalEngine":
        """Read the JSON of an engine.

        Raises:
            LichessApiError: it is none.

        """
        fields = _Fields(document, "an external engine")
        return cls(
            id=fields.text("id"),
            name=fields.text("name"),
            client_secret=fields.text("clientSecret"),
            user_id=fields.text("userId"),
            **fields.abilities(),
        )


@dataclass(frozen=True, slots=True)
class LichessWork(_JsonObject):
    """A search that is asked for.  Exactly one of the last three says when it ends."""

    session_id: str
    threads: int
    hash: int
    multi_pv: int
    variant: str
    initial_fen: str
    moves: tuple[str, ...] = ()
    movetime: int | None = None
    depth: int | None = None
    nodes: int | None = None

    @classmethod
    def parse(cls, document: object) -> "LichessWork":
        """Read the JSON of work.

        Raises:
            LichessApiError: it is none.

        """
        fields = _Fields(document, "work")
        limits = {key: fields.limit(key) for key in ("movetime", "depth", "nodes")}
        given = [key for key, value in limits.items() if value is not None]
        if len(given) != 1:
            raise LichessApiError(
                f"work needs one of movetime, depth and nodes, not {' and '.join(given) or 'none'}"
            )
        return cls(
            session_id=fields.text("sessionId"),
            threads=fields.number("threads", *_THREADS),
            hash=fields.number("hash", *_HASH),
            multi_pv=max(1, fields.number("multiPv", *_LINES)),
            variant=fields.variant("variant"),
            initial_fen=fields.text("initialFen"),
            moves=fields.moves(),
            **limits,
        )

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

    @property
    def limits(self) -> Limits:
        """The end of the search."""
        return Limits(movetime=self.movetime, depth=self.depth, nodes=self.nodes)

    def within(self, engine: ExternalEngine) -> "LichessWork":
        """Return it with no more than the engine has been registered with."""
        return replace(
            self,
            threads=min(self.threads, engine.max_threads),
            hash=min(self.hash, engine.max_hash),
        )


@dataclass(frozen=True, slots=True)
class LichessJob:
    """Work for a provider, which uploads the lines of its engine by the id, once."""

    id: str
    work: LichessWork
    engine: ExternalEngine

    @classmethod
    def parse(cls, document: object) -> "LichessJob":
        """Read the JSON of a job.

        Raises:
            LichessApiError: it is none.

        """
        fields = _Fields(document, "a job")
        return cls(
            id=fields.text("id"),
            work=LichessWork.parse(fields.any("work")),
            engine=ExternalEngine.parse(fields.any("engine")),
        )

    def json(self) -> dict[str, object]:
        """Return it as JSON has it."""
        return {"id": self.id, "work": self.work.json(), "engine": self.engine.json()}


class _Fields:
    """The fields of a JSON object, checked as they are read."""

    def __init__(self, document: object, what: str) -> None:
        if not isinstance(document, Mapping):
            raise LichessApiError(f"{what} is a JSON object, not {document!r:.40}")
        self._document = document
        self._what = what

    def any(self, key: str) -> object:
        if self._document.get(key) is None:
            raise LichessApiError(f"{self._what} needs {key}")
        return self._document[key]

    def text(self, key: str, least: int = 1, most: int = 4096) -> str:
        value = self.any(key)
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise LichessApiError(f"{key} needs {least} to {most} characters, not {value!r:.60}")
        return value

    def optional_text(self, key: str) -> str | None:
        return None if self._document.get(key) is None else self.text(key, 0, 65536)

    def number(self, key: str, least: int, most: int) -> int:
        value = self.any(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise LichessApiError(f"{key} needs a number from {least} to {most}, not {value!r:.40}")
        return value

    def limit(self, key: str) -> int | None:
        return None if self._document.get(key) is None else self.number(key, 1, _MAX_NUMBER)

    def variant(self, key: str) -> str:
        value = self.text(key)
        if value not in VARIANTS:
            raise LichessApiError(f"{key} is one of {', '.join(VARIANTS)}, not {value!r:.40}")
        return value

    def abilities(self) -> dict[str, Any]:
        """Return what a registration and an engine have in common, as arguments of both."""
        return {
            "max_threads": self.number("maxThreads", *_THREADS),
            "max_hash": self.number("maxHash", *_HASH),
            "variants": self.variants(),
            "provider_data": self.optional_text("providerData"),
        }

    def variants(self) -> tuple[str, ...]:
        values = self._document.get("variants")
        if not isinstance(values, list | None):
            raise LichessApiError(f"variants is a list, not {values!r:.40}")
        # Those that come to be later are none of ours.
        return tuple(value for value in values or ["chess"] if value in VARIANTS)

    def moves(self) -> tuple[str, ...]:
        values = self.any("moves")
        if not isinstance(values, list) or not all(
            isinstance(each, str) and len(each) <= _LONGEST_MOVE for each in values
        ):
            raise LichessApiError(f"moves is a list of UCI moves, not {values!r:.40}")
        if len(values) > MAX_MOVES:
            raise LichessApiError(f"moves has {MAX_MOVES} at most, not {len(values)}")
        return tuple(values)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
