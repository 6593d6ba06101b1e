"""Tests of the distribution of tests over processes."""

from pathlib import Path

import pytest
from helpers.spread import LONG, TOGETHER, UCI, rank, scope_of

ROOT = Path(__file__).parents[1]
JUDGED = "tests/conformance/test_whole_run.py::test_row_holds_in_all_that_was_said"


@pytest.mark.parametrize("start", [*LONG, *TOGETHER, UCI])
def test_what_is_named_is_there(start: str) -> None:
    assert (ROOT / start).exists()


@pytest.mark.parametrize("target", ["engine", "bridge", "tcp"])
def test_a_target_is_judged_where_it_was_talked_to(target: str) -> None:
    talked = scope_of(f"tests/conformance/test_go.py::test_depth[{target}-go depth 1]")
    assert scope_of(f"{JUDGED}[{target}-12]") == talked
    assert scope_of("tests/conformance/test_go.py::test_depth[stockfish-go depth 1]") != talked
    assert scope_of("tests/conformance/test_table.py::test_rows_are_all_there") != talked


def test_fixtures_of_a_file_are_made_in_one_process() -> None:
    one, other = (
        scope_of(f"tests/server/transport/test_tls.py::test_{name}") for name in ("a", "b")
    )
    assert one == other != scope_of("tests/server/session/test_flood.py::test_a")


def test_two_browsers_share_the_tests_of_the_page() -> None:
    files = [
        f"tests/web/test_{name}.py::test_a" for name in ("access", "look", "moves", "tablebase")
    ]
    first, still, second, last = map(scope_of, files)
    assert first == still != second == last


def test_the_longest_begin() -> None:
    tests = [
        "tests/engine/core/test_fen_codec.py::test_a",
        *(f"{start}::test_a" for start in LONG[::-1]),
    ]
    assert sorted(tests, key=rank) == [*tests[:0:-1], tests[0]]
