"""Importance of positions: how much their searches are given, and which are searched again.

A leaf is given more, the less is lost on the way to it.  A node whose subtree has outgrown its own
search is searched again, with about as many nodes as the subtree has had: so what a long search
finds, the tree finds too.  And a shallow search behind a move does not overrule the deep one that
found it: see `counts`.
"""

from math import exp2

from rookery_server.growth.cost import PLY
from rookery_server.growth.node import Node

MAIN_LINE = 4  # a leaf without losses on the way gets so many times the least
MEAN = 2  # times the least that leaves get, about
MOST = 256  # times the least, of any search: what is lost when a server is killed stays small
DOUBLE = 2  # a search again is worth it with so many times the nodes of the one before
SHARE = 16  # a child counts beside its parent if its search had a part of the parent's, this small


def leaf_limit(base: int, loss: int) -> int:
    """Return the nodes or the milliseconds for a leaf, by those for one that matters least.

    `loss` is the cost of the losses on the way to it.  A loss of one ply halves what is given
    beyond the base.
    """
    return round(base * (1 + (MAIN_LINE - 1) * exp2(-loss / PLY)))


def counts(parent: Node, child: Node) -> bool:
    """Return whether a child was searched well enough to be held against its parent's search."""
    return child.is_proven or child.effort * SHARE >= parent.effort


def share_of(parent: Node) -> int:
    """Return the least nodes with which the search of a child counts."""
    return -(-parent.effort // SHARE)


def limit_again(base: int, node: Node, parent: Node | None, cost: int) -> int | None:
    """Return the nodes for another search of a node; None: it is not to be searched again.

    Nodes for the size of a subtree halve with each ply of the way's cost.  So all searches again
    need little more than those of the root, however deep the tree is.

    Args:
        base: the nodes for a leaf that matters least.
        node: that was searched before.
        parent: the node above it on the way, if it carries the node's value.
        cost: that of the way.

    """
    deserved = min(round(MEAN * base * node.size * exp2(-max(cost, 0) / PLY)), MOST * base)
    limits = [deserved] if deserved >= DOUBLE * node.effort else []
    if parent and not counts(parent, node):
        limits.append(share_of(parent))
    return max(limits, default=None)
