"""What is said to an engine, and what is kept of its answers."""

import asyncio
import time
from contextlib import suppress

import pytest

from rookery_analysis.uci_conversation import (
    MAX_ANSWER,
    MOST_HEARD,
    MOST_LINES,
    BusyError,
    FaultError,
    LostError,
    Said,
    Talk,
)
from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Code, Meaning, Notice
from rookery_uci import Limits, Position

LIMITS = Limits(nodes=100)
START = Position(None, ())


@pytest.fixture
def told() -> list[bytes]:
    return []


@pytest.fixture
async def talk(told: list[bytes]) -> Talk:
    return Talk(told.append, patience=100)


async def test_the_next_position_is_told_with_the_answer_to_the_one_before(
    talk: Talk, told: list[bytes]
) -> None:
    answers = [talk.search(START, LIMITS), talk.search(Position(None, ("e2e4",)), LIMITS)]
    assert told == [b"position startpos\ngo nodes 100\n"]
    talk.hear(b"info depth 1 score cp 5 pv e2e4\n")
    assert len(told) == 1
    talk.hear(b"bestmove e2e4\n")
    assert told[1:] == [b"position startpos moves e2e4\ngo nodes 100\n"]
    assert await answers[0] == b"info depth 1 score cp 5 pv e2e4\nbestmove e2e4"
    assert not answers[1].done()


async def test_only_the_newest_exact_line_of_each_variation_counts(talk: Talk) -> None:
    answer = talk.search(START, LIMITS)
    talk.hear(
        b"info depth 1 multipv 1 score cp 5 pv e2e4\n"
        b"info depth 1 multipv 2 score cp 4 pv d2d4\n"
        b"info depth 2 multipv 1 score cp 6 pv d2d4\n"
        b"info depth 3 multipv 1 score cp 9 lowerbound pv c2c4\n"
        b"info string bestmove is near\n"
        b"bestmove d2d4 ponder d7d5\n"
    )
    said = Said.read(await answer)
    assert said.best == "d2d4"
    assert sorted(said.lines.splitlines()) == [
        b"info depth 1 multipv 2 score cp 4 pv d2d4",
        b"info depth 2 multipv 1 score cp 6 pv d2d4",
    ]


async def test_answer_to_uci_without_end_is_given_up(talk: Talk) -> None:
    greeting = asyncio.ensure_future(talk.greet())
    await asyncio.sleep(0)
    said = 0
    while not talk._end:
        talk.hear(b"option name X type string default " + 1000 * b"x" + b"\n")
        said += 1000
        assert said < 2 * MAX_ANSWER
    with pytest.raises(FaultError, match="before uciok"):
        await greeting


async def test_variations_without_number_are_not_kept(talk: Talk) -> None:
    answer = talk.search(START, LIMITS)
    for number in range(20_000):
        talk.hear(b"info depth 1 multipv %d score cp 5 pv e2e4 " % number + 100 * b"x" + b"\n")
    talk.hear(b"bestmove e2e4\n")
    assert Said.read(await answer).lines.count(b"\n") <= MOST_LINES
    assert len(await answer) < 1 << 18


async def test_what_is_kept_of_a_search_does_not_grow_with_it(talk: Talk) -> None:
    answer = talk.search(START, LIMITS)
    line = b"info depth %d score cp 5 pv e2e4\n"
    for depth in range(10_000):
        talk.hear(line % depth)
    talk.hear(b"bestmove e2e4\n")
    heard = await answer
    assert len(heard) < 2 * MOST_HEARD
    assert Said.read(heard).lines == line % 9_999


async def test_the_end_of_an_engine_is_told_to_all_who_have_asked(talk: Talk) -> None:
    answers = [talk.search(START, LIMITS), talk.search(START, LIMITS)]
    talk.ended(FaultError("it exited with status 3"))
    for answer in (*answers, talk.search(START, LIMITS)):
        with pytest.raises(FaultError, match="status 3"):
            await answer


async def test_it_is_left_alone_for_most_of_what_searches_take(told: list[bytes]) -> None:
    naps: list[float] = []
    talk = Talk(told.append, 100, doze=naps.append)
    for _ in range(2):
        answer = talk.search(START, LIMITS)
        await asyncio.sleep(0.02)  # the search, which takes its time
        talk.hear(b"bestmove e2e4\n")
        await answer
    assert len(naps) == 1
    assert 0.01 < naps[0] <= 0.05


