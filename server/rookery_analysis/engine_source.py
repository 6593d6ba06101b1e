"""Where a worker finds its engine: what local and remote engines have in common."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from rookery_analysis.uci_conversation import Talk
from rookery_protocol.errors import ConfigError
from rookery_server.config.resources import Size
from rookery_server.engines.engine_build import Build

MINIMAL = "Minimal"  # of several engines: a search is told of when it is over


@dataclass(frozen=True, slots=True)
class Setup:
    """What every engine is told before its first game.

    `hash_mb` is in MiB; `lines` are variations of each position (`MultiPV`).  One thread and
    `ucinewgame` before each game make searches by nodes repeatable, so `Threads` is 1
    unless the options say otherwise.  An engine that offers to be silent until it has a
    result is (`Minimal`): each line on the way costs as much as what is done with the last.
    """

    hash_mb: int = 16
    lines: int = 1
    options: tuple[tuple[str, str], ...] = ()

    def chosen(self) -> dict[str, str]:
        """Return all of it by the names of UCI; options go over the rest."""
        usual = {
            "Threads": "1", "Hash": str(self.hash_mb), "MultiPV": str(self.lines), MINIMAL: "true",
        }  # fmt: skip
        named = {name.casefold() for name, _ in self.options}
        kept = {name: value for name, value in usual.items() if name.casefold() not in named}
        return kept | dict(self.options)

    @property
    def size(self) -> Size:
        """The most that an engine may use of a machine by this.

        Raises:
            ConfigError: it is no number.

        """
        chosen = {name.casefold(): value for name, value in self.chosen().items()}
        for name in ("threads", "hash"):
            if not chosen[name].isdecimal() or int(chosen[name]) == 0:
                raise ConfigError(f"{name.capitalize()} needs a number, not {chosen[name]!r}")
        return Size(int(chosen["threads"]), int(chosen["hash"]))

    async def apply(self, talk: Talk) -> None:
        """Tell it to an engine that has just been started.

        Raises:
            ConfigError: the engine cannot do that.

        """
        await talk.greet()
        usual = {"Threads", "Hash", MINIMAL} | ({"MultiPV"} if self.lines == 1 else set())
        wanted = [
            pair for pair in self.chosen().items() if pair[0] not in usual or talk.has(pair[0])
        ]
        await talk.set_up([talk.choose(name, value) for name, value in wanted])
        minimal = MINIMAL.casefold()
        talk.is_terse = any(
            each.casefold() == minimal and value == "true" for each, value in wanted
        )


@dataclass(frozen=True, slots=True)
class Seat:
    """An engine that is ready, and the way to be rid of it.

    `build` is which one it is, where that is known.
    """

    talk: Talk
    leave: Callable[[], None]
    build: Build | None = None


class Seats(Protocol):
    """Who has engines.

    `open` and `close` are called once each, in this order; `close` even if `open` has failed.
    """

    @property
    def room(self) -> int:
        """For how many engines there is room, as far as anybody knows; known when it is open."""

    async def open(self) -> None:
        """Be ready to have engines.

        Raises:
            ServerError: there are none to be had.

        """

    async def close(self) -> None:
        """Let go of all that are left."""

    async def take(self) -> Seat:
        """Start an engine, or connect to one.

        Raises:
            ServerError: it cannot be had, now or ever.
            FaultError: it could not be had this time.
            LostError: likewise, because of the network.

        """
