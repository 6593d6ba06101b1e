"""Draws along one path, by repetition and the fifty-move rule: nothing of them is in a node."""

from dataclasses import dataclass

from rookery_server.growth.node import Kind
from rookery_server.growth.rules import Rules, Step

FIFTY_MOVES = 100  # plies


@dataclass(frozen=True, slots=True)
class Path:
    """The positions since the last irreversible move, the last one included.

    `clock` counts plies since the last capture or pawn move; `phase` is the last position's.
    """

    keys: tuple[str, ...]
    phase: int
    clock: int = 0

    def after(self, step: Step) -> "Path":
        """Return the path with one move more."""
        keys = (step.key,) if step.phase < self.phase else (*self.keys, step.key)
        return Path(keys, step.phase, 0 if step.is_zeroing else self.clock + 1)

    def is_drawn(self, rules: Rules) -> bool:
        """Return whether the last position is a draw here: it is repeated, or 50 moves are over.

        As engines do, it takes the first repetition for a draw.  A mate comes before the rule.
        """
        last = self.keys[-1]
        if last in self.keys[:-1]:
            return True
        if self.clock < FIFTY_MOVES:
            return False
        ending = rules.ending(last)
        return ending is None or ending.kind is not Kind.CHECKMATE
