"""Requests that are not as the schema says: what was wrong, where, and what was expected."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.api.documents import convert_query, parse_document
from rookery_server.api.schema import AnalyseRequest, EvaluationQuery, JobRequest
from rookery_server.http.problem import ProblemError

NODES = '"limits":{"nodes":10}'

# A body, the status, the path, a part of the sentence, and what was expected.
FAULTS = [
    ("", 400, None, "empty", None),
    ("{", 400, None, "ends too early", None),
    ("{}", 422, "$.limits", "missing", "an object with depth or nodes or movetime or mate"),
    ("{}x", 400, None, "trailing characters", None),
    (f"{{{NODES}}}x", 400, None, "trailing characters", None),
    ("[" * 100_000, 400, None, "nested too deeply", None),
    ("[]", 422, "$", "[], not an object", "an object"),
    ('{"limits":{}}', 422, "$.limits", "at least one of depth", "at least one of depth"),
    ('{"limits":{"nodes":"x"}}', 422, "$.limits.nodes", '"x", not', "a whole number"),
    ('{"limits":{"nodes":0}}', 422, "$.limits.nodes", "0, not", "a whole number >= 1"),
    ('{"limits":{"nodes":1.5}}', 422, "$.limits.nodes", "1.5, not", "a whole number"),
    ('{"limits":{"nodes":null}}', 422, "$.limits.nodes", "null, not", "a whole number"),
    ('{"limits":{"nodes":1e400}}', 422, "$.limits.nodes", "", "a number in range"),
    ('{"limits":{"node":1}}', 422, "$.limits.node", "did you mean `nodes`?", "one of depth"),
    (f'{{{NODES},"line":2}}', 422, "$.line", "did you mean `lines`?", "one of engine, limits"),
    (f'{{{NODES},"lines":257}}', 422, "$.lines", "257, not", "a whole number <= 256"),
    (f'{{{NODES},"fen":3}}', 422, "$.fen", "3, not", "a string or null"),
    (f'{{{NODES},"moves":["e4",5]}}', 422, "$.moves[1]", "5, not", "a string"),
    (f'{{{NODES},"moves":["e"]}}', 422, "$.moves[0]", '"e", not', "a string of length >= 2"),
    (f'{{{NODES},"options":{{"Hash":[]}}}}', 422, "$.options.Hash", "[], not", "a whole number"),
    (f'{{{NODES},"options":{{"":1}}}}', 422, "$.options", "name", "a string of length >= 1"),
]  # fmt: skip


def fault_of(body: bytes, kind: type = AnalyseRequest) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        parse_document(body, kind)
    return caught.value


@pytest.mark.parametrize(("body", "status", "path", "detail", "expected"), FAULTS)
def test_a_fault_has_a_place(
    body: str, status: int, path: str | None, detail: str, expected: str | None
) -> None:
    error = fault_of(body.encode())
    assert (error.status, error.path) == (status, path)
    assert detail in str(error)
    if expected is None:
        assert error.expected is None
    else:
        assert expected in (error.expected or "")


def test_broken_utf8_is_no_json() -> None:
    assert fault_of(b'{"limits":{"nodes":1},"fen":"\xff"}').status == 400


def test_a_job_has_positions_or_games() -> None:
    for more in ("", ',"positions":[{}],"games":"*"'):
        error = fault_of(f"{{{NODES}{more}}}".encode(), JobRequest)
        assert error.expected == "one of positions and games"
    assert parse_document(f'{{{NODES},"positions":[{{}}]}}'.encode(), JobRequest).positions


def test_a_fault_of_an_inner_document_names_its_members() -> None:
    error = fault_of(f'{{{NODES},"positions":[{{}},{{"fn":"x"}}]}}'.encode(), JobRequest)
    assert error.path == "$.positions[1].fn"
    assert "did you mean `fen`?" in str(error)


def test_a_fault_of_a_query_is_told_as_such() -> None:
    with pytest.raises(ProblemError) as caught:
        convert_query({"lines": "many"}, EvaluationQuery)
    assert (caught.value.path, str(caught.value)) == (
        "?lines",
        '?lines is "many", not a whole number',
    )
    assert convert_query({"lines": "3"}, EvaluationQuery).lines == 3


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
MEMBERS = st.sampled_from([*AnalyseRequest.__struct_fields__, "depth", "nodes"]) | st.text()


def outcome(body: bytes) -> ProblemError | None:
    """Return why a body is refused; None if it is read."""
    try:
        parse_document(body, AnalyseRequest)
    except ProblemError as error:
        return error
    return None


@given(st.dictionaries(MEMBERS, JSON_VALUES))
def test_any_json_is_read_or_refused_with_a_place(document: dict[str, object]) -> None:
    if error := outcome(json.dumps(document).encode()):
        assert error.status == 400 or (error.path and error.expected)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    error = outcome(body)
    assert error is None or error.status in (400, 422)
