"""The question of a search: the options that count, and the searches that have none."""

import pytest
from helpers.support import STOCKFISH, offer_of, session_of
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.cache.question import Question, question_of
from rookery_server.config.engines import Forced, Policy
from rookery_server.config.resources import ANY_SIZE
from rookery_server.config.sections import CacheConfig
from rookery_server.session.commands import SessionState
from rookery_server.session.session import Session
from rookery_uci import Go, Limits, Position, SetOption, key_of, parse_command

ANALYSIS = Limits(infinite=True)


def asked(
    limits: Limits = ANALYSIS, policy: Policy | None = None, **options: str
) -> Question | None:
    """Return what is asked with options of Stockfish, whose names have __ for white space."""
    chosen = {key_of(name.replace("__", " ")): value for name, value in options.items()}
    return question_of(limits, Position(), offer_of(policy), chosen)


def limits_of(line: str) -> Limits:
    command = parse_command(line)
    assert isinstance(command, Go)
    return command.limits


@pytest.mark.parametrize(
    "line", ["go", "go infinite", "go depth 20", "go nodes 1000000", "go movetime 5000"]
)
def test_analyses_have_a_question(line: str) -> None:
    assert asked(limits_of(line)) == Question(Position())


@pytest.mark.parametrize(
    "line",
    [
        "go wtime 1000 btime 1000",
        "go wtime 1000",
        "go btime 1000 depth 20",
        "go ponder",
        "go infinite searchmoves e2e4",
        "go mate 3",
        "go perft 3",
    ],
)
def test_special_searches_have_no_question(line: str) -> None:
    assert asked(limits_of(line)) is None


@pytest.mark.parametrize("options", [{"UCI_LimitStrength": "true"}, {"Skill__Level": "3"}])
def test_weak_play_has_no_question(options: dict[str, str]) -> None:
    assert asked(**options) is None


def test_weak_play_by_the_operator_has_no_question() -> None:
    assert asked(policy=Policy(options=(Forced("Skill Level", "5"),))) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [("Threads", "2"), ("Hash", "64"), ("Ponder", "true"), ("Move__Overhead", "100")],
)
def test_immaterial_option_changes_no_question(name: str, value: str) -> None:
    assert asked(**{name: value}) == asked()


@pytest.mark.parametrize(
    ("name", "value"), [("UCI_Elo", "2000"), ("UCI_ShowWDL", "true"), ("SyzygyProbeDepth", "5")]
)
def test_other_option_changes_the_question(name: str, value: str) -> None:
    question = asked(**{name: value})
    assert question
    assert question.options == ((name.casefold(), value),)


def test_value_that_the_engine_has_anyway_is_as_good_as_none() -> None:
    assert asked(UCI_ShowWDL="false", Skill__Level="20") == asked()


def test_what_the_operator_sets_matters_like_what_the_client_sets() -> None:
    forced = Policy(options=(Forced("UCI_ShowWDL", "true"),))
    assert asked(policy=forced) == asked(UCI_ShowWDL="true") != asked()


def test_rules_and_number_of_lines_are_parts_of_the_question() -> None:
    question = asked(UCI_Chess960="true", MultiPV="3")
    assert question == Question(Position(), chess960=True, lines=3)


@given(st.permutations([("UCI_ShowWDL", "true"), ("UCI_Elo", "2000"), ("SyzygyProbeLimit", "5")]))
def test_order_of_options_does_not_matter(options: list[tuple[str, str]]) -> None:
    assert asked(**dict(options)) == asked(**dict(sorted(options)))


def test_every_option_of_stockfish_was_thought_of() -> None:
    """A new option counts until it is known to be immaterial."""
    matter = set()
    for option, _ in STOCKFISH.options:
        other = {"check": {"true": "false"}.get(option.default or "", "true"), "string": "x"}
        spin = option.max if str(option.min) == option.default else option.min
        value = other.get(option.type, str(spin))
        if option.type != "button" and asked(**{option.name.replace(" ", "__"): value}) != asked():
            matter.add(option.name)
    assert matter == {
        "EvalFile",
        "MultiPV",
        "Skill Level",
        "SyzygyPath",
        "SyzygyProbeDepth",
        "SyzygyProbeLimit",
        "Syzygy50MoveRule",
        "UCI_AnalyseMode",
        "UCI_Chess960",
        "UCI_Elo",
        "UCI_LimitStrength",
        "UCI_ShowWDL",
        "Use NNUE",
        "nodestime",
    }


# --- of a session


@pytest.fixture
def session() -> Session:
    session = session_of()
    session.attach(ANY_SIZE)
    return session


def say(session: Session, *lines: str) -> None:
    for line in lines:
        session.client_said(line.encode())


def test_session_asks_what_its_engine_has_heard(session: Session) -> None:
    say(session, "setoption name UCI_ShowWDL value true", "position startpos moves e2e4", "go")
    session.begin_search()
    # What is held back comes after the search.
    say(session, "position startpos", "setoption name UCI_ShowWDL value false")
    assert session.state is SessionState.SEARCHING
    assert session.setup.question(session.go.limits) == Question(
        Position(None, ("e2e4",)), options=(("uci_showwdl", "true"),)
    )


def test_position_that_was_read_by_other_rules_is_no_question(session: Session) -> None:
    say(session, "position startpos", "setoption name UCI_Chess960 value true", "go")
    assert session.setup.question(session.go.limits) is None
    say(session, "stop", "position startpos", "go")
    assert session.setup.question(session.go.limits) == Question(Position(), chess960=True)


def test_without_a_position_it_is_the_start(session: Session) -> None:
    say(session, "go")
    assert session.setup.question(session.go.limits) == Question(Position())


# --- of the operator


@pytest.mark.parametrize(
    ("line", "worth"),
    [
        ("go", True),
        ("go depth 10", True),
        ("go depth 9", False),
        ("go movetime 2000", True),
        ("go movetime 1999", False),
        ("go nodes 10000", True),
        ("go nodes 9999", False),
        ("go depth 30 movetime 5", False),
    ],
)
def test_short_searches_are_not_worth_asking(line: str, worth: bool) -> None:
    assert CacheConfig().is_worth_asking(limits_of(line)) is worth


def test_options_are_compared_without_case_by_the_offer() -> None:
    session = session_of()
    say(session, "setoption name   uci_showwdl value TRUE", "go")
    question = session.setup.question(session.go.limits)
    assert question
    assert question.options == (("uci_showwdl", "true"),)
    assert SetOption("UCI_ShowWDL", "true") in session.setup.commands()
