#!/usr/bin/env python3
"""Counter of what is hard to read: docstrings that begin with a clause, bare verbs as names.

`make check` runs it.  It prints each place, and fails where there are more than a ceiling allows.
The ceilings only go down: whoever mends some lowers them.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine/rookery_", "server/rookery_", "bridge/rookery_")  # the rest is for developers

# The most that there may be of each kind.  The aim is 0 docstrings in the packages, 30 verbs.
CEILINGS = {
    "docstrings of the packages": 0,
    "docstrings of tests, bench and tools": 0,
    "verbs of the packages": 8,  # one is `get` of the client of jobs
    "verbs of tests, bench and tools": 151,
}

# A docstring has the form "Return the line", or "A line of UCI".
CLAUSE = re.compile(
    r"(who|whom|whose|what|which|whether|where|when|why|how|so|(of|by|from|as) what|to whom)\b"
    r"|(take|takes|taking) note\b|sees? to\b|does so\b",
    re.IGNORECASE,
)
# A function's name says what it is done to: `grant_slot`, and not `grant`.
BARE_VERBS = re.compile(
    r"answer|ask|begins?|bring|carry|close_up|come|consider|deal|drop|feed|find|found|get|give|go"
    r"|hand|have|hear|held|hold|judge|keep|known?|lay|leave|let|look|lose|make|meet|offer|pass|pay"
    r"|place|put(_back)?|read|say|see(_to(_it)?)?|send|serve|set|settle|share|show"
    r"|take(_back|_over)?|tell|think|told|turn|use|want|weigh(_up)?|work"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Finding(NamedTuple):
    """A place that counts, and the kind that it is of."""

    kind: str
    place: str
    text: str


def main() -> int:
    """Print each place; return 1 if there are more than a ceiling allows."""
    found = [each for path in sources() for each in findings(path)]
    for each in sorted(found):
        print(f"{each.place}: {each.text}")
    is_good = True
    for kind, ceiling in CEILINGS.items():
        count = sum(each.kind == kind for each in found)
        verdict = "" if count <= ceiling else ": too many"
        is_good = is_good and count <= ceiling
        print(f"{kind}: {count}, of {ceiling} at most{verdict}")
    return 0 if is_good else 1


def sources() -> Iterator[Path]:
    """Yield the Python files of the repository."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return (path for path in paths if path.exists())


def findings(path: Path) -> Iterator[Finding]:
    """Yield what counts in one file."""
    name = path.relative_to(ROOT).as_posix()
    where = "the packages" if name.startswith(PACKAGES) else "tests, bench and tools"
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Module | ast.ClassDef | Function):
            continue
        place = f"{name}:{getattr(node, 'lineno', 1)}"
        docstring = (ast.get_docstring(node) or "").partition("\n")[0]
        if CLAUSE.match(docstring):
            yield Finding(f"docstrings of {where}", place, docstring)
        if isinstance(node, Function) and BARE_VERBS.fullmatch(node.name):
            yield Finding(f"verbs of {where}", place, f"def {node.name}")


if __name__ == "__main__":
    sys.exit(main())
