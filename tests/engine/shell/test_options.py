"""Options as data, and their values as text."""

from importlib.metadata import version

import pytest

from rookery_engine.shell.loop import VERSION
from rookery_engine.shell.options import OPTIONS, Options
from rookery_uci import UciError, parse_reply


def test_options_print_and_parse() -> None:
    assert [parse_reply(str(option)) for option in OPTIONS] == list(OPTIONS)


def test_every_default_is_a_value() -> None:
    options = Options()
    for option in OPTIONS:
        assert options.set_value(option.name, option.default) == option.name


def test_bounds_of_spins_are_values() -> None:
    options = Options()
    for option in OPTIONS:
        if option.type == "spin":
            for bound in (option.min, option.max):
                options.set_value(option.name, str(bound))
                assert options.number(option.name) == bound


def test_names_and_flags_have_no_case() -> None:
    options = Options()
    assert options.set_value("uci_chess960", "TRUE") == "UCI_Chess960"
    assert options.flag("UCI_Chess960")


def test_unknown_option() -> None:
    assert Options().set_value("Contempt", "3") is None


@pytest.mark.parametrize(("name", "value"), [
    ("Hash", ""), ("Hash", "x"), ("Hash", "0"), ("Hash", "9" * 30), ("Hash", None),
    ("Hash", "1.5"), ("Hash", "-+5"), ("Hash", "\u0661"), ("Ponder", "maybe"), ("Ponder", ""),
    ("Threads", "513"),
])  # fmt: skip
def test_bad_values_change_nothing(name: str, value: str | None) -> None:
    options = Options()
    with pytest.raises(UciError, match=name):
        options.set_value(name, value)
    assert options.number("Hash") == 16
    assert not options.flag("Ponder")


def test_version_is_that_of_the_package() -> None:
    assert version("rookery-chess") == VERSION
