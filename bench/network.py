"""Time of an evaluation by the network, in isolation: `python -m bench.network [ROUNDS]`."""

from bench.argument import counts
from rookery_engine.nnue.eval_line import measure


def main() -> None:
    """Print the least of many rounds of a thousand."""
    for name, nanoseconds in measure(*counts("bench.network", __doc__, rounds=2000)).items():
        print(f"{name:<14} {nanoseconds:7.1f} ns")


if __name__ == "__main__":
    main()
