"""How well players have played, over all of their games.  No I/O."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields

import chess

from rookery_analysis.game_review import Review
from rookery_analysis.judgement import Judgement, accuracy


@dataclass(slots=True)
class Tally:
    """What counts of one player's moves; sums of points, not means, so that they add up."""

    games: int = 0
    moves: int = 0
    accuracy: float = 0.0
    loss: float = 0.0
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0

    def add(self, other: "Tally") -> None:
        """Count another's moves to these."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def values(self) -> tuple[float, ...]:
        """Return it in the order of its fields."""
        return astuple(self)


def tallies(review: Review) -> Iterator[tuple[str, Tally]]:
    """Yield what each player of a game adds to his tally; nothing of a game that was skipped."""
    if review.outcome.status == "skipped":
        return
    judged = [each for each in review.verdicts if each]
    for color, tag in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        own = [each for each in judged if each.mover == color]
        counts = Counter(each.judgement for each in own)
        yield (
            review.outcome.work.game.headers.get(tag, "?"),
            Tally(
                games=1,
                moves=len(own),
                accuracy=sum(accuracy(each.loss) for each in own),
                loss=sum(each.loss for each in own),
                inaccuracies=counts[Judgement.INACCURACY],
                mistakes=counts[Judgement.MISTAKE],
                blunders=counts[Judgement.BLUNDER],
            ),
        )
