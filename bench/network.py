"""What an evaluation by the network takes, in isolation: `python -m bench.network [ROUNDS]`."""

import argparse

from rookery_engine.line import measure


def main() -> None:
    """Print the least of many rounds of a thousand."""
    parser = argparse.ArgumentParser(prog="python -m bench.network", description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=2000, help="2000 if none are given")
    for name, nanoseconds in measure(parser.parse_args().rounds).items():
        print(f"{name:<14} {nanoseconds:7.1f} ns")


if __name__ == "__main__":
    main()
