"""Arguments of the commands that use the analysis service: which server, and what it is told."""

import argparse

from rookery_bridge.command_arguments import (
    CommandParser,
    UsageError,
    add_trust_options,
    complain,
    refuse_trust_options,
    trust_of,
)
from rookery_bridge.setup.pairing import PairingStore, is_name, pairings_folder
from rookery_protocol.address import Address, check_trust
from rookery_protocol.tls_trust import Trust

DONE, FAILED, INTERRUPTED = 0, 1, 130  # exit statuses; a wrong command line has 2


def add_server(parser: CommandParser) -> None:
    """Add the argument that names the server, and the options about trust in it."""
    parser.add_argument(
        "server",
        help="https://HOST or wss://HOST, http://HOST:PORT without TLS, with /engines/NAME for an"
        " engine of it; or the name of an engine that 'rookery-bridge pair' has set up",
    )
    add_trust_options(parser)


def server_of(options: argparse.Namespace) -> tuple[Address, Trust, bool]:
    """Return which server is meant, how it is trusted, and whether the token may go in clear.

    Raises:
        AddressError, TrustError, PairingError, UsageError: an argument cannot be used.

    """
    if is_name(options.server):
        pairing = PairingStore(pairings_folder()).load(options.server)
        refuse_trust_options(options)
        if not pairing.address.is_websocket:
            raise UsageError(
                f"{options.server} was set up for {pairing.address}, a port for plain lines: give"
                " the address of the server's web port, https://HOST:PORT"
            )
        address, trust = pairing.address, pairing.trust
        insecure = pairing.insecure or options.insecure
    else:
        address = Address.parse_server(options.server)
        trust = trust_of(None, options.token_file, options.ca, options.pin, complain)
        insecure = options.insecure
    check_trust(address, trust, insecure=insecure)
    return address, trust, insecure


def positive(text: str) -> int:
    """Read a number from 1 on."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"needs a number from 1 on, not {text!r}")
    return int(text)


def uci_option(text: str) -> tuple[str, str]:
    """Read an option of UCI, as NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"needs NAME=VALUE, not {text!r}")
    return name.strip(), value
