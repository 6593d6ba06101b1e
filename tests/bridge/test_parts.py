"""The small rules of the bridge: attempts, pulses, journals, paths, legal moves."""

import pytest

from rookery_bridge.session.bridge_options import Preferences
from rookery_bridge.session.heartbeat import IDLE, WAITING, Health, Pace, Pulse
from rookery_bridge.session.legal_move import choose_move
from rookery_bridge.session.local_paths import objection
from rookery_bridge.session.pending import Debt, Kind, Search
from rookery_bridge.session.sent_lines import Entry, Journal
from rookery_bridge.suspend_detector import NAP, SleepWatch
from rookery_protocol.backoff import FIRST, LONGEST, STEADY, Backoff
from rookery_uci import Limits, Option, Position, SetOption

# --- backoff


def test_first_attempt_is_at_once_and_others_are_ever_later() -> None:
    backoff = Backoff()
    waits = [backoff.next(1.0) for _ in range(10)]
    assert waits[:3] == [0.0, FIRST, 2 * FIRST]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST


def test_attempts_of_many_are_spread() -> None:
    backoff = Backoff()
    waits = [backoff.next(0.0) for _ in range(10)]
    assert waits[-1] == LONGEST / 2


def test_connection_that_held_is_sought_at_once_again() -> None:
    backoff = Backoff()
    for _ in range(5):
        backoff.next(1.0)
    backoff.held(STEADY / 2)
    assert backoff.next(1.0) > 0
    backoff.held(STEADY)
    assert backoff.next(1.0) == 0.0


# --- pulse


def test_silence_is_asked_about_once_and_then_it_is_death() -> None:
    pulse = Pulse(0.0)
    assert pulse.health(0.9, WAITING) is Health.GOOD
    assert pulse.health(1.0, WAITING) is Health.UNSURE
    pulse.asked(1.0)
    assert pulse.health(2.9, WAITING) is Health.GOOD
    assert pulse.health(3.0, WAITING) is Health.DEAD


def test_whatever_is_heard_is_a_sign_of_life() -> None:
    pulse = Pulse(0.0)
    pulse.asked(1.0)
    pulse.heard(2.9)
    assert pulse.health(4.0, WAITING) is Health.GOOD
    assert pulse.health(4.9, WAITING) is Health.DEAD


def test_answers_say_how_long_the_way_is() -> None:
    pulse = Pulse(0.0)
    assert pulse.answered(1.0) is None
    pulse.asked(1.0)
    pulse.asked(1.5)
    assert pulse.answered(2.0) == 1.0
    assert pulse.answered(2.25) == 0.75


@pytest.mark.parametrize("patience", [0.0, 0.01, 0.2, 1.0, 10.0])
@pytest.mark.parametrize("trip", [0.0, 0.05, 0.3])
def test_pace_leaves_time_for_an_answer_and_is_never_slower_than_usual(
    patience: float, trip: float
) -> None:
    pace = Pace.within(patience, trip)
    assert trip * 2 <= pace.silence <= WAITING.silence < IDLE.silence
    assert 0 < pace.interval <= WAITING.interval


# --- journal


def entries(journal: Journal) -> list[bytes]:
    return [entry.line for entry in journal.revise(lambda entries: entries)]


def test_confirmed_lines_are_not_said_again() -> None:
    journal = Journal()
    for line in (b"1", b"2", b"3"):
        journal.say(Entry(line))
    assert journal.confirm(2)
    assert entries(journal) == [b"3"]
    journal.say(Entry(b"4"))
    assert journal.confirm(3)
    assert entries(journal) == [b"4"]


def test_count_that_cannot_be_is_noticed() -> None:
    journal = Journal()
    journal.say(Entry(b"1"))
    assert not journal.confirm(2)
    assert journal.confirm(1)
    assert not journal.confirm(0)
    assert entries(journal) == []


def test_revised_lines_are_counted_as_they_are() -> None:
    journal = Journal()
    for line in (b"1", b"2", b"3"):
        journal.say(Entry(line))
    journal.revise(lambda entries: entries[:1])
    assert journal.confirm(1)
    assert not journal.confirm(2)


# --- debts


def test_best_line_is_the_newest_of_the_first_variation() -> None:
    search = Search(Limits(), Position(), 0.0)
    assert search.best_line() == ()
    search.heard(b"info depth 1 pv e2e4 e7e5\ninfo depth 2 multipv 1 pv d2d4 d7d5\n", 0.0)
    search.heard(b"info depth 2 multipv 2 pv c2c4\ninfo nodes 7\n", 0.0)
    assert search.best_line() == ("d2d4", "d7d5")


def test_side_to_move_is_known_without_a_board() -> None:
    for text, white in (
        ("startpos", True),
        ("startpos moves e2e4", False),
        ("fen 8/8/8/8/8/8/8/8 b - - 0 1", False),
        ("fen 8/8/8/8/8/8/8/8 b - - 0 1 moves e7e5", True),
        ("fen 8/8/8/8/8/8/8/8", True),
    ):
        search = Search(Limits(wtime=7 if white else None), Position.parse(text), 0.0)
        assert (search.clock is not None) is white, text


def test_debts_are_unpaid_at_first() -> None:
    assert not Debt(Kind.READYOK, 0.0).paid


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
    why = objection(SetOption("SyzygyPath", path), OFFERED)
    assert why
    assert "the server has six, seven" in why
    assert objection(SetOption("NalimovPath", path), OFFERED)
    assert objection(SetOption("EvalFile", path), OFFERED) is None
    assert objection(SetOption("NalimovPath", path), {}) is None


@pytest.mark.parametrize("value", ["six", "<empty>", "", "16", "true", "A/B", "c:", "1/2", None])
def test_other_values_are_sent(value: str | None) -> None:
    assert objection(SetOption("SyzygyPath", value), OFFERED) is None


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
    assert not Preferences().fall_back
    preferences = Preferences(fall_back=True)
    assert preferences.fall_back
    assert preferences.take(SetOption("bridge fallback", "false"))
    assert not preferences.fall_back
    assert preferences.take(SetOption("Bridge Fallback", "joho"))
    assert not preferences.fall_back
    assert not preferences.take(SetOption("Hash", "1"))


def test_machine_that_is_awake_has_not_slept() -> None:
    assert not SleepWatch().has_slept()


def test_clock_that_jumps_is_a_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    offset = 0.0
    monkeypatch.setattr("rookery_bridge.suspend_detector._offset", lambda: offset)
    watch = SleepWatch()
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
    watch = SleepWatch()
    now += NAP + 1
    assert not watch.has_slept()
    now += 60
    assert watch.has_slept()
    assert not watch.has_slept()
