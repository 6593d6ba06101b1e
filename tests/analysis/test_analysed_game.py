"""The formulas are the page's, to the digit."""

import re
from pathlib import Path

import chess
import pytest
from chess.engine import Cp, Mate, Score

from rookery_analysis import analysed_game
from rookery_analysis.analysed_game import MoveJudgement

PAGE = Path(__file__).parents[2] / "server" / "web" / "src" / "analysis" / "score.ts"


def test_the_numbers_are_those_of_the_page() -> None:
    page = PAGE.read_text()
    assert f"STEEPNESS = {analysed_game.STEEPNESS};" in page
    assert f"CEILING = {analysed_game.CEILING};" in page
    assert f"103.1668100711649 * Math.exp({analysed_game._DECAY} * points)" in page
    assert "- 3.166924740191411" in page
    for bound, name in analysed_game.BOUNDS:
        assert re.search(rf'points >= {bound:g}\)? (return|\?) "{name}"', page)


@pytest.mark.parametrize(
    ("score", "chance"),
    [(Cp(0), 50.0), (Cp(300), 75.11), (Cp(-300), 24.89), (Cp(5000), 97.54), (Mate(3), 97.54),
     (Mate(-1), 2.46)],
)  # fmt: skip
def test_win_chance(score: Score, chance: float) -> None:
    assert analysed_game.win_chance(score) == pytest.approx(chance, abs=0.01)


def test_only_the_mover_loses() -> None:
    assert analysed_game.points_lost(Cp(0), Cp(-300), chess.WHITE) == pytest.approx(25.11, abs=0.01)
    assert analysed_game.points_lost(Cp(0), Cp(300), chess.BLACK) == pytest.approx(25.11, abs=0.01)
    assert analysed_game.points_lost(Cp(0), Cp(300), chess.WHITE) == 0


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (4.99, None),
        (5, MoveJudgement.INACCURACY),
        (10, MoveJudgement.MISTAKE),
        (15, MoveJudgement.BLUNDER),
    ],
)
def test_judgements(points: float, expected: MoveJudgement | None) -> None:
    assert analysed_game.judgement_of(points) is expected


def test_accuracy_is_between_0_and_100() -> None:
    assert analysed_game.accuracy_of(0) == pytest.approx(100, abs=0.001)
    assert analysed_game.accuracy_of(20) == pytest.approx(40.0, abs=0.1)
    assert analysed_game.accuracy_of(100) == 0


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Mate(-1)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Cp(0)),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Cp(0)),
        (chess.STARTING_FEN, None),
    ],
)
def test_score_of_a_finished_game(fen: str, score: Score | None) -> None:
    assert analysed_game.final_score(chess.Board(fen)) == score
