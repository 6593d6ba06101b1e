"""Nodes for the searches of positions, by what depends on them."""

from msgspec.structs import replace

from rookery_server.growth.cost import PLY
from rookery_server.growth.importance import MOST, leaf_limit, limit_again
from rookery_server.growth.node import Kind, Node

NODE = Node("key w", 0, kind=Kind.SEARCHED, nodes=4000, asked=4000, size=1)


def test_a_leaf_is_given_the_less_the_more_is_lost_on_the_way() -> None:
    given = [leaf_limit(1000, plies * PLY) for plies in range(4)]
    assert given == [4000, 2500, 1750, 1375]


def test_a_node_is_searched_again_when_that_doubles_its_search() -> None:
    assert limit_again(1000, replace(NODE, size=3), None, 0) is None
    assert limit_again(1000, replace(NODE, size=4), None, 0) == 8000
    assert limit_again(1000, replace(NODE, size=4), None, PLY) is None
    assert limit_again(1000, replace(NODE, size=8), None, PLY) == 8000
    assert limit_again(1000, replace(NODE, size=10**6), None, 0) == MOST * 1000
    assert limit_again(1000, replace(NODE, size=10**6, asked=MOST * 1000), None, 0) is None


def test_a_child_gets_a_sixteenth_of_its_parents_nodes() -> None:
    parent = replace(NODE, nodes=64_000)
    assert limit_again(1000, NODE, parent, PLY) is None
    assert limit_again(1000, NODE, replace(parent, nodes=64_001), PLY) == 4001
    assert limit_again(1000, replace(NODE, is_proven=True), replace(parent, nodes=10**6), 0) is None
