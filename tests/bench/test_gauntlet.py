"""Results as tables, charts, the ledger and suites."""

import argparse
import sys
from pathlib import Path

import pytest
from bench.child import MissingError
from bench.match.argument import add_play, added, plan
from bench.match.build import OPPONENTS, choose, load
from bench.match.depth import summary as depth_summary
from bench.match.gauntlet import row
from bench.match.gauntlet_chart import AXIS, chart
from bench.match.player import Limit, PlayedMove, PlayerSpec, open_player
from bench.match.suite import Problem, solve
from bench.match.summary import MatchSummary

SCRIPTED = Path(__file__).parents[1] / "data" / "scripted_engine.py"
MATE = '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";'


def test_opponents_are_read_and_missing_ones_are_named(tmp_path: Path) -> None:
    file = tmp_path / "few.toml"
    file.write_text(
        f'[[opponent]]\nname = "a"\ncommand = "{sys.executable} x"\noptions = {{ Hash = 4 }}\n'
        '[[opponent]]\nname = "b"\ncommand = "no-such-engine"\n'
    )
    there, missing = choose(str(file))
    assert [spec.name for spec in there] == ["a"]
    assert there[0].options == (("Hash", "4"),)
    assert missing == ["b"]


def test_our_own_opponents_can_be_read() -> None:
    assert {"stockfish", "phalanx", "ethereal"} <= load(OPPONENTS).keys()


def test_an_unknown_opponent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no opponent 'deep thought'"):
        choose("deep thought")
    file = tmp_path / "bad.toml"
    file.write_text('[[opponent]]\nname = "a"\nbook = "off"\n')
    with pytest.raises(MissingError, match="an opponent has"):
        load(file)


def test_a_row_of_no_games_has_all_its_cells() -> None:
    assert row("x", MatchSummary()).count("|") == 10


def test_chart_shows_each_opponent() -> None:
    svg = chart([("weak", 300.0, 50.0), ("<strong>", -2000.0, 900.0)], "10+0.1")
    assert svg.count("<circle") == 2
    assert "&lt;strong&gt;" in svg


def test_chart_says_what_it_shows() -> None:
    svg = chart([("weak", 300.0, 50.0)], "Rookery & others")
    assert ">Rookery &amp; others<" in svg
    assert f">{AXIS}<" in svg


def test_ledger_begins_a_table_and_goes_on_with_it() -> None:
    text = "# Engine\n\n## Last\n\nwords\n"
    once = added(text, ("today", "a | b", "nodes 1", "+1"))
    assert once.startswith(text)
    assert once.removeprefix(text).splitlines() == [
        "",
        "## Matches",
        "",
        "| date | what | conditions | result |",
        "|---|---|---|---|",
        "| today | a / b | nodes 1 | +1 |",
    ]
    twice = added(once + "\nNotes.\n\n## More\n\n| x |\n", ("later", "c", "nodes 2", "+2"))
    assert "| +1 |\n| later | c | nodes 2 | +2 |\n\nNotes.\n\n## More\n\n| x |\n" in twice


def test_results_that_could_not_be_written_are_told_before_the_match(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    add_play(parser, limit="nodes 1", games=2)
    with pytest.raises(FileNotFoundError, match="no such folder"):
        plan(parser.parse_args(["--json", str(tmp_path / "none" / "result.json")]))


def test_a_problem_is_solved_by_its_best_moves() -> None:
    problem = Problem.parse(MATE, 1)
    assert problem.name == "back rank"
    assert problem.solved_by("d1d8", None)
    assert not problem.solved_by("d1d7", None)


def test_a_move_to_avoid_is_no_solution() -> None:
    problem = Problem.parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd7;", 7)
    assert problem.name == "line 7"
    assert not problem.solved_by("d1d7", None)
    assert problem.solved_by("d1d8", None)


def test_mate_in_some_moves_is_solved_by_the_score() -> None:
    problem = Problem.parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm #1;", 1)
    assert problem.solved_by("d1d8", 31_999)
    assert not problem.solved_by("d1d8", 31_998)


def test_a_line_without_a_question_is_refused() -> None:
    with pytest.raises(ValueError, match="neither bm nor am"):
        Problem.parse('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id "x";', 3)


@pytest.mark.parametrize(("move", "solved"), [("d1d8", True), ("d1d7", False)])
def test_player_solves_or_its_move_is_shown(move: str, *, solved: bool) -> None:
    with open_player(PlayerSpec("", (sys.executable, str(SCRIPTED), move))) as engine:
        said = solve(engine, Problem.parse(MATE, 1), Limit.parse("nodes 9"))
    assert said == (None if solved else "d1d7 (17), wanted d1d8")


def test_depths_are_compared_by_geometric_means() -> None:
    def answer(seconds: float, nodes: int) -> PlayedMove:
        return PlayedMove("e2e4", seconds, nodes=nodes)

    rows = [(answer(2.0, 10), answer(1.0, 40)), (answer(1.0, 10), answer(2.0, 40))]
    assert depth_summary(rows) == (
        "3.00 s and 20 nodes, 3.00 s and 80 nodes; mean ratio 1.00 in time, 0.25 in nodes"
    )
