"""The tablebases that a server has, for the leaves of its projects: what is in them is a fact."""

import asyncio
from concurrent.futures import Executor

import chess

from rookery_protocol.legality import STANDARD
from rookery_server.growth.finding import Leaf
from rookery_server.growth.value import TABLE
from rookery_server.projects.stored_project import ProjectRoot
from rookery_server.tablebases.tables import SyzygyTables

# The counter of the fifty-move rule is that of a path, and no node's: it stands at 0.
_VALUES = {"win": TABLE, "cursed-win": 0, "draw": 0, "blessed-loss": 0, "loss": -TABLE}


class LeafTables:
    """The tables for leaves; `close` them."""

    def __init__(self, tables: SyzygyTables | None, reader: Executor) -> None:
        """Take tables that nothing else reads, if there are any.

        Args:
            tables: the tables.
            reader: a thread for them, as a probe reads the disk.

        """
        self._tables = tables
        self._reader = reader

    def close(self) -> None:
        """Close the tables when their thread is done with them."""
        if self._tables:
            self._reader.submit(self._tables.close)

    async def value_of(self, leaf: Leaf, root: ProjectRoot) -> int | None:
        """Return the value of a leaf; None if it is in no table, or only some moves are searched.

        Args:
            leaf: the leaf.
            root: of its project.

        """
        tables = self._tables
        if tables is None or leaf.moves or root.variant != STANDARD or _men(leaf) > tables.men:
            return None
        board = chess.Board(f"{leaf.key} 0 1", chess960=root.chess960)
        loop = asyncio.get_running_loop()
        finding = await loop.run_in_executor(self._reader, tables.probe, board)
        return _VALUES.get(finding.category)


def _men(leaf: Leaf) -> int:
    return sum(each.isalpha() for each in leaf.key.split(" ", 1)[0])
