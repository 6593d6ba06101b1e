"""The table of rows is whole, and docs/uci-rows.md is about the tests that there are."""

import re

from conformance.rows import DOCUMENT, LAST, UNTESTED, checks_by_row, line_start, load


def test_each_row_has_a_test_or_a_reason():
    rows = load()
    assert list(rows) == list(range(1, LAST + 1))
    tested = checks_by_row()
    assert set(tested) <= set(rows)
    for number, row in rows.items():
        assert (number in tested) != (number in UNTESTED), f"row {number}: {row.rule}"
        assert (row.test == "no") == (number in UNTESTED)


def test_document_has_each_row_with_its_tests():
    lines = DOCUMENT.read_text().splitlines()
    shown = [line for line in lines if re.match(r"\| \d+ \|", line)]
    tested = checks_by_row()
    rows = load()
    assert len(shown) == len(rows)
    for row, line in zip(rows.values(), shown, strict=True):
        start = line_start(row, tested.get(row.number, []))
        assert line.startswith(start), f"run tools/rows.py: {line!r} should start with {start!r}"
        results = [cell.strip() for cell in line.removeprefix(start).strip(" |").split("|")]
        assert len(results) == 3
        if row.number in UNTESTED:
            assert set(results) == {"-"}
