"""Signs of life between a bridge and its server, with plain lines and no clock but a number."""

from math import inf

from helpers.talking import Talk


def test_silent_server_is_asked_and_then_left(talk: Talk) -> None:
    talk.told_all()
    talk.say("isready")
    talk.told_all()
    talk.wait(1.1)
    assert talk.told_all() == [b"rookery heard 0"]
    talk.wait(2.1)
    assert talk.core.must_leave == "the server does not answer"


def test_server_that_answers_is_kept(talk: Talk) -> None:
    talk.say("go infinite")
    for _ in range(100):
        talk.wait(0.5)
        talk.answer("rookery heard 1")
    assert not talk.core.must_leave


def test_silence_is_noticed_sooner_when_the_clock_is_short(talk: Talk) -> None:
    talk.say("go wtime 2000 btime 2000")
    talk.wait(0.4)
    assert talk.core.must_leave


def test_idle_conversation_is_seldom_woken(talk: Talk) -> None:
    """Row 249."""
    assert talk.due - talk.now >= 10


def test_unlinked_idle_conversation_is_not_woken(talk: Talk) -> None:
    talk.lose()
    assert talk.due == inf


def asked() -> Talk:
    """Return a conversation over a transport that does not ask who is at its ends."""
    talk = Talk()
    talk.core.is_asked = True
    return talk


def test_server_is_to_ask_whether_the_bridge_is_there_and_is_answered() -> None:
    talk = asked()
    assert talk.link() == ["rookery alive 20"]
    assert talk.answer("rookery alive 20") == []
    assert talk.told() == ["rookery alive 20"]
    talk.lose()
    assert talk.link() == ["rookery alive 20"]  # by the next connection, too


def test_server_that_does_not_know_the_question_goes_on_without() -> None:
    talk = asked()
    talk.link()
    talk.heard()
    talk.say("position startpos", "go depth 5")
    refusal = (
        "info string rookery bad-command: 'rookery' has engine, token, session, heard, work, cache,"
        " room, not 'alive'"
    )
    assert talk.answer(refusal, "bestmove e2e4") == ["bestmove e2e4"]
    talk.lose()
    assert talk.link(heard=2) == []


def test_bridge_that_has_stood_still_comes_back() -> None:
    talk = asked()
    talk.link()
    talk.heard()
    talk.say("position startpos", "go infinite")
    heard = talk.answer("info string rookery no-answer: no answer to 'rookery alive' within 20 s")
    assert len(heard) == 1
    assert talk.core.must_leave
    talk.lose()
    assert talk.hello().session == "a.b"
