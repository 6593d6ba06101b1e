"""The largest subtrees of a tree, and where its newest positions are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Protocol

from rookery_server.growth.node import ROOT, Node

_AHEAD = 16  # of the largest subtrees, whose children are read at once


class PortionReader(Protocol):
    """The nodes of one project, of which several are read at once."""

    def node(self, number: int) -> Node:
        """Return a node by its number, which exists."""
        ...

    def nodes_of(self, numbers: Iterable[int]) -> Mapping[int, Node]:
        """Return nodes by their numbers; what does not exist is left out."""
        ...

    def sizes_of(self, numbers: Iterable[int]) -> Mapping[int, tuple[int, int | None]]:
        """Return the sizes of nodes by their numbers, and the nodes that they were found from."""
        ...


def largest_subtrees(tree: PortionReader, start: int = ROOT) -> Iterator[Node]:
    """Yield the nodes of a subtree, of the largest subtrees first: each after its `found_by`.

    Of two of one size, the one with the lower number comes first.
    """
    first = tree.node(start)
    heap = [(-first.size, start)]
    known: dict[int, Node] = {}  # that may come next
    sizes: dict[int, tuple[int, int | None]] = {}  # of their children, and what those were found by
    while heap:
        if heap[0][1] not in known:
            some = tree.nodes_of({number for _, number in heap[:_AHEAD]} - known.keys())
            known |= some
            sizes |= tree.sizes_of(_children(some.values()))
        _, number = heappop(heap)
        node = known.pop(number)
        for child in set(_children([node])):
            size, found_by = sizes.get(child, (0, None))
            if found_by == number:
                heappush(heap, (-size, child))
        yield node


def newest_below(tree: PortionReader, newest: Sequence[int]) -> dict[int, int]:
    """Return, of these nodes and all that they were found from, the newest one that is below."""
    below = {number: number for number in newest}
    known: dict[int, Node] = {}
    missing = set(below)
    while missing:
        found = tree.nodes_of(missing)
        known |= found
        above = {each.found_by for each in found.values() if each.found_by is not None}
        missing = above - known.keys()
    for number in sorted(newest):  # The last one to be written is the newest.
        node = known.get(number)
        while node is not None:
            below[node.number] = number
            node = None if node.found_by is None else known[node.found_by]
    return below


def _children(nodes: Iterable[Node]) -> list[int]:
    return [each.child for node in nodes for each in node.candidates if each.child is not None]
