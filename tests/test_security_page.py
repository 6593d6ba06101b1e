"""docs/security.md names tests: each is there."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(test_\w+)`", PAGE)))
THREATS = range(1, 67)


def defined(path: Path) -> set[str]:
    """Return the names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_every_test_that_is_named_is_there() -> None:
    missing = [f"{file}::{name}" for file, name in NAMED if name not in defined(TESTS / file)]
    assert missing == []


def test_every_threat_has_a_test_or_says_that_it_has_none() -> None:
    rows = {row.split("|")[1].strip(): row for row in PAGE.splitlines() if row.startswith("| ")}
    for number in THREATS:
        row = rows[str(number)]
        assert re.search(r"`[\w/]+\.py::test_\w+`|\*\*no test\*\*|the same", row), row
