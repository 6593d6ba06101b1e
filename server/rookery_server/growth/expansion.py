"""Expansion of a tree: leaves are claimed, searched elsewhere, and finished.

A descent follows the cheapest candidate from the root to a leaf (see `cost`).  A leaf's node is
stored when it is claimed, before it has a value: so a position is in work once, however many
moves lead to it.  A claimed node has no cost of its own, so that the next descent finds another
leaf; below it may be positions of a line that wait, too.
"""

from dataclasses import dataclass
from heapq import heappop, heappush

from msgspec.structs import replace

from rookery_server.growth.backup import back_up, height_above, linked, refresh
from rookery_server.growth.cost import candidate_costs, loss_cost
from rookery_server.growth.finding import (
    Finding,
    Leaf,
    RefusedFindingError,
    check_finding,
    rest_of,
    searched,
    searched_others,
)
from rookery_server.growth.importance import leaf_limit, limit_again, share_of
from rookery_server.growth.node import OTHERS, ROOT, Kind, Node
from rookery_server.growth.node_store import NodeStore
from rookery_server.growth.path import Path
from rookery_server.growth.rules import Rules
from rookery_server.growth.settings import GrowthSettings
from rookery_server.growth.value import is_decided, is_valid

# Nodes that a descent visits in search of a leaf that is no draw along its path.  Below a path
# near the fifty-move rule there may be many that are.
MAX_VISITED = 1000
LONGEST = 2**31 - 1  # ms of a search, as engines may count them in 32 bits


class NotClaimedError(ValueError):
    """A search of a node is to be finished that nothing has claimed."""


@dataclass(frozen=True, slots=True)
class Project:
    """A tree, the rules of its game, and how it grows.

    `start` is the path to the root: its counter, and the positions of the game before it, whose
    repetition would be a draw.
    """

    store: NodeStore
    rules: Rules
    settings: GrowthSettings
    start: Path


def add_root(project: Project, key: str) -> None:
    """Store the first node of an empty tree."""
    _write(project, _new_node(project, Node(key, project.rules.phase(key))))


def add_child(project: Project, parent: Node, move: str) -> tuple[Node, Node]:
    """Link a candidate to the node of its position, a new one if there is none.

    Return the parent and the child as they are to be stored by `back_up`.
    """
    step = project.rules.step(parent.key, move)
    child = project.store.node_of(step.key)
    if child is None:
        rank = parent.rank + 1
        child = _new_node(project, Node(step.key, step.phase, rank=rank, found_by=parent.number))
    project.store.link(parent.number, child.number)
    candidates = tuple(
        linked(each, parent, child) if each.move == move else each for each in parent.candidates
    )
    height = height_above(parent, child)
    return replace(parent, candidates=candidates, height=height), child


def claim_leaf(project: Project) -> Leaf | None:
    """Choose the next search and mark its node; None: there is nothing to search now.

    Positions on the way that need no search, as they are known or the game is over, are linked.
    """
    while spot := _Descent(project).find_leaf():
        if spot.move in ("", OTHERS):
            return _claim(project, spot)
        key = project.rules.step(spot.node.key, spot.move).key
        is_new = project.store.node_of(key) is None
        parent, child = add_child(project, spot.node, spot.move)
        if not is_new:
            _write(project, parent)
        elif child.kind is not Kind.UNSEARCHED:
            _write(project, parent, child)
        else:
            _write(project, parent, replace(child, is_claimed=True))
            return _leaf(project, child, spot.loss, share_of(parent))
    return None


def claim_again(project: Project, number: int, nodes: int) -> Leaf | None:
    """Claim another search of a node, with so many nodes; None: one is in work, or none can be."""
    node = project.store.node(number)
    if node.is_claimed or node.kind not in (Kind.SEARCHED, Kind.UNSEARCHED, Kind.FAILED):
        return None
    _write(project, replace(node, is_claimed=True))
    return Leaf(number, node.key, (), _lines(project, node), nodes)


def finish_leaf(project: Project, leaf: Leaf, finding: Finding) -> None:
    """Store what a search has found.

    Raises:
        NotClaimedError: no search of this node is in work.
        RefusedFindingError: a search of this leaf cannot have found it.

    """
    node = _claimed(project, leaf.number)
    check_finding(leaf, finding, project.rules)
    if leaf.moves:
        found = searched_others(node, finding, project.rules)
    else:
        found = searched(node, leaf, finding, project.rules)
    _write(project, refresh(project.store, found))


def finish_by_tablebase(project: Project, leaf: Leaf, value: int) -> None:
    """Store the value that a tablebase has of a leaf, for the side to move.

    Raises:
        NotClaimedError: no search of this node is in work.
        RefusedFindingError: it is neither a draw nor a win or loss.

    """
    node = _claimed(project, leaf.number)
    if not is_valid(value) or not (is_decided(value) or value == 0):
        raise RefusedFindingError(f"{value} is no value of a tablebase")
    _write(project, replace(node, kind=Kind.TABLEBASE, own=value, is_claimed=False))


