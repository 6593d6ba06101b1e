"""The patience of a conversation with an engine, and the notices of a server."""

import asyncio
import time
from contextlib import suppress

import pytest

from rookery_analysis.engine_conversation import (
    BusyServerError,
    EngineConversation,
    FaultyEngineError,
    PollDelay,
    UnreachableEngineError,
)
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Code, Meaning, Notice
from rookery_uci import Limits, Position
from rookery_uci.uci_client import MAX_ANSWER

LIMITS = Limits(nodes=100)
START = Position(None, ())


@pytest.fixture
def sent() -> list[bytes]:
    return []


@pytest.fixture
async def talk(sent: list[bytes]) -> EngineConversation:
    return EngineConversation(sent.append, patience=100)


async def test_next_position_is_sent_with_the_answer_to_the_one_before(
    talk: EngineConversation, sent: list[bytes]
) -> None:
    answers = [talk.search(START, LIMITS), talk.search(Position(None, ("e2e4",)), LIMITS)]
    assert sent == [b"position startpos\ngo nodes 100\n"]
    talk.receive(b"info depth 1 score cp 5 pv e2e4\n")
    assert len(sent) == 1
    talk.receive(b"bestmove e2e4\n")
    assert sent[1:] == [b"position startpos moves e2e4\ngo nodes 100\n"]
    search = await answers[0]
    assert search.newest_lines == b"info depth 1 score cp 5 pv e2e4\n"
    assert search.best
    assert search.best.move == "e2e4"
    assert not answers[1].done()


async def test_positions_sent_ahead_have_their_time_from_the_answer_before(
    sent: list[bytes],
) -> None:
    talk = EngineConversation(sent.append, patience=0.05, ahead=1)
    answers = [talk.search(START, LIMITS) for _ in range(3)]
    assert b"".join(sent) == 2 * b"position startpos\ngo nodes 100\n"
    talk.receive(b"bestmove e2e4\n")
    assert len(b"".join(sent).splitlines()) == 6
    talk.receive(2 * b"bestmove d2d4\n")
    moves = [(await answer).best for answer in answers]
    assert [move and move.move for move in moves] == ["e2e4", "d2d4", "d2d4"]
    late = [talk.search(START, LIMITS) for _ in range(2)]
    for answer in late:
        with pytest.raises(FaultyEngineError, match=r"within 0\.05 s"):
            await answer


