"""Where a worker finds its engine: what local and remote engines have in common."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from rookery_server.batch.talk import Talk
from rookery_server.engines.build import Build


@dataclass(frozen=True, slots=True)
class Setup:
    """What every engine is told before its first game.

    `hash_mb` is in MiB; `lines` are variations of each position (`MultiPV`).  One thread and
    `ucinewgame` before each game make searches by nodes repeatable, so `Threads` is 1
    unless the options say otherwise.
    """

    hash_mb: int = 16
    lines: int = 1
    options: tuple[tuple[str, str], ...] = ()

    def chosen(self) -> dict[str, str]:
        """Return all of it by the names of UCI; options go over the rest."""
        usual = {"Threads": "1", "Hash": str(self.hash_mb), "MultiPV": str(self.lines)}
        named = {name.casefold() for name, _ in self.options}
        kept = {name: value for name, value in usual.items() if name.casefold() not in named}
        return kept | dict(self.options)

    async def apply(self, talk: Talk) -> None:
        """Tell it to an engine that has just been started.

        Raises:
            ConfigError: the engine cannot do that.

        """
        await talk.greet()
        usual = {"Threads", "Hash"} | ({"MultiPV"} if self.lines == 1 else set())
        wanted = [
            pair for pair in self.chosen().items() if pair[0] not in usual or talk.has(pair[0])
        ]
        await talk.set_up([talk.choose(name, value) for name, value in wanted])


@dataclass(frozen=True, slots=True)
class Seat:
    """An engine that is ready, and the way to be rid of it.

    `build` is which one it is, where that is known.
    """

    talk: Talk
    leave: Callable[[], None]
    build: Build | None = None


class Seats(Protocol):
    """Who has engines."""

    async def take(self) -> Seat:
        """Start an engine, or connect to one.

        Raises:
            ServerError: it cannot be had, now or ever.
            FaultError: it could not be had this time.
            LostError: likewise, because of the network.

        """
