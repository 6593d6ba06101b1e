"""Command `rookery-server token`: makes, lists and revokes tokens.

The token alone goes to stdout, once, so that it can be sent to a file; notes on it go to
stderr.
"""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rookery_protocol import console
from rookery_protocol.engine_names import is_plain_name
from rookery_protocol.errors import ConfigError
from rookery_server.access.account import (
    RESERVED,
    AccessToken,
    Role,
    TokenRecord,
    is_account_name,
)
from rookery_server.access.token_file import TokenFile
from rookery_server.commands import command_line
from rookery_server.commands.command_line import date_text
from rookery_server.config import config


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status.

    Raises:
        ConfigError: the file cannot be used.

    """
    options = command_line.parse(_parser(), arguments)
    path = options.file or config.read_document(options.config).server.tokens
    if (
        options.action == "add"
        and options.if_none
        and (path is None or (path.exists() and list(TokenFile(path).read())))
    ):
        return 0
    if path is None:
        raise ConfigError(f"{options.config} does not set server.tokens")
    file = TokenFile(path)
    if options.action == "add":
        token, record = mint(file, options)
        console.complain(f"token {token.id} for {record.name} ({record.role}), {term_of(record)}:")
        hand_over(file, token, token.reveal())
    elif options.action == "list":
        _list(file)
    else:
        _revoke(file, options.which)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rookery-server token", description="Look after tokens.")
    where = argparse.ArgumentParser(add_help=False)
    files = where.add_mutually_exclusive_group(required=True)
    files.add_argument("--file", type=Path, metavar="FILE", help="the file of tokens")
    files.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration that names it"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="{add,list,revoke}")
    add = actions.add_parser("add", parents=[where], help="make a token, and print it once")
    add.add_argument("name", type=account_name, help="the account that it is for")
    add.add_argument(
        "--if-none",
        action="store_true",
        help="do nothing if there are tokens already, or the configuration names no file for them",
    )
    add_terms(add, list(Role))
    actions.add_parser("list", parents=[where], help="show the tokens, without their secrets")
    revoke = actions.add_parser("revoke", parents=[where], help="end tokens and their sessions")
    revoke.add_argument("which", help="a token's id, or an account for all of its tokens")
    return parser


def add_terms(parser: argparse.ArgumentParser, roles: Sequence[Role], about: str = "") -> None:
    """Add the options of a new token: its role, which is one of these, and its end."""
    parser.add_argument(
        "--role",
        type=command_line.word(roles.__contains__, f"needs {' or '.join(roles)}"),
        choices=roles,  # so that the help shows them
        default=Role.MEMBER,
        help=about,
    )
    until = parser.add_mutually_exclusive_group()
    until.add_argument(
        "--days",
        type=command_line.within(1, 36500),
        help="for how long it is good (until it is revoked)",
    )
    until.add_argument("--expires", type=_date, metavar="DATE", help="until when, as 2027-01-31")


def mint(file: TokenFile, options: argparse.Namespace) -> tuple[AccessToken, TokenRecord]:
    """Make a token as the options say, and put what the server keeps of it into the file.

    Without a name, it is of an account of its own.

    Raises:
        ConfigError: the file or an option cannot be used.

    """
    if options.role == Role.HOST and options.name and not is_plain_name(options.name):
        raise ConfigError(
            f"engines of machines are called NAME@{options.name}, so the name of such an account"
            " has letters, digits, '.', '_' and '-' only"
        )
    now = datetime.now(UTC).replace(microsecond=0)
    expires = now + timedelta(days=options.days) if options.days else options.expires
    if expires and expires <= now:
        raise ConfigError(f"--expires {expires.date()} is over already")
    return file.add_token(options.name, Role(options.role), expires)


def term_of(record: TokenRecord) -> str:
    """Return how long a new token is good, for people."""
    until = f"until {date_text(record.expires)}" if record.expires else "until it is revoked"
    return f"good {until}; it is shown this once"


def hand_over(file: TokenFile, token: AccessToken, text: str) -> None:
    """Print the text that has a new token in it; a token that was not printed is revoked.

    Raises:
        OutputError: it could not be printed.

    """
    try:
        console.print_line(text)
    except console.OutputError as error:
        file.change(lambda keyring: keyring.without(token.id))
        raise console.OutputError(f"{error}, so token {token.id} is taken back") from error


def _list(file: TokenFile) -> None:
    now = datetime.now(UTC)
    rows = [("ID", "ACCOUNT", "ROLE", "CREATED", "EXPIRES", "DEVICE")]
    for record in file.read():
        created = date_text(record.created)
        expires = date_text(record.expires) if record.expires else "never"
        mark = "" if record.is_good(now) else " (over)"
        rows.append((record.id, record.name, record.role, created, expires + mark, record.device))
    console.print_table(rows)


def _revoke(file: TokenFile, which: str) -> None:
    before = list(file.read())
    left = list(file.change(lambda keyring: keyring.without(which)))
    revoked = [record for record in before if record not in left]
    if not revoked:
        raise ConfigError(
            f"there is no token or account {which!r}; those that there are:"
            f" 'rookery-server token list --file {file.path}'"
        )
    for record in revoked:
        console.complain(f"revoked token {record.id} of {record.name}")


def account_name(text: str) -> str:
    """Parse the name of an account."""
    if not is_account_name(text):
        raise argparse.ArgumentTypeError(
            "a name has 1 to 64 letters, digits, '.', '_', '@' and '-', and begins with a letter"
            f" or digit, not {text[:40]!r}{f', {len(text)} in all' if len(text) > 40 else ''}"
        )
    if text in RESERVED:
        raise argparse.ArgumentTypeError(f"{text!r} is whoever needs no token: choose another name")
    return text


def _date(text: str) -> datetime:
    """Parse a date; without a time zone it is in UTC."""
    try:
        day = datetime.fromisoformat(text)
        return day.astimezone(UTC) if day.tzinfo else day.replace(tzinfo=UTC)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"needs a date as 2027-01-31, not {text!r}") from error
    except OverflowError as error:
        raise argparse.ArgumentTypeError(
            f"needs a date from year 1 to 9999 in UTC, not {text!r}"
        ) from error