def give_up_leaf(project: Project, leaf: Leaf) -> None:
    """Store that no engine can search a leaf: it has no value, and is not searched again.

    The moves that no search has listed count as excluded then.

    Raises:
        NotClaimedError: no search of this node is in work.

    """
    node = replace(_claimed(project, leaf.number), is_claimed=False)
    if node.kind is Kind.UNSEARCHED:
        node = replace(node, kind=Kind.FAILED)
    elif leaf.moves:
        candidates = (
            replace(each, is_excluded=True) if each.move == OTHERS else each
            for each in node.candidates
        )
        node = replace(node, candidates=tuple(candidates))
    _write(project, node)


def release_leaf(project: Project, number: int) -> None:
    """Give up a claim: the leaf waits for another."""
    _write(project, replace(_claimed(project, number), is_claimed=False))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place on a descent: a node and the move that is taken there.

    `move` is OTHERS, or empty if the node itself is to be searched: both lead to no position.  The
    path ends with the node; `cost` is that of the way without what is below the move, `loss` the
    part of it that the losses have, and both have the move.  `least` is what a search of the node
    is given at least.
    """

    node: Node
    move: str
    child: int | None
    path: Path
    cost: int
    loss: int
    least: int = 0


class _Descent:
    """A search for the cheapest leaf that is no draw along its path.

    Without draws, it goes straight down: of ways that have the same cost, the deepest comes first,
    and then the first of its node.  After a draw it goes on with the next cheapest.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._ways: list[tuple[int, int, int, _Spot]] = []
        self._visited = 0
        self._pushed = 0

    def find_leaf(self) -> _Spot | None:
        """Return the end of the way to the leaf; None: there is none."""
        self._enter(self._project.store.node(ROOT), self._project.start, 0)
        while self._ways:
            _, depth, _, spot = heappop(self._ways)
            if spot.move in ("", OTHERS) or self._follow(spot, 1 - depth):
                return spot
        return None

    def _follow(self, spot: _Spot, depth: int) -> bool:
        """Go on below a move; return whether the descent ends with it."""
        store, rules = self._project.store, self._project.rules
        step = rules.step(spot.node.key, spot.move)
        if spot.child is None and store.node_of(step.key):
            return True  # to be linked
        path = spot.path.after(step)
        if self._visited < MAX_VISITED and path.is_drawn(rules):
            return False
        if spot.child is None:
            return True
        self._enter(store.node(spot.child), path, depth, spot)
        return False

    def _enter(self, node: Node, path: Path, depth: int, above: _Spot | None = None) -> None:
        """Add the ways on from a node, which the move of another place has led to."""
        self._visited += 1
        if node.priority is None:
            return
        cost, loss = (above.cost, above.loss) if above else (0, 0)
        if node.kind is Kind.UNSEARCHED and not node.is_claimed:
            self._push(cost + node.priority, depth, _Spot(node, "", None, path, cost, loss))
            return
        if limit := self._limit_again(node, cost, above):
            self._push(cost, depth, _Spot(node, "", None, path, cost, loss, limit))
        width = self._project.settings.side(is_white=node.is_white).width
        best = node.best_value()
        for total, each in candidate_costs(node, self._project.settings):
            lost = loss_cost(best, each.own if each.move == OTHERS else each.value, width)
            way = cost + total - (each.priority or 0)
            spot = _Spot(node, each.move, each.child, path, way, loss + lost)
            self._push(cost + total, depth, spot)

    def _limit_again(self, node: Node, cost: int, above: _Spot | None) -> int | None:
        is_limited = any(each.is_pinned for each in node.candidates)
        if node.kind is not Kind.SEARCHED or node.is_claimed or is_limited:
            return None
        parent = above.node if above and above.node.is_above(node) else None
        return limit_again(self._project.settings.nodes, node, parent, cost)

    def _push(self, cost: int, depth: int, spot: _Spot) -> None:
        self._pushed += 1
        heappush(self._ways, (cost, -depth, self._pushed, spot))


def _new_node(project: Project, node: Node) -> Node:
    """Store a node without a value; return it with its number, and its value if it has an end."""
    number = project.store.add(node)
    ending = project.rules.ending(node.key)
    if ending is None:
        return replace(node, number=number)
    return replace(node, number=number, kind=ending.kind, own=ending.value)


def _claim(project: Project, spot: _Spot) -> Leaf:
    """Claim a search of a node that is stored already: of all its moves, or of the others."""
    _write(project, replace(spot.node, is_claimed=True))
    leaf = _leaf(project, spot.node, spot.loss, spot.least)
    if spot.move != OTHERS:
        return leaf
    return replace(leaf, moves=rest_of(leaf.key, spot.node.candidates, project.rules))


def _leaf(project: Project, node: Node, loss: int, least: int = 0) -> Leaf:
    """Return the search of a node that is given some nodes at least, and time as its nodes are."""
    settings = project.settings
    nodes = max(leaf_limit(settings.nodes, loss), least)
    movetime = settings.movetime
    if movetime is not None:
        movetime = min(movetime * nodes // settings.nodes, LONGEST)
    return Leaf(node.number, node.key, (), _lines(project, node), nodes, movetime)


def _lines(project: Project, node: Node) -> int:
    return project.settings.side(is_white=node.is_white).lines


def _claimed(project: Project, number: int) -> Node:
    node = project.store.node(number)
    if not node.is_claimed:
        raise NotClaimedError(f"no search of node {number} is in work")
    return node


def _write(project: Project, *changed: Node) -> None:
    back_up(project.store, project.settings, changed)
