"""Syzygy tables in folders, and what they say of a position.

A table that cannot be read is logged once with its name, and left out: what needs it is
`unknown`.  A probe reads the disk and takes milliseconds: call it in a thread.
"""

import logging
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import chess
import chess.syzygy

from rookery_protocol.errors import ServerError

logger = logging.getLogger(__name__)

# For the side to move, worst first.  `syzygy`: a draw by the fifty-move rule cannot be ruled out,
# as DTZ may be rounded.  `maybe`: the same, as there is no table of DTZ.
Category = Literal[
    "loss", "syzygy-loss", "maybe-loss", "blessed-loss", "draw",
    "cursed-win", "maybe-win", "syzygy-win", "win", "unknown",
]  # fmt: skip
RANKS = {each: rank for rank, each in enumerate(get_args(Category))}
FIFTY_MOVES = 100  # plies

_BROKEN = (AssertionError, IndexError, OSError, OverflowError, ValueError, struct.error)
_BY_WDL: dict[int, Category] = {
    -2: "loss", -1: "blessed-loss", 0: "draw", 1: "cursed-win", 2: "win",
}  # fmt: skip
_LOST: dict[Category, Category] = {
    "win": "loss",
    "syzygy-win": "syzygy-loss",
    "maybe-win": "maybe-loss",
    "cursed-win": "blessed-loss",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The knowledge of a position; `dtz` is in plies and may be one too small."""

    category: Category
    dtz: int | None = None


UNKNOWN = Finding("unknown")


class SyzygyTables:
    """The tables of some folders.  `men`: so many a position may have, 0 without tables."""

    def __init__(self, folders: Sequence[str]) -> None:
        """Find the tables; none is opened before it is needed.

        Raises:
            OSError: a folder cannot be read.

        """
        self._tables = _CheckedTables()
        for folder in folders:
            self._tables.add_directory(folder)
        self.men = max((len(key.replace("v", "")) for key in self._tables.wdl), default=0)

    def probe(self, board: chess.Board) -> Finding:
        """Return what the tables say of a position, whose game is not over by the rules."""
        if chess.popcount(board.occupied) > self.men or board.castling_rights:
            return UNKNOWN
        try:
            wdl = self._tables.probe_wdl(board)
        except KeyError:
            return UNKNOWN
        dtz = None
        with suppress(KeyError):
            dtz = self._tables.probe_dtz(board)
        return Finding(_category(wdl, dtz, board.halfmove_clock), dtz)

    def close(self) -> None:
        """Close the files."""
        self._tables.close()


def open_tables(folders: Sequence[str]) -> SyzygyTables | None:
    """Find the tables of the configuration; return None without folders.

    Raises:
        ServerError: a folder cannot be read.

    """
    try:
        return SyzygyTables(folders) if folders else None
    except OSError as error:
        raise ServerError(f"tablebases.path: {error.filename}: {error.strerror}") from error


def _category(wdl: int, dtz: int | None, clock: int) -> Category:
    """Return the category of a position; its tables know nothing of the fifty moves so far."""
    if abs(wdl) < 2 or not clock:
        return _BY_WDL[wdl]
    won: Category = "win"
    if dtz is None:
        won = "maybe-win"
    elif abs(dtz) + clock > FIFTY_MOVES:
        won = "cursed-win"
    elif abs(dtz) + clock == FIFTY_MOVES:
        won = "syzygy-win"
    return won if wdl > 0 else _LOST[won]


class _CheckedTables(chess.syzygy.Tablebase):
    """The tables of python-chess, which is undefined where one of them is broken."""

    def probe_wdl_table(self, board: chess.Board) -> int:
        """Return what a table says."""
        try:
            return super().probe_wdl_table(board)
        except _BROKEN as error:
            raise self._leave_out(self.wdl, board, error) from error

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> tuple[int, int]:
        """Return what a table says."""
        try:
            return super().probe_dtz_table(board, wdl)
        except _BROKEN as error:
            raise self._leave_out(self.dtz, board, error) from error

    def _leave_out(
        self, tables: dict[str, chess.syzygy.Table], board: chess.Board, error: Exception
    ) -> chess.syzygy.MissingTableError:
        """Do without a table from now on."""
        key = chess.syzygy.calc_key(board)
        table = tables[key]
        for each in {table.key, table.mirrored_key}:
            del tables[each]
        reason = str(error) or type(error).__name__
        logger.warning("the tablebase %s is broken: %s", Path(table.path), reason)
        return chess.syzygy.MissingTableError(f"{key} is broken")
