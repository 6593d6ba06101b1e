"""Costs of candidates: which one is followed next, and how cheap the leaves below a node are.

This is drop-out expansion: T. R. Lincke, "Strategies for the Automatic Construction of Opening
Books", Computers and Games 2000, LNCS 2063, Springer 2001.  A leaf costs a ply for each move on the
way, and more for each move that is worse than the best; the cheapest leaf is expanded next.
Costs are whole numbers, in thousandths of a ply, so that they are the same everywhere.
"""

from collections.abc import Sequence

from rookery_server.growth.node import OTHERS, Candidate, Kind, Node
from rookery_server.growth.settings import GrowthSettings

PLY = 1000
# Before all others come positions that wait without a search: those of lines that the owner has
# added, and leaves that were given up.  It outweighs the losses on any way.
URGENT = -1_000_000_000
MAX_DIFFERENCE = 1000  # centipawns; a side that is so much better has won, and more is no better


def loss_cost(best: int | None, value: int | None, width: int) -> int:
    """Return the cost of the loss by a move; one without a value, which waits for it, has none."""
    if best is None or value is None:
        return 0
    # Nothing is lost where both are beyond the same bound: the difference is negative then.
    lost = min(MAX_DIFFERENCE, best) - max(-MAX_DIFFERENCE, value)
    return PLY * max(0, lost) // width


def candidate_costs(node: Node, settings: GrowthSettings) -> Sequence[tuple[int, Candidate]]:
    """Return the candidates that can be expanded with their costs, cheapest first.

    Of several with one cost, the first of the search comes first.
    """
    width = settings.side(is_white=node.is_white).width
    top = node.best_value()
    costs = [
        (_way(each) + loss_cost(top, each.own if each.move == OTHERS else each.value, width), each)
        for each in followed(node, settings)
        if _can_expand(node, each)
    ]
    return sorted(costs, key=lambda cost: cost[0])


def followed(node: Node, settings: GrowthSettings) -> tuple[Candidate, ...]:
    """Return the candidates within the limit of their side, and what is urgent."""
    counting = node.counting()
    limit = settings.side(is_white=node.is_white).limit
    if limit is None:
        return counting
    valued = [each for each in counting if each.value is not None and each.move != OTHERS]
    best = sorted(valued, key=lambda each: -(each.value or 0))[:limit]
    return tuple(
        each
        for each in counting
        if each in best or (len(valued) < limit if each.move == OTHERS else _way(each) < 0)
    )


def node_priority(node: Node, settings: GrowthSettings) -> int | None:
    """Return the cost of the cheapest leaf below a node; None without any."""
    if node.is_proven:
        return None
    if node.kind is Kind.UNSEARCHED and not node.is_claimed:
        return URGENT
    return min((cost for cost, _ in candidate_costs(node, settings)), default=None)


def _can_expand(node: Node, candidate: Candidate) -> bool:
    if candidate.move == OTHERS:
        return not node.is_claimed
    is_leaf = candidate.child is None
    return not candidate.is_proven and (is_leaf or candidate.priority is not None)


def _way(candidate: Candidate) -> int:
    """Return the cost of the plies to the leaf below.

    A search lists the best moves, so that one of the others is expected to be worse by a ply.
    """
    if candidate.move == OTHERS:
        return 2 * PLY
    if candidate.child is None and candidate.own is None:
        return PLY + URGENT
    return PLY + (candidate.priority or 0)
