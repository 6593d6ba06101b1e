"""Checks of single values of the configuration.

Each takes the key's full name, for its error, and what the file has; it returns the
value as the program wants it, or raises a `ConfigError` that says what was expected.
"""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rookery_protocol.errors import ConfigError

DAY = 86400.0  # s
MAX_RATE = 1_000_000  # in a second

T = TypeVar("T")

Check = Callable[[str, object], object]


def table(name: str, value: object) -> dict[str, object]:
    """Check that a value is a table."""
    if not isinstance(value, dict):
        raise ConfigError(f"{name} needs a table, not {value!r}")
    return value


def text(name: str, value: object) -> str:
    """Check that a value is a text that is not empty, and that the system can take."""
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{name} needs a text, not {value!r}")
    if "\0" in value:
        raise ConfigError(f"{name} needs a text without the character NUL, not {value!r}")
    return value


def texts(name: str, value: object) -> tuple[str, ...]:
    """Check that a value is a list of texts, which may be empty."""
    if not isinstance(value, list):
        raise ConfigError(f"{name} needs a list of texts, not {value!r}")
    return tuple(text(name, item) for item in value)


def some_texts(name: str, value: object) -> tuple[str, ...]:
    """Check that a value is a list of texts with one at least."""
    if value == []:
        raise ConfigError(f"{name} needs a list of texts, not []")
    return texts(name, value)


def path(name: str, value: object) -> Path:
    """Check that a value names a file; it need not exist."""
    try:
        return Path(text(name, value)).expanduser()
    except RuntimeError as error:  # of `~nobody`
        raise ConfigError(f"{name}: there is no home folder for {value!r}") from error


def flag(name: str, value: object) -> bool:
    """Check that a value is true or false."""
    if not isinstance(value, bool):
        raise ConfigError(f"{name} needs true or false, not {value!r}")
    return value


def host(name: str, value: object) -> str:
    """Check that a value is an address to listen on, or a name, and no more."""
    found = text(name, value)
    bare = found.removeprefix("[").partition("]")[0]
    if found.startswith("["):
        raise ConfigError(f"{name} needs an address without brackets, {bare!r}, not {found!r}")
    if found.count(":") == 1:
        raise ConfigError(f"{name} needs an address, and its port is said apart: {found!r}")
    return found


def whole(low: int, high: int, kind: str = "a whole number") -> Callable[[str, object], int]:
    """Return the check of a whole number within bounds."""

    def check(name: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ConfigError(f"{name} needs {kind} from {low} to {high}, not {value!r}")
        return value

    return check


port = whole(0, 65535, "a port")


def port_or_none(name: str, value: object) -> int | None:
    """Check that a value is a port, or false for none."""
    return None if value is False else port(name, value)


def choice(*words: str) -> Callable[[str, object], str]:
    """Return the check of one word out of some."""

    def check(name: str, value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ConfigError(f"{name} needs one of {', '.join(words)}, not {value!r}")
        return value

    return check


def _number(wanted: str, fits: Callable[[float], bool]) -> Callable[[str, object], float]:
    """Return the check of a number, which need not be whole."""

    def check(name: str, value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not fits(value):
            raise ConfigError(f"{name} needs {wanted}, not {value!r}")
        return float(value)

    return check


# Events in a second; a part of a whole, and perhaps all of it; and a time.
rate = _number(f"a number above 0 and below {MAX_RATE}", lambda value: 0 < value < MAX_RATE)
fraction = _number("a number above 0 and up to 1", lambda value: 0 < value <= 1)
seconds = _number("seconds, from 0 to a day", lambda value: 0 <= value <= DAY)


def or_none(check: Callable[[str, object], T]) -> Callable[[str, object], T | None]:
    """Return a check that also takes false, for no bound."""

    def check_or_none(name: str, value: object) -> T | None:
        try:
            return None if value is False else check(name, value)
        except ConfigError as error:
            raise ConfigError(f"{error}; false is no bound") from error

    return check_or_none


def patience(name: str, value: object) -> float:
    """Check that a value is a time in seconds that is not over at once."""
    result = seconds(name, value)
    if not result:
        raise ConfigError(f"{name} needs more than 0 seconds")
    return result


def command(name: str, value: object) -> tuple[str, ...]:
    """Check that a value is a command: a text as for a shell, or a list of words."""
    if isinstance(value, list):
        return some_texts(name, value)
    if not isinstance(value, str):
        raise ConfigError(f"{name} needs a text or a list of texts, not {value!r}")
    if not value.strip():
        raise ConfigError(f"{name} is empty")
    try:
        return tuple(shlex.split(text(name, value)))
    except ValueError as error:
        raise ConfigError(f"{name} cannot be read as a command: {error}: {value!r}") from error
