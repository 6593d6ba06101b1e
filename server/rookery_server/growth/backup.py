"""Values, proofs, priorities, sizes and heights, carried from nodes to their ancestors.

A move that carries leads to a node of a lower `Node.order`, so these moves have no cycles.  Work
goes up in this order, and the parents of a node all come after it: each ancestor is settled once,
when all its children are, and written once.  It ends where nothing changes.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from msgspec.structs import replace

from rookery_server.growth.cost import node_priority
from rookery_server.growth.importance import counts
from rookery_server.growth.node import OTHERS, ROOT, Candidate, Kind, Node
from rookery_server.growth.node_store import NodeReader, NodeStore
from rookery_server.growth.settings import GrowthSettings
from rookery_server.growth.value import carried, is_decided, is_won

_FACTS = {Kind.CHECKMATE, Kind.STALEMATE, Kind.DEAD_DRAW, Kind.TABLEBASE}


def back_up(store: NodeStore, settings: GrowthSettings, changed: Iterable[Node]) -> None:
    """Store nodes whose own fields or candidates have changed, and what follows for all above."""
    work = _Work(store, settings)
    for node in changed:
        work.add_changed(node)
    work.run()


def rebuild(store: NodeStore, settings: GrowthSettings) -> None:
    """Settle each node anew, by its search and its children alone."""
    for number in store.bottom_up():
        rebuild_node(store, settings, number)


def rebuild_node(store: NodeStore, settings: GrowthSettings, number: int) -> None:
    """Settle a node anew, when all that it carries up from is."""
    node = store.node(number)
    known = {each.child for each in node.candidates if each.child is not None}
    children = list(map(store.node, known))
    size = sum(each.size for each in children if each.found_by == number) + _counts(node)
    lowest = replace(node, height=0)
    height = max((height_above(lowest, each) for each in children), default=0)
    fresh = settle_node(replace(refresh(store, node), size=size, height=height), settings)
    if fresh != node:
        store.write(fresh)


def refresh(store: NodeReader, node: Node) -> Node:
    """Return a node whose candidates say what its searches and its children say now."""
    candidates = tuple(
        unlinked(each) if each.child is None else linked(each, node, store.node(each.child))
        for each in node.candidates
    )
    return replace(node, candidates=candidates)


def unlinked(candidate: Candidate) -> Candidate:
    """Return a candidate with what the searches of its own node say, and nothing of a child."""
    if candidate.move == OTHERS:
        return replace(candidate, child=None, value=None, priority=None, is_proven=False)
    is_fact = candidate.own is not None and is_decided(candidate.own)
    return replace(candidate, child=None, value=candidate.own, priority=None, is_proven=is_fact)


def linked(candidate: Candidate, parent: Node, child: Node) -> Candidate:
    """Return a candidate that leads to a node, with a copy of what the node carries.

    It keeps the value of its own search while the node's does not count beside that.
    """
    alone = replace(unlinked(candidate), child=child.number)
    # A mate that a search has found is a fact, which a child that knows less does not change.
    if not parent.is_above(child) or (alone.is_proven and not child.is_proven):
        return alone
    is_overruled = candidate.own is None or counts(parent, child)
    value = carried(child.value) if child.value is not None and is_overruled else candidate.own
    return replace(alone, value=value, priority=child.priority, is_proven=child.is_proven)


def height_above(parent: Node, child: Node) -> int:
    """Return the height of a node that has another one as a child."""
    if child.size and parent.is_above(child):
        return max(parent.height, child.height + 1)
    return parent.height


def settle_node(node: Node, settings: GrowthSettings) -> Node:
    """Return a node with the value, proof, priority and trend that follow from its other fields."""
    if node.kind in _FACTS:
        node = replace(node, value=node.own, is_proven=True)
    else:
        best = node.best()
        value = best.value if best else node.own
        node = replace(node, value=value, is_proven=_is_proven(node, best))
    return replace(node, priority=node_priority(node, settings), trend=_trend(node))


def _is_proven(node: Node, best: Candidate | None) -> bool:
    """Return whether the best move is a proven win, or all allowed moves are known and proven."""
    if best is None or best.value is None:
        return False
    if best.is_proven and is_won(best.value):
        return True
    counting = node.counting()
    is_complete = node.kind is Kind.SEARCHED or counting[0].is_pinned
    return is_complete and all(each.is_proven and each.move != OTHERS for each in counting)


def _trend(node: Node) -> tuple[int, ...]:
    trend = node.trend[: node.size.bit_length()]
    while node.value is not None and node.size >= 2 ** len(trend):
        trend = (*trend, node.value)
    return trend


def _counts(node: Node) -> int:
    """Return what a node itself adds to the size: 1 if it has a value of its own."""
    return int(node.kind not in (Kind.UNSEARCHED, Kind.FAILED))


@dataclass(slots=True)
class _Work:
    """Nodes that have changed and are not settled yet."""

    store: NodeStore
    settings: GrowthSettings
    waiting: dict[int, Node] = field(default_factory=dict)
    order: list[tuple[tuple[int, int], int]] = field(default_factory=list)
    searches: int = 0  # the size of the root, with what is added now

    def add_changed(self, node: Node) -> None:
        """Take a node with new fields of its own in place of the stored one."""
        grown = _counts(node) - _counts(self.store.node(node.number))
        self.searches += grown
        self._put(replace(node, size=node.size + grown))

    def run(self) -> None:
        """Settle and store what has changed, and what follows."""
        self.searches += self.store.node(ROOT).size
        while self.order:
            _, number = heappop(self.order)
            self._settle(self.waiting.pop(number))

    def _settle(self, node: Node) -> None:
        old = self.store.node(node.number)
        settled = settle_node(node, self.settings)
        if _best_move(settled) != _best_move(old):
            settled = replace(settled, turned=self.searches)
        if settled.size != old.size:
            settled = replace(settled, grown=self.searches)
        self.store.write(settled)
        for number in self.store.parents(node.number):
            self._raise(settled, settled.size - old.size, number)

    def _raise(self, child: Node, grown: int, number: int) -> None:
        """Copy to a parent what a child carries; the one that found it grows with it."""
        parent = self.waiting.get(number) or self.store.node(number)
        if not parent.is_above(child):
            return
        candidates = tuple(
            linked(each, parent, child) if each.child == child.number else each
            for each in parent.candidates
        )
        size = parent.size + (grown if child.found_by == number else 0)
        raised = replace(
            parent, candidates=candidates, size=size, height=height_above(parent, child)
        )
        if raised != parent:
            self._put(raised)

    def _put(self, node: Node) -> None:
        if node.number not in self.waiting:
            heappush(self.order, (node.order, node.number))
        self.waiting[node.number] = node


def _best_move(node: Node) -> str | None:
    best = node.best()
    return best.move if best else None
