"""The distance of a network's or an engine's scores from those of a long search.

The distance is the mean square of sigmoid(score / scale) - sigmoid(truth / 111), with the
scale at which a judge comes nearest: judges differ in what a centipawn is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev

from train.label import LabelEngine
from train.plain_network import PlainNetwork
from train.sample import features_of, sample_of
from train.scale import expected_result, fit_scale
from train.truth import Truth

UNIT = 111.0  # centipawns; a hundred win every second game, see wdl.py of the engine


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance of some scores from the truth."""

    error: float  # mean square
    doubt: float  # the error's standard error
    scale: float  # of the scores, in their centipawns
    positions: int

    @classmethod
    def of(cls, scores: list[int], truths: list[Truth]) -> "Distance":
        """Compare scores for the side to move with the truth."""
        aims = [expected_result(truth.score, UNIT) for truth in truths]

        def squares(scale: float) -> list[float]:
            return [
                (expected_result(score, scale) - aim) ** 2
                for score, aim in zip(scores, aims, strict=True)
            ]

        scale, error = fit_scale(lambda scale: fmean(squares(scale)))
        return cls(error, pstdev(squares(scale)) / sqrt(len(scores)), scale, len(scores))

    def __str__(self) -> str:
        return (
            f"{self.error:.5f} +- {self.doubt:.5f}  scale {self.scale:6.1f}"
            f"  {self.positions} positions"
        )


def probe_network(path: Path, truths: list[Truth]) -> str:
    """Return the distance of a network's scores from the truth.

    Raises:
        NetworkError: the file holds no network.
        FenError: a position is none.
        OSError: the file cannot be read.

    """
    network = PlainNetwork.from_file(path)
    scores = [network.evaluate(features_of(sample_of(truth.fen))) for truth in truths]
    return f"{Distance.of(scores, truths)}  {path.name}"


def probe_engine(command: str, nodes: int, truths: list[Truth]) -> Iterator[str]:
    """Yield the distance of an engine's scores, and of its exact ones; 0 nodes is `eval`.

    Raises:
        LabelError: the engine does not do what UCI asks.
        OSError: it cannot be started.

    """
    label = LabelEngine(command, nodes)
    try:
        if not nodes:
            scores = label.evaluate([truth.fen for truth in truths])
            yield f"{Distance.of(scores, truths)}  {label.name}, static"
            return
        found = []
        for truth in truths:
            label.new_game()
            found.append(label.choose(truth.fen))
    finally:
        label.close()
    scores = [each.score for each in found]
    yield f"{Distance.of(scores, truths)}  {label.name}, {nodes} nodes"
    exact = [index for index, each in enumerate(found) if each.exact]
    if 1 < len(exact) < len(found):
        some = Distance.of([scores[index] for index in exact], [truths[index] for index in exact])
        yield f"{some}  the same, exact scores only"
