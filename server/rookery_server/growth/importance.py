"""Importance of leaves: the nodes and the time that a search of each is given."""

from math import exp2

from rookery_server.growth.cost import PLY

MAIN_LINE = 4  # a leaf without losses on the way gets so many times the least


def leaf_limit(base: int, loss: int) -> int:
    """Return the nodes or the milliseconds for a leaf, by those for one that matters least.

    `loss` is the cost of the losses on the way to it.  A loss of one ply halves what is given
    beyond the base.
    """
    return round(base * (1 + (MAIN_LINE - 1) * exp2(-loss / PLY)))
