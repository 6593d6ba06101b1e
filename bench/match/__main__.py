"""Matches between engines, and what can be learnt from them: `python -m bench.match`."""

import argparse
import sys

from bench.child import MissingError, interrupt_on_term
from bench.match import compare, depth, gauntlet, selfplay, suite, tune
from bench.match.player import PlayerError

COMMANDS = {
    "sprt": (compare.add, "is the new engine better than the old one?"),
    "gauntlet": (gauntlet.add, "what does the engine score against others?"),
    "selfplay": (selfplay.add, "does the engine keep the rules and the time?"),
    "suite": (suite.add, "which positions of a file with best moves are solved?"),
    "depth": (depth.add, "how long do two engines take to a depth?"),
    "tune": (tune.add, "which values of the search's constants play best?"),
}


def main() -> int:
    """Do what the command line asks; 2 if it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m bench.match", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (add, purpose) in COMMANDS.items():
        add(commands.add_parser(name, help=purpose, description=purpose))
    arguments = parser.parse_args()
    interrupt_on_term()
    try:
        return int(arguments.run(arguments))
    except (MissingError, PlayerError, ValueError, OSError) as error:
        print(f"bench.match: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("bench.match: interrupted; nothing is left running", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
