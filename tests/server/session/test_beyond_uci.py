"""Commands that no edition of UCI has: what they leave, only the engine knows."""

import pytest
from helpers.saying import answer, codes, heard, say, told
from helpers.support import offer_of, session_of

from rookery_protocol.notices import Code
from rookery_server.config.engines import Policy
from rookery_server.config.resources import ANY_SIZE
from rookery_server.rooms.snapshot import Snapshot
from rookery_server.session.session import Session
from rookery_uci import EXTRAS, EngineIdentity

LAST = "position startpos moves e2e4"
BEYOND = ["flip", "bench 16 1 1", "d", "eval", "go perft 1"]


@pytest.fixture
def session() -> Session:
    """Return a conversation whose engine is asked for more than UCI has."""
    session = session_of(offer_of(Policy(commands=(*EXTRAS, "perft"), files=True)))
    session.attach(ANY_SIZE)
    say(session, LAST)
    return session


def asks(session: Session) -> bool:
    """Begin an analysis; say whether what it finds may be kept, and told to others."""
    say(session, "go infinite")
    return session.setup.question(session.go.limits) is not None


def lose(session: Session) -> list[str]:
    """Let the engine die and another come; return what that hears."""
    session.lose_engine(0)
    session.attach(ANY_SIZE)
    return told(session)


@pytest.mark.parametrize("line", BEYOND)
def test_opinion_after_a_command_beyond_uci_is_for_itself_alone(
    session: Session, line: str
) -> None:
    say(session, line)
    assert not asks(session)
    answer(session, "readyok", "bestmove e7e5")
    say(session, LAST)
    assert asks(session)


def test_opinion_of_a_position_before_a_new_game_is_for_itself_alone(session: Session) -> None:
    """Some engines begin at the first position again, and others do not."""
    say(session, "ucinewgame")
    assert not asks(session)
    assert lose(session)[:2] == [LAST, "ucinewgame"]


def test_opinion_after_a_change_of_rules_is_for_itself_alone(session: Session) -> None:
    """Some engines begin at the first position again, even if it is set back."""
    say(session, *(f"setoption name UCI_Chess960 value {value}" for value in ("true", "false")))
    assert not asks(session)


def test_opinion_by_values_of_single_positions_is_for_itself_alone(session: Session) -> None:
    gathers = "option name UCI_SetPositionValue type string default <empty>"
    session = session_of(offer_of(answer=EngineIdentity.parse([gathers])))
    session.attach(ANY_SIZE)
    values = [
        f"setoption name UCI_SetPositionValue value {value} 4k3/8/8/8/8/8/8/4K3 {side} - -"
        for value, side in ((500, "w"), (0, "b"))
    ]
    say(session, *values, "position startpos")
    assert session.undo() is None  # Another client would have them, too.
    assert lose(session) == [*values, "position startpos"]
    assert not asks(session)


@pytest.mark.parametrize(("button", "is_harmless"), [("Clear Hash", True), ("Reset", False)])
def test_what_a_button_does_is_not_known(button: str, *, is_harmless: bool) -> None:
    session = session_of(
        offer_of(answer=EngineIdentity.parse([f"option name {button} type button"]))
    )
    session.attach(ANY_SIZE)
    say(session, f"setoption name {button}", "position startpos")
    assert (session.undo() is not None) is is_harmless
    assert asks(session) is is_harmless


@pytest.mark.parametrize("line", ["flip", "bench 16 1 1"])
def test_position_that_only_the_lost_engine_knew_is_not_made_up(
    session: Session, line: str
) -> None:
    say(session, line)
    assert lose(session) == []
    assert say(session, "go depth 1", "go perft 1") == []
    lost, move, lost_again, count = heard(session)[-4:]
    assert lost.startswith("info string rookery position-lost: ")
    assert lost_again.startswith("info string rookery position-lost: ")
    assert (move, count) == ("bestmove 0000", "Nodes searched: 0")
    assert say(session, LAST, "go depth 1")[-2:] == [LAST, "go depth 1"]


