import pytest

from rookery_server.growth.value import (
    MATE,
    MAX_DISTANCE,
    MAX_SCORE,
    TABLE,
    carried,
    is_decided,
    is_valid,
    is_won,
    mate_in,
    mate_value,
    score_value,
)


@pytest.mark.parametrize(
    ("child", "move"),
    [
        (0, 0),
        (35, -35),
        (-MAX_SCORE, MAX_SCORE),
        (-MATE, MATE - 1),  # checkmate
        (MATE - 1, 2 - MATE),
        (TABLE, 1 - TABLE),
        (-TABLE, TABLE - 1),
        (MATE - MAX_DISTANCE, MAX_DISTANCE - MATE),  # as far as a mate can be
        (TABLE - MAX_DISTANCE, MAX_DISTANCE - TABLE),
    ],
)
def test_a_move_has_the_value_of_its_child_for_the_other_side(child: int, move: int) -> None:
    assert carried(child) == move
    assert is_valid(move)
    assert is_decided(child) == is_decided(move)


def test_mates_by_uci_count_moves_and_values_count_plies() -> None:
    assert [mate_in(moves) for moves in (1, 3, 0, -1, -2)] == [
        MATE - 1, MATE - 5, -MATE, 2 - MATE, 4 - MATE,
    ]  # fmt: skip
    assert mate_value(5000) == MATE - MAX_DISTANCE
    assert mate_value(-5000) == MAX_DISTANCE - MATE


def test_no_score_looks_like_a_result() -> None:
    assert score_value(99_999) == MAX_SCORE
    assert score_value(-99_999) == -MAX_SCORE
    assert score_value(12) == 12
    assert not is_decided(MAX_SCORE)
    assert is_won(TABLE - MAX_DISTANCE)
    assert not is_won(-MATE)


@pytest.mark.parametrize("value", [MAX_SCORE + 1, TABLE + 1, -MATE - 1, MATE - MAX_DISTANCE - 1])
def test_a_number_between_the_ranges_is_no_value(value: int) -> None:
    assert not is_valid(value)
