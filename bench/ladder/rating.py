"""Elo from results: the ratings under which they were most likely, and how sure that is.

The model is Bradley and Terry's: who is `d` Elo better scores `1 / (1 + 10 ** (-d / 400))`,
and a draw is half a win.  Each pairing gets one drawn game that was not played, so that
one who won all has a rating too.  Draws make results less random than the model says,
so the intervals are rather too wide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

from bench.match.tally import WinDrawLoss

ELO = 400 / log(10)  # in one unit of the exponent
SURE = 1.96  # standard errors on either side, for 95 %
ROUNDS = 100
CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of each player, and the covariances of the estimates."""

    names: tuple[str, ...]
    elo: tuple[float, ...]
    covariance: list[list[float]]

    def of(self, name: str) -> float:
        """Return the Elo of a player."""
        return self.elo[self.names.index(name)]

    def interval(self, name: str, others: Sequence[str]) -> float:
        """Return how far off a rating may be (95 %), as compared with the mean of others."""
        weights = [0.0] * len(self.names)
        weights[self.names.index(name)] += 1.0
        for other in others:
            weights[self.names.index(other)] -= 1.0 / len(others)
        variance = sum(
            weights[i] * weights[j] * self.covariance[i][j]
            for i in range(len(weights))
            for j in range(len(weights))
        )
        return SURE * sqrt(max(variance, 0.0))


def rate(results: Mapping[tuple[str, str], WinDrawLoss], known: Mapping[str, float]) -> Ratings:
    """Return the most likely ratings; their mean over the known players is the known one.

    Raises:
        ValueError: the players are not all connected by games.

    """
    names = tuple(dict.fromkeys(name for pair in results for name in pair))
    place = {name: index for index, name in enumerate(names)}
    strengths = [0.0] * len(names)
    for _ in range(ROUNDS):
        slope, curve = _derivatives(results, place, strengths)
        # One rating is free to choose: the first stays.
        step = solve([row[1:] for row in curve[1:]], slope[1:])
        longest = max((abs(change) for change in step), default=0.0)
        shorter = min(1.0, 1.0 / longest) if longest else 1.0
        for index, change in enumerate(step, 1):
            strengths[index] += change * shorter
        if longest < CLOSE:
            break
    size = len(names)
    covariance = [[0.0] * size for _ in range(size)]
    for column in range(1, size):
        unit = [float(row == column) for row in range(1, size)]
        for row, value in enumerate(solve([line[1:] for line in curve[1:]], unit), 1):
            covariance[row][column] = value * ELO * ELO
    elo = [strength * ELO for strength in strengths]
    present = [name for name in known if name in place]
    shift = sum(known[name] - elo[place[name]] for name in present) / max(1, len(present))
    return Ratings(names, tuple(value + shift for value in elo), covariance)


def _derivatives(
    results: Mapping[tuple[str, str], WinDrawLoss], place: Mapping[str, int], strengths: list[float]
) -> tuple[list[float], list[list[float]]]:
    """Return the slope of the log likelihood, and its curvature downwards."""
    size = len(strengths)
    slope = [0.0] * size
    curve = [[0.0] * size for _ in range(size)]
    for (first, second), tally in results.items():
        i, j = place[first], place[second]
        games = tally.games + 1
        expected = 1 / (1 + exp(strengths[j] - strengths[i]))
        gain = tally.score + 0.5 - games * expected
        slope[i] += gain
        slope[j] -= gain
        weight = games * expected * (1 - expected)
        curve[i][i] += weight
        curve[j][j] += weight
        curve[i][j] -= weight
        curve[j][i] -= weight
    return slope, curve


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve linear equations by elimination, the largest pivot first."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda index: abs(rows[index][column]))
        if abs(rows[pivot][column]) < 1e-12:
            raise ValueError("the players are not all connected by games")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for index in range(size):
            if index != column:
                factor = rows[index][column] / rows[column][column]
                rows[index] = [
                    a - factor * b for a, b in zip(rows[index], rows[column], strict=True)
                ]
    return [rows[index][size] / rows[index][index] for index in range(size)]
