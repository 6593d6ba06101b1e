"""Results of a match, by game and by pair, and what Elo they speak for.

Two games with the same opening and both colours are one pair.  Its games depend on
each other, so chances are computed from the five possible scores of a pair
(the *pentanomial*), which is narrower than from single games.  The formulas are those
of fishtest (`stat_util.py`, `LLRcalc.py`), which fastchess has too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import erf, inf, log, log10, sqrt

SURE = 1.959963984540054  # standard errors on either side, for 95 %
NORMALIZED = 800 / log(10)  # normalized Elo in one standard deviation of a game
CLAMP = 1e-3  # a score nearer to 0 or 1 says nothing of Elo


@dataclass(frozen=True, slots=True)
class WinDrawLoss:
    """The wins, draws and losses of the first player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> "WinDrawLoss":
        """Count the points of games."""
        counts = {1.0: 0, 0.5: 0, 0.0: 0}
        for point in points:
            counts[point] += 1
        return cls(counts[1.0], counts[0.5], counts[0.0])

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points of the first."""
        return self.wins + self.draws / 2

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(frozen=True, slots=True)
class Pairs:
    """The numbers of pairs with 0, 1/2, 1, 3/2 and 2 points for the first player."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def add(self, points: float) -> "Pairs":
        """Return these and one more."""
        counts = list(self.counts)
        counts[round(points * 2)] += 1
        zero, half, one, more, two = counts
        return Pairs((zero, half, one, more, two))

    @property
    def number(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Points in a game."""
        return moments(distribution(self.counts))[0]

    @property
    def error(self) -> float:
        """The standard error of `mean`."""
        if not self.number:
            return inf
        return sqrt(moments(distribution(self.counts))[1] / self.number)

    @property
    def elo(self) -> float:
        """The Elo difference of the first player."""
        return elo(self.mean)

    @property
    def interval(self) -> float:
        """Half of the 95 % interval of `elo`; infinite where nothing but wins, or losses, came."""
        if self.number < 2 or self.number in (self.counts[0], self.counts[-1]):
            return inf
        reach = SURE * self.error
        return (elo(self.mean + reach) - elo(self.mean - reach)) / 2

    @property
    def normalized(self) -> float:
        """Elo in units of what games vary: what a test needs to find it goes with its square."""
        variance = moments(distribution(self.counts))[1]
        return (self.mean - 0.5) / sqrt(2 * variance) * NORMALIZED if self.number else 0.0

    @property
    def superiority(self) -> float:
        """The likelihood that the first player is better (LOS)."""
        if not self.number:
            return 0.5
        return (1 + erf((self.mean - 0.5) / self.error / sqrt(2))) / 2

    def __str__(self) -> str:
        return "[" + ", ".join(map(str, self.counts)) + "]"


def distribution(counts: Sequence[float]) -> list[tuple[float, float]]:
    """Return (points in a game, probability); what never came gets a little of it."""
    filled = [count or CLAMP for count in counts]
    total = sum(filled)
    return [(place / (len(counts) - 1), count / total) for place, count in enumerate(filled)]


def moments(chances: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return mean and variance."""
    mean = sum(value * chance for value, chance in chances)
    return mean, sum(chance * (value - mean) ** 2 for value, chance in chances)


def elo(score: float) -> float:
    """Return the difference that lets one expect a score between 0 and 1."""
    return -400 * log10(1 / min(max(score, CLAMP), 1 - CLAMP) - 1)


def expected(difference: float) -> float:
    """Return the score to expect."""
    return 1 / (1 + 10 ** (-difference / 400))
