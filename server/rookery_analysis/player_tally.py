"""The accuracy of each player over all games: a table for people, and CSV for programs."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path

import chess

from rookery_analysis.analysed_game import AnalysedGame, JudgedMove, MoveJudgement, accuracy_of
from rookery_protocol.errors import ServerError
from rookery_protocol.notices import printable

COLUMNS = (
    "player", "games", "moves", "accuracy", "average loss", "inaccuracies", "mistakes", "blunders",
)  # fmt: skip
SHOWN = 20  # players in the table for people
_NAME = 28  # characters


@dataclass(slots=True)
class PlayerTally:
    """The moves of one player; sums of points, not means, so that tallies can be added."""

    games: int = 0
    moves: int = 0
    accuracy: float = 0.0
    loss: float = 0.0
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0

    def add(self, other: "PlayerTally") -> None:
        """Add another tally to this one."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def tallies_of(
    analysed: AnalysedGame, moves: Iterable[JudgedMove | None]
) -> Iterator[tuple[str, PlayerTally]]:
    """Yield what a game adds to the tally of each player; nothing if it was skipped."""
    if analysed.status == "skipped":
        return
    judged = [each for each in moves if each]
    for color, tag in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
        own = [each for each in judged if each.mover == color]
        counts = Counter(each.judgement for each in own)
        yield (
            analysed.game.pgn.headers.get(tag, "?"),
            PlayerTally(
                games=1,
                moves=len(own),
                accuracy=sum(accuracy_of(each.loss) for each in own),
                loss=sum(each.loss for each in own),
                inaccuracies=counts[MoveJudgement.INACCURACY],
                mistakes=counts[MoveJudgement.MISTAKE],
                blunders=counts[MoveJudgement.BLUNDER],
            ),
        )


def write_csv(path: Path, players: Iterable[tuple[str, PlayerTally]]) -> None:
    """Write all players to a file."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows(_rows(players))
    except OSError as error:
        raise ServerError(f"{path} cannot be written: {error.strerror}") from error


def table(players: Iterable[tuple[str, PlayerTally]]) -> str:
    """Return the first players as a table."""
    lines = [f"{'player':<{_NAME}} games moves accuracy  loss   ?!    ?   ??"]
    for name, games, moves, accuracy, lost, *bad in islice(_rows(players), SHOWN):
        counts = " ".join(f"{count:>4}" for count in bad)
        shown = printable(str(name)[:_NAME])
        lines.append(f"{shown:<{_NAME}} {games:>5} {moves:>5} {accuracy:>8} {lost:>5} {counts}")
    return "\n".join(lines)


def _rows(players: Iterable[tuple[str, PlayerTally]]) -> Iterator[tuple[object, ...]]:
    """Yield the row of each player; accuracy and average loss are means over moves."""
    for name, tally in players:
        accuracy, lost = (
            f"{value / tally.moves:.1f}" if tally.moves else ""
            for value in (tally.accuracy, tally.loss)
        )
        bad = tally.inaccuracies, tally.mistakes, tally.blunders
        yield name, tally.games, tally.moves, accuracy, lost, *bad
