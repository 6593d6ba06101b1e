"""Moves that the owner excludes, pins and adds, and values that are proven."""

import chess
import pytest
from helpers.growing import as_positions, check_tree, key_of, made_up_engine, plant

from rookery_server.growth.expansion import Project, claim_leaf, finish_leaf
from rookery_server.growth.finding import Finding, Line
from rookery_server.growth.node import OTHERS, ROOT, Kind
from rookery_server.growth.rules import ChessRules, IllegalMoveError
from rookery_server.growth.settings import GrowthSettings
from rookery_server.growth.steering import (
    UnknownMoveError,
    add_line,
    add_move,
    exclude_move,
    pin_move,
)
from rookery_server.growth.value import MATE, mate_in

RULES = ChessRules()
START = key_of(chess.STARTING_FEN)


def search(project: Project, *lines: tuple[str, int]) -> int:
    """Claim the next leaf, and let a search find these lines; return the number of its node."""
    leaf = claim_leaf(project)
    assert leaf
    found = tuple(Line(move, value) for move, value in lines)
    finish_leaf(project, leaf, Finding(found, 10, leaf.nodes, 0))
    return leaf.number


@pytest.fixture
def project() -> Project:
    """Return a project whose root has three candidates, two of them with a child."""
    project = plant(RULES, START, GrowthSettings(nodes=100))
    search(project, ("e2e4", 30), ("d2d4", 28), ("c2c4", 10))
    search(project, ("e7e5", -35), ("c7c5", -40))
    search(project, ("d7d5", -20))
    return project


def root_value(project: Project) -> int | None:
    return project.store.node(ROOT).value


def test_excluded_and_pinned_moves_count_at_once(project: Project) -> None:
    assert root_value(project) == 35
    exclude_move(project, ROOT, "e2e4")
    assert root_value(project) == 20
    pin_move(project, ROOT, "c2c4")
    assert root_value(project) == 10
    pin_move(project, ROOT, "e2e4")  # it is excluded still
    assert root_value(project) == 10
    exclude_move(project, ROOT, "e2e4", is_excluded=False)
    assert root_value(project) == 35
    pin_move(project, ROOT, "c2c4", is_pinned=False)
    pin_move(project, ROOT, "e2e4", is_pinned=False)
    leaf = claim_leaf(project)
    assert leaf
    assert leaf.key == RULES.step(RULES.step(START, "e2e4").key, "e7e5").key
    check_tree(project)


def test_a_tree_knows_since_when_its_best_move_is_the_best(project: Project) -> None:
    assert project.store.node(ROOT).turned == 1
    exclude_move(project, ROOT, "e2e4")
    assert project.store.node(ROOT).turned == 3
    search(project, ("e7e5", -90))  # after c2c4
    root = project.store.node(ROOT)
    assert (root.value, root.size, root.turned) == (90, 4, 4)
    assert root.trend == (30, 35, 90)


def test_only_pinned_moves_are_followed(project: Project) -> None:
    pin_move(project, ROOT, "c2c4")
    for _ in range(5):
        leaf = claim_leaf(project)
        assert leaf
        assert "/2P5/" in leaf.key
        finish_leaf(project, leaf, made_up_engine(RULES, 1, mates=0)(leaf))


def test_the_rest_can_be_excluded_but_not_pinned(project: Project) -> None:
    exclude_move(project, ROOT, OTHERS)
    for each in ("e2e4", "d2d4", "c2c4"):
        exclude_move(project, ROOT, each)
    assert claim_leaf(project) is None
    assert root_value(project) == 30  # by its own search
    with pytest.raises(UnknownMoveError):
        pin_move(project, ROOT, OTHERS)
    with pytest.raises(UnknownMoveError, match="a2a3 is no candidate of rnbq"):
        exclude_move(project, ROOT, "a2a3")


