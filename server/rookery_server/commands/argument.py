"""Arguments of the command line: each is read by a function that says what it wants instead."""

import argparse

_MAX_PORT = 65535
_MAX_COUNT = 10**9  # of rows, days ...; more than a database or a calendar has


def port(text: str) -> int:
    """Read a port; 0 is any that is free."""
    return _number(text, _MAX_PORT, "a port")


def count(text: str) -> int:
    """Read how many of something."""
    return _number(text, _MAX_COUNT, "a number")


def _number(text: str, most: int, what: str) -> int:
    # Python reads no more than 4300 digits, and others than ours besides.
    if not (
        text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most
    ):
        raise argparse.ArgumentTypeError(f"needs {what} from 0 to {most}, not {text[:40]!r}")
    return int(text)
