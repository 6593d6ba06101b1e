"""Check every row of the UCI specification with every target, and write docs/uci-rows.md.

    .venv/bin/python tools/rows.py                      # engine, bridge and stockfish
    .venv/bin/python tools/rows.py --target engine      # one anew; the others stay as they were
    .venv/bin/python tools/rows.py --interleavings 2500

The same tests are run with each target.  Their results are kept in
build/uci-rows/TARGET.json, and the table is made from these files.
"""

import argparse
import datetime
import json
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from conformance.rows import DOCUMENT, UNTESTED, checks_by_row, line_start, load  # noqa: E402
from conformance.target import ENGINE, find_stockfish  # noqa: E402

KEPT = ROOT / "build" / "uci-rows"
HEADS = ("row", "level", "about", "rule", "tests", "engine", "bridge", "stockfish")
COLUMNS = ("engine", "bridge", "stockfish")
# The bridge is tried over both transports.
RUNS = {"engine": ("engine",), "bridge": ("bridge", "tcp"), "stockfish": ("stockfish",)}
FAILED = 1  # pytest's status, if tests did
YES, NO, NOT_OFFERED, NOT_TRIED = "yes", "**no**", "not offered", "-"

HEAD = """\
# Every rule of UCI, and whether it holds

One row is one normative statement of UCI: of its edition of 2006, of the later ones, of what
Stockfish adds, and (level `qual`) of what a GUI or an operator relies on though nobody wrote it
down. `must` is what the protocol breaks without, `should` is recommended or in one edition only,
`ext` is an addition of Stockfish. The tests are in [`tests/conformance`](../tests/conformance);
they know an engine only by its stdin and stdout, and are the same for all three:

- **engine**: {engine}, the process itself
- **bridge**: the same engine behind `rookery-server` on the loopback, through `rookery-bridge`,
  over WebSocket and over TCP (`make test` takes TCP for a share of the tests)
- **stockfish**: {stockfish}, as Debian has it

`yes`: all tests of the row passed. `**no**`: one did not. `not offered`: the engine does not have
the option, and need not. `-`: there is nothing to try. `whole run` means that the row is watched
in all that is said in all tests.

Written by `tools/rows.py` on {date} ({machine}); `make test` checks that every row is here
with the tests that there are, and runs them with engine and bridge.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", action="append", choices=COLUMNS)
    parser.add_argument("--interleavings", type=int, metavar="N")
    parser.add_argument("--only-write", action="store_true", help="make the table of kept results")
    arguments = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    if not arguments.only_write:
        for column in arguments.target or COLUMNS:
            run(column, arguments.interleavings)
    results = {column: read(column) for column in COLUMNS}
    DOCUMENT.write_text(document(results))
    print(f"wrote {DOCUMENT.relative_to(ROOT)}")


def run(column: str, interleavings: int | None) -> None:
    """Run the tests with one target; pytest prints how far it is."""
    file = KEPT / f"{column}.json"
    command = [sys.executable, "-m", "pytest", str(ROOT / "tests" / "conformance")]
    command += ["--quiet", "--tb=line", "-p", "no:cacheprovider", f"--rows-json={file}"]
    for target in RUNS[column]:
        command += ["--target", target]
    if interleavings is not None:
        command.append(f"--interleavings={interleavings}")
    print(f"--- {column}", flush=True)
    begun = time.monotonic()
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if status not in (0, FAILED):
        sys.exit(
            f"pytest ended with {status} and has no results, so {DOCUMENT.name} stays as it is"
        )
    print(f"--- {column}: {time.monotonic() - begun:.0f} s", flush=True)


def read(column: str) -> dict[int, str]:
    """Return a target's result for each row that was tried."""
    file = KEPT / f"{column}.json"
    outcomes: dict[int, set[str]] = {}
    for result in json.loads(file.read_text()) if file.exists() else []:
        for number in result["rows"]:
            outcomes.setdefault(number, set()).add(result["outcome"])
    return {number: verdict(found) for number, found in outcomes.items()}


def verdict(outcomes: set[str]) -> str:
    if "failed" in outcomes:
        return NO
    return YES if "passed" in outcomes else NOT_OFFERED


def document(results: dict[str, dict[int, str]]) -> str:
    rows, checks = load(), checks_by_row()
    text = [HEAD.format(
        engine=version([ENGINE]), stockfish=version([find_stockfish()]),
        date=datetime.date.today(), machine=f"{platform.machine()}, {platform.system()}",
    )]  # fmt: skip
    text += summary(results)
    section = ""
    for row in rows.values():
        if row.section != section:
            section = row.section
            text += ["", f"## {section}", "", f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|"]
        cells = [
            NOT_TRIED if row.number in UNTESTED else results[column].get(row.number, NOT_TRIED)
            for column in COLUMNS
        ]
        text.append(f"{line_start(row, checks.get(row.number, []))} {' | '.join(cells)} |")
    return "\n".join(text) + "\n"


def summary(results: dict[str, dict[int, str]]) -> list[str]:
    """Return counts, and where the other engine falls short and ours does not."""
    rows = load()
    text = ["## Summary", "", "| | " + " | ".join(COLUMNS) + " |", "|---|---|---|---|"]
    for what in (YES, NO, NOT_OFFERED):
        counts = [str(sum(v == what for v in results[column].values())) for column in COLUMNS]
        text.append(f"| {what} | {' | '.join(counts)} |")
    theirs, ours = results["stockfish"], results["engine"]
    text += ["", "Rows where Debian's Stockfish falls short and we do not:", ""]
    text += [
        f"- {number} ({rows[number].level}): {rows[number].rule}"
        for number in sorted(theirs)
        if theirs[number] == NO and ours.get(number) == results["bridge"].get(number, YES) == YES
    ]
    return text


def version(command: list[str]) -> str:
    """Return an engine's own name."""
    done = subprocess.run(command, input="uci\nquit\n", capture_output=True, text=True, check=False)
    names = [line for line in done.stdout.splitlines() if line.startswith("id name ")]
    return names[0].removeprefix("id name ") if names else "an engine without a name"


if __name__ == "__main__":
    main()
