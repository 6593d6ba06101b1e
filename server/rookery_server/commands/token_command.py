"""Command `rookery-server token`: makes, lists and revokes tokens.

The token alone goes to stdout, once, so that it can be sent to a file; notes on it go to
stderr.
"""

import argparse
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rookery_protocol import console
from rookery_protocol.engine_names import is_plain_name
from rookery_protocol.errors import ConfigError
from rookery_server.access.account import (
    ID_BYTES,
    RESERVED,
    SECRET_BYTES,
    AccessToken,
    Role,
    TokenRecord,
    is_account_name,
)
from rookery_server.access.token_file import TokenFile
from rookery_server.commands import command_line
from rookery_server.config import config

_MAX_DAYS = 36500


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status.

    Raises:
        ConfigError: the file cannot be used.

    """
    options = command_line.parse(_parser(), arguments)
    if options.action == "add" and options.if_none and not _wants_first(options):
        return 0
    file = TokenFile(_path(options.file, options.config))
    now = datetime.now(UTC).replace(microsecond=0)
    if options.action == "add":
        return _add(file, options, now)
    if options.action == "list":
        return _list(file, now)
    return _revoke(file, options.which)


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
    add.add_argument("--role", type=role_of(*Role), choices=list(Role), default=Role.MEMBER)
    add.add_argument(
        "--if-none",
        action="store_true",
        help="do nothing if there are tokens already, or the configuration names no file for them",
    )
    until = add.add_mutually_exclusive_group()
    until.add_argument("--days", type=days, help="for how long it is good (until it is revoked)")
    until.add_argument("--expires", type=date, metavar="DATE", help="until when, as 2027-01-31")
    actions.add_parser("list", parents=[where], help="show the tokens, without their secrets")
    revoke = actions.add_parser("revoke", parents=[where], help="end tokens and their sessions")
    revoke.add_argument("which", help="a token's id, or an account for all of its tokens")
    return parser


def _wants_first(options: argparse.Namespace) -> bool:
    """Return whether a file of tokens is configured, and has none yet."""
    path = options.file or config.read_document(options.config).server.tokens
    return path is not None and not (path.exists() and list(TokenFile(path).read()))


def _path(file: Path | None, configuration: Path | None) -> Path:
    if file:
        return file
    assert configuration
    server = config.read_document(configuration).server
    if server.tokens is None:
        raise ConfigError(f"{configuration} does not set server.tokens")
    return server.tokens


def _add(file: TokenFile, options: argparse.Namespace, now: datetime) -> int:
    expires = expiry(options.days, options.expires, now)
    if options.role is Role.HOST:
        check_host(options.name)
    token, record = mint(file, options.name, options.role, now, expires)
    until = f"until {shown(expires)}" if expires else "until it is revoked"
    console.complain(
        f"token {token.id} for {record.name} ({record.role}), good {until}; it is shown this once:"
    )
    hand_over(file, token, token.reveal())
    return 0


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


def check_host(name: str) -> None:
    """Check the name of an account by which machines join.

    Raises:
        ConfigError: it may not.

    """
    if not is_plain_name(name):
        raise ConfigError(
            f"engines of machines are called NAME@{name}, so the name of such an account"
            " has letters, digits, '.', '_' and '-' only"
        )


def expiry(days: int | None, date: datetime | None, now: datetime) -> datetime | None:
    """Return the end of a new token's life; None is when it is revoked.

    Raises:
        ConfigError: that is over already.

    """
    expires = now + timedelta(days=days) if days else date
    if expires and expires <= now:
        raise ConfigError(f"--expires {expires.date()} is over already")
    return expires


def mint(
    file: TokenFile, name: str | None, role: Role, now: datetime, expires: datetime | None
) -> tuple[AccessToken, TokenRecord]:
    """Make a token, and put what the server keeps of it into the file.

    Without a name, it is of an account of its own.

    Raises:
        ConfigError: the file cannot be used.

    """
    token = AccessToken(secrets.token_hex(ID_BYTES), secrets.token_urlsafe(SECRET_BYTES))
    record = TokenRecord(token.id, name or f"guest-{token.id}", role, token.digest(), now, expires)
    file.change(lambda keyring: keyring.updated([record]))
    return token, record


def _list(file: TokenFile, now: datetime) -> int:
    rows = [("ID", "ACCOUNT", "ROLE", "CREATED", "EXPIRES")]
    for record in file.read():
        expires = shown(record.expires) if record.expires else "never"
        mark = "" if record.is_good(now) else " (over)"
        rows.append((record.id, record.name, record.role, shown(record.created), expires + mark))
    command_line.print_table(rows)
    return 0


def _revoke(file: TokenFile, which: str) -> int:
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
    return 0


def shown(date: datetime) -> str:
    """Return a date and time in UTC, for people."""
    return date.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def account_name(text: str) -> str:
    """Check the name of an account, as an argument."""
    if not is_account_name(text):
        raise argparse.ArgumentTypeError(
            "a name has 1 to 64 letters, digits, '.', '_', '@' and '-', and begins with a letter"
            f" or digit, not {text[:40]!r}{f', {len(text)} in all' if len(text) > 40 else ''}"
        )
    if text in RESERVED:
        raise argparse.ArgumentTypeError(f"{text!r} is whoever needs no token: choose another name")
    return text


def role_of(*roles: Role) -> Callable[[str], Role]:
    """Return the check of a role that is one of these, as an argument."""

    def check(text: str) -> Role:
        if text not in roles:
            raise argparse.ArgumentTypeError(f"needs {' or '.join(roles)}, not {text!r}")
        return Role(text)

    return check


def days(text: str) -> int:
    """Check a number of days, as an argument."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= _MAX_DAYS:
        raise argparse.ArgumentTypeError(f"needs a number from 1 to {_MAX_DAYS}, not {text!r}")
    return int(text)


def date(text: str) -> datetime:
    """Check a date, as an argument; without a time zone it is in UTC."""
    try:
        day = datetime.fromisoformat(text)
        return day.astimezone(UTC) if day.tzinfo else day.replace(tzinfo=UTC)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"needs a date as 2027-01-31, not {text!r}") from error
    except OverflowError as error:
        raise argparse.ArgumentTypeError(
            f"needs a date from year 1 to 9999 in UTC, not {text!r}"
        ) from error
