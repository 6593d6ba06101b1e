"""A server that is there and has no engine, with plain lines: who plays, and when."""

import pytest
from helpers.talking import Talk

from rookery_protocol.notices import Code, Meaning, Notice

WAITING = "info string rookery waiting: you are number 1 of 1 to get an engine"
PUT_OFF = (
    "info string rookery queue-full: connect again later",
    "info string rookery no-search: no engine has searched this",
)


def test_clock_does_not_wait_for_an_engine_of_the_server(pair: Talk) -> None:
    pair.say("position startpos", "go wtime 60000 btime 60000")
    assert pair.answer(WAITING) == [WAITING]
    pair.wait(0.9)
    assert pair.fallback_hears() == []
    pair.answer("rookery heard 2")
    assert "goes on" in pair.wait(0.2)[-1]
    assert pair.fallback_hears() == ["position startpos", "go wtime 58950 btime 60000"]
    # One that comes now knows nothing of the time that is gone.
    assert pair.answer("info depth 1 pv a2a3") == []
    pair.lose()
    pair.link(heard=2)
    assert pair.fallback_hears() == []
    assert pair.local_says("bestmove e2e4")[-1] == "bestmove e2e4"
    assert pair.told() == ["stop"]
    assert pair.answer("bestmove a2a3") == []


@pytest.mark.parametrize(("seconds", "waits"), [(20, 4), (600, 120)])
def test_without_another_engine_a_fifth_of_the_clock_is_waited_for_one(
    seconds: int, waits: int
) -> None:
    """And not all of it, which leaves nothing for the moves to come."""
    talk = Talk()
    talk.link()
    talk.heard()
    talk.say("position startpos", f"go wtime {seconds}000 btime {seconds}000")
    talk.answer(WAITING)
    heard: list[str] = []
    began = talk.now
    while not any(line.startswith("bestmove ") for line in heard):
        talk.answer("rookery heard 2")
        heard = talk.wait(0.25)
    assert waits <= talk.now - began < waits + 0.5
    assert talk.told() == ["stop"]


def test_without_another_engine_that_of_the_server_has_its_time() -> None:
    talk = Talk()
    talk.link()
    talk.heard()
    talk.say("position startpos", "go wtime 20000 btime 20000")
    talk.answer(WAITING, "info depth 1 pv e2e4")
    for _ in range(10):
        talk.answer("rookery heard 2")
        assert talk.wait(1) == []
    assert talk.answer("bestmove e2e4") == ["bestmove e2e4"]


def test_gui_hears_nothing_of_a_made_up_move_when_another_was_played(pair: Talk) -> None:
    """Else the notice would seem to be about the move of the engine of this machine."""
    pair.say("position startpos", "go wtime 60000 btime 60000")
    pair.answer(WAITING)
    pair.wait(0.9)
    pair.answer("rookery heard 2")
    pair.wait(0.2)
    assert pair.local_says("bestmove e2e4") == ["bestmove e2e4"]
    assert pair.answer(PUT_OFF[1], "bestmove a2a3") == []
    pair.say("position startpos", "go depth 1")
    assert pair.answer(PUT_OFF[1]) == [PUT_OFF[1]]


def test_engine_of_the_server_that_comes_in_time_plays(pair: Talk) -> None:
    pair.say("isready", "position startpos", "go wtime 60000 btime 60000")
    pair.answer(WAITING, "readyok", "info depth 1 pv a2a3")
    pair.answer("rookery heard 3")
    pair.wait(2)
    assert pair.fallback_hears() == []
    assert pair.answer("bestmove e2e4") == ["bestmove e2e4"]


@pytest.mark.parametrize("go", ["go infinite", "go depth 30"])
def test_analysis_waits_for_an_engine_of_the_server(pair: Talk, go: str) -> None:
    pair.say("position startpos", go)
    pair.answer(WAITING)
    for _ in range(60):
        pair.wait(1)
        pair.answer("rookery heard 2")
    assert pair.fallback_hears() == []


@pytest.mark.parametrize("code", Code)
def test_clock_does_not_wait_where_a_notice_means_that_no_engine_is_there(code: Code) -> None:
    talk = Talk(fall_back=True)
    talk.link()
    talk.say("position startpos", "go wtime 9000 btime 9000")
    talk.answer(str(Notice(code, "why")))
    talk.wait(1)
    # Some of the others begin another session; over this connection they change nothing.
    assert bool(talk.fallback_hears()) is (code.meaning is Meaning.NO_ENGINE)


