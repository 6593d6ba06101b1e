"""What an evaluation by the network takes, in isolation: `python -m bench.network [ROUNDS]`."""

import sys

from rookery_engine.line import measure


def main() -> None:
    """Print the least of many rounds of a thousand."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for name, nanoseconds in measure(rounds).items():
        print(f"{name:<14} {nanoseconds:7.1f} ns")


if __name__ == "__main__":
    main()
