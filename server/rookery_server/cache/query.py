"""What a search asks, as far as its answer would be the same another time.  No I/O.

Two clients ask the same if the position, the engine and all options that change its
opinion are the same.  What may change it is not known of engines that nobody here has
seen; so every option matters but those that certainly do not, and a value that the
engine has anyway is as good as none.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rookery_protocol.legality import STANDARD
from rookery_server.engines.offered_options import OfferedOptions
from rookery_uci import CHESS960, VARIANT, Limits, Position, to_number

MULTIPV = "multipv"

# What changes how long a search takes, what it tells of itself, and to whom; but not what
# it finds at a depth.  (More threads find something else each time, and none is better.)
IMMATERIAL = frozenset(
    {
        "debug log file",
        "hash",
        "minimal",
        "minimum thinking time",
        "move overhead",
        "numapolicy",
        "ponder",
        "slow mover",
        "threads",
        "uci_engineabout",
        "uci_opponent",
        "uci_showcurrline",
        "uci_showrefutations",
        # These are parts of the question by themselves.
        CHESS960,
        MULTIPV,
        VARIANT,
    }
)

# An engine that plays more weakly than it can says what it does not believe.
_LIMITED = ("uci_limitstrength", "true")
_SKILL = "skill level"


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and what an engine was told that changes its opinion of it.

    `options` are those that it has not by itself, sorted.  `lines`: so many variations.
    """

    position: Position
    chess960: bool = False
    variant: str = STANDARD
    options: tuple[tuple[str, str], ...] = ()
    lines: int = 1


def question_of(
    limits: Limits, position: Position, offer: OfferedOptions, chosen: Mapping[str, str]
) -> Question | None:
    """Return what a search asks; None if its answer is good for itself alone.

    Args:
        limits: of the search.
        position: where it begins, as the engine has heard it.
        offer: the options of the engine.
        chosen: what the client has set them to, by what names are compared by.

    """
    if not _is_analysis(limits):
        return None
    options = offer.departures(chosen)
    if _LIMITED in options or any(key == _SKILL for key, _ in options):
        return None

    def value(key: str) -> str:
        return chosen.get(key) or offer.value(key)

    return Question(
        position,
        chess960=value(CHESS960) == "true",
        variant=value(VARIANT) or STANDARD,
        options=tuple(option for option in options if option[0] not in IMMATERIAL),
        lines=to_number(value(MULTIPV)) or 1,
    )


def _is_analysis(limits: Limits) -> bool:
    """Say whether all moves are searched for the best, and no game is being played.

    Who plays by a clock has an opponent, whom the thoughts of the game do not concern;
    and in a game an engine's own opinion counts, not another's.
    """
    others = (limits.mate, limits.perft, limits.wtime, limits.btime)
    return not limits.searchmoves and not limits.ponder and others == (None,) * len(others)