@pytest.mark.parametrize("line", ["d", "eval", "help", "compiler", "go perft 1"])
def test_position_that_was_only_shown_outlives_its_engine(session: Session, line: str) -> None:
    say(session, line)
    assert lose(session) == [LAST]
    assert say(session, "go depth 1") == ["go depth 1"]


def test_search_of_a_position_that_is_lost_ends(session: Session) -> None:
    say(session, "flip", "go infinite")
    answer(session, "info depth 3 pv d7d5 d2d4")
    heard(session)
    assert lose(session) == []
    assert heard(session) == ["bestmove d7d5"]


def test_search_without_a_move_in_a_position_that_is_lost_ends_without_one(
    session: Session,
) -> None:
    say(session, "flip", "go infinite")
    assert lose(session) == []
    assert codes(session) == [Code.POSITION_LOST]


def test_engine_that_was_parked_takes_the_position_with_it(session: Session) -> None:
    say(session, "flip", "isready")
    answer(session, "readyok")
    heard(session)
    session.works = False
    assert session.can_park
    session.detach()
    say(session, "go depth 1")
    assert heard(session)[-1] == "bestmove 0000"


def test_command_that_no_engine_was_there_for_leaves_no_position() -> None:
    session = session_of(offer_of(Policy(commands=EXTRAS)))
    say(session, LAST, "flip", "go depth 1")
    session.without_engine(for_good=True)
    heard(session)
    session.attach(ANY_SIZE)
    assert told(session) == []
    say(session, "go depth 1")
    assert heard(session)[-1] == "bestmove 0000"


def test_moves_of_a_bench_are_not_those_of_the_search_behind_it(session: Session) -> None:
    assert say(session, "bench 16 1 10", "go depth 12") == [
        "bench 16 1 10",
        "isready",
        "go depth 12",
    ]
    answer(session, "bestmove e2e4", "bestmove d2d4 ponder d7d5", "readyok")
    assert heard(session) == []
    answer(session, "bestmove c7c5")
    assert heard(session) == ["bestmove c7c5"]


def test_only_one_question_of_the_server_is_on_its_way(session: Session) -> None:
    session.probe()
    assert say(session, "bench 16 1 10", "go depth 12", "isready").count("isready") == 2
    answer(session, "readyok")
    assert heard(session) == []
    answer(session, "readyok")
    assert heard(session) == ["readyok"]


def test_engine_that_comes_after_a_bench_is_not_asked_for_its_end(session: Session) -> None:
    say(session, "bench 16 1 10", LAST, "go infinite")
    session.lose_engine(0)
    session.attach(ANY_SIZE)
    assert told(session)[-2:] == [LAST, "go infinite"]
    say(session, "stop")
    answer(session, "bestmove c7c5")
    assert heard(session)[-1] == "bestmove c7c5"


def test_options_that_a_bench_has_set_are_set_back(session: Session) -> None:
    say(session, "setoption name UCI_Chess960 value true", "bench 256 4 1")
    assert say(session, LAST) == [
        "setoption name Threads value 1",
        "setoption name Hash value 16",
        "setoption name UCI_Chess960 value true",
        LAST,
    ]


def test_client_that_watches_hears_what_left_another_position(session: Session) -> None:
    session.start_sharing()
    say(session, "flip")
    assert heard(session) == ["rookery room said flip"]


def test_client_that_comes_late_hears_that_the_position_is_another(session: Session) -> None:
    say(session, "flip", "flip")
    lines = ["rookery room said position startpos moves e2e4", "rookery room said flip"]
    stand = session.start_sharing()
    assert stand.decode().splitlines() == lines
    snapshot = Snapshot()
    snapshot.record(stand + b"rookery room said bench\nrookery room said flip\n")
    assert snapshot.text().decode().splitlines() == lines
