"""Arguments of the command line: each is read by a function that says what it wants instead."""

import argparse
from collections.abc import Callable

_MAX_PORT = 65535
_MAX_COUNT = 10**9  # of rows, days ...; more than a database or a calendar has


def port(text: str) -> int:
    """Read a port; 0 is any that is free."""
    return _number(text, 0, _MAX_PORT, "a port")


def port_in_use(text: str) -> int:
    """Read a port at which something listens."""
    return _number(text, 1, _MAX_PORT, "a port")


def count(text: str) -> int:
    """Read how many of something."""
    return _number(text, 0, _MAX_COUNT, "a number")


def within(least: int, most: int) -> Callable[[str], int]:
    """Return what reads a number within bounds."""
    return lambda text: _number(text, least, most, "a number")


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
