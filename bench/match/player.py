"""A player of a match: its requests, its moves, and its faults.

A player that has failed starts anew with the next game.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

import chess

from bench.match.limit import Limit

PATIENCE = 20.0  # s beyond its time until a player counts as hung


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
        """The seconds to wait: the mover's time and some patience."""
        if self.limit.base is None:
            return PATIENCE
        return (self.white if self.board.turn else self.black) / 1000 + PATIENCE


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
