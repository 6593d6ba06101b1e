"""The parts that commands share: types of arguments, the parser, and tables."""

import argparse
import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.config import validators

_MAX_PORT = 65535


def host(text: str) -> str:
    """Parse an address to listen on."""
    try:
        return validators.host("--host", text)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("--host ")) from error


def within(least: int, most: int, what: str = "a number") -> Callable[[str], int]:
    """Return the parser of a number within bounds."""

    def parse_number(text: str) -> int:
        # Python reads no more than 4300 digits, and others than ours besides.
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        if not (is_number and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(
                f"needs {what} from {least} to {most}, not {text[:40]!r}"
            )
        return int(text)

    return parse_number


port = within(0, _MAX_PORT, "a port")  # 0 is any that is free
port_in_use = within(1, _MAX_PORT, "a port")  # at which something listens
count = within(0, 10**9)  # of rows, days ...; more than a database or a calendar has


def word(is_good: Callable[[str], bool], needs: str) -> Callable[[str], str]:
    """Return the parser of a word that passes a check; `needs` is the error for others."""

    def parse_word(text: str) -> str:
        if not is_good(text):
            raise argparse.ArgumentTypeError(f"{needs}, not {text[:40]!r}")
        return text

    return parse_word


def add_server(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which server of this machine is meant."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the server's configuration")
    parser.add_argument(
        "--port", type=port_in_use, help="where it listens, if not as configured (8080)"
    )


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; the error for an unknown option suggests a known one."""
    found, others = parser.parse_known_args(arguments)
    if strange := next((each for each in others if each.startswith("-")), None):
        parser.error(unknown("option", strange.partition("=")[0], _options(parser)))
    if others:
        parser.error(f"this is too much: {' '.join(others)}")
    return found


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return the error for an unknown name."""
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean {near[0]}?" if near else "--help shows those that there are"
    return f"there is no {what} {name[:40]!r}: {hint}"


def date_text(date: datetime) -> str:
    """Return a date and time in UTC, for people."""
    return date.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the options of a parser, and of those for its commands."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from _options(each)
