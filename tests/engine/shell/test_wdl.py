"""Scores as centipawns and as chances."""

import pytest

from rookery_engine.shell.wdl import FULL, centipawns, mate_wdl, score_of, wdl


@pytest.mark.parametrize("material", [0, 10, 40, FULL, 200])
def test_more_is_never_worse(material: int) -> None:
    results = [wdl(score, material) for score in range(-31000, 31000, 50)]
    assert all(sum(result) == 1000 and min(result) >= 0 for result in results)
    assert [win for win, _, _ in results] == sorted(win for win, _, _ in results)
    assert [loss for _, _, loss in results] == sorted((r[2] for r in results), reverse=True)


def test_both_sides_see_the_same() -> None:
    for score in (0, 17, 100, 900):
        assert wdl(score, 50) == wdl(-score, 50)[::-1]


def test_even_positions_are_drawn_and_big_leads_won() -> None:
    assert wdl(0, FULL)[1] > 800
    assert wdl(2000, FULL)[0] == 1000


def test_less_material_is_surer() -> None:
    assert wdl(200, 10)[0] > wdl(200, FULL)[0]


def test_mate_is_certain() -> None:
    assert mate_wdl(3) == (1000, 0, 0)
    assert mate_wdl(-3) == mate_wdl(0) == (0, 0, 1000)


def test_centipawns_survive_the_round_trip() -> None:
    assert [centipawns(score_of(number)) for number in range(-3000, 3000)] == [*range(-3000, 3000)]
    assert centipawns(-score_of(133)) == -133


def test_a_hundred_centipawns_win_about_every_second_game() -> None:
    assert 350 <= wdl(score_of(100), FULL)[0] <= 650
