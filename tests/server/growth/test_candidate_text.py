import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.growth.candidate_text import (
    DamagedNodeError,
    candidate_text,
    parse_candidates,
)
from rookery_server.growth.node import OTHERS, Candidate
from rookery_server.growth.value import MATE, MAX_SCORE

VALUES = st.none() | st.integers(-MAX_SCORE, MAX_SCORE) | st.sampled_from((MATE, 3 - MATE))
MOVES = st.sampled_from(("e2e4", "e7e8q", "e1g1", "N@f3", "b1c3", OTHERS))
CANDIDATES = st.builds(
    Candidate,
    MOVES,
    VALUES,
    st.none() | st.integers(1, 10**6),
    VALUES,
    st.none() | st.integers(-(10**9), 10**6),
    is_proven=st.booleans(),
    is_excluded=st.booleans(),
    is_pinned=st.booleans(),
    is_added=st.booleans(),
)


@given(st.lists(CANDIDATES, unique_by=lambda each: each.move).map(tuple))
def test_candidates_are_read_as_they_were_written(candidates: tuple[Candidate, ...]) -> None:
    assert parse_candidates(candidate_text(candidates)) == candidates


def test_the_stored_form_is_compact() -> None:
    """A database that exists has this form: another needs another version."""
    stored = candidate_text(
        (Candidate("e2e4", 30, 2, -12, 1000, is_pinned=True, is_added=True), Candidate(OTHERS, -5))
    )
    assert stored == '[1,["e2e4",30,2,-12,1000,12],["*",-5,null,null,null,0]]'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no candidates"),
        ("[" * 100_000, "no candidates"),
        ("{}", "no candidates"),
        ("[]", "not of version 1"),
        ("[true]", "no candidates"),
        ("[2]", "not of version 1"),
        ('[["e2e4",30,2,-12,1000,0]]', "not of version 1"),
        ("[1,7]", "no candidate"),
        ('[1,["e2e4",30,2,-12,1000]]', "no candidate"),
        ('[1,["e2e4",30,2,-12,1000,0,0]]', "no candidate"),
        ('[1,["e2e9",30,2,-12,1000,0]]', "no candidate"),
        ('[1,["e2e4",25000,2,-12,1000,0]]', "no candidate"),
        ('[1,["e2e4",30.5,2,-12,1000,0]]', "no candidate"),
        ('[1,["e2e4",30,0,-12,1000,0]]', "no candidate"),
        ('[1,["e2e4",30,2,99999,1000,0]]', "no candidate"),
        ('[1,["e2e4",30,2,-12,-5000000000000000000,0]]', "no candidate"),
        ('[1,["e2e4",30,2,-12,true,0]]', "no candidate"),
        ('[1,["e2e4",30,2,-12,1000,16]]', "no candidate"),
        ('[1,["e2e4",30,2,-12,1000,true]]', "no candidate"),
        ('[1,["e2e4",1,2,1,1,0],["e2e4",1,2,1,1,0]]', "stands twice: e2e4 e2e4"),
    ],
)
def test_damaged_candidates_are_refused(text: str, reason: str) -> None:
    with pytest.raises(DamagedNodeError, match=reason):
        parse_candidates(text)