async def test_answer_to_uci_without_end_is_a_fault(talk: EngineConversation) -> None:
    handshake = asyncio.ensure_future(talk.handshake())
    await asyncio.sleep(0)
    line = b"option name X type string default " + 1000 * b"x" + b"\n"
    for _ in range(MAX_ANSWER // len(line) + 1):
        talk.receive(line)
    with pytest.raises(FaultyEngineError, match="before uciok"):
        await handshake


async def test_end_of_an_engine_fails_all_requests(talk: EngineConversation) -> None:
    answers = [talk.search(START, LIMITS), talk.search(START, LIMITS)]
    talk.end(FaultyEngineError("it exited with status 3"))
    for answer in (*answers, talk.search(START, LIMITS)):
        with pytest.raises(FaultyEngineError, match="status 3"):
            await answer


async def test_engine_is_not_read_from_for_most_of_a_search(sent: list[bytes]) -> None:
    delays: list[float] = []
    talk = EngineConversation(sent.append, 100, pause_reading=delays.append)
    for _ in range(2):
        answer = talk.search(START, LIMITS)
        await asyncio.sleep(0.02)  # the search, which takes its time
        talk.receive(b"bestmove e2e4\n")
        await answer
    assert len(delays) == 1
    assert 0.01 < delays[0] <= 0.05


async def test_no_time_counts_before_there_is_an_engine(sent: list[bytes]) -> None:
    is_there = False
    talk = EngineConversation(sent.append, 0.05, has_engine=lambda: is_there)
    answer = talk.search(START, LIMITS)
    assert not (await asyncio.wait({answer}, timeout=0.2))[0]
    is_there = True
    with pytest.raises(FaultyEngineError, match=r"does not say bestmove within 0.05 s"):
        await asyncio.wait_for(answer, 10)


async def test_request_with_less_patience_fails_earlier_than_the_one_before(
    talk: EngineConversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = talk.search(START, LIMITS)  # which may take 100 s
    talk.receive(b"bestmove e2e4\n")
    await answer
    monkeypatch.setattr("rookery_analysis.engine_conversation.START_PATIENCE", 0.05)
    with pytest.raises(FaultyEngineError, match=r"does not say readyok within 0.05 s"):
        await asyncio.wait_for(talk.start_game(chess960=False), 10)


async def test_patience_begins_anew_with_each_position(sent: list[bytes]) -> None:
    patience = 0.5
    talk = EngineConversation(sent.append, patience)
    began = time.monotonic()
    while time.monotonic() < began + 2 * patience:
        answer = talk.search(START, LIMITS)
        assert not (await asyncio.wait({answer}, timeout=0.05))[0]
        talk.receive(b"bestmove e2e4\n")
        assert await answer
    with pytest.raises(FaultyEngineError):
        await asyncio.wait_for(talk.search(START, LIMITS), 10)


async def test_search_that_a_server_puts_off_is_no_fault_of_the_position(
    talk: EngineConversation,
) -> None:
    answer = talk.search(START, LIMITS)
    talk.receive(b"info string rookery quota-cpu: try again in 40 s\nbestmove e2e4\n")
    with pytest.raises(BusyServerError, match=r"^quota-cpu: try again in 40 s$"):
        await answer


@pytest.mark.parametrize("code", Code)
async def test_notice_decides_what_becomes_of_the_answer(
    talk: EngineConversation, code: Code
) -> None:
    answer = talk.search(START, LIMITS)
    talk.receive(
        b"%b\ninfo depth 1 score cp 5 pv e2e4\nbestmove e2e4\n" % bytes(Notice(code, "why"))
    )
    if code.meaning is Meaning.OVER:  # The end says what it is.
        assert not answer.done()
        talk.end(UnreachableEngineError("it is over"))
    kinds = {
        Meaning.NEWS: None, Meaning.NO_ENGINE: None, Meaning.ALTERED: FaultyEngineError,
        Meaning.CUT: FaultyEngineError, Meaning.REFUSED: FaultyEngineError,
        Meaning.PUT_OFF: BusyServerError, Meaning.OVER: UnreachableEngineError,
    }  # fmt: skip
    with suppress(FaultyEngineError, UnreachableEngineError):
        await answer
    error = answer.exception()
    assert (error and type(error)) == kinds[code.meaning]


async def test_engine_that_dies_while_it_is_configured_is_no_refusal(
    talk: EngineConversation,
) -> None:
    setting = asyncio.ensure_future(talk.configure([]))
    await asyncio.sleep(0)
    talk.receive(b"info string rookery engine-died: another takes its place\nreadyok\n")
    await setting


async def test_server_without_room_does_not_end_the_job(
    talk: EngineConversation, sent: list[bytes]
) -> None:
    for start in (talk.configure([]), talk.start_game(chess960=False)):
        starting = asyncio.ensure_future(start)
        while not sent:
            await asyncio.sleep(0)
        sent.clear()
        talk.receive(b"info string rookery queue-full: connect again later\nreadyok\n")
        with pytest.raises(BusyServerError, match="queue-full: connect again later"):
            await starting


async def test_reason_of_a_closed_session_is_the_notice_before(talk: EngineConversation) -> None:
    answer = talk.search(START, LIMITS)
    talk.receive(b"info string rookery quota-sessions: you have 2 sessions\n")
    talk.end(ConfigError("policy"))
    with pytest.raises(BusyServerError, match="quota-sessions: you have 2 sessions"):
        await answer


async def test_text_of_a_server_is_shortened_and_steers_no_terminal(
    talk: EngineConversation,
) -> None:
    answer = talk.search(START, LIMITS)
    talk.receive(b"info string rookery quota-search: " + b"\x1b[31m" * 100 + b"\nbestmove e2e4\n")
    with pytest.raises(FaultyEngineError) as fault:
        await answer
    text = str(fault.value)
    assert text.startswith("the server says: quota-search: ?[31m?[31m")
    assert text.isprintable()
    assert len(text) < 300


def test_no_delay_before_a_search_is_known() -> None:
    assert PollDelay().length == 0


def test_delay_is_shorter_than_any_search_before() -> None:
    delay = PollDelay()
    for seconds in (0.010, 0.012, 0.009, 0.011):
        delay.learn(seconds)
        assert 0 < delay.length <= PollDelay.SHARE * seconds
    assert delay.length > PollDelay.SHARE * 0.009  # it grows again


def test_delay_follows_short_searches_at_once() -> None:
    delay = PollDelay()
    delay.learn(0.010)
    delay.learn(0.0001)
    assert delay.length == 0


def test_delay_is_bounded_after_long_searches() -> None:
    delay = PollDelay()
    delay.learn(60.0)
    assert delay.length == PollDelay.LONGEST
