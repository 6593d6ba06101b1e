"""The engine of this machine, when it takes over and when it gives way, with plain lines."""

import pytest
from talk import Talk


@pytest.fixture
def pair() -> Talk:
    talk = Talk(fall_back=True)
    talk.link()
    talk.heard()
    return talk


def fallback_says(talk: Talk, *lines: str) -> list[str]:
    talk.core.fallback_said("".join(f"{line}\n" for line in lines).encode(), talk.now)
    return talk.heard()


def test_engine_of_this_machine_goes_on(pair: Talk) -> None:
    pair.say("setoption name UCI_Chess960 value true", "setoption name Hash value 99999")
    pair.say("position startpos", "go wtime 60000 btime 60000")
    pair.lose()
    assert "goes on" in pair.wait(1.1)[0]
    assert pair.fallback_hears() == [
        "setoption name UCI_Chess960 value true",
        "position startpos",
        "go wtime 58950 btime 60000",
    ]
    assert fallback_says(pair, "id name Y", "uciok", "info depth 1 pv e2e4") == [
        "info depth 1 pv e2e4"
    ]
    assert fallback_says(pair, "bestmove e2e4") == ["bestmove e2e4"]
    assert pair.link(heard=4) == ["stop"]
    pair.heard()
    assert pair.answer("info depth 9 pv d2d4", "bestmove d2d4") == []


def test_server_that_is_back_takes_over(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    pair.fallback_hears()
    pair.link(heard=2)
    pair.heard()
    assert pair.fallback_hears() == ["stop"]
    assert fallback_says(pair, "info depth 1 pv e2e4", "bestmove e2e4") == []
    assert pair.answer("info depth 20 pv d2d4", "bestmove d2d4")[-1] == "bestmove d2d4"


def test_next_search_waits_for_the_move_that_nobody_wants(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    pair.link(heard=2)
    pair.answer("bestmove d2d4")
    pair.fallback_hears()
    pair.lose()
    pair.say("position startpos moves d2d4 d7d5", "go movetime 5000")
    pair.wait(2)
    assert pair.fallback_hears() == []
    fallback_says(pair, "bestmove e2e4")
    assert pair.fallback_hears()[0] == "position startpos moves d2d4 d7d5"
    assert fallback_says(pair, "bestmove c2c4")[-1] == "bestmove c2c4"


def test_stop_reaches_the_engine_of_this_machine(pair: Talk) -> None:
    """Row 133."""
    pair.say("position startpos", "go infinite")
    pair.lose()
    pair.wait(4)
    pair.fallback_hears()
    pair.say("stop")
    assert pair.fallback_hears() == ["stop"]


def test_lost_engine_of_this_machine_leaves_what_is_known(pair: Talk) -> None:
    pair.say("position startpos", "go wtime 10000 btime 10000")
    pair.lose()
    pair.wait(1)
    pair.core.fallback_lost("it has ended", pair.now)
    assert "it has ended" in pair.heard()[-1]
    assert pair.wait(3)[-1].startswith("bestmove ")


def test_clock_that_is_too_short_for_the_way_is_played_here() -> None:
    talk = Talk(fall_back=True)
    talk.link(trip=0.2)
    assert talk.say("position startpos", "go wtime 300 btime 300 winc 10") == ["position startpos"]
    assert talk.fallback_hears() == ["position startpos", "go wtime 250 btime 300 winc 10"]
    assert fallback_says(talk, "bestmove e2e4") == ["bestmove e2e4"]


def test_moves_come_in_the_order_of_their_searches() -> None:
    """Row 20: though one of them is played here, and the others there."""
    talk = Talk(fall_back=True)
    talk.link(trip=0.2)
    talk.heard()
    assert talk.say("go infinite", "go wtime 300 btime 300") == [
        "go infinite",
        "go wtime 100 btime 300",
    ]
    assert talk.answer("bestmove e2e4", "bestmove d2d4") == ["bestmove e2e4", "bestmove d2d4"]
    assert talk.say("go wtime 300 btime 300", "go infinite") == ["go infinite"]
    assert [line[:8] for line in talk.heard()] == ["bestmove"]
    assert talk.answer("bestmove c2c4") == ["bestmove c2c4"]


def test_without_another_engine_too_short_a_clock_has_a_move_at_once() -> None:
    talk = Talk()
    talk.link(trip=0.2)
    talk.heard()
    talk.say("position startpos", "go wtime 300 btime 300 winc 10")
    (line,) = talk.heard()
    assert line.startswith("bestmove ")
