"""The summary of a match: results, the time of each side, and faults."""

from collections import Counter
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from bench.match.game import FAULTS, End, MatchGame
from bench.match.lane import Pair
from bench.match.tally import Pairs, WinDrawLoss

Json = dict[str, object]


@dataclass(slots=True)
class SideSummary:
    """The totals of one of the two players."""

    name: str = "?"
    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    node_seconds: float = 0.0  # of the moves whose nodes are known
    depths: int = 0
    depth_moves: int = 0
    faults: Counter[End] = field(default_factory=Counter)
    least: float = inf  # ms left on the clock

    @property
    def nps(self) -> float:
        """Nodes per second, by our clock."""
        return self.nodes / self.node_seconds if self.node_seconds else 0.0

    @property
    def depth(self) -> float:
        """Mean depth of a move."""
        return self.depths / self.depth_moves if self.depth_moves else 0.0

    def add(self, game: MatchGame, *, white: bool) -> None:
        """Add a game."""
        own = slice(self._first(game, white=white), None, 2)
        for answer in game.answers[own]:
            self.moves += 1
            self.seconds += answer.seconds
            if answer.nodes:
                self.nodes += answer.nodes
                self.node_seconds += answer.seconds
            if answer.depth is not None:
                self.depths += answer.depth
                self.depth_moves += 1
        self.least = min(self.least, *game.clocks[own], inf)
        if game.end in FAULTS and game.points == (0.0 if white else 1.0):
            self.faults[game.end] += 1

    def as_json(self) -> Json:
        """Return all numbers."""
        return {
            "name": self.name,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "nps": round(self.nps),
            "depth": round(self.depth, 2),
            "least_ms": None if self.least == inf else round(self.least),
            "faults": {end.value: count for end, count in self.faults.items()},
        }

    @staticmethod
    def _first(game: MatchGame, *, white: bool) -> int:
        begins_white = game.opening.split()[1] == "w"
        return 0 if begins_white == white else 1


class PlayedGame(NamedTuple):
    """A game as the results keep it: thousands of them need little memory."""

    white: str
    opening: str  # FEN
    points: float  # White's
    end: str
    plies: int


class MatchSummary:
    """The first of two players against the second."""

    def __init__(self) -> None:
        self.first = SideSummary()
        self.second = SideSummary()
        self.pairs = Pairs()
        self.points: list[float] = []  # of the first
        self.games: list[
            tuple[str, str, float, str, int]
        ] = []  # White, opening, points, end, plies
        self.ends: Counter[End] = Counter()
        self.details: list[str] = []  # of what went wrong
        self.playing = 0.0  # s that all games took
        self.interrupted = False

    @property
    def tally(self) -> WinDrawLoss:
        """Wins, draws and losses of the first."""
        return WinDrawLoss.of(self.points)

    @property
    def overhead(self) -> float:
        """The cost of a move besides the engines, in ms."""
        moves = self.first.moves + self.second.moves
        thinking = self.first.seconds + self.second.seconds
        return (self.playing - thinking) / moves * 1000 if moves else 0.0

    def add(self, pair: Pair) -> None:
        """Add two games."""
        for game, first_is_white in zip(pair.games, (True, False), strict=True):
            self.first.add(game, white=first_is_white)
            self.second.add(game, white=not first_is_white)
            self.first.name = game.white if first_is_white else game.black
            self.second.name = game.black if first_is_white else game.white
            plies = len(game.answers)
            self.games.append(
                PlayedGame(game.white, game.opening, game.points, game.end.value, plies)
            )
            self.ends[game.end] += 1
            self.playing += game.seconds
            if game.end in FAULTS:
                self.details.append(f"{game.end.value}: {game.detail}")
        self.points += pair.scores
        self.pairs = self.pairs.add(sum(pair.scores))

    def faults(self) -> str:
        """Return the faults of both sides as text."""
        counts = [
            f"{side.name}: {count} x {end.value}"
            for side in (self.first, self.second)
            for end, count in side.faults.items()
        ]
        return "; ".join(counts) or "no faults"

    def as_json(self) -> Json:
        """Return all numbers, and each game in short."""
        return {
            "first": self.first.as_json(),
            "second": self.second.as_json(),
            "pentanomial": self.pairs.counts,
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "losses": self.tally.losses,
            "elo": round(self.pairs.elo, 2),
            "interval": None if self.pairs.interval == inf else round(self.pairs.interval, 2),
            "normalized_elo": round(self.pairs.normalized, 2),
            "los": round(self.pairs.superiority, 4),
            "ends": {end.value: count for end, count in self.ends.items()},
            "overhead_ms": round(self.overhead, 4),
            "interrupted": self.interrupted,
            "details": self.details,
            "games": self.games,
        }

    def __str__(self) -> str:
        pairs = self.pairs
        apart = "?" if pairs.interval == inf else f"{pairs.interval:.1f}"
        return (
            f"{self.tally}, pairs {pairs}, Elo {pairs.elo:+.1f} +- {apart},"
            f" nElo {pairs.normalized:+.1f}, LOS {pairs.superiority:.1%}"
        )
