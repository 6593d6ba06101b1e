"""`rookery-bridge`: a remote engine as a UCI engine of this machine."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from importlib.metadata import version

from rookery_bridge import stdio
from rookery_bridge.address import Address, AddressError

USAGE_ERROR = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    options = _parser().parse_args(arguments)
    try:
        return asyncio.run(stdio.run(Address.parse(options.address)))
    except AddressError as error:
        stdio.complain(str(error))
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-bridge",
        description="Make a remote UCI engine look like a local one: give this command to a"
        " chess GUI as the engine.",
    )
    parser.add_argument("--version", action="version", version=f"rookery {version('rookery')}")
    parser.add_argument(
        "address",
        help="ws://HOST:PORT/engines/NAME, wss://HOST/engines/NAME or tcp://HOST:PORT[/NAME]",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
