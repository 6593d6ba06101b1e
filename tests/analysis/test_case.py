"""What becomes of a game with which something goes wrong."""

import pytest

from rookery_analysis.game import Place, read
from rookery_analysis.pending_game import MOST_POISON, Case
from rookery_analysis.pgn_text import Mark, Text


@pytest.fixture
def case() -> Case:
    text = Text("1. e4 e5 2. Nf3 *\n", 1, Mark())
    return Case(0, read(text, Place(1, "x", 1)))


def test_a_position_is_skipped_after_two_tries(case: Case) -> None:
    assert case.failed(2, "it hangs") is None
    assert case.failed(1, "it hangs") is None
    assert case.poison == {}
    assert case.failed(2, "it is dead") is None
    assert case.poison == {2: "it is dead"}


def test_a_game_with_too_many_such_positions_is_given_up(case: Case) -> None:
    for ply in range(MOST_POISON):
        assert case.failed(ply, "it hangs") is None
        assert case.failed(ply, "it hangs") is None
    assert case.failed(MOST_POISON, "it hangs") is None
    outcome = case.failed(MOST_POISON, "it is dead")
    assert outcome
    assert outcome.status == "skipped"
    assert outcome.gave_up == f"given up after {MOST_POISON + 1} positions: it is dead"
