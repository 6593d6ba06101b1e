"""The command lines of the small benchmarks: numbers, each with what it is if it is not given."""

import argparse


def counts(program: str, description: str | None, **defaults: int) -> list[int]:
    """Read the command line; `--help` says the description.

    Args:
        program: what follows `python -m`.
        description: the module's docstring.
        defaults: the names of the numbers, in order, and what they are if none are given.

    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {program}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, default in defaults.items():
        parser.add_argument(name, nargs="?", type=int, default=default, help=f"({default})")
    options = parser.parse_args()
    return [getattr(options, name) for name in defaults]