@pytest.mark.parametrize("go", ["wtime 60000 btime 60000", "depth 9", "infinite"])
def test_move_that_the_server_has_made_up_is_not_played(pair: Talk, go: str) -> None:
    pair.say("position startpos", f"go {go}")
    assert pair.answer(*PUT_OFF, "bestmove a2a3") == [
        *PUT_OFF,
        "info string rookery-bridge: the engine of this machine goes on with the search",
    ]
    assert pair.core.wants_fallback
    told = ["position startpos", f"go {go.replace('wtime 60000', 'wtime 59950')}"]
    assert pair.fallback_hears() == told
    assert pair.wait(0.5) == []
    pair.answer("rookery heard 2")
    pair.say("stop")
    assert pair.local_says("bestmove e2e4") == ["bestmove e2e4"]
    assert pair.say("go depth 2") == ["go depth 2"]
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


def test_move_that_the_server_has_made_up_is_better_than_none() -> None:
    talk = Talk()
    talk.link()
    talk.heard()
    talk.say("position startpos", "go wtime 60000 btime 60000")
    assert talk.answer(*PUT_OFF, "bestmove a2a3")[-1] == "bestmove a2a3"


def test_notice_that_is_of_no_search_takes_none_from_the_server(pair: Talk) -> None:
    pair.say("isready")
    assert pair.answer(PUT_OFF[0], "readyok") == [PUT_OFF[0], "readyok"]
    pair.say("go depth 1")
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


def test_engine_of_this_machine_that_cannot_play_leaves_a_legal_move(pair: Talk) -> None:
    pair.say("setoption name UCI_Variant value atomic", "position startpos", "go infinite")
    pair.answer(*PUT_OFF, "bestmove a2a3")
    assert pair.wait(1) == []  # It has yet to say what it knows.
    pair.local_says("option name Hash type spin default 1 min 1 max 9")
    assert pair.local_says("uciok") == []  # Row 125.
    pair.say("stop")
    assert pair.heard()[-1].startswith("bestmove ")


def test_search_without_a_server_ends_when_it_is_to_stop(pair: Talk) -> None:
    pair.say("position startpos", "go infinite", "stop")
    pair.answer(*PUT_OFF, "bestmove a2a3")
    assert pair.fallback_hears() == ["position startpos", "go infinite", "stop"]
    assert pair.local_says("bestmove e2e4") == ["bestmove e2e4"]


def test_notice_of_a_session_says_nothing_of_the_next_one(pair: Talk) -> None:
    pair.say("position startpos", "go depth 9")
    pair.answer("info string rookery quota-sessions: you have as many as you may")
    pair.lose()
    pair.hello()
    pair.answer("info string rookery unknown-session: there is none")
    pair.link()
    pair.heard()
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


def test_connection_that_is_refused_puts_no_search_off(pair: Talk) -> None:
    """It goes on meanwhile, and its move is told over the next one."""
    pair.say("position startpos", "go depth 9")
    pair.lose()
    pair.hello()
    pair.answer("info string rookery too-many-connections: close one, or connect again later")
    pair.link(heard=2)
    pair.heard()
    assert pair.answer("bestmove d2d4") == ["bestmove d2d4"]


def test_moves_that_are_owed_here_and_there_come_in_order(pair: Talk) -> None:
    """Row 20: a GUI takes the first for that of the search that it has stopped."""
    pair.say("position startpos", "go ponder wtime 9000 btime 9000", "stop")
    pair.say("position startpos moves e2e4", "go wtime 9000 btime 9000")
    pair.answer(*PUT_OFF, "bestmove a2a3")
    assert pair.fallback_hears()[-1] == "stop"
    heard = pair.answer("bestmove e7e5")
    assert [line[:8] for line in heard if line.startswith("bestmove")] == ["bestmove"] * 2
    assert heard[-1] == "bestmove e7e5"
    assert pair.local_says("bestmove d2d4") == []


def test_move_that_is_owed_here_is_not_overtaken(pair: Talk) -> None:
    pair.say("position startpos", "go infinite")
    pair.answer(*PUT_OFF, "bestmove a2a3")
    assert pair.say("position startpos moves e2e4", "go depth 1") == [
        "position startpos moves e2e4",
        "go depth 1",
    ]
    assert pair.heard()[-1].startswith("bestmove ")
    assert pair.answer("bestmove e7e5") == ["bestmove e7e5"]
