"""Trees of endgames, held against the tables, by engines that know who wins but not how."""

from pathlib import Path
from random import Random

import chess
import chess.syzygy
import pytest
from helpers.growing import check_tree, grow, key_of, plant

from rookery_server.growth.expansion import Project
from rookery_server.growth.finding import Finding, Leaf, Line
from rookery_server.growth.node import ROOT, Kind
from rookery_server.growth.rules import ChessRules
from rookery_server.growth.settings import GrowthSettings, SideSettings
from rookery_server.growth.value import MATE, is_decided, is_won

RULES = ChessRules()
ALL = 100  # lines


@pytest.fixture(scope="module")
def tables():
    with chess.syzygy.open_tablebase(str(Path(__file__).parents[2] / "data/syzygy")) as tables:
        yield tables


def result(tables: chess.syzygy.Tablebase, key: str) -> int:
    """Return 1, 0 or -1: the side to move wins, draws, or loses."""
    wdl = tables.probe_wdl(chess.Board(f"{key} 0 1"))
    return (wdl > 1) - (wdl < -1)


def knowing_engine(tables: chess.syzygy.Tablebase, seed: int):
    """Return an engine that says who wins after each move."""

    def search(leaf: Leaf) -> Finding:
        random = Random(f"{seed} {leaf.key}")
        lines = []
        for move in leaf.moves or RULES.moves(leaf.key):
            wins = -result(tables, RULES.step(leaf.key, move).key)
            lines.append(Line(move, wins * random.randint(300, 340)))
        lines.sort(key=lambda line: -line.value)
        return Finding(tuple(lines[: leaf.lines]), 10, leaf.nodes, 0)

    return search


def check_results(project: Project, tables: chess.syzygy.Tablebase) -> None:
    for number in project.store.numbers():
        node = project.store.node(number)
        if node.value is None:
            continue
        known = result(tables, node.key)
        assert (node.value > 0) - (node.value < 0) == known, node
        if is_decided(node.value):
            assert is_won(node.value) == (known > 0)
            assert node.is_proven or node.kind is Kind.SEARCHED


@pytest.mark.parametrize("lines", [2, ALL])
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/4k3/8/R7/K6R w - - 0 1",
        "8/8/8/3pP3/8/8/k7/2K5 w - d6 0 1",
        "8/8/1k6/8/8/3K4/1R5r/8 b - - 0 1",
        "8/P7/8/8/8/1k6/8/K7 w - - 0 1",
    ],
)
def test_all_values_agree_with_the_tables(
    tables: chess.syzygy.Tablebase, fen: str, lines: int
) -> None:
    side = SideSettings(lines=lines)
    project = plant(RULES, key_of(fen), GrowthSettings(side, side))
    engine = knowing_engine(tables, 1)
    for _ in range(4):
        grow(project, engine, 25)
        check_results(project, tables)
    check_tree(project)


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("7k/8/6K1/8/8/8/8/1R6 w - - 0 1", 1),
        ("7k/8/5K2/8/8/8/8/1R6 w - - 0 1", 3),
        ("k7/8/8/8/8/8/7R/K5R1 w - - 0 1", 3),
        ("7k/5K2/8/8/8/8/8/1R6 b - - 0 1", -2),
        ("2k5/7R/8/8/8/8/8/K5R1 b - - 0 1", -2),
    ],
)
def test_mates_are_proven(tables: chess.syzygy.Tablebase, fen: str, plies: int) -> None:
    """A proof may be longer than the shortest mate, and is never shorter."""
    side = SideSettings(lines=ALL)
    project = plant(RULES, key_of(fen), GrowthSettings(side, side))
    count = grow(project, knowing_engine(tables, 2), 800)
    assert count < 800  # nothing is left
    check_results(project, tables)
    check_tree(project)
    root = project.store.node(ROOT)
    assert root.is_proven
    assert root.value is not None
    assert is_won(root.value) == (plies > 0)
    assert is_won(-root.value) == (plies < 0)
    assert MATE - abs(root.value) >= abs(plies)
