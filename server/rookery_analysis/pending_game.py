"""A game on its way through the workers, and what has gone wrong with it so far.  No I/O.

Whoever has an engine may go on with it, from its first position again, so that what is found
does not depend on how often an engine has died.
"""

from collections import Counter
from dataclasses import dataclass, field

from rookery_analysis.analysed_game import Outcome
from rookery_analysis.game import Work

TRIES = 2  # of a position; once may be an accident
MOST_POISON = 3  # positions of a game; one with more has something else wrong with it


@dataclass(slots=True)
class Case:
    """One game, and its place in the order in which results are written.

    `poison` has the half-moves of positions that are skipped from now on, and why; `losses`
    is how often an engine was lost that was at work on it.
    """

    place: int
    work: Work
    poison: dict[int, str] = field(default_factory=dict)
    losses: int = 0
    _tries: Counter[int] = field(default_factory=Counter)

    def failed(self, ply: int, why: str) -> Outcome | None:
        """Take note that an engine has died or hung at a position.

        Returns:
            That the game is given up; None if it is to be tried again.

        """
        self._tries[ply] += 1
        if self._tries[ply] >= TRIES:
            self.poison[ply] = why
        if len(self.poison) <= MOST_POISON:
            return None
        gave_up = f"given up after {len(self.poison)} positions: {why}"
        return Outcome(self.work, gave_up=gave_up)
