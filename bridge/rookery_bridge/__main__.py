"""`rookery-bridge`: a remote engine as a UCI engine of this machine."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from rookery_bridge import stdio
from rookery_bridge.address import Address, AddressError
from rookery_bridge.trust import Trust, TrustError, check_secrecy, read_pin, read_token, token_of

USAGE_ERROR = 2
INTERRUPTED = 130

_TOKEN = "ROOKERY_TOKEN"  # noqa: S105  # where it is, not what it is


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    options = _parser().parse_args(arguments)
    try:
        trust = _trust(options)
        address = Address.parse(options.address)
        if address.is_secure:
            trust.context()  # for its errors
        if not options.insecure:
            check_secrecy(address, trust)
        return asyncio.run(stdio.run(address, trust))
    except (AddressError, TrustError) as error:
        stdio.complain(str(error))
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED


def _trust(options: argparse.Namespace) -> Trust:
    # A token is never an argument: everybody on this machine can see those.
    token = None
    if options.token_file:
        token = read_token(options.token_file)
    elif text := os.environ.get(_TOKEN):
        token = token_of(_TOKEN, text)
    return Trust(token, options.ca, read_pin(options.pin) if options.pin else None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-bridge",
        description="Make a remote UCI engine look like a local one: give this command to a"
        " chess GUI as the engine.",
    )
    parser.add_argument("--version", action="version", version=f"rookery {version('rookery')}")
    parser.add_argument(
        "address",
        help="ws://HOST:PORT/engines/NAME or tcp://HOST:PORT[/NAME]; with TLS wss:// or tls://",
    )
    parser.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="a file with the token that the server wants (else ROOKERY_TOKEN has it)",
    )
    parser.add_argument(
        "--ca", type=Path, metavar="FILE", help="trust servers that this authority has certified"
    )
    parser.add_argument(
        "--pin", metavar="SHA256", help="trust the server whose certificate has this fingerprint"
    )
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="send the token over ws:// or tcp:// even to another machine: others can read it",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
