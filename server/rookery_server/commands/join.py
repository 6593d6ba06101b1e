"""Command `rookery-server join`: offers the engines of this machine to a server elsewhere."""

import argparse
import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO
from urllib.parse import unquote, urlsplit

from rookery_protocol import link_input
from rookery_protocol.address import Address, check_secrecy
from rookery_protocol.console import complain, is_full, print_line
from rookery_protocol.engine_names import authority, is_plain_name
from rookery_protocol.errors import ConfigError
from rookery_protocol.invitation import SCHEME, Invitation
from rookery_protocol.notices import legible
from rookery_protocol.tls_trust import Trust, add_login_options, find_token, read_pin
from rookery_server import log, process
from rookery_server.access.account import is_account_name
from rookery_server.commands import command_line
from rookery_server.commands.engine_trial import try_engines
from rookery_server.config import config
from rookery_server.config.config import Config, Overrides
from rookery_server.config.resources import MAX_HASH_MB, MAX_THREADS, Quotas
from rookery_server.config.sections import LogConfig
from rookery_server.join.checkup import CheckResult, examine
from rookery_server.join.engine_link import JoinTarget
from rookery_server.join.joiner import Joiner, Proposal
from rookery_server.joined.joining_messages import MAX_ENGINES, MAX_SESSIONS
from rookery_server.scheduling.machine_resources import survey

_TOKEN = "ROOKERY_TOKEN"  # noqa: S105  # where it is, not what it is

_LONGEST_STATUS = 1000  # characters: the names of all engines, or what a server says
_CLEAR = "\r\x1b[K"

# The server limits its accounts itself; what this machine has is limited by the budget.
_QUOTA: Mapping[str, object] = {
    "sessions": MAX_SESSIONS,
    "waiting": MAX_SESSIONS,
    "threads": None,
    "hash_mb": None,
    "lines_per_second": None,
    "idle_timeout": None,
    "free_after": None,
    "rooms": 0,
    "cache": False,
}


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status.

    Raises:
        ConfigError: the configuration cannot be used.
        ServerError: the server will have none of it.

    """
    options = command_line.parse(_parser(), arguments)
    log.set_up(LogConfig(level="warning"), verbose=options.verbose)
    try:
        # Before there is a loop, which would not hear Ctrl-C while the link is read.
        server, settings = server_of(options, os.environ), config_of(options)
        if options.check:
            return process.run(_check(server, settings))
        proposal = Proposal(options.name, options.sessions, tuple(options.allow))
        return process.run(_join(server, settings, proposal))
    finally:
        log.flush()


async def _join(server: JoinTarget, settings: Config, proposal: Proposal) -> int:
    status = StatusLine()
    joiner = Joiner(settings, server, proposal, status.show_line)
    _end_on_signals(joiner, status)
    try:
        with suppress(asyncio.CancelledError):  # It was abandoned.
            await joiner.run()
    finally:
        status.end()
    return 0


async def _check(server: JoinTarget, settings: Config) -> int:
    """Print what keeps this machine from joining; return 1 if something does."""
    is_good = True
    async for finding in examine(server):
        print_line(str(finding))
        is_good = is_good and finding.is_good
    troubles, total = await try_engines(settings)
    for each in settings.engines:
        text = f"{troubles[each.name] or 'answers'}: {' '.join(each.command)}"
        print_line(str(CheckResult(f"engine {each.name}", text, is_good=not troubles[each.name])))
    print_line(str(CheckResult("budget", f"all engines together may use {total}")))
    is_good = is_good and not any(troubles.values())
    print_line("all is well" if is_good else "it does not work: see what is WRONG")
    return 0 if is_good else 1


class StatusLine:
    """One line that says what is going on: on a terminal always the newest, elsewhere each once.

    A terminal that does not take it (one that was told to stand still, say) holds nothing up: then
    the newest is written as soon as it can be, and what was before it is left out.  It is shown
    within an event loop, and `end` leaves the last one there.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._is_terminal = self._stream.isatty()
        self._last = ""
        self._loop: asyncio.AbstractEventLoop | None = None  # that waits until there is room

    def show_line(self, text: str) -> None:
        """Show what is going on now."""
        if text == self._last:
            return
        self._last = text
        if self._loop is None and is_full(self._stream):
            self._loop = asyncio.get_running_loop()
            self._loop.add_writer(self._stream, self._catch_up, self._loop)
        if self._loop is None:
            self._write_last()

    def end(self) -> None:
        """Go to the next line."""
        if self._loop:
            self._loop.remove_writer(self._stream)
        elif self._is_terminal and self._last and not is_full(self._stream):
            self._write("\n")

    def _catch_up(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.remove_writer(self._stream)
        self._loop = None
        self._write_last()

    def _write_last(self) -> None:
        text = legible(self._last, _LONGEST_STATUS)
        self._write(f"{_CLEAR}{text}" if self._is_terminal else f"{text}\n")

    def _write(self, text: str) -> None:
        # Engines are offered whether the line can be seen or not.
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()


def _end_on_signals(joiner: Joiner, status: StatusLine) -> None:
    loop = asyncio.get_running_loop()

    def end() -> None:
        status.show_line("ending: searches are stopped; once more does not wait for that")
        joiner.end()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, joiner.abandon)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-server join",
        description="Offer the engines of this machine to a server elsewhere, over connections"
        " that this machine opens: so it may be where nobody can reach it.",
    )
    parser.add_argument(
        "server",
        nargs="?",
        default="",
        help="wss://HOST[:PORT], or the link of 'rookery-server invite --role host'; without it"
        " the program asks for the link, '-' reads it from stdin",
    )
    add_login_options(parser, f"has the token (else {_TOKEN} does)")
    parser.add_argument(
        "--insecure", action="store_true", help="even if the token goes there unencrypted"
    )
    _add_offer(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="join nothing: say whether the server can be reached and would have this machine,"
        " and whether each engine answers",
    )
    parser.add_argument("--verbose", action="store_true", help="log more")
    return parser


