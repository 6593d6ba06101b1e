"""The setup that an engine which comes later is told."""

from helpers.support import offer_of

import rookery_uci as uci
from rookery_server.session.engine_setup import EngineSetup


def setup(*lines: str) -> EngineSetup:
    setup = EngineSetup(offer_of())
    for line in lines:
        command = uci.parse_command(line)
        assert command
        setup.record(command)
    return setup


def told(*lines: str) -> list[str]:
    return [str(command) for command in setup(*lines).commands()]


def test_last_value_of_each_option_in_the_order_of_setting() -> None:
    assert told(
        "setoption name Hash value 1", "setoption name MultiPV value 2",
        "setoption name hash value 3",
    ) == ["setoption name MultiPV value 2", "setoption name hash value 3"]  # fmt: skip


def test_last_position_comes_after_the_options() -> None:
    last = "position startpos moves e2e4"
    lines = told("position startpos", "setoption name Hash value 1", last)
    assert lines == ["setoption name Hash value 1", last]


def test_buttons_and_games_are_not_repeated() -> None:
    assert told("setoption name Clear Hash", "ucinewgame", "debug on", "go depth 1") == []


def test_empty_text_is_a_value() -> None:
    assert told("setoption name UCI_Opponent value ") == ["setoption name UCI_Opponent value"]


def test_options_are_found_by_any_spelling() -> None:
    found = setup("setoption name  Skill  LEVEL value 3")
    assert found.options["skill level"].value == "3"


def test_position_is_told_by_the_rules_it_was_said_by() -> None:
    """Castling is spelled otherwise in Chess960, and an engine dies of a wrong move."""
    assert told(
        "setoption name UCI_Chess960 value true", "setoption name Hash value 8",
        "position startpos", "setoption name UCI_Chess960 value false",
    ) == [
        "setoption name UCI_Chess960 value true", "setoption name Hash value 8",
        "position startpos", "setoption name UCI_Chess960 value false",
    ]  # fmt: skip
    assert told("position startpos", "setoption name UCI_Variant value atomic") == [
        "position startpos", "setoption name UCI_Variant value atomic",
    ]  # fmt: skip
