"""The scale of scores: sigmoid(score / scale) is the expected result, from 0 to 1."""

from collections.abc import Callable
from math import exp

SCALES = (20.0, 2000.0)  # centipawns; the scale that is looked for lies between
STEPS = 60  # each leaves two thirds


def expected_result(score: float, scale: float) -> float:
    """Return the expected result, from 0 to 1, of a score in centipawns."""
    return 1 / (1 + exp(max(-700.0, min(-score / scale, 700.0))))


def fit_scale(loss: Callable[[float], float]) -> tuple[float, float]:
    """Return the scale with the least loss, and the loss."""
    low, high = SCALES
    for _ in range(STEPS):
        third = (high - low) / 3
        if loss(low + third) < loss(high - third):
            high -= third
        else:
            low += third
    return low, loss(low)
