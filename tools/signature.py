"""Compare the signature of the search with what the newest commit says of it.

The signature is the number of nodes of `rookery-engine bench`.  A commit that changes
the search or the evaluation ends with `Bench:` and that number, so the newest such line
in the history of HEAD must be what the build in this environment prints.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE = re.compile(r"^Bench: (\d+)\s*$", re.MULTILINE)
NODES = re.compile(r"^Nodes searched\s*: (\d+)", re.MULTILINE)


def main() -> int:
    """Say whether they are the same; 1 if not."""
    said = newest(ROOT)
    if said is None:
        print("signature: no history that has a `Bench:` line, so nothing to compare with")
        return 0
    commit, expected = said
    bench = subprocess.run(
        [str(Path(sys.executable).parent / "rookery-engine"), "bench"],
        capture_output=True,
        text=True,
    )
    found = NODES.search(bench.stdout + bench.stderr)
    if bench.returncode or not found:
        print(f"signature: `rookery-engine bench` did not tell its nodes:\n{bench.stderr}")
        return 1
    nodes = int(found[1])
    verdict = judge(nodes, expected, commit)
    print(f"signature: {verdict or f'{nodes}, as {commit} says'}")
    return int(bool(verdict))


def newest(repository: Path) -> "tuple[str, int] | None":
    """Return the newest commit with a `Bench:` line, and its number; None without history."""
    git = shutil.which("git")
    if not git:
        return None
    wanted = ["-1", "-E", "--grep=^Bench: [0-9]+[[:space:]]*$", "--format=%h%n%B"]
    log = subprocess.run(
        [git, "-C", str(repository), "log", *wanted], capture_output=True, text=True
    )
    found = LINE.findall(log.stdout)
    if log.returncode or not found:
        return None
    return log.stdout.split("\n", 1)[0], int(found[-1])


def judge(nodes: int, expected: int, commit: str) -> str:
    """Return what is wrong and what to do about it, or "" if nothing is."""
    if nodes == expected:
        return ""
    return (
        f"the search visits {nodes} nodes, but {commit}, the newest commit with a `Bench:` "
        f"line, says {expected}.\n"
        f"If search or evaluation were meant to change, end the commit's message with\n\n"
        f"    Bench: {nodes}\n\n"
        "and say what it measured (`make sprt`); if not, something changed them by accident "
        "(or this build is old: `make build`)."
    )


if __name__ == "__main__":
    sys.exit(main())
