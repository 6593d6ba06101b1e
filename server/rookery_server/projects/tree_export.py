"""Exports of a tree, which are made in portions: between two, the database is free for others."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import chess

from rookery_protocol.legality import set_up
from rookery_server.growth.node import Node
from rookery_server.growth.tree_book import BookBounds, BookEntry, book_entries
from rookery_server.growth.tree_pgn import PgnBounds, pgn_pieces
from rookery_server.projects.stored_project import ProjectRoot, StoredProject
from rookery_server.projects.tree_growth import start_of
from rookery_server.projects.tree_store import TreeReader

NODES = 200  # that are read for one portion
_BYTES = 1 << 13  # of a portion of PGN
_ENTRIES = 4000  # of a book, for one portion
# Polyglot's keys have 64 bits without a sign, and SQLite's numbers have one.
_HALF = 1 << 63


class TreeExport(Protocol):
    """An export that is under way; `close` it."""

    def next_portion(self, tree: TreeReader) -> bytes | None:
        """Return what comes next, which may be empty; None after the end."""
        ...

    def close(self) -> None:
        """Forget what is left."""
        ...


class NodeLines:
    """The nodes of a tree in the order of their numbers, each as a line."""

    def __init__(self, line_of: Callable[[Node], bytes], plies: int, visits: int) -> None:
        """Make an export.

        Args:
            line_of: returns the line of a node.
            plies: from the root to a node, at most.
            visits: positions that its subtree has, at least; with 1, waiting ones are there too.

        """
        self._line_of = line_of
        self._plies, self._visits = plies, visits
        self._last = 0

    def next_portion(self, tree: TreeReader) -> bytes | None:
        """Return the next lines; None after the last."""
        nodes = tree.nodes_behind(self._last, NODES)
        if not nodes:
            return None
        self._last = nodes[-1].number
        return b"".join(self._line_of(each) for each in nodes if self._is_wanted(each))

    def _is_wanted(self, node: Node) -> bool:
        return node.rank <= self._plies and max(1, node.size) >= self._visits

    def close(self) -> None:
        """Do nothing: nothing is left."""


class PgnExport:
    """A tree as a game in PGN."""

    def __init__(self, project: StoredProject, bounds: PgnBounds) -> None:
        rules, _, _ = start_of(project.root)
        self._tree = _NowReader()
        board = board_of(project.root)
        self._pieces = pgn_pieces(self._tree, rules, board, project.name, bounds)

    def next_portion(self, tree: TreeReader) -> bytes | None:
        """Return the next lines, which may be none; None after the last."""
        self._tree.now = tree
        found: list[str] = []
        size = count = 0
        for piece in self._pieces:
            found.append(piece)
            size += len(piece)
            count += 1
            if not piece or size >= _BYTES:
                break
        return "".join(found).encode() if count else None

    def close(self) -> None:
        """Forget what is left."""
        self._tree.now = None


class BookExport:
    """A tree as a Polyglot book, whose entries are sorted in a file that none else sees."""

    def __init__(self, project: StoredProject, bounds: BookBounds) -> None:
        self._rules, _, _ = start_of(project.root)
        self._settings = project.settings.growth
        self._bounds = bounds
        self._last = 0
        self._entries = sqlite3.connect("", check_same_thread=False)
        self._entries.execute("CREATE TABLE entry (key INTEGER, weight INTEGER, move INTEGER)")
        self._sorted: sqlite3.Cursor | None = None

    def next_portion(self, tree: TreeReader) -> bytes | None:
        """Take the next nodes, or return the next entries; None after the last."""
        if self._sorted is not None:
            rows = self._sorted.fetchmany(_ENTRIES)
            entries = (BookEntry(key + _HALF, move, weight) for key, weight, move in rows)
            return b"".join(each.pack() for each in entries) if rows else None
        nodes = tree.nodes_behind(self._last, NODES)
        if nodes:
            self._last = nodes[-1].number
            self._take(tree, nodes)
        else:
            order = "SELECT key, weight, move FROM entry ORDER BY key, weight DESC, move"
            self._sorted = self._entries.execute(order)
        return b""

    def _take(self, tree: TreeReader, nodes: Iterable[Node]) -> None:
        numbers = {each.child for node in nodes for each in node.candidates if each.child}
        sizes = {number: size for number, (size, _) in tree.sizes_of(numbers).items()}
        rows = [
            (each.key - _HALF, each.weight, each.move)
            for node in nodes
            for each in book_entries(node, sizes, self._rules, self._settings, self._bounds)
        ]
        self._entries.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Remove the entries."""
        self._entries.close()


class _NowReader:
    """A tree as the transaction has it that is under way now."""

    def __init__(self) -> None:
        self.now: TreeReader | None = None

    def node(self, number: int) -> Node:
        assert self.now
        return self.now.node(number)

    def nodes_of(self, numbers: Iterable[int]) -> Mapping[int, Node]:
        assert self.now
        return self.now.nodes_of(numbers)

    def sizes_of(self, numbers: Iterable[int]) -> Mapping[int, tuple[int, int | None]]:
        assert self.now
        return self.now.sizes_of(numbers)


def board_of(root: ProjectRoot) -> chess.Board:
    """Return the board of a root, with the moves of the game up to it."""
    board = set_up(root.fen, chess960=root.chess960, variant=root.variant)
    for move in root.moves:
        board.push(board.parse_uci(move))
    return board
