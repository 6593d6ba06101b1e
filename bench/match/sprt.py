"""The sequential probability ratio test of two hypotheses: `elo1` or only `elo0` better.

After each pair the log of the likelihood ratio of the two is compared with two bounds,
so that a clear case ends early.  Neither likelihood is known; in each, the distribution
of the pairs' scores is the most likely one that has the mean in question (GSPRT, as in
fishtest's `LLRcalc.py`; Van den Bergh, "A practical introduction to the GSPRT").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

from bench.match.tally import Pairs, distribution, expected

HALVINGS = 200  # far more than doubles can tell apart


class Verdict(Enum):
    """The result of a test."""

    GOES_ON = "undecided"
    PASSED = "passed"  # elo1
    FAILED = "failed"  # elo0


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test with logistic Elo; `alpha` and `beta` are the chances of a wrong answer.

    Raises:
        ValueError: the hypotheses are not in order, or a chance is not below a half.

    """

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be less than elo1: {self.elo0:g}, {self.elo1:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} must be between 0 and 0.5, not {chance:g}")

    @property
    def lower(self) -> float:
        """The bound at which the test has failed."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The bound at which the test has passed."""
        return log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Pairs) -> float:
        """Return the log likelihood ratio (LLR)."""
        if not pairs.number:
            return 0.0
        return likelihood_ratio(pairs.counts, expected(self.elo0), expected(self.elo1))

    def verdict(self, pairs: Pairs) -> Verdict:
        """Return whether the test is over."""
        ratio = self.ratio(pairs)
        if ratio >= self.upper:
            return Verdict.PASSED
        return Verdict.FAILED if ratio <= self.lower else Verdict.GOES_ON

    def __str__(self) -> str:
        return f"[{self.elo0:g}, {self.elo1:g}]"


def likelihood_ratio(counts: Sequence[float], score0: float, score1: float) -> float:
    """Return how much more likely, as a log, a mean of `score1` is than one of `score0`."""
    chances = distribution(counts)
    total = sum(counts)
    under0, under1 = most_likely(chances, score0), most_likely(chances, score1)
    return total * sum(
        chance * log(one / zero)
        for (_, chance), zero, one in zip(chances, under0, under1, strict=True)
    )


def most_likely(chances: Sequence[tuple[float, float]], mean: float) -> list[float]:
    """Return the probabilities with that mean under which the observed ones are likeliest.

    They are `p / (1 + x (value - mean))`, with the `x` at which the mean is right: the
    sum below falls all the way between its two poles.
    """
    low = -1 / (max(value for value, _ in chances) - mean)
    high = -1 / (min(value for value, _ in chances) - mean)
    for _ in range(HALVINGS):
        x = (low + high) / 2
        off = sum(chance * (value - mean) / (1 + x * (value - mean)) for value, chance in chances)
        low, high = (x, high) if off > 0 else (low, x)
    return [chance / (1 + x * (value - mean)) for value, chance in chances]
