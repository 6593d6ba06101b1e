"""Costs of candidates, and the nodes that leaves get."""

import chess
import pytest
from helpers.growing import key_of, plant

from rookery_server.growth.cost import PLY, URGENT, candidate_costs, loss_cost
from rookery_server.growth.expansion import claim_leaf
from rookery_server.growth.importance import leaf_limit
from rookery_server.growth.node import OTHERS, Candidate, Kind, Node
from rookery_server.growth.rules import ChessRules
from rookery_server.growth.settings import GrowthSettings, SideSettings

CANDIDATES = (
    Candidate("a2a3", 30, value=30),
    Candidate("b2b3", 5, 7, value=5, priority=2 * PLY),
    Candidate("c2c3", is_added=True),
    Candidate("d2d3", 30, value=30),
    Candidate(OTHERS, -20),
)
NODE = Node("8/8/8/8/8/8/8/8 w - -", 0, kind=Kind.SEARCHED, candidates=CANDIDATES)


def costs(node: Node, limit: int | None = None) -> list[tuple[str, int]]:
    settings = GrowthSettings(SideSettings(25, limit=limit), SideSettings(1))
    return [(each.move, cost) for cost, each in candidate_costs(node, settings)]


def test_a_leaf_costs_a_ply_and_its_loss_and_an_added_move_comes_first() -> None:
    assert costs(NODE) == [
        ("c2c3", URGENT + 1000),
        ("a2a3", 1000),
        ("d2d3", 1000),
        ("b2b3", 4000),
        (OTHERS, 4000),
    ]


def test_a_limit_leaves_the_best_and_what_the_owner_has_added() -> None:
    assert costs(NODE, 1) == [("c2c3", URGENT + 1000), ("a2a3", 1000)]
    assert [move for move, _ in costs(NODE, 2)] == ["c2c3", "a2a3", "d2d3"]
    assert [move for move, _ in costs(NODE, 4)][-1] == OTHERS


def test_no_difference_counts_beyond_a_won_position() -> None:
    assert loss_cost(5000, 1000, 25) == 0
    assert loss_cost(31_990, -31_990, 25) == 80 * PLY
    assert loss_cost(-31_000, -20_000, 25) == 0
    assert loss_cost(None, 5, 25) == 0


@pytest.mark.parametrize(("loss", "nodes"), [(0, 400), (PLY, 250), (2 * PLY, 175), (90 * PLY, 100)])
def test_leaves_on_the_main_line_get_four_times_the_nodes(loss: int, nodes: int) -> None:
    assert leaf_limit(100, loss) == nodes


def test_a_time_grows_with_importance_as_nodes_do() -> None:
    settings = GrowthSettings(nodes=100, movetime=50)
    project = plant(ChessRules(), key_of(chess.STARTING_FEN), settings)
    leaf = claim_leaf(project)
    assert leaf
    assert (leaf.nodes, leaf.movetime) == (400, 200)


@pytest.mark.parametrize("wrong", [{"width": 0}, {"lines": 0}, {"limit": 0}])
def test_settings_that_grow_nothing_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        SideSettings(**wrong)
