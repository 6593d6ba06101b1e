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
    found: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for key, *record in _RECORD.iter_unpack(records):
        found[key].append(tuple(record))
    for key in sorted(found):
        yield key, _entry_of(found.pop(key))


def _entry_of(records: list[tuple[int, ...]]) -> PositionEntry:
    """Return the entry of the moves that were played in one position."""
    counts: dict[int, list[int]] = {}
    for move, result, rating, year, _ in records:
        sums = counts.setdefault(move, [0, 0, 0, 0, 0, 0])
        sums[result] += 1
        sums[3] += rating
        sums[4] += rating > 0
        sums[5] = max(sums[5], year)
    moves = [
        MoveCounts(move, white, draws, black, total // rated if rated else 0, year)
        for move, (white, draws, black, total, rated, year) in counts.items()
    ]
    moves.sort(key=lambda each: (-each.games, each.move))
    best = sorted(records, key=lambda record: (-record[2], -record[3], record[4]))
    return PositionEntry(moves, [game for *_, game in best[:BEST_GAMES]])
