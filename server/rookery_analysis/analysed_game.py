"""What has come of a game: what each position is worth, and what could not be searched.  No I/O."""

from dataclasses import dataclass, field

from rookery_analysis.evaluation import Evaluation
from rookery_analysis.game import Work


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a position, and the move that the engine would play."""

    evaluation: Evaluation
    best: str

    @classmethod
    def of(cls, evaluation: Evaluation, best: str | None) -> "Finding":
        """Put them together; what the engine does not say is the first move of its best line."""
        return cls(evaluation, best or evaluation.lines[0].pv[0])


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game, and what was found: one entry for each position, None where there is nothing.

    `poison` has the half-moves of positions that were skipped, and why; `gave_up` is why the
    whole game was.
    """

    work: Work
    findings: tuple[Finding | None, ...] = ()
    poison: dict[int, str] = field(default_factory=dict)
    gave_up: str | None = None

    @property
    def status(self) -> str:
        """`analysed`, `partly` or `skipped`."""
        if self.work.obstacle or self.gave_up:
            return "skipped"
        return "partly" if self.work.flaws or self.poison else "analysed"

    @property
    def problems(self) -> list[str]:
        """What there is to say of it, each as a sentence."""
        if self.work.obstacle:
            return [*self.work.remarks, self.work.obstacle]
        skipped = [f"half-move {ply}: skipped, {why}" for ply, why in sorted(self.poison.items())]
        gave_up = [self.gave_up] if self.gave_up else []
        return [*self.work.remarks, *self.work.flaws, *skipped, *gave_up]
