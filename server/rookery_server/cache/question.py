"""The question of a search: all that its answer depends on.  No I/O.

Two searches ask the same if the position, the engine and all options that change its
opinion are the same.  Of an unknown engine, any option may change it; so every option counts
except those that certainly do not, and a value that the engine has by default is as good as none.

Transpositions are one position.  Of its history two things count, both because of
draws: the number of moves since the last capture or pawn move, and the positions since then.

- Up to `NEAR` half-moves no search sees the draw by the 50-move rule, which is 80 half-moves
  away; from there on the number is part of the position.
- If a position has occurred twice since, the next time may be a draw, which a FEN does not
  show: such a position has no name.  A position that has occurred once is no danger,
  because engines count a position of the game only when it comes for the third time.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import chess

from rookery_protocol.legality import STANDARD, set_up
from rookery_server.engines.offered_options import OfferedOptions
from rookery_uci import CHESS960, VARIANT, Limits, Position, to_number

MULTIPV = "multipv"
NEAR = 20  # half-moves
_DRAWN = 100  # half-moves, after which the game is a draw by the 50-move rule
_CYCLE = 4  # half-moves, the least between a position and its repetition

# Options that change the time of a search and what it prints, but not its result at a
# depth.  (With more threads the result differs each time, and none is better.)
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
        # These are fields of the question.
        CHESS960,
        MULTIPV,
        VARIANT,
    }
)

# An engine that plays more weakly than it can gives no evaluation of its own.
_LIMITED = ("uci_limitstrength", "true")
_SKILL = "skill level"


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and the options of an engine that change its opinion of it.

    `options` are those with another value than the default, sorted; `lines` is the number of
    variations.
    """

    position: Position
    chess960: bool = False
    variant: str = STANDARD
    options: tuple[tuple[str, str], ...] = ()
    lines: int = 1


def question_of(
    limits: Limits, position: Position, offer: OfferedOptions, chosen: Mapping[str, str]
) -> Question | None:
    """Return the question of a search; None if its answer is of no use to another.

    Args:
        limits: the limits of the search.
        position: the position as it was sent to the engine.
        offer: the options of the engine.
        chosen: the values that the client has set, by the options' keys.

    """
    if not _is_analysis(limits):
        return None
    options = offer.departures(chosen)
    if _LIMITED in options or any(key == _SKILL for key, _ in options):
        return None

    chess960, variant = offer.rules(chosen)
    return Question(
        position,
        chess960=chess960,
        variant=variant,
        options=tuple(option for option in options if option[0] not in IMMATERIAL),
        lines=to_number(chosen.get(MULTIPV) or offer.value(MULTIPV)) or 1,
    )


def _is_analysis(limits: Limits) -> bool:
    """Return whether all moves are searched for the best, and no game is being played.

    A game by a clock has an opponent that must not see its searches; and in a game an
    engine's own opinion counts, not another's.
    """
    others = (limits.mate, limits.perft, limits.wtime, limits.btime)
    return not limits.searchmoves and not limits.ponder and others == (None,) * len(others)


def board_of(question: Question) -> chess.Board:
    """Return the board of a question, with the moves that led there."""
    position = question.position
    board = set_up(position.fen, chess960=question.chess960, variant=question.variant)
    for text in position.moves:
        board.push(chess.Move.from_uci(text))
    return board


def normal_form(board: chess.Board, variant: str) -> str | None:
    """Return the name of a position; None if its history cannot be part of one.

    Castling is written by files and en passant only if it is possible, so that each
    position has one name.
    """
    clock = board.halfmove_clock
    if clock >= _DRAWN or board.is_game_over(claim_draw=False) or _has_repetition(board):
        return None
    rules = "960" if board.chess960 else "-"
    return f"{variant} {rules} {_name(board)} {clock if clock > NEAR else 0}"


def _has_repetition(board: chess.Board) -> bool:
    """Return whether a position has occurred twice since the last irreversible move."""
    steps = min(board.halfmove_clock, len(board.move_stack))
    if steps < _CYCLE:
        return False
    past, seen = board.copy(stack=steps), {_name(board)}
    for _ in range(steps):
        past.pop()
        name = _name(past)
        if name in seen:
            return True
        seen.add(name)
    return False


def _name(board: chess.Board) -> str:
    return board.epd(shredder=True, en_passant="legal")
