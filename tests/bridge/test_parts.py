"""The small rules of the bridge: attempts, heartbeats, journals, paths, legal moves."""

import pytest

from rookery_bridge.session.bridge_options import BridgeOptions, path_objection
from rookery_bridge.session.pending_requests import AnswerWord, PendingRequest, PendingSearch
from rookery_bridge.session.server_link import (
    IDLE,
    WAITING,
    Heartbeat,
    HeartbeatPace,
    SentLine,
    ServerLink,
)
from rookery_bridge.suspend_detector import NAP, SuspendDetector
from rookery_protocol.backoff import FIRST, LONGEST, STEADY, Backoff
from rookery_protocol.legality import choose_move
from rookery_uci import Limits, Option, Position, SetOption

# --- backoff


def test_first_attempt_is_at_once_and_others_are_ever_later() -> None:
    backoff = Backoff()
    waits = [backoff.next_wait(1.0) for _ in range(10)]
    assert waits[:3] == [0.0, FIRST, 2 * FIRST]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST


def test_attempts_of_many_are_spread() -> None:
    backoff = Backoff()
    waits = [backoff.next_wait(0.0) for _ in range(10)]
    assert waits[-1] == LONGEST / 2


def test_connection_that_held_is_sought_at_once_again() -> None:
    backoff = Backoff()
    for _ in range(5):
        backoff.next_wait(1.0)
    backoff.count_connection(STEADY / 2)
    assert backoff.next_wait(1.0) > 0
    backoff.count_connection(STEADY)
    assert backoff.next_wait(1.0) == 0.0


# --- heartbeat


def test_silence_is_asked_about_once_and_then_it_is_death() -> None:
    heartbeat = Heartbeat(0.0)
    assert heartbeat.due(WAITING) == 1.0
    assert not heartbeat.is_asked
    heartbeat.add_question(1.0)
    assert heartbeat.due(WAITING) == 3.0
    assert heartbeat.is_asked


def test_whatever_is_heard_is_a_sign_of_life() -> None:
    heartbeat = Heartbeat(0.0)
    heartbeat.add_question(1.0)
    heartbeat.heard_at = 2.9
    assert heartbeat.due(WAITING) == 4.9


def test_answers_say_how_long_the_way_is() -> None:
    heartbeat = Heartbeat(0.0)
    assert heartbeat.add_answer(1.0) is None
    heartbeat.add_question(1.0)
    heartbeat.add_question(1.5)
    assert heartbeat.add_answer(2.0) == 1.0
    assert heartbeat.add_answer(2.25) == 0.75


@pytest.mark.parametrize("patience", [0.0, 0.01, 0.2, 1.0, 10.0])
@pytest.mark.parametrize("trip", [0.0, 0.05, 0.3])
def test_pace_leaves_time_for_an_answer_and_is_never_slower_than_usual(
    patience: float, trip: float
) -> None:
    pace = HeartbeatPace.within(patience, trip)
    assert trip * 2 <= pace.silence <= WAITING.silence < IDLE.silence
    assert 0 < pace.interval <= WAITING.interval


# --- sent lines


def unheard(link: ServerLink) -> list[bytes]:
    return [entry.line for entry in link.unheard]


def test_confirmed_lines_are_not_sent_again() -> None:
    link = ServerLink(0.0)
    for line in (b"1", b"2", b"3"):
        link.send_counted(SentLine(line))
    assert link.confirm(2)
    assert unheard(link) == [b"3"]
    link.send_counted(SentLine(b"4"))
    assert link.confirm(3)
    assert unheard(link) == [b"4"]


def test_count_that_cannot_be_is_noticed() -> None:
    link = ServerLink(0.0)
    link.send_counted(SentLine(b"1"))
    assert not link.confirm(2)
    assert link.confirm(1)
    assert not link.confirm(0)
    assert unheard(link) == []


def test_revised_lines_are_counted_as_they_are() -> None:
    link = ServerLink(0.0)
    for line in (b"1", b"2", b"3"):
        link.send_counted(SentLine(line))
    link.unheard = link.unheard[:1]
    assert link.confirm(1)
    assert not link.confirm(2)


# --- requests


def test_best_line_is_the_newest_of_the_first_variation() -> None:
    search = PendingSearch(Limits(), Position(), 0.0)
    assert search.best_line() == ()
    search.add_info(b"info depth 1 pv e2e4 e7e5\ninfo depth 2 multipv 1 pv d2d4 d7d5\n", 0.0)
    search.add_info(b"info depth 2 multipv 2 pv c2c4\ninfo nodes 7\n", 0.0)
    assert search.best_line() == ("d2d4", "d7d5")


