"""Two trees made one, and a part of a tree made a tree.

Values are never merged: both take what the searches found, position by position, and settle the
tree anew.  So it is the same which of two trees with one root is merged into the other.
Neither holds a tree in memory: the trees themselves are their lists of what is to be done.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from rookery_server.growth.finding import combined, without_empty_rest
from rookery_server.growth.node import NEW, ROOT, Kind, Node
from rookery_server.growth.node_store import NodeReader, NodeStore
from rookery_server.growth.rules import Rules

# A value by the rules or a tablebase comes before that of a search.
_STRENGTH = {Kind.UNSEARCHED: 0, Kind.FAILED: 1, Kind.SEARCHED: 2}
_FACT = 3


class ForeignTreeError(ValueError):
    """A tree cannot be merged into another, as its root is no position of the other."""


def rank_of_root(target: NodeReader, other: NodeReader) -> int:
    """Return the rank that the root of another tree has in the target.

    Raises:
        ForeignTreeError: it is no position there.

    """
    root = target.node_of(other.node(ROOT).key)
    if root is None:
        raise ForeignTreeError("its root is no position of the tree that it is merged into")
    return root.rank


def copy_root(source: NodeReader, number: int, target: NodeStore) -> int:
    """Copy a node to an empty tree as its root, without links; return its number there."""
    return target.add(replace(_foreign(source.node(number), rank=0), turned=0, grown=0))


def merge_position(
    target: NodeStore, theirs: Node, base: int, rules: Rules, engines: Sequence[int | None]
) -> None:
    """Add what another tree's search has found in a position, without links.

    Of two searches of a position the stronger one counts: that with more nodes.

    Args:
        target: the tree.
        theirs: the node of the other one.
        base: the rank that the root of the other has in the target.
        rules: of the game.
        engines: the index that each engine of the other project has in the target's list; None:
            it is not there.

    """
    engine = None if theirs.engine is None else engines[theirs.engine]
    foreign = replace(_foreign(theirs, rank=base + theirs.rank), engine=engine)
    mine = target.node_of(theirs.key)
    if mine is None:
        target.add(foreign)
    else:
        target.write(_merged(mine, foreign, rules))


def _merged(mine: Node, theirs: Node, rules: Rules) -> Node:
    """Return a node with the searches of two trees; its place is that in the first."""
    weak, strong = sorted((mine, theirs), key=_strength)
    candidates = combined(strong.candidates, weak.candidates)
    return replace(
        strong,
        number=mine.number,
        rank=mine.rank,
        found_by=mine.found_by,
        is_claimed=mine.is_claimed,
        candidates=without_empty_rest(candidates, mine.key, rules),
        trend=max(mine.trend, theirs.trend, key=lambda each: (len(each), each)),
        turned=max(mine.turned, theirs.turned),
        grown=max(mine.grown, theirs.grown),
    )


def _strength(node: Node) -> tuple[object, ...]:
    """Return what decides between two nodes of a position, equal only if it makes no difference."""
    lines = [(each.move, each.own is not None, each.own or 0) for each in node.candidates]
    kind = _STRENGTH.get(node.kind, _FACT)
    engine = -(node.engine or 0)
    return kind, node.nodes, node.depth, node.own or 0, lines, engine, node.asked


def merge_links(target: NodeStore, other: NodeReader, theirs: Node, base: int) -> None:
    """Add the links of another tree's node, and its place if it was found on a shorter way.

    The positions of both trees are in the target; what the other has got since then is left out.
    """

    def number_here(number: int) -> int:
        """Return the number in the target of a node of the other tree."""
        return _known(target, other.node(number).key).number

    mine = _known(target, theirs.key)
    moves = {each.move for each in mine.candidates}
    children: dict[str, int] = {}
    for each in theirs.candidates:
        if each.child is not None and each.move in moves:
            child = target.node_of(other.node(each.child).key)
            if child is not None:
                children[each.move] = child.number
    mine = _with_children(target, mine, children)
    if theirs.found_by is not None and mine.number != ROOT:
        found_by = number_here(theirs.found_by)
        places = [(base + theirs.rank, target.node(found_by).key, found_by)]
        if mine.found_by is not None:
            places.append((mine.rank, target.node(mine.found_by).key, mine.found_by))
        rank, _, found_by = min(places)
        mine = replace(mine, rank=rank, found_by=found_by)
    target.write(mine)


def copy_children(source: NodeReader, target: NodeStore, number: int) -> list[int]:
    """Copy the nodes that a copied node's moves lead to; return the numbers of new ones."""
    node = target.node(number)
    original = _known(source, node.key)
    children: dict[str, int] = {}
    added = []
    for each in original.candidates:
        child = None if each.child is None else source.node(each.child)
        if child is None or not original.is_above(child):
            continue
        known = target.node_of(child.key)
        if known is None:
            copy = _foreign(child, rank=node.rank + 1)
            added.append(target.add(replace(copy, found_by=number, turned=0, grown=0)))
        children[each.move] = added[-1] if known is None else known.number
    target.write(_with_children(target, node, children))
    return added


def _with_children(target: NodeStore, node: Node, children: dict[str, int]) -> Node:
    """Return a node whose moves are linked to these nodes, and store the links."""
    for child in children.values():
        target.link(node.number, child)
    return replace(
        node,
        candidates=tuple(
            replace(each, child=children.get(each.move, each.child)) for each in node.candidates
        ),
    )


def _foreign(node: Node, *, rank: int) -> Node:
    """Return a node of another tree without what has a meaning only there."""
    candidates = tuple(replace(each, child=None) for each in node.candidates)
    return replace(
        node,
        number=NEW,
        rank=rank,
        found_by=None,
        candidates=candidates,
        is_claimed=False,
        size=0,
        height=0,
    )


def _known(tree: NodeReader, key: str) -> Node:
    """Return the node of a position that the tree has."""
    node = tree.node_of(key)
    assert node is not None
    return node


def settle_root(tree: NodeStore) -> None:
    """Have the best move of a new tree's root be stable from now on."""
    root = tree.node(ROOT)
    tree.write(replace(root, turned=root.size))
