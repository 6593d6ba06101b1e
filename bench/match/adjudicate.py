"""The adjudication of games on which both players agree, before the rules end them.

Scores are the movers' own.  A game is won when both report that for a while,
and drawn when neither reports an advantage for a longer while, not too early in the game.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """Centipawns, and for how many full moves; 0 moves switch a rule off."""

    win_score: int = 1000
    win_moves: int = 3
    draw_score: int = 8
    draw_moves: int = 8
    draw_after: int = 40  # full moves of the game


class Adjudicator:
    """The scores of one game so far."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._winning = 0  # plies in a row; below zero for Black
        self._drawn = 0

    def add_score(self, score: int | None, move: int, *, white: bool) -> float | None:
        """Add the mover's score at a full move; return White's points if the game is over."""
        rules = self._rules
        sign = 1 if white else -1
        if score is None or abs(score) < rules.win_score:
            self._winning = 0
        elif (score * sign > 0) == (self._winning > 0):
            self._winning += 1 if score * sign > 0 else -1
        else:
            self._winning = 1 if score * sign > 0 else -1
        early = move <= rules.draw_after
        self._drawn = (
            0 if score is None or abs(score) > rules.draw_score or early else self._drawn + 1
        )
        if rules.win_moves and abs(self._winning) >= 2 * rules.win_moves:
            return float(self._winning > 0)
        if rules.draw_moves and self._drawn >= 2 * rules.draw_moves:
            return 0.5
        return None
