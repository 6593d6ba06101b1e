"""How well players have played: a table for people, and CSV for programs."""

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from rookery_analysis.player_tally import Tally
from rookery_analysis.printable import safe
from rookery_protocol.errors import ServerError

COLUMNS = (
    "player", "games", "moves", "accuracy", "average loss", "inaccuracies", "mistakes", "blunders",
)  # fmt: skip
SHOWN = 20  # players in the table for people
_NAME = 28  # characters


def rows(players: Iterable[tuple[str, Tally]]) -> Iterator[tuple[object, ...]]:
    """Yield what is said of each player; accuracy and average loss are means over moves."""
    for name, tally in players:
        accuracy, lost = (
            f"{value / tally.moves:.1f}" if tally.moves else ""
            for value in (tally.accuracy, tally.loss)
        )
        bad = tally.inaccuracies, tally.mistakes, tally.blunders
        yield name, tally.games, tally.moves, accuracy, lost, *bad


def write_csv(path: Path, players: Iterable[tuple[str, Tally]]) -> None:
    """Write all players to a file."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows(rows(players))
    except OSError as error:
        raise ServerError(f"{path} cannot be written: {error.strerror}") from error


def table(players: Iterable[tuple[str, Tally]]) -> str:
    """Return the players who have played most, for people."""
    lines = [f"{'player':<{_NAME}} games moves accuracy  loss   ?!    ?   ??"]
    for name, games, moves, accuracy, lost, *bad in islice(rows(players), SHOWN):
        counts = " ".join(f"{count:>4}" for count in bad)
        shown = safe(str(name)[:_NAME])
        lines.append(f"{shown:<{_NAME}} {games:>5} {moves:>5} {accuracy:>8} {lost:>5} {counts}")
    return "\n".join(lines)
