"""Moves of many games, sorted by position with little memory.

A move is written to one of 256 files by the first bits of its position, and one file at a time is
read, counted and sorted.  Together they have the positions in the order of their keys.
"""

import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from rookery_server.explorer.opening_reader import OpeningGame
from rookery_server.explorer.packing import MoveCounts, PositionEntry

BEST_GAMES = 8  # of a position: of the highest ratings, and the newest

_PARTS = 256
_RECORD = struct.Struct("<QHBHHI")  # key, move, result, rating, year, game
_FULL = 1 << 18  # bytes of a part that are kept in memory


def records_of(game: OpeningGame, number: int) -> Iterator[tuple[int, bytes]]:
    """Yield the moves of a game: the part in which each belongs, and its bytes."""
    rest = game.result, game.rating, game.year, number
    for key, move in game.plies:
        yield key >> 56, _RECORD.pack(key, move, *rest)


class Spill:
    """The files, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting = [bytearray() for _ in range(_PARTS)]

    def add(self, part: int, records: bytes) -> None:
        """Add some moves of one part."""
        waiting = self._waiting[part]
        waiting += records
        if len(waiting) >= _FULL:
            self._write(part)

    def entries(self) -> Iterator[tuple[int, PositionEntry]]:
        """Yield all positions with their keys, sorted by them; the files are gone afterwards."""
        for part in range(_PARTS):
            self._write(part)
            path = self._path(part)
            if path.exists():
                yield from _entries_in(path.read_bytes())
                path.unlink()

    def _write(self, part: int) -> None:
        if self._waiting[part]:
            with self._path(part).open("ab") as file:
                file.write(self._waiting[part])
            self._waiting[part].clear()

    def _path(self, part: int) -> Path:
        return self._folder / f"{part:03}"


def _entries_in(records: bytes) -> Iterator[tuple[int, PositionEntry]]:
    """Yield the positions of some records, sorted by their keys."""
    found: defaultdict[int, _Tally] = defaultdict(_Tally)
    for key, *record in _RECORD.iter_unpack(records):
        found[key].add(*record)
    for key in sorted(found):
        yield key, found.pop(key).entry()


class _Tally:
    """The counts of one position: the first of all has as many moves as there are games."""

    __slots__ = ("_best", "_counts")

    def __init__(self) -> None:
        # By move: the results, the sum of the ratings, the number of those, the last year.
        self._counts: dict[int, list[int]] = {}
        self._best: list[tuple[int, int, int]] = []

    def add(self, move: int, result: int, rating: int, year: int, game: int) -> None:
        """Add a game."""
        sums = self._counts.setdefault(move, [0, 0, 0, 0, 0, 0])
        sums[result] += 1
        sums[3] += rating
        sums[4] += rating > 0
        sums[5] = max(sums[5], year)
        self._best.append((-rating, -year, game))
        if len(self._best) > 8 * BEST_GAMES:
            self._best = sorted(self._best)[:BEST_GAMES]

    def entry(self) -> PositionEntry:
        """Return what the file has of the position."""
        moves = [
            MoveCounts(move, white, draws, black, total // rated if rated else 0, year)
            for move, (white, draws, black, total, rated, year) in self._counts.items()
        ]
        moves.sort(key=lambda each: (-each.games, each.move))
        return PositionEntry(moves, [game for *_, game in sorted(self._best)[:BEST_GAMES]])
