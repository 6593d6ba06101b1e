"""The command `rookery-bridge lichess`."""

import argparse
import asyncio
import contextlib
import logging
import os
import secrets
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from rookery_bridge.command_arguments import CommandParser, UsageError, parse
from rookery_bridge.lichess.provider_engine import ProviderSource
from rookery_protocol import console
from rookery_protocol.address import check_trust
from rookery_protocol.console import OutputError, print_line
from rookery_protocol.tls_trust import Trust, TrustError, add_login_options, find_token, read_pin

USAGE_ERROR, FAILED = 2, 1

TOKEN = "LICHESS_API_TOKEN"  # noqa: S105  # where it is, not what it is
SERVER_TOKEN = "ROOKERY_TOKEN"  # noqa: S105
SECRET = "LICHESS_PROVIDER_SECRET"  # noqa: S105
_SERVER_TOKEN_FILE = "--server-token-file"  # noqa: S105
_SCOPES = "scopes[]=engine:read&scopes[]=engine:write"
_SECRET_LENGTHS = range(16, 1025)
_NAME_LENGTHS = range(3, 201)
_HERE = ("127.0.0.1", "::1", "localhost")
_DEFAULT_HASH = 512  # MiB


def run(arguments: Sequence[str]) -> int:
    """Run the program; returns its exit status."""
    try:
        options = parse(_parser(), arguments)
        sources = _sources(options)
        for url in (options.lichess, options.broker):
            _check_url(url, insecure=options.insecure)
        token = _token(options, os.environ)
        secret = _secret(os.environ)
    except (UsageError, ValueError) as error:
        return _complain(str(error), USAGE_ERROR)
    return asyncio.run(_provide(options, sources, token, secret))


async def _provide(
    options: argparse.Namespace, sources: list[ProviderSource], token: str, secret: str
) -> int:
    # Only now: the library takes a while to load, and the command line may be wrong.
    from rookery_bridge.lichess.lichess_client import LichessClient, LichessError, LichessPlace
    from rookery_bridge.lichess.provider import LichessProvider, ProviderError, Terms

    # Its warnings are about the answers of the site, whose faults are errors of ours.
    logging.getLogger("aiohttp").setLevel(logging.ERROR)
    place = LichessPlace(token, options.lichess.rstrip("/"), options.broker.rstrip("/"))
    try:
        if options.unregister:
            names = [source.name for source in sources]
            async with LichessClient(place) as lichess:
                for engine in await lichess.engines():
                    if engine.name in names:
                        await lichess.unregister(engine)
                        print_line(f"{engine.name} is registered no more")
            return 0
        terms = Terms(options.max_threads, options.max_hash, options.idle_timeout)
        provider = LichessProvider(sources, place, secret, terms, _print_note)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # on Windows
                loop.add_signal_handler(number, provider.end)
        await provider.run()
    except (ProviderError, LichessError) as error:
        return _complain(str(error), FAILED)
    return 0


def _print_note(text: str) -> None:
    """Print what happens; a stdout without a reader does not end the engines."""
    with contextlib.suppress(OutputError):
        print_line(text)


def _sources(options: argparse.Namespace) -> list[ProviderSource]:
    pin = read_pin(options.pin) if options.pin else None
    token = find_token(
        options.server_token_file, SERVER_TOKEN, os.environ, _note, option=_SERVER_TOKEN_FILE
    )
    trust = Trust(token, options.ca, pin)
    sources = [ProviderSource.parse(text, trust) for text in options.engine]
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        raise ValueError(f"--engine needs names that differ, not {', '.join(names)}")
    if short := [name for name in names if len(name) not in _NAME_LENGTHS]:
        raise ValueError(f"--engine needs names of 3 to 200 characters, not {short[0]!r}")
    for source in sources:
        if source.address:
            check_trust(source.address, trust, insecure=options.insecure)
    return sources


def _check_url(text: str, *, insecure: bool) -> None:
    """Refuse a text that is no site, and a site over which others can read secrets."""
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.query:
        raise ValueError(f"{text!r} is no address of a site: it looks like https://lichess.org")
    if url.scheme == "http" and url.hostname not in _HERE and not insecure:
        raise ValueError(
            f"your token would go to {url.hostname} unencrypted, for all on the way to read: use"
            " https://, or say --insecure"
        )


def _token(options: argparse.Namespace, environment: Mapping[str, str]) -> str:
    if token := find_token(options.token_file, TOKEN, environment, _note):
        return token
    raise TrustError(
        f"Lichess wants a token: make one at {options.lichess}/account/oauth/token/create?{_SCOPES}"
        f" and put it into a file for --token-file FILE, or into {TOKEN}"
    )


def _secret(environment: Mapping[str, str]) -> str:
    """Return the secret by which the broker knows this provider: a new one, unless it is set."""
    secret = environment.get(SECRET) or secrets.token_urlsafe(32)
    if len(secret) not in _SECRET_LENGTHS:
        raise ValueError(f"{SECRET} needs 16 to 1024 characters, not {len(secret)}")
    return secret


def _note(text: str) -> None:
    console.complain(f"rookery-bridge lichess: {text}")


def _complain(text: str, status: int) -> int:
    _note(text)
    return status


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="rookery-bridge lichess",
        allow_abbrev=False,
        description="Offer engines of this machine, or of a Rookery server, to your analysis"
        " board on Lichess.",
    )
    parser.add_argument(
        "--engine",
        action="append",
        required=True,
        metavar="NAME=COMMAND",
        help="an engine: NAME is what Lichess shows, and behind it stands the command that starts"
        " it or the address of a remote one (ws://, wss://, tcp://, tls://); may be repeated",
    )
    parser.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help=f"a file with your token for Lichess (else {TOKEN} has it)",
    )
    parser.add_argument(
        "--max-threads",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="threads that a search may use (all that this machine has)",
    )
    parser.add_argument(
        "--max-hash",
        type=_positive,
        default=_DEFAULT_HASH,
        metavar="MIB",
        help=f"memory that a search may use for its table ({_DEFAULT_HASH} MiB)",
    )
    parser.add_argument(
        "--idle-timeout",
        type=float,
        default=300.0,
        metavar="S",
        help="seconds after which an unused engine is ended (300)",
    )
    parser.add_argument(
        "--unregister", action="store_true", help="let Lichess forget the engines of these names"
    )
    parser.add_argument(
        "--lichess", default="https://lichess.org", metavar="URL", help="another site"
    )
    parser.add_argument(
        "--broker", default="https://engine.lichess.ovh", metavar="URL", help="another broker"
    )
    _add_trust(parser.add_argument_group("remote engines"))
    return parser


def _add_trust(remote: "argparse._ArgumentGroup") -> None:
    """Add the token for a server, and how it is authenticated."""
    add_login_options(
        remote,
        f"a file with the token that their server wants (else {SERVER_TOKEN} has it)",
        file_option=_SERVER_TOKEN_FILE,
    )
    remote.add_argument(
        "--insecure", action="store_true", help="send tokens even where others can read them"
    )


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"needs a number from 1 on, not {text!r}")
    return int(text)
