"""Scores in words and pawns, always from White's side.  No I/O."""

from typing import NamedTuple

# Pawns from which a side is said to be so much better.
_BOUNDS = ((5.0, "winning"), (2.0, "much better"), (0.8, "better"), (0.3, "slightly better"))
_MATE = 1000.0  # pawns that a mate counts as, where scores are compared


class WhiteScore(NamedTuple):
    """A score of White's: centipawns, or moves to a mate that is Black's below 0."""

    cp: int | None = None
    mate: int | None = None

    @property
    def pawns(self) -> float:
        """The score in pawns; the nearer a mate, the more."""
        if self.mate is not None:
            nearness = _MATE - abs(self.mate)
            return nearness if self.mate > 0 else -nearness
        return (self.cp or 0) / 100

    def __str__(self) -> str:
        """`+0.45` in pawns, or `mate in 3 for Black`."""
        if self.mate is not None:
            return f"mate in {abs(self.mate)} for {'White' if self.mate > 0 else 'Black'}"
        return f"{self.pawns:+.2f}"

    @property
    def in_words(self) -> str:
        """`+0.45 (White is slightly better)`."""
        if self.mate is not None:
            return str(self)
        side = "White" if self.pawns > 0 else "Black"
        word = next((word for bound, word in _BOUNDS if abs(self.pawns) >= bound), None)
        return f"{self} ({f'{side} is {word}' if word else 'about equal'})"