def test_side_to_move_is_known_without_a_board() -> None:
    for text, white in (
        ("startpos", True),
        ("startpos moves e2e4", False),
        ("fen 8/8/8/8/8/8/8/8 b - - 0 1", False),
        ("fen 8/8/8/8/8/8/8/8 b - - 0 1 moves e7e5", True),
        ("fen 8/8/8/8/8/8/8/8", True),
    ):
        search = PendingSearch(Limits(wtime=7 if white else None), Position.parse(text), 0.0)
        assert (search.clock is not None) is white, text


def test_requests_are_unanswered_at_first() -> None:
    assert not PendingRequest(AnswerWord.READYOK, 0.0).is_answered


# --- paths

OFFERED = {
    "hash": Option("Hash", "spin", "16", 1, 99),
    "evalfile": Option("EvalFile", "string", ""),
    "syzygypath": Option("SyzygyPath", "combo", "", var=("<empty>", "six", "seven")),
}


@pytest.mark.parametrize(
    "path", ["/home/me/tb", "~/tb", r"C:\tb;D:\tb", "c:/tb", r"\\server\tb", "/a:/b"]
)
def test_path_is_not_for_a_server_that_wants_none(path: str) -> None:
    """Row 74."""
    why = path_objection(SetOption("SyzygyPath", path), OFFERED)
    assert why
    assert "the server has six, seven" in why
    assert path_objection(SetOption("NalimovPath", path), OFFERED)
    assert path_objection(SetOption("EvalFile", path), OFFERED) is None
    assert path_objection(SetOption("NalimovPath", path), {}) is None


@pytest.mark.parametrize("value", ["six", "<empty>", "", "16", "true", "A/B", "c:", "1/2", None])
def test_other_values_are_sent(value: str | None) -> None:
    assert path_objection(SetOption("SyzygyPath", value), OFFERED) is None


# --- legal moves


def test_castling_is_written_by_the_rules_that_hold() -> None:
    """Rows 34, 218."""
    position = Position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert choose_move(position, ["e1g1"], chess960=False) == "e1g1"
    assert choose_move(position, ["e1h1"], chess960=True) == "e1h1"


def test_variants_have_moves_of_their_own() -> None:
    position = Position("8/8/8/8/8/2q5/1P6/8 w - - 0 1")
    assert choose_move(position, [], chess960=False, variant="antichess") == "b2c3"
    assert choose_move(position, [], chess960=False, variant="unheard-of") == "0000"


def test_what_is_worth_most_is_taken_if_nothing_is_known() -> None:
    position = Position("4k3/8/8/3q1n2/4P3/8/8/4K3 w - - 0 1")
    assert choose_move(position, ["e4e5e6", "e2e4"], chess960=False) == "e4d5"


@pytest.mark.parametrize("text", ["fen joho", "startpos moves e2e5", "fen 8/8 w - - 0 1"])
def test_position_that_is_none_has_no_move(text: str) -> None:
    assert choose_move(Position.parse(text), ["e2e4"], chess960=False) == "0000"


def test_move_is_one_that_was_named() -> None:
    """Row 101: even where another is known, or takes more."""
    position = Position("4k3/8/8/3q1n2/4P3/8/8/4K3 w - - 0 1")
    named = ("e1e2", "e4f5")
    assert choose_move(position, ["e4d5"], among=named, chess960=False) == "e4f5"
    assert choose_move(position, ["e1e2"], among=named, chess960=False) == "e1e2"
    assert choose_move(position, [], among=["e2e4"], chess960=False) == "e4d5"


# --- the bridge's own options, and sleep


def test_fallback_is_an_option_where_there_is_one() -> None:
    assert not BridgeOptions().fall_back
    options = BridgeOptions(has_fallback=True)
    assert options.fall_back
    assert options.set_option(SetOption("bridge fallback", "false"))
    assert not options.fall_back
    assert options.set_option(SetOption("Bridge Fallback", "joho"))
    assert not options.fall_back
    assert not options.set_option(SetOption("Hash", "1"))


def test_machine_that_is_awake_has_not_slept() -> None:
    assert not SuspendDetector().has_slept()


def test_clock_that_jumps_is_a_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    offset = 0.0
    monkeypatch.setattr("rookery_bridge.suspend_detector._offset", lambda: offset)
    watch = SuspendDetector()
    offset = 60.0
    assert watch.has_slept()
    assert not watch.has_slept()


def test_where_no_clock_stands_still_a_long_silence_is_a_sleep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rookery_bridge.suspend_detector._COUNTS_SLEEP", True)
    monkeypatch.setattr("rookery_bridge.suspend_detector._offset", float)
    now = 100.0
    monkeypatch.setattr("rookery_bridge.suspend_detector.time.monotonic", lambda: now)
    watch = SuspendDetector()
    now += NAP + 1
    assert not watch.has_slept()
    now += 60
    assert watch.has_slept()
    assert not watch.has_slept()
