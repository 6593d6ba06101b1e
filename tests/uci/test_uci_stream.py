"""The stream of bytes that lines of UCI come in, however it is divided."""

import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_uci import (
    LineBuffer,
    TypedLines,
)

Parse = Callable[[str], object]


def cut_at(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[a:b] for a, b in zip([0, *ends], [*ends, len(data)], strict=True)]


@given(
    st.lists(st.sampled_from([b"a", b"bc", b"d" * 9, b"\n", b"\r", b"\r\n", b"\0", b"\xff"])),
    st.lists(st.integers(0, 200), max_size=9),
)
def test_lines_do_not_depend_on_how_the_stream_was_divided(
    parts: list[bytes], places: list[int]
) -> None:
    """Rows 8, 24, 28 and 238."""
    data = b"".join(parts)
    whole, divided = LineBuffer(limit=8), LineBuffer(limit=8)
    lines = whole.feed(data)
    assert [line for piece in cut_at(data, places) for line in divided.feed(piece)] == lines
    assert divided.overlong == whole.overlong
    assert divided.rest() == whole.rest()
    stream = data.replace(b"\r", b"\n").split(b"\n")
    assert lines == [line for line in stream[:-1] if 0 < len(line) <= 8]


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_an_overlong_line_is_left_out_and_counted(size: int) -> None:
    """Row 237."""
    data = b"uci\n" + b"x" * 70000 + b"\nisready\n"
    buffer = LineBuffer()
    pieces = [data[i : i + size] for i in range(0, len(data), size)]
    assert [line for piece in pieces for line in buffer.feed(piece)] == [b"uci", b"isready"]
    assert buffer.overlong == 1


def test_a_line_of_just_the_limit_is_a_line() -> None:
    buffer = LineBuffer(limit=8)
    assert buffer.feed(b"12345678\n123456789\n") == [b"12345678"]
    assert buffer.overlong == 1


def test_an_endless_line_takes_no_memory() -> None:
    """Row 239."""
    buffer = LineBuffer(limit=1000)
    piece = b"x" * 500
    tracemalloc.start()
    for _ in range(2000):
        buffer.feed(piece)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000
    assert buffer.overlong == 1
    assert buffer.feed(b"\nuci\n") == [b"uci"]


def test_rest_behind_the_last_ending_is_kept_for_the_end_of_the_input() -> None:
    """Row 240: `quit` without an ending before the end of the input."""
    buffer = LineBuffer()
    assert buffer.feed(b"qu") + buffer.feed(b"it") == []
    assert buffer.rest() == b"quit"
    assert buffer.rest() == b""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("size", [1, 3, 4096])
def test_a_byte_order_mark_and_wide_characters_change_no_line(
    encoding: str, ending: str, size: int
) -> None:
    data = f"uci{ending}isready{ending}".encode(encoding)
    buffer = TypedLines()
    pieces = [data[i : i + size] for i in range(0, len(data), size)]
    assert [line for piece in pieces for line in buffer.feed(piece)] == [b"uci", b"isready"]
    assert buffer.rest() == b""


@pytest.mark.parametrize("data", [b"\xfe\xff\0q\0u\0i\0t", b"\xef\xbb\xbfquit"])
def test_a_byte_order_mark_may_stand_before_the_only_line(data: bytes) -> None:
    buffer = TypedLines()
    assert buffer.feed(data) == []
    assert buffer.rest() == b"quit"


def test_a_byte_order_mark_is_one_at_the_beginning_only() -> None:
    assert TypedLines().feed(b"a\n\xff\xfeb\n") == [b"a", b"\xff\xfeb"]


def test_lines_of_programs_are_unchanged() -> None:
    """News of engines that run elsewhere begin with NUL."""
    assert LineBuffer().feed(b"\xef\xbb\xbfa\n\0b\n") == [b"\xef\xbb\xbfa", b"\0b"]
