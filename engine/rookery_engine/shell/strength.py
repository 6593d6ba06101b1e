"""Playing strength: from the options to the handicap of a weaker player.

People do not play random moves; they see less.  So a weaker engine looks at fewer
positions, overlooks moves (`weakness` decides which), values pieces and squares a little
wrongly, and wavers between moves that are about as good.  This module knows only
the numbers, and does no I/O; `weakness` and `searcher` apply them.

All four numbers follow from one, the *level*, by formulas that never change.  Only the Elo
of a level is measured, and only that table is renewed when the engine changes: see
"Playing weaker" in the README.
"""

from itertools import pairwise
from typing import NamedTuple

from rookery_engine.shell.options import MAX_ELO, MAX_SKILL, MIN_ELO, Options

TOP_LEVEL = 10.0
LEAST_NODES = 100  # at level 0: two or three of its own moves ahead, at most
DOUBLINGS = 11.0  # ... and so often twice as many at the top: 204,800
MOST_BLIND = 640  # of 1024 quiet moves, just ahead, that are not seen at level 0
MOST_MISJUDGED = 60  # units of the score by which the worth of a man on a square may be wrong
MOST_WAVERING = 140  # units that a move may be worse, and be played all the same

# The Elo of a level, roughly, with a knot at every second level; see the README.
MEASURED = (
    (800, 0.0),
    (1160, 2.0),
    (1440, 4.0),
    (1795, 6.0),
    (2210, 8.0),
    (2820, 10.0),
)


class Handicap(NamedTuple):
    """Limits of what a weaker player sees."""

    nodes: int  # positions after which no deeper iteration starts
    blindness: int  # of 1024 quiet moves, just ahead, that it does not see
    misjudgement: int  # units of the score by which it may be wrong about a man on a square
    wavering: int  # units that a move may be worse, and be played all the same


def handicap_of(options: Options) -> Handicap | None:
    """Return the handicap that the options ask for; None is full strength.

    UCI_LimitStrength comes before Skill Level.
    """
    if options.flag("UCI_LimitStrength"):
        return handicap_of_elo(options.number("UCI_Elo"))
    skill = options.number("Skill Level")
    return None if skill == MAX_SKILL else handicap_of_elo(elo_of_skill(skill))


def elo_of_skill(skill: int) -> int:
    """Return the Elo of a skill level: even steps from the lowest to the highest."""
    return MIN_ELO + (MAX_ELO - MIN_ELO) * skill // MAX_SKILL


def handicap_of_elo(elo: int) -> Handicap:
    """Return the handicap of a player of that Elo."""
    return handicap_of_level(_level_of(elo))


def handicap_of_level(level: float) -> Handicap:
    """Return the handicap of a player of a level, 0 to `TOP_LEVEL`."""
    lack = 1.0 - level / TOP_LEVEL
    return Handicap(
        nodes=round(LEAST_NODES * 2 ** (DOUBLINGS * (1.0 - lack))),
        blindness=round(MOST_BLIND * lack**1.5),
        misjudgement=round(MOST_MISJUDGED * lack),
        wavering=round(MOST_WAVERING * lack),
    )


def _level_of(elo: int) -> float:
    """Return the level for an Elo, on straight lines between those measured."""
    for (low, level), (high, next_level) in pairwise(MEASURED):
        if elo <= high:
            return level + (next_level - level) * max(0, elo - low) / (high - low)
    return MEASURED[-1][1]