async def test_no_time_counts_before_there_is_an_engine(told: list[bytes]) -> None:
    is_there = False
    talk = Talk(told.append, 0.05, is_there=lambda: is_there)
    answer = talk.search(START, LIMITS)
    assert not (await asyncio.wait({answer}, timeout=0.2))[0]
    is_there = True
    with pytest.raises(FaultError, match=r"does not say bestmove within 0.05 s"):
        await asyncio.wait_for(answer, 10)


async def test_what_may_take_less_time_is_late_earlier_than_what_was_asked_before(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = talk.search(START, LIMITS)  # which may take 100 s
    talk.hear(b"bestmove e2e4\n")
    await answer
    monkeypatch.setattr("rookery_analysis.uci_conversation.START_PATIENCE", 0.05)
    with pytest.raises(FaultError, match=r"does not say readyok within 0.05 s"):
        await asyncio.wait_for(talk.begin(chess960=False), 10)


async def test_time_is_counted_anew_for_each_position(told: list[bytes]) -> None:
    patience = 0.5
    talk = Talk(told.append, patience)
    began = time.monotonic()
    while time.monotonic() < began + 2 * patience:
        answer = talk.search(START, LIMITS)
        assert not (await asyncio.wait({answer}, timeout=0.05))[0]
        talk.hear(b"bestmove e2e4\n")
        assert await answer
    with pytest.raises(FaultError):
        await asyncio.wait_for(talk.search(START, LIMITS), 10)


async def test_what_a_server_puts_off_is_no_fault_of_the_position(talk: Talk) -> None:
    answer = talk.search(START, LIMITS)
    talk.hear(b"info string rookery quota-cpu: try again in 40 s\nbestmove e2e4\n")
    with pytest.raises(BusyError, match=r"^quota-cpu: try again in 40 s$"):
        await answer


@pytest.mark.parametrize("code", Code)
async def test_what_a_notice_means_for_the_answer(talk: Talk, code: Code) -> None:
    answer = talk.search(START, LIMITS)
    talk.hear(b"%b\ninfo depth 1 score cp 5 pv e2e4\nbestmove e2e4\n" % bytes(Notice(code, "why")))
    if code.meaning is Meaning.OVER:  # The end says what it is.
        assert not answer.done()
        talk.ended(LostError("it is over"))
    kinds = {
        Meaning.NEWS: None, Meaning.NO_ENGINE: None, Meaning.ALTERED: FaultError,
        Meaning.CUT: FaultError, Meaning.REFUSED: FaultError, Meaning.PUT_OFF: BusyError,
        Meaning.OVER: LostError,
    }  # fmt: skip
    with suppress(FaultError, LostError):
        await answer
    error = answer.exception()
    assert (error and type(error)) == kinds[code.meaning]


async def test_engine_that_dies_while_it_is_set_up_is_no_refusal(talk: Talk) -> None:
    setting = asyncio.ensure_future(talk.set_up([]))
    await asyncio.sleep(0)
    talk.hear(b"info string rookery engine-died: another takes its place\nreadyok\n")
    await setting


async def test_a_server_without_room_does_not_end_the_job(talk: Talk, told: list[bytes]) -> None:
    for start in (talk.set_up([]), talk.begin(chess960=False)):
        starting = asyncio.ensure_future(start)
        while not told:
            await asyncio.sleep(0)
        told.clear()
        talk.hear(b"info string rookery queue-full: connect again later\nreadyok\n")
        with pytest.raises(BusyError, match="queue-full: connect again later"):
            await starting


async def test_why_a_session_is_closed_is_what_was_said_of_it(talk: Talk) -> None:
    answer = talk.search(START, LIMITS)
    talk.hear(b"info string rookery quota-sessions: you have 2 sessions\n")
    talk.ended(ConfigError("policy"))
    with pytest.raises(BusyError, match="quota-sessions: you have 2 sessions"):
        await answer


async def test_of_what_a_server_says_no_more_is_shown_than_people_read(talk: Talk) -> None:
    answer = talk.search(START, LIMITS)
    talk.hear(b"info string rookery quota-search: " + b"\x1b[31m" * 100 + b"\nbestmove e2e4\n")
    with pytest.raises(FaultError) as fault:
        await answer
    assert str(fault.value) == "the server says: quota-search: " + "?[31m" * 40
