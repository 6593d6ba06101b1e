"""The tree as the algorithms of growth reach it."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from rookery_server.growth.node import Node


class NodeReader(Protocol):
    """The nodes of one project."""

    def node(self, number: int) -> Node:
        """Return a node by its number, which exists."""
        ...

    def node_of(self, key: str) -> Node | None:
        """Return the node of a position."""
        ...

    def numbers(self) -> Iterator[int]:
        """Return the numbers of all nodes, rising; nodes may be added and written meanwhile."""
        ...


class NodeStore(NodeReader, Protocol):
    """The nodes of one project, which may be changed.  What was written is read at once."""

    def add(self, node: Node) -> int:
        """Store a node that has no number and return the one that it gets: the next, from 1."""
        ...

    def write(self, node: Node) -> None:
        """Store a node that has a number in place of the one before."""
        ...

    def link(self, parent: int, child: int) -> None:
        """Store that a candidate of one node leads to another, once."""
        ...

    def parents(self, number: int) -> Sequence[int]:
        """Return the numbers of the nodes that are linked to a child, rising."""
        ...

    def bottom_up(self) -> Iterator[int]:
        """Return the numbers of all nodes by `Node.order`, rising, then by number.

        Each child that carries comes before its parents.  Nodes may be written meanwhile, but
        neither their phases nor their ranks.
        """
        ...
