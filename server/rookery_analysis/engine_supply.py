"""The source of a worker's engines, and the options of each engine.

`remote_engines` has the engines of a server.  The server itself and its command hand in others:
processes of this machine, a Ray cluster, and a cache of evaluations.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rookery_analysis.engine_conversation import (
    BusyServerError,
    EngineConversation,
    UnreachableEngineError,
)
from rookery_analysis.evaluation import PositionEvaluation
from rookery_protocol.backoff import Backoff
from rookery_protocol.errors import ConfigError
from rookery_uci import Position

MINIMAL = "Minimal"  # option of several engines: say of a search only how it ended


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The options of every engine before its first game, and its time for a position in seconds.

    `hash_mb` is in MiB; `lines` are variations of each position (`MultiPV`).  One thread and
    `ucinewgame` before each game make searches by nodes repeatable, so `Threads` is 1
    unless the options say otherwise.  An engine that can be silent until it has a
    result is told to be (`Minimal`): each line on the way costs as much as reading the last.
    """

    hash_mb: int = 16
    lines: int = 1
    options: tuple[tuple[str, str], ...] = ()
    patience: float = 300.0

    def chosen(self) -> dict[str, str]:
        """Return the values by the names of UCI; `options` replace the others."""
        usual = {
            "Threads": "1", "Hash": str(self.hash_mb), "MultiPV": str(self.lines), MINIMAL: "true",
        }  # fmt: skip
        named = {name.casefold() for name, _ in self.options}
        kept = {name: value for name, value in usual.items() if name.casefold() not in named}
        return kept | dict(self.options)

    def number(self, name: str) -> int:
        """Return the value of an option that is a number above 0.

        Raises:
            ConfigError: it is no such number.

        """
        chosen = {each.casefold(): value for each, value in self.chosen().items()}
        value = chosen[name.casefold()]
        if not value.isdecimal() or int(value) == 0:
            raise ConfigError(f"{name} needs a number, not {value!r}")
        return int(value)

    async def apply(self, conversation: EngineConversation) -> None:
        """Set up an engine that has just been started.

        Raises:
            ConfigError: the engine does not have an option, or not that value.

        """
        await conversation.handshake()
        usual = {"Threads", "Hash", MINIMAL} | ({"MultiPV"} if self.lines == 1 else set())
        wanted = [
            conversation.setoption(name, value)
            for name, value in self.chosen().items()
            if name not in usual or conversation.has_option(name)
        ]
        await conversation.configure(wanted)
        conversation.is_terse = any(
            option.name.casefold() == MINIMAL.casefold() and option.value == "true"
            for option in wanted
        )


@dataclass
class ReadyEngine:
    """An engine that is set up; `release` ends it.

    `cpu_seconds` returns the CPU time that it has used so far; None if that cannot be known.
    """

    conversation: EngineConversation
    release: Callable[[], object]
    cpu_seconds: Callable[[], float | None] = lambda: None


class EngineSource(Protocol):
    """A source of engines, one after the other."""

    async def acquire(self) -> ReadyEngine:
        """Start an engine, or connect to one.

        Raises:
            ServerError: there is none, now or ever.
            FaultyEngineError: it did not start this time.
            UnreachableEngineError: likewise, because of the network.

        """


class EngineSupply(EngineSource, Protocol):
    """A supply of engines.

    `open` and `close` are called once each, in this order; `close` even if `open` has failed.
    """

    @property
    def capacity(self) -> int:
        """The number of engines for which there is room, as far as is known once it is open."""

    async def open(self) -> None:
        """Prepare to start engines.

        Raises:
            ServerError: there are none.

        """

    async def close(self) -> None:
        """End all engines that are left."""


class EvaluationCache(Protocol):
    """Evaluations that need not be searched for."""

    async def look_up(
        self, engine: ReadyEngine, positions: Sequence[Position], *, chess960: bool
    ) -> dict[int, PositionEvaluation]:
        """Return what is known of positions, by their index."""

    async def store(
        self, engine: ReadyEngine, searched: Sequence[tuple[Position, bytes]], *, chess960: bool
    ) -> None:
        """Store the newest lines of an engine for each position."""


class RetryPause:
    """The pause before a worker tries again for an engine; it doubles with each failure."""

    FIRST, LONGEST = 1.0, 120.0  # s

    def __init__(self, report: Callable[[str], None]) -> None:
        self.seconds = 0.0
        self._backoff = Backoff(first=self.FIRST, longest=self.LONGEST)
        self._report = report
        self._is_reported = False  # that a server has no room

    async def elapse(self) -> None:
        """Wait until the pause is over."""
        await asyncio.sleep(self.seconds)

    def lengthen(self, lost: UnreachableEngineError) -> None:
        """Double the pause; that a server has no room is reported the first time."""
        self.seconds = self._backoff.next_wait(1.0)
        if isinstance(lost, BusyServerError) and not self._is_reported:
            self._is_reported = True
            self._report(
                f"{lost}; a worker waits until there is room; if it always does, fewer --workers"
                " do as well"
            )

    def reset(self) -> None:
        """Begin with no pause again: a game was analysed."""
        self._backoff.reset()
        self.seconds, self._is_reported = 0.0, False
