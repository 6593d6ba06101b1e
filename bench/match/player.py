"""A player of a match: its limits, its requests, its moves, and its faults.

A player that has failed starts anew with the next game.  Fixed nodes give the same games on a
loaded machine as on a quiet one; a clock tests real games, and the engine's handling of time.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

import chess

from rookery_uci import Limits


@dataclass(frozen=True, slots=True)
class Limit:
    """Either a clock (`base` and `increment`, in ms), or the words after `go`."""

    base: int | None = None
    increment: int = 0
    fixed: str = ""

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Read `10+0.1` (seconds), `nodes 3000`, `depth 8` or `movetime 100`.

        Raises:
            ValueError: it is none of these.

        """
        words = text.split()
        if len(words) == 2 and words[0] in ("nodes", "depth", "movetime"):
            if words[1].isdecimal() and int(words[1]) > 0:
                return cls(fixed=f"{words[0]} {int(words[1])}")
        elif len(words) == 1:
            base, _, increment = text.partition("+")
            try:
                limit = cls(round(float(base) * 1000), round(float(increment or 0) * 1000))
            except ValueError:
                pass
            else:
                if limit.base and limit.base > 0 and limit.increment >= 0:
                    return limit
        raise ValueError(f"a limit is 10+0.1, `nodes 3000` or the like, not {text!r}")

    def __str__(self) -> str:
        return (
            self.fixed if self.base is None else f"{self.base / 1000:g}+{self.increment / 1000:g}"
        )

    def limits(self, white: float, black: float) -> Limits:
        """Return the limits of a search, with what the clocks show (ms)."""
        if self.base is None:
            return Limits.parse(self.fixed)
        increment = self.increment or None
        wtime, btime = max(1, int(white)), max(1, int(black))
        return Limits(wtime=wtime, btime=btime, winc=increment, binc=increment)


PATIENCE = 20.0  # s beyond its time until a player counts as hung
SLOWEST = 10_000  # nodes/s, for its time where it has so many nodes
DEPTH_PATIENCE = 600.0  # s, where it has a depth: how long that takes is not known


class PlayerFault(Enum):
    """The ways in which a player can fail in a game."""

    CRASH = "crash"
    HANG = "hang"
    ILLEGAL = "illegal move"
    RESIGN = "resignation"  # no fault in other games


class PlayerError(Exception):
    """A player cannot go on with this game."""

    def __init__(self, fault: PlayerFault, sentence: str) -> None:
        super().__init__(sentence)
        self.fault = fault


Options = tuple[tuple[str, str], ...]  # names and values


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """The command of a player.  `options` have the engine's own names."""

    name: str  # "" is as the engine calls itself
    command: tuple[str, ...]
    options: Options = ()
    protocol: str = "uci"  # or xboard
    environment: tuple[tuple[str, str], ...] = ()
    folder: Path | None = None  # where it runs


@dataclass(slots=True)
class MoveRequest:
    """A request to move on `board`, which the player must not change.

    `fen` and `moves` lead to the same position from the last move that cannot be
    taken back, so they stay short.
    """

    board: chess.Board
    limit: Limit
    white: float = 0.0  # ms on the clocks
    black: float = 0.0
    fen: str = chess.STARTING_FEN
    moves: list[str] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The seconds to wait: the mover's time, as far as that is known, and some patience."""
        if self.limit.base is not None:
            return (self.white if self.board.turn else self.black) / 1000 + PATIENCE
        word, _, number = self.limit.fixed.partition(" ")
        if word == "depth":
            return DEPTH_PATIENCE
        return int(number) / (1000 if word == "movetime" else SLOWEST) + PATIENCE


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move as text, its time, and the player's last report on it."""

    move: str
    seconds: float = 0.0
    score: int | None = None  # centipawns for the mover; a mate in n is MATE - n
    depth: int | None = None
    nodes: int | None = None
    nps: int | None = None


MATE = 32_000


class MatchPlayer(ABC):
    """A player, which ends with its `with` block."""

    name: str

    @abstractmethod
    def new_game(self) -> None:
        """Forget the game before; start again if it has failed."""

    def set_options(self, options: Options) -> None:
        """Set options from now on, also when it is started again."""
        raise NotImplementedError(f"{self.name} has no options")

    @abstractmethod
    def choose(self, question: MoveRequest) -> PlayedMove:
        """Return the move to play.

        Raises:
            PlayerError: there is none to be had.

        """

    @abstractmethod
    def end(self) -> None:
        """End its process, if one is running."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()


def open_player(spec: PlayerSpec) -> MatchPlayer:
    """Start a player.

    Raises:
        PlayerError: it does not start, or does not have such an option.

    """
    if spec.protocol == "xboard":
        from bench.match.xboard import XboardPlayer  # it loads asyncio

        return XboardPlayer(spec)
    from bench.match.uci import UciPlayer

    return UciPlayer(spec)
