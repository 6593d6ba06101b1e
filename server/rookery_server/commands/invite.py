"""Command `rookery-server invite`: a token and all else that a guest needs, as one link.

The link alone goes to stdout, once, so that it can be sent to a file or a mail; what there is
to say about it, above all who can use it at all, goes to stderr.  For a phone beside the operator
there is a QR code in its place (`qr_invitation`).
"""

import argparse
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from rookery_protocol import console
from rookery_protocol.engine_names import is_engine_name
from rookery_protocol.errors import ConfigError
from rookery_protocol.invitation import TRANSPORTS, Invitation
from rookery_server.access.account import Role
from rookery_server.access.sign_in_codes import LONGEST, USUAL
from rookery_server.access.tls import Certificate
from rookery_server.access.token_file import TokenFile
from rookery_server.commands import command_line, token_command
from rookery_server.commands.control_command import socket_path
from rookery_server.commands.qr_invitation import QrInvitation, check_terminal, page_address
from rookery_server.config import config
from rookery_server.config.addresses import EVERYWHERE, connect_host, is_loopback
from rookery_server.config.config import Config

_PATIENCE = 1.0  # s to see whether a server is there
_DEFAULT_PORTS = {"ws": 80, "wss": 443}
_PLAIN = ("ws", "tcp")
# What follows from a certificate that is not trusted.
_PINNED = "so its fingerprint is in the link: when it is another one, all guests need another link"
_UNTRUSTED_PAGE = "so the phone's browser warns of it"


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status.

    Raises:
        ConfigError: the configuration or what was asked for cannot be used.

    """
    options = command_line.parse(_parser(), arguments)
    settings = _settings(options)
    # What is wrong with the address is told before a token is made.
    place = read_url(options.url) if options.url else public_address_of(settings)
    certificate = _certificate(settings, place)
    if options.qr:
        return _sign_in_phone(options, settings, place, certificate)
    pin = certificate.pin if certificate and certificate.distrust else None
    invitation = replace(place, engine=options.engine, pin=pin)
    who = "whoever reaches it: the server wants no token"
    print_link = console.print_line
    if settings.server.tokens:
        file = TokenFile(settings.server.tokens)
        made, record = token_command.mint(file, options)
        invitation = replace(invitation, token=made.reveal())
        who = f"{record.name}, by token {made.id}, {token_command.term_of(record)}"
        print_link = partial(token_command.hand_over, file, made)
    does = "rookery-server join" if options.role == Role.HOST else "rookery-bridge pair"
    # As an argument the link would stay in the shell's history.
    console.complain(f"for {who}. On the guest's machine, where it asks for the link:\n  {does}")
    if options.role != Role.HOST:
        console.complain(
            "who does not have it gets the program from the release or from you, which needs no"
            " Python ('make executable' makes it), or the one file rookery-bridge.pyz ('make"
            " zipapp'), and says 'python3 rookery-bridge.pyz pair' (on Windows with 'py')"
        )
    print_link(str(invitation))
    for note in _notes(options, settings, place, certificate):
        console.complain(f"note: {note}")
    return 0


def _sign_in_phone(
    options: argparse.Namespace,
    settings: Config,
    place: Invitation,
    certificate: Certificate | None,
) -> int:
    """Show a QR code that signs a phone in; return the exit status.

    Raises:
        ConfigError: there is no page, no terminal, or no token.
        ServerError: no server is running.

    """
    origin = page_address(place)
    check_terminal(sys.stdout)
    if settings.server.tokens is None:
        raise ConfigError(
            f"this server wants no token: whoever reaches it opens {origin} on the phone; --tokens"
            " FILE, or --config FILE with server.tokens, names the tokens of another"
        )
    socket_of_server = socket_path(options.socket, options.config)
    for note in _notes(options, settings, place, certificate):
        console.complain(f"note: {note}")
    file = TokenFile(settings.server.tokens)
    made = token_command.mint(file, options)
    return QrInvitation(file, made, socket_of_server, origin).run(options.minutes)


def _notes(
    options: argparse.Namespace,
    settings: Config,
    place: Invitation,
    certificate: Certificate | None,
) -> Iterator[str]:
    is_guess = not options.url and not _is_public(settings)
    yield from notes(settings, place, certificate, is_guess=is_guess, for_browser=options.qr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-server invite",
        description="Make a token, and print one link that has all a guest needs:"
        " 'rookery-bridge pair LINK' does the rest.",
    )
    command_line.add_server(parser)
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="the file of tokens")
    parser.add_argument(
        "--url",
        metavar="URL",
        help="how others reach the server, as wss://rook.example or wss://rook.example:8080",
    )
    parser.add_argument(
        "--engine",
        type=command_line.word(
            is_engine_name, "an engine's name has letters, digits, '.', '_' and '-'"
        ),
        metavar="NAME",
        help="the one that is meant (all there are)",
    )
    parser.add_argument(
        "--name", type=token_command.account_name, help="the account (one of its own for each link)"
    )
    parser.add_argument(
        "--qr", action="store_true", help="show a QR code instead, which signs a phone in, once"
    )
    parser.add_argument(
        "--minutes",
        type=command_line.within(1, LONGEST),
        default=USUAL,
        help=f"for how long the QR code is good ({USUAL})",
    )
    parser.add_argument(
        "--socket", type=Path, metavar="PATH", help="the running server's socket, for --qr"
    )
    about = "host: for a machine that joins this server, and offers engines of its own"
    token_command.add_terms(parser, (Role.MEMBER, Role.HOST), about)
    return parser


def _settings(options: argparse.Namespace) -> Config:
    """Return the configuration of the server that the link leads to.

    Raises:
        ConfigError: it cannot be read, or does not fit what was asked for.

    """
    if options.qr and (options.role == Role.HOST or options.engine):
        what = "a machine" if options.role == Role.HOST else "one engine"
        raise ConfigError(f"--qr signs a browser in, and is not for {what}: leave one of them out")
    settings = config.read_document(options.config)
    names = [each.name for each in settings.engines]
    if options.engine and names and options.engine not in names:
        raise ConfigError(f"there is no engine {options.engine!r}; there are: {', '.join(names)}")
    tokens = options.tokens or settings.server.tokens
    unused = [each for each in ("name", "days", "expires") if getattr(options, each)]
    if unused and tokens is None:
        raise ConfigError(
            f"--{unused[0]} is about a token, and this server wants none: say --tokens FILE, or"
            " --config FILE with server.tokens"
        )
    port = options.port or settings.server.port
    return replace(settings, server=replace(settings.server, tokens=tokens, port=port))


def read_url(text: str) -> Invitation:
    """Return a link that has no more than the address by which others reach the server.

    Raises:
        ConfigError: it is not one.

    """
    try:
        url = urlsplit(text)
        port = url.port or _DEFAULT_PORTS.get(url.scheme)
    except ValueError as error:
        raise ConfigError(f"--url {text!r}: {error}") from error
    has_more = url.path.strip("/") or url.query or url.fragment or url.username
    if url.scheme not in TRANSPORTS or not url.hostname or not port or has_more:
        raise ConfigError(
            f"--url needs wss://HOST or wss://HOST:PORT (or ws, tls, tcp) and no more, not {text!r}"
        )
    return Invitation(url.scheme, url.hostname, port)


def _is_public(settings: Config) -> bool:
    """Return whether others reach the server where it listens, as far as that says it."""
    server = settings.server
    return server.host not in EVERYWHERE and not (server.hosts and is_loopback(server.host))


def public_address_of(settings: Config) -> Invitation:
    """Return a link that has no more than the address by which others reach a server.

    It is guessed from where the server listens.
    """
    server = settings.server
    names = [] if _is_public(settings) else _names(settings)
    if server.trusted_proxies and names:
        return Invitation("wss", names[0], _DEFAULT_PORTS["wss"])
    host = server.host if _is_public(settings) else (names or [_own_address()])[0]
    return Invitation("wss" if settings.tls else "ws", host, server.port)


def _own_address() -> str:
    """Return the address by which this machine reaches others; nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(("192.0.2.1", 9))  # RFC 5737: an address for documentation
        return str(way.getsockname()[0])
    return socket.gethostname()


