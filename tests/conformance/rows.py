"""The rows of the specification: the list, and which test is for which.

`rows.csv` has one row for each normative statement of UCI in any of its editions.
A test says with `@rows(61, 62)` which of them it checks; the rows that are watched
in everything an engine says (`test` is `pass`) are judged by `test_whole_run.py`.
"""

import ast
import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "uci-rows.md"
LAST = 253
WATCHED_BY = "test_whole_run.py::test_row_holds_in_all_that_was_said"

# Rows without a test, and why.
UNTESTED = {82: "needs an engine with copy protection"}


@dataclass(frozen=True)
class Row:
    """A normative statement: level is must, should, ext or qual; test is yes, pass or no."""

    number: int
    section: str
    command: str
    level: str
    test: str
    rule: str


def rows(*numbers):
    """Mark a test with the rows it checks."""
    return pytest.mark.rows(*numbers)


def load() -> dict[int, Row]:
    with (HERE / "rows.csv").open(newline="") as file:
        records = [Row(int(row.pop("row")), **row) for row in csv.DictReader(file)]
    return {row.number: row for row in records}


def watched() -> list[int]:
    """Return the rows that hold or not in all that is said."""
    return [row.number for row in load().values() if row.test == "pass"]


def checks_by_row() -> dict[int, list[str]]:
    """Return `file::test` for each row, as the sources have them."""
    found = defaultdict(list)
    for path in sorted(HERE.glob("test_*.py")):
        if path.name == WATCHED_BY.partition("::")[0]:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in _numbers(node):
                    found[number].append(f"{path.name}::{node.name}")
    for number in watched():
        found[number].append(WATCHED_BY)
    return dict(found)


def _numbers(function: ast.FunctionDef) -> list[int]:
    """Return the numbers in all calls of `rows` among a function's decorators."""
    calls = [
        node
        for decorator in function.decorator_list
        for node in ast.walk(decorator)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rows"
    ]
    return sorted({int(ast.literal_eval(number)) for call in calls for number in call.args})


def line_start(row: Row, tests: list[str]) -> str:
    """Return the first cells of a row's line in the document: all but the results."""
    rule = row.rule.replace("|", "\\|")
    named = ", ".join(map(_shorten, tests)) if tests else f"none: {UNTESTED[row.number]}"
    return f"| {row.number} | {row.level} | {row.command} | {rule} | {named} |"


def _shorten(test: str) -> str:
    """Return `file: test` without what all of them have in common."""
    file, _, name = test.removeprefix("test_").partition(".py::")
    return f"{file}: {name.removeprefix('test_').replace('_', ' ')}"
