"""The rows that are watched in everything an engine says, judged after all other tests."""

import pytest
from conformance.rows import rows, watched

pytestmark = pytest.mark.also_tcp

SENT = {159: "nps", 160: "hashfull"}  # rows that want a field to be sent, too


@pytest.mark.parametrize("row", [pytest.param(row, marks=rows(row)) for row in watched()])
def test_row_holds_in_all_that_was_said(row, target, faults, targets):
    found = faults.of(target.name, row)
    if row == 245 and target.server:
        found += ["the server's log" for _ in range(targets.server_log().count("Traceback"))]
    shown = "\n".join(dict.fromkeys(found[:5]))
    assert not found, f"{len(found)} times, first:\n{shown}"
    assert SENT.get(row, "pv") in faults.seen[target.name]