def _names(settings: Config) -> list[str]:
    """Return the names of the server, by its configuration and its certificate."""
    names = list(settings.server.hosts)
    if settings.tls:
        names += Certificate.read(settings.tls, None).names
    return [name for name in names if "*" not in name]


def _certificate(settings: Config, place: Invitation) -> Certificate | None:
    """Return the certificate that clients see, if it is the server's own."""
    if settings.tls is None or settings.server.trusted_proxies or place.transport in _PLAIN:
        return None
    return Certificate.read(settings.tls, place.host)


def notes(
    settings: Config,
    place: Invitation,
    certificate: Certificate | None,
    *,
    is_guess: bool,
    for_browser: bool = False,
) -> Iterator[str]:
    """Yield notes on which machines can use the link, and what to do for the others."""
    server = settings.server
    where = f"{place.host}:{place.port}"
    if is_loopback(place.host):
        yield (
            f"only programs of this machine reach {where}: for others set server.host, or a"
            " proxy before it, and say --url"
        )
    elif settings.is_local:
        yield (
            f"the server listens on {server.host}:{server.port}, where nobody else reaches it:"
            f" something must lead there from {where}"
        )
    elif is_guess:
        yield f"others are sent to {where}, which is a guess: if they call it otherwise, say --url"
    if place.transport in _PLAIN and not is_loopback(place.host):
        insecure = "" if for_browser else ", and guests must say --insecure"
        yield (
            f"{where} is without TLS: the token and all moves can be read on the way{insecure};"
            " set [tls], or let a proxy end it and say --url wss://..."
        )
    if certificate and (complaint := certificate.complaint(datetime.now(UTC))):
        yield complaint
    if certificate and certificate.distrust:
        yield (
            "other machines do not trust the certificate by themselves"
            f" ({certificate.distrust}), {_UNTRUSTED_PAGE if for_browser else _PINNED}"
        )
    try:
        socket.create_connection((connect_host(server.host), server.port), _PATIENCE).close()
    except OSError:
        yield f"no server answers on port {server.port} of this machine now"