def test_an_added_move_is_searched_next_and_only_once(project: Project) -> None:
    add_move(project, ROOT, "g1f3")
    add_move(project, ROOT, "g1f3")
    add_move(project, ROOT, "e2e4")
    moves = [each.move for each in project.store.node(ROOT).candidates]
    assert moves == ["e2e4", "d2d4", "c2c4", "g1f3", OTHERS]
    leaf = claim_leaf(project)
    assert leaf
    assert leaf.key == RULES.step(START, "g1f3").key
    with pytest.raises(IllegalMoveError):
        add_move(project, ROOT, "g1g3")


def test_a_line_is_searched_from_its_beginning() -> None:
    project = plant(RULES, START, GrowthSettings(nodes=100))
    line = ["e2e4", "e7e5", "g1f3", "g8f6"]
    last = add_line(project, line)
    add_line(project, ["e2e4", "e7e5", "g1f3", "b8c6"])
    add_line(project, line)
    check_tree(project)
    assert [project.store.node(each).rank for each in project.store.numbers()] == [0, 1, 2, 3, 4, 4]
    assert project.store.node(last).rank == 4
    engine = made_up_engine(RULES, 3, mates=0)
    for _ in range(6):
        leaf = claim_leaf(project)
        assert leaf
        finish_leaf(project, leaf, engine(leaf))
        check_tree(project)
    nodes = [project.store.node(each) for each in range(1, 7)]
    assert [node.kind for node in nodes] == [Kind.SEARCHED] * 6


def test_several_engines_search_a_line_before_all_others(project: Project) -> None:
    last = add_line(project, ["g1f3", "d7d5", "b1c3"])
    leaves = [claim_leaf(project) for _ in range(4)]
    assert [leaf.number for leaf in leaves if leaf] == [last - 2, last - 1, last, last + 1]
    check_tree(project)


def test_a_line_that_is_not_legal_adds_nothing(project: Project) -> None:
    before = as_positions(project)
    with pytest.raises(IllegalMoveError, match="e7e4"):
        add_line(project, ["g2g4", "e7e4"])
    with pytest.raises(IllegalMoveError, match="the game is over"):
        add_line(project, ["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"])
    assert as_positions(project) == before


def test_a_line_may_end_the_game_and_come_back_to_a_position(project: Project) -> None:
    mate = add_line(project, ["f2f3", "e7e5", "g2g4", "d8h4"])
    assert project.store.node(mate).value == -MATE
    there = add_line(project, ["g1f3", "g8f6", "f3g1", "f6g8"])
    assert there == ROOT
    check_tree(project)


def test_a_position_is_proven_lost_only_if_all_moves_are_known() -> None:
    """White mates, whatever Black plays; a search has listed one of Black's two moves."""
    before = key_of("7k/8/5K2/8/8/8/8/1R6 w - - 0 1")
    after = RULES.step(before, "f6f7").key
    assert RULES.moves(after) == ("h8h7",)  # so it is lost as soon as that is
    project = plant(RULES, before)
    search(project, ("f6g6", 500), ("b1b7", 480))
    number = search(project, ("h8g8", mate_in(-1)))
    node = project.store.node(number)
    assert node.value == mate_in(-1)
    assert node.is_proven  # its only move
    assert project.store.node(ROOT).is_proven
    assert claim_leaf(project) is None
    check_tree(project)


def test_a_loss_without_the_other_moves_is_a_value_and_no_proof() -> None:
    before = key_of("6k1/8/5K2/8/8/8/8/1R6 b - - 0 1")
    assert set(RULES.moves(before)) == {"g8h8", "g8h7", "g8f8"}
    project = plant(RULES, before)
    search(project, ("g8h8", mate_in(-2)))
    root = project.store.node(ROOT)
    assert (root.value, root.is_proven) == (mate_in(-2), False)
    leaf = claim_leaf(project)
    assert leaf
    assert (leaf.number, set(leaf.moves)) == (ROOT, {"g8h7", "g8f8"})
    finish_leaf(
        project, leaf, Finding((Line("g8f8", mate_in(-1)), Line("g8h7", mate_in(-2))), 9, 9, 0)
    )
    root = project.store.node(ROOT)
    assert [each.move for each in root.candidates] == ["g8h8", "g8f8", "g8h7"]
    assert (root.value, root.is_proven, root.priority) == (mate_in(-2), True, None)
    assert claim_leaf(project) is None
