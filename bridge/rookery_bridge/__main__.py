"""`rookery-bridge`: a remote engine as a UCI engine of this machine."""

import argparse
import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import Coroutine, Sequence
from importlib.metadata import version
from pathlib import Path

from rookery_bridge import stdio
from rookery_bridge.address import Address, AddressError
from rookery_bridge.preference import Preferences
from rookery_bridge.trust import Trust, TrustError, check_secrecy, read_pin, read_token, token_of

USAGE_ERROR = 2
INTERRUPTED = 130

_OWN_ENGINE = "rookery-engine"
_TOKEN = "ROOKERY_TOKEN"  # noqa: S105  # where it is, not what it is


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["lichess"]:
        return _provide(arguments[1:])
    options = _parser().parse_args(arguments)
    try:
        trust = _trust(options)
        address = Address.parse(options.address)
        if address.is_secure:
            trust.context()  # for its errors
        if not options.insecure:
            check_secrecy(address, trust)
        return asyncio.run(_running(address, trust, options))
    except (AddressError, TrustError) as error:
        stdio.complain(str(error))
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED


def _provide(arguments: Sequence[str]) -> int:
    # Only now: a GUI that starts its engine does not wait for what it does not use.
    from rookery_bridge.lichess import command

    return command.run(arguments)


def _running(
    address: Address, trust: Trust, options: argparse.Namespace
) -> Coroutine[None, None, int]:
    """Return what runs the bridge."""
    fallback = _fallback(options)
    preferences = Preferences(
        correct_clocks=options.clock_correction, fall_back=True if fallback else None
    )
    must_reach = options.fallback is None
    return stdio.run(address, trust, preferences, fallback=fallback, must_reach=must_reach)


def _trust(options: argparse.Namespace) -> Trust:
    # A token is never an argument: everybody on this machine can see those.
    token = None
    if options.token_file:
        token = read_token(options.token_file)
    elif text := os.environ.get(_TOKEN):
        token = token_of(_TOKEN, text)
    return Trust(token, options.ca, read_pin(options.pin) if options.pin else None)


def _fallback(options: argparse.Namespace) -> list[str]:
    """Return the command of the engine that plays while the server cannot, if there is one."""
    if not options.fall_back:
        return []
    if options.fallback:
        return shlex.split(options.fallback, posix=os.name == "posix")
    beside = str(Path(sys.executable).parent)
    found = shutil.which(_OWN_ENGINE, path=beside) or shutil.which(_OWN_ENGINE)
    return [found] if found else []


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
        "--fallback",
        metavar="COMMAND",
        help="a UCI engine of this machine that goes on while the server cannot, from the start"
        " if need be (else rookery-engine, where it is installed, once the server was reached)",
    )
    parser.add_argument(
        "--no-fallback",
        action="store_false",
        dest="fall_back",
        help="have no engine of this machine play",
    )
    parser.add_argument(
        "--no-clock-correction",
        action="store_false",
        dest="clock_correction",
        help="do not hide the time that lines take from the engine's clock",
    )
    parser.add_argument(
        "--insecure",
        action="store_true",
        help="send the token over ws:// or tcp:// even to another machine: others can read it",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
