"""What a server endures: `python -m bench.endure`."""

import argparse
import asyncio
import sys
from pathlib import Path

from bench.child import OUT, interrupt_on_term
from bench.endure.soak import soak


def main() -> int:
    """Run what the command line asks for; 1 if something is wrong."""
    arguments = _arguments()
    interrupt_on_term()
    OUT.mkdir(exist_ok=True)
    try:
        good = asyncio.run(
            soak(arguments.soak, arguments.sessions, json_file=arguments.json, svg=arguments.svg)
        )
    except KeyboardInterrupt:
        print("endure: interrupted; nothing is left running", file=sys.stderr)
        return 2
    return int(not good)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.endure", description=__doc__)
    parser.add_argument("--soak", type=float, metavar="SECONDS")
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--json", type=Path, default=OUT / "endure.json", metavar="FILE")
    parser.add_argument("--svg", type=Path, metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
