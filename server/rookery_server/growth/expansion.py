"""Expansion of a tree: leaves are claimed, searched elsewhere, and finished.

A descent follows the cheapest candidate from the root to a leaf (see `cost`).  A leaf's node is
stored when it is claimed, before it has a value: so a position is in work once, however many
moves lead to it.  A claimed node has no cost, so that the next descent finds another leaf.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rookery_server.growth.backup import back_up, linked, refresh
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
from rookery_server.growth.importance import leaf_nodes
from rookery_server.growth.node import OTHERS, ROOT, Kind, Node
from rookery_server.growth.node_store import NodeStore
from rookery_server.growth.path import Path
from rookery_server.growth.rules import Rules, Step
from rookery_server.growth.settings import GrowthSettings
from rookery_server.growth.value import is_decided, is_valid

# Nodes that a descent visits in search of a leaf that is no draw along its path.  Below a path
# near the fifty-move rule there may be many that are.
MAX_VISITED = 1000


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
    return replace(parent, candidates=candidates), child


def claim_leaf(project: Project) -> Leaf | None:
    """Choose the next search and mark its node; None: there is nothing to search now.

    Positions on the way that need no search, as they are known or the game is over, are linked.
    """
    while spot := _find_spot(project):
        if spot.step is None:
            return _claim(project, spot)
        is_new = project.store.node_of(spot.step.key) is None
        parent, child = add_child(project, spot.node, spot.move)
        if not is_new:
            _write(project, parent)
        elif child.kind is not Kind.UNSEARCHED:
            _write(project, parent, child)
        else:
            _write(project, parent, replace(child, is_claimed=True))
            return _leaf(project, child, spot.loss)
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
    found = (searched_others if leaf.moves else searched)(node, finding, project.rules)
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

    `move` is OTHERS, or empty at a node that was never searched: then there is no step.  The path
    goes to the position after the move; `loss` is the cost of the losses on the way.
    """

    node: Node
    move: str
    child: int | None
    step: Step | None
    path: Path
    loss: int


def _find_spot(project: Project) -> _Spot | None:
    """Descend to the cheapest leaf that is no draw along its path."""
    root = project.store.node(ROOT)
    ways = [_spots(project, root, project.start, 0)]
    visited = 1
    while ways:
        spot = next(ways[-1], None)
        if spot is None:
            ways.pop()
        elif spot.step is None:
            return spot
        elif visited >= MAX_VISITED or not spot.path.is_drawn(project.rules):
            if spot.child is None:
                return spot
            visited += 1
            ways.append(_spots(project, project.store.node(spot.child), spot.path, spot.loss))
    return None


def _spots(project: Project, node: Node, path: Path, loss: int) -> Iterator[_Spot]:
    """Return what can be expanded at a node or below, cheapest first."""
    if node.priority is None:
        return
    if node.kind is Kind.UNSEARCHED:
        yield _Spot(node, "", None, None, path, loss)
        return
    width = project.settings.side(is_white=node.is_white).width
    best = node.best_value()
    for _, each in candidate_costs(node, project.settings):
        is_rest = each.move == OTHERS
        value = each.own if is_rest else each.value
        step = None if is_rest else project.rules.step(node.key, each.move)
        after = path.after(step) if step else path
        lost = loss + loss_cost(best, value, width)
        yield _Spot(node, each.move, each.child, step, after, lost)


def _new_node(project: Project, node: Node) -> Node:
    """Store a node without a value; return it with its number, and its value if it has an end."""
    number = project.store.add(node)
    ending = project.rules.ending(node.key)
    if ending is None:
        return replace(node, number=number)
    return replace(node, number=number, kind=ending.kind, own=ending.value)


def _claim(project: Project, spot: _Spot) -> Leaf:
    """Claim a search of a node that is stored already."""
    _write(project, replace(spot.node, is_claimed=True))
    leaf = _leaf(project, spot.node, spot.loss)
    if spot.move != OTHERS:
        return leaf
    return replace(leaf, moves=rest_of(leaf.key, spot.node.candidates, project.rules))


def _leaf(project: Project, node: Node, loss: int) -> Leaf:
    nodes = leaf_nodes(project.settings.nodes, loss)
    return Leaf(node.number, node.key, (), _lines(project, node), nodes)


def _lines(project: Project, node: Node) -> int:
    return project.settings.side(is_white=node.is_white).lines


def _claimed(project: Project, number: int) -> Node:
    node = project.store.node(number)
    if not node.is_claimed:
        raise NotClaimedError(f"no search of node {number} is in work")
    return node


def _write(project: Project, *changed: Node) -> None:
    back_up(project.store, project.settings, changed)
