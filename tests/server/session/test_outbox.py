"""Newest state instead of a log."""

from hypothesis import given
from hypothesis import strategies as st

from rookery_server.session.chunks import squeeze
from rookery_server.session.line_buffers import Outbox


def put(*lines: bytes) -> Outbox:
    outbox = Outbox()
    for line in lines:
        outbox.append(line + b"\n")
    return outbox


def test_newer_info_replaces_the_older_of_its_variation() -> None:
    outbox = put(
        b"info depth 1 multipv 1 pv e2e4",
        b"info depth 1 multipv 2 pv d2d4",
        b"info depth 2 multipv 1 pv c2c4",
    )
    assert outbox.take_newest() == (
        b"info depth 1 multipv 2 pv d2d4\ninfo depth 2 multipv 1 pv c2c4\n"
    )


def test_variation_without_number_is_the_first() -> None:
    outbox = put(b"info depth 1 pv e2e4", b"info depth 2 multipv 1 pv d2d4")
    assert outbox.take_newest() == b"info depth 2 multipv 1 pv d2d4\n"


def test_info_never_crosses_bestmove() -> None:
    lines = [b"info depth 1 pv e2e4", b"bestmove e2e4", b"info depth 1 pv d2d4"]
    assert put(*lines).take_newest() == b"".join(line + b"\n" for line in lines)


def test_progress_does_not_replace_a_variation() -> None:
    outbox = put(
        b"info depth 9 pv e2e4",
        b"info depth 10 currmove e2e4 currmovenumber 1",
        b"info depth 10 currmove d2d4 currmovenumber 2",
    )
    assert outbox.take_newest() == (
        b"info depth 9 pv e2e4\ninfo depth 10 currmove d2d4 currmovenumber 2\n"
    )


def test_strings_and_answers_are_all_kept() -> None:
    lines = [b"info string a", b"readyok", b"info string b", b"readyok", b"id name X", b"uciok"]
    assert put(*lines).take_newest() == b"".join(line + b"\n" for line in lines)


def test_taking_forgets() -> None:
    outbox = put(b"readyok")
    assert outbox.take_newest() == b"readyok\n"
    assert outbox.take_newest() == b""
    assert outbox.size == 0


def test_flood_stays_small() -> None:
    outbox = Outbox()
    largest = 0
    for depth in range(20000):
        outbox.append(b"info depth %d multipv %d pv e2e4\n" % (depth, depth % 5))
        largest = max(largest, outbox.size)
    assert largest < 40000
    assert len(outbox.take_newest().splitlines()) == 5


LINES = st.sampled_from(
    [b"info depth 1 pv e2e4", b"info multipv 2 pv d2d4", b"info nodes 5", b"info string x",
     b"readyok", b"bestmove e2e4"]
)  # fmt: skip


@given(st.lists(LINES))
def test_squeezing_keeps_all_that_is_owed_and_the_newest_of_each_search(lines: list[bytes]) -> None:
    owed = [line for line in lines if not line.startswith(b"info ") or b"string" in line]
    kept = squeeze(b"".join(line + b"\n" for line in lines)).splitlines()
    assert [
        line for line in kept if line in (b"readyok", b"bestmove e2e4", b"info string x")
    ] == owed
    assert squeeze(b"".join(line + b"\n" for line in kept)).splitlines() == kept
    for before, after in zip(searches(lines), searches(kept), strict=True):
        assert set(before) == set(after)


def owed(lines: list[bytes]) -> list[bytes]:
    return [line for line in lines if not line.startswith(b"info ") or b"string" in line]


def searches(lines: list[bytes]) -> list[list[bytes]]:
    """Divide lines at each bestmove."""
    found: list[list[bytes]] = [[]]
    for line in lines:
        if line.startswith(b"bestmove"):
            found.append([])
        else:
            found[-1].append(line)
    return found
