"""Sessions that are begun anew, as the server does not know the former one any more."""

import pytest
from helpers.talking import Talk


def test_unknown_session_is_begun_anew(talk: Talk) -> None:
    talk.say("uci", "setoption name Hash value 5", "setoption name Hash value 7", "debug on")
    talk.answer("id name X", "uciok")
    talk.say("setoption name Clear Hash", "position startpos moves e2e4", "go btime 60000")
    talk.say("isready")
    talk.lose()
    talk.now += 1
    talk.hello()
    heard = talk.answer("info string rookery unknown-session: there is no such session")
    assert heard == [
        "info string rookery-bridge: the server does not know the session any more;"
        " a new one is begun"
    ]
    assert talk.hello().session == "new"
    assert talk.link() == [
        "debug on",
        "setoption name Hash value 7",
        "position startpos moves e2e4",
        "go btime 59000",
        "position startpos moves e2e4",
        "isready",
    ]
    assert talk.answer("bestmove e7e5", "readyok")[-2:] == ["bestmove e7e5", "readyok"]


def test_text_that_was_emptied_stays_so(talk: Talk) -> None:
    """An option of another type keeps its value if it is given none."""
    talk.say("uci")
    talk.answer(
        "option name UCI_Opponent type string default <empty>",
        "option name Hash type spin default 1 min 1 max 9",
        "option name Clear Hash type button",
        "uciok",
    )
    talk.say("setoption name UCI_Opponent value GM 2800 human X", "setoption name Hash value 7")
    talk.say("setoption name UCI_Opponent", "setoption name Hash", "setoption name Clear Hash")
    talk.lose()
    talk.hello()
    talk.answer("info string rookery unknown-session: there is no such session")
    assert talk.link() == ["setoption name Hash value 7", "setoption name UCI_Opponent"]


def test_uci_is_answered_whole_though_it_was_cut(talk: Talk) -> None:
    """Rows 40, 41."""
    talk.say("uci")
    assert talk.answer("id name X", "id author Y") == []
    talk.lose()
    talk.link(heard=1)
    talk.heard()
    heard = talk.answer("uciok")
    assert heard[:2] == ["id name X", "id author Y"]
    assert heard.count("uciok") == 1


@pytest.mark.parametrize("heard", [5, 0])
def test_server_that_has_lost_count_is_begun_anew(talk: Talk, heard: int) -> None:
    talk.say("isready", "isready")
    talk.answer("rookery heard 1")
    talk.lose()
    talk.link(heard=heard)
    assert "lost count" in talk.core.must_leave


def test_gap_is_begun_anew(talk: Talk) -> None:
    talk.say("go infinite")
    talk.answer("info string rookery gap: some is lost")
    assert talk.told() == ["quit"]
    assert "a new one" not in talk.core.must_leave
    assert talk.core.must_leave


def test_session_that_was_given_up_is_not_heard_any_more(talk: Talk) -> None:
    """Row 146: what it is owed still follows the notice, and the new one answers all anew."""
    talk.say("isready", "position startpos", "go infinite")
    gap = "info string rookery gap: some is lost"
    assert talk.answer(gap, "readyok", "bestmove e2e4")[1:] == [gap]
    assert talk.answer("info depth 9 pv e2e4", "bestmove e2e4") == []
    talk.lose()
    assert talk.link() == ["position startpos", "go infinite", "position startpos", "isready"]
    talk.say("stop")
    assert talk.answer("readyok", "bestmove d2d4")[-2:] == ["readyok", "bestmove d2d4"]
    talk.lose()
    assert talk.hello().heard == 2
