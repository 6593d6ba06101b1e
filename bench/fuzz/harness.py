"""One target for atheris: `python -m bench.fuzz.harness NAME [options of libFuzzer]`."""

import sys

import atheris

with atheris.instrument_imports(include=["rookery_server", "rookery_uci"]):
    from bench.fuzz.target import TARGETS


def main() -> None:
    """Feed the target; libFuzzer ends the process."""
    target = TARGETS[sys.argv[1]]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