def _add_offer(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what this machine offers."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="configuration in TOML: engines, budget, quota"
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="offer this engine (our own, as 'rookery')",
    )
    parser.add_argument(
        "--name",
        type=command_line.word(is_plain_name, "a name has letters, digits, '.', '_' and '-'"),
        default=_own_name(),
        help="what this machine is called there",
    )
    for name, most, metavar, about in (
        ("--threads", MAX_THREADS, "N", "of all engines (the CPUs)"),
        ("--hash", MAX_HASH_MB, "MIB", "of all engines (half the RAM)"),
        ("--sessions", MAX_SESSIONS, "N", "at once (as many as there are threads)"),
    ):
        parser.add_argument(name, type=command_line.within(1, most), metavar=metavar, help=about)
    parser.add_argument(
        "--allow",
        action="append",
        type=command_line.word(is_account_name, "needs one account or role"),
        default=[],
        metavar="ACCOUNT",
        help="an account or role of the server that may use the engines (all); may be repeated",
    )


def config_of(options: argparse.Namespace) -> Config:
    """Return the configuration of this machine's own host.

    Raises:
        ConfigError: it cannot be used, or would let the server at files.

    """
    # Nothing listens here, so that nothing is exposed.
    overrides = Overrides(host="127.0.0.1", engines=tuple(options.engine), insecure=True)
    settings = config.load(options.config, overrides)
    if open_to_files := [each.name for each in settings.engines if each.policy.files]:
        raise ConfigError(
            f"engines.{open_to_files[0]}.files lets the server read and write files of this"
            " machine: leave it out, and give aliases for what it may choose from"
        )
    if len(settings.engines) > MAX_ENGINES:
        raise ConfigError(f"a machine offers {MAX_ENGINES} engines at most")
    budget = settings.budget
    return replace(
        settings,
        cache=replace(settings.cache, enabled=False),  # The server keeps what it likes.
        budget=replace(
            budget,
            threads=options.threads or budget.threads or survey().threads,
            hash_mb=options.hash or budget.hash_mb,
        ),
        quotas=Quotas({**_QUOTA, **settings.quotas.everybody}, settings.quotas.named),
    )


def server_of(options: argparse.Namespace, environment: Mapping[str, str]) -> JoinTarget:
    """Return the address of the server, and what this machine trusts and shows.

    Raises:
        ConfigError: it is none, the token or the pin cannot be used, or the token would be seen.

    """
    text = options.server
    if text in ("", "-") and not (text := _find_link(text)):
        raise ConfigError(
            "a link is wanted, in the command or on stdin; 'rookery-server invite --role host'"
            " prints one"
        )
    pin, token = options.pin, None
    if f"{SCHEME}:" in unquote(text)[: len(SCHEME) + 2]:  # It may be in quotes.
        link = Invitation.parse(text)
        if link.transport not in ("ws", "wss"):
            raise ConfigError(f"a server is joined by wss, and the link is for {link.transport}")
        url = f"{link.transport}://{authority(link.host, link.port)}"
        token, pin = link.token, link.pin
    else:
        url = _url(text)
    if options.token_file or not token:  # The token of a link counts more than the variable.
        token = find_token(
            options.token_file,
            _TOKEN,
            environment,
            lambda text: complain(f"rookery-server: {text}"),
        )
    trust = Trust(token, options.ca, read_pin(pin) if pin else None)
    if not options.insecure:
        place = urlsplit(url)
        check_secrecy(Address(place.scheme, place.hostname or "", place.port or 0, None), trust)
    if options.ca:
        trust.context()  # for its errors
    return JoinTarget(url, trust)


def _find_link(text: str) -> str:
    is_asked = not text and sys.stdin.isatty()
    return link_input.ask_link() if is_asked else link_input.read_link()


def _url(text: str) -> str:
    """Check the URL of the server; its path, if there is one, is that of a proxy."""
    try:
        parts = urlsplit(text)
        is_good = parts.scheme in ("ws", "wss") and parts.hostname and parts.port != 0
    except ValueError as error:
        raise ConfigError(f"{text!r} is no address of a server: {error}") from error
    if not is_good or parts.query or parts.fragment or parts.username is not None:
        where = re.split("[?#]", text)[0].rpartition("@")[2]
        raise ConfigError(
            f"a server is a link of 'rookery-server invite', or wss://HOST[:PORT] and no more, not"
            f" {where!r}"
        )
    return text.rstrip("/")


def _own_name() -> str:
    """Return the name of this machine, as far as it can be used."""
    name = re.sub(r"[^A-Za-z0-9._-]", "-", socket.gethostname()).lstrip("._-")[:64]
    return name or "machine"
