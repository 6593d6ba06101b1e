"""Searches of a GUI that does not wait for the move of one before it begins the next."""

import pytest
from helpers.talking import Talk


def test_search_is_stopped_once(talk: Talk) -> None:
    """Row 20: a second `stop` would be for the next, which the server has heard meanwhile."""
    talk.say("position startpos", "go infinite")
    talk.lose()
    talk.say("stop", "position startpos moves e2e4", "go infinite")
    assert talk.wait(3)[-1].startswith("bestmove ")
    assert talk.link(heard=2) == ["stop", "position startpos moves e2e4", "go infinite"]
    assert talk.answer("bestmove d2d4", "info depth 1 pv e7e5")[-1] == "info depth 1 pv e7e5"
    assert talk.say("stop") == ["stop"]


def test_stop_of_several_searches_reaches_the_first(talk: Talk) -> None:
    talk.say("position startpos", "go infinite", "isready")
    talk.lose()
    talk.say("go infinite", "stop")
    assert sum(line.startswith("bestmove ") for line in talk.wait(5)) == 2
    assert talk.link(heard=3) == ["stop"]


@pytest.mark.parametrize("first", ["go infinite", "go ponder wtime 9000 btime 9000"])
def test_ponderhit_is_for_the_search_that_goes_on(talk: Talk, first: str) -> None:
    """Row 138: the one before it may not have given its move yet."""
    talk.say("position startpos", first, "stop")
    talk.say("position startpos moves e2e4", "go ponder wtime 1000 btime 1000", "ponderhit")
    assert talk.answer("bestmove d2d4") == ["bestmove d2d4"]
    talk.lose()
    talk.hello()
    talk.answer("info string rookery unknown-session: there is no such session")
    assert talk.link()[:2] == ["position startpos moves e2e4", "go wtime 1000 btime 1000"]
    talk.lose()
    assert talk.wait(2)[-1].startswith("bestmove ")
