"""The scale of scores: sigmoid(score / scale) is what a score promises, from 0 to 1."""

from collections.abc import Callable
from math import exp

SCALES = (20.0, 2000.0)  # centipawns; the scale that is looked for lies between
STEPS = 60  # each leaves two thirds


def promise(score: float, scale: float) -> float:
    """Return the share of a win that a score in centipawns promises."""
    return 1 / (1 + exp(max(-700.0, min(-score / scale, 700.0))))


def best(loss: Callable[[float], float]) -> tuple[float, float]:
    """Return the scale with the least loss, and the loss."""
    low, high = SCALES
    for _ in range(STEPS):
        third = (high - low) / 3
        if loss(low + third) < loss(high - third):
            high -= third
        else:
            low += third
    return low, loss(low)
