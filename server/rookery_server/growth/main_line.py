"""The best line of a tree from one of its positions."""

from rookery_server.growth.node import Node
from rookery_server.growth.node_store import NodeReader

MOST_PLIES = 60  # that are followed; each reads a node


def main_line(tree: NodeReader, node: Node, most: int = MOST_PLIES) -> tuple[str, ...]:
    """Return the best moves from a node, the last one of a position without a node perhaps.

    It ends where a position comes again.
    """
    moves: list[str] = []
    seen = {node.number}
    while len(moves) < most and (best := node.best()):
        moves.append(best.move)
        if best.child is None or best.child in seen:
            break
        seen.add(best.child)
        node = tree.node(best.child)
    return tuple(moves)
