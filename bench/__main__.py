"""Compare the relay and the engine with others, side by side: `python -m bench`."""

import argparse
import json
import sys
from datetime import date
from pathlib import Path

from bench import engine
from bench.api import compare as api
from bench.child import MissingError, interrupt_on_term
from bench.relay.race import Race
from bench.table import Row, table

ROTATIONS = 8
QUICK = 2


def main() -> int:
    """Run what the command line asks for; 1 if a goal was missed, 2 if it cannot run."""
    arguments = _arguments()
    interrupt_on_term()
    rotations = QUICK if arguments.quick else arguments.rotations
    tables: dict[str, list[Row]] = {}  # by the name of the baseline
    print(f"{date.today()}, {machine()}, {rotations} rotations", flush=True)
    try:
        if arguments.what in ("relay", "all"):
            tables |= _relay(rotations, arguments.only, policy=arguments.policy)
        if arguments.what in ("engine", "all"):
            tables |= _engine(rotations, arguments.only)
        if arguments.what == "api":
            found = api.compare(rotations, engine=arguments.engine, only=arguments.only)
            api.print_tables(found)
            tables |= found
    except MissingError as missing:
        return _fail(str(missing))
    except KeyboardInterrupt:
        return _fail("interrupted; nothing is left running")
    if arguments.json:
        rows = {baseline: [row.as_json() for row in rows] for baseline, rows in tables.items()}
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(any(row.verdict == "MISSED" for rows in tables.values() for row in rows))


def machine() -> str:
    """Return what this machine is, as it says itself."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in info if line.startswith("model name")]
    return f"{len(names)} x {names[0]}, Python {sys.version.split()[0]}" if names else "?"


def _relay(rotations: int, only: str, *, policy: bool) -> dict[str, list[Row]]:
    race = Race(rotations, only=only, policy=policy)
    tables = race.run()
    for baseline, rows in tables.items():
        floor = f"{baseline}, again" if policy else "C floor"
        print(f"\n{table(rows, baseline=baseline, floor=floor)}\n", flush=True)
    for failure in dict.fromkeys(race.failures):
        print(f"failed: {failure}")
    return tables


def _engine(rotations: int, only: str) -> dict[str, list[Row]]:
    rows = engine.compare(rotations, only=only)
    print(f"\n{table(rows, baseline='stockfish')}\n", flush=True)
    return {"stockfish": rows}


def _fail(sentence: str) -> int:
    print(f"bench: {sentence}", file=sys.stderr)
    return 2


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("relay", "engine", "api", "all"), default="all")
    parser.add_argument("--rotations", type=int, default=ROTATIONS, help=f"({ROTATIONS})")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} rotations")
    parser.add_argument(
        "--policy", action="store_true", help="relay: our server with all policy and with none"
    )
    parser.add_argument(
        "--engine", default="rookery-engine", help="api: the program (rookery-engine)"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="what has TEXT in its name")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to FILE")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
