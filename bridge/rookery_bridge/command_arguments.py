"""Arguments of more than one command: trust, token and commands."""

import argparse
import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from rookery_protocol import console
from rookery_protocol.address import without_token
from rookery_protocol.tls_trust import Trust, add_login_options, find_token, read_pin, token_of

_TOKEN = "ROOKERY_TOKEN"  # noqa: S105  # where it is, not what it is


class UsageError(Exception):
    """An argument cannot be meant so; the text says why."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose errors are raised, and never show a token.

    Raises:
        UsageError: the command line cannot be used.

    """

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong."""
        if "--token" in message.split():
            message = "a token is never an argument, where others see it: use --token-file FILE"
        raise UsageError(f"{without_token(message)}; '{self.prog} --help' explains")


def parse(parser: CommandParser, arguments: Sequence[str]) -> argparse.Namespace:
    """Read a command line.

    Raises:
        UsageError: it cannot be used.

    """
    options, others = parser.parse_known_args(arguments)
    if others:
        strange = others[0].partition("=")[0]
        if strange.startswith("-"):
            parser.error(f"there is no {strange[:40]}")
        parser.error(f"{strange[:80]!r} is too much")
    return options


def complain(text: str) -> None:
    """Print what is wrong on stderr, if it can be printed."""
    console.complain(f"rookery-bridge: {text}")


def add_trust_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about the token and about trust in the server."""
    add_login_options(parser, f"a file with the token that the server wants (else {_TOKEN} has it)")
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="send the token over ws:// or tcp:// even to another machine: others can read it",
    )


def refuse_trust_options(options: argparse.Namespace) -> None:
    """Refuse them beside an engine that was set up: its file says all of it.

    Raises:
        UsageError: there is one.

    """
    for name in ("token_file", "ca", "pin"):
        if getattr(options, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{option} is for an address: an engine that was set up has its own in its file,"
                " and 'rookery-bridge pair' makes that anew"
            )


def trust_of(
    token: str | None,
    token_file: str | Path | None,
    ca: str | Path | None,
    pin: str | None,
    complain: Callable[[str], None],
) -> Trust:
    """Return what the user says of the token and of trust; complain of what is unwise.

    Only a program has a `token`: all on this machine can see the arguments of a command.

    Raises:
        TrustError: a token, a file or a fingerprint cannot be used.

    """
    if token is None:
        token = find_token(Path(token_file) if token_file else None, _TOKEN, os.environ, complain)
    else:
        token = token_of("token", token)
    trust = Trust(token, Path(ca) if ca else None, read_pin(pin) if pin else None)
    if ca:
        trust.context()  # for its errors
    return trust


def split_command(text: str) -> tuple[str, ...]:
    """Return the words of a command, as the shell of this system would.

    Raises:
        ValueError: a quote is not closed, or there is no word.

    """
    if os.name == "posix":
        words = shlex.split(text)
    else:  # A backslash is a part of a path there; the quotes stay, and no program has them.
        words = [_unquoted(word) for word in shlex.split(text, posix=False)]
    if not words:
        raise ValueError("there is no word in it")
    return tuple(words)


def _unquoted(word: str) -> str:
    is_quoted = len(word) > 1 and word[0] == word[-1] and word[0] in "\"'"
    return word[1:-1] if is_quoted else word
