"""Settings of a project's growth that the algorithm reads."""

from dataclasses import dataclass, field

NARROW, USUAL, WIDE = 10, 25, 60  # widths


@dataclass(frozen=True, slots=True)
class SideSettings:
    """The growth in positions where one side is to move.

    `width` is the loss in centipawns that weighs as much as one ply more.  `lines` is the number of
    candidates that a search is asked for.  Of the candidates, the best `limit` are followed; None
    is no limit, and moves that the owner has added are searched once.  (A repertoire follows one or
    two moves of its own side, and all of the other.)
    """

    width: int = USUAL
    lines: int = 4
    limit: int | None = None

    def __post_init__(self) -> None:
        if min(self.width, self.lines) < 1 or (self.limit is not None and self.limit < 1):
            raise ValueError(f"width, lines and limit must be positive, not {self}")


@dataclass(frozen=True, slots=True)
class GrowthSettings:
    """The growth of a project.

    `nodes` are what the search of a leaf visits that matters least, and `movetime` the milliseconds
    that it takes at most, if that is given: with times, no growth is like another.
    """

    white: SideSettings = field(default_factory=SideSettings)
    black: SideSettings = field(default_factory=SideSettings)
    nodes: int = 100_000
    movetime: int | None = None

    def side(self, *, is_white: bool) -> SideSettings:
        """Return the settings for positions where this side is to move."""
        return self.white if is_white else self.black
