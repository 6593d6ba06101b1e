"""The parts that commands share: types of arguments, the parser, and tables."""

import argparse
import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence

from rookery_protocol.console import print_line
from rookery_protocol.errors import ConfigError
from rookery_server.config import validators

_MAX_PORT = 65535
_MAX_COUNT = 10**9  # of rows, days ...; more than a database or a calendar has


def host(text: str) -> str:
    """Parse an address to listen on."""
    try:
        return validators.host("--host", text)
    except ConfigError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("--host ")) from error


def port(text: str) -> int:
    """Parse a port; 0 is any that is free."""
    return _number(text, 0, _MAX_PORT, "a port")


def port_in_use(text: str) -> int:
    """Parse a port at which something listens."""
    return _number(text, 1, _MAX_PORT, "a port")


def count(text: str) -> int:
    """Parse a number of something."""
    return _number(text, 0, _MAX_COUNT, "a number")


def within(least: int, most: int) -> Callable[[str], int]:
    """Return the parser of a number within bounds."""
    return lambda text: _number(text, least, most, "a number")


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


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows, the first of them the head, in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print_line(line.rstrip())


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the options of a parser, and of those for its commands."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from _options(each)


def _number(text: str, least: int, most: int, what: str) -> int:
    # Python reads no more than 4300 digits, and others than ours besides.
    if not (
        text.isascii()
        and text.isdigit()
        and len(text) <= len(str(most))
        and least <= int(text) <= most
    ):
        raise argparse.ArgumentTypeError(f"needs {what} from {least} to {most}, not {text[:40]!r}")
    return int(text)
