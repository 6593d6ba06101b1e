"""The compiled work on whole lines, against plain Python and the library."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from rookery_server.pieces import frames, only_info


def framed(lines: list[bytes]) -> bytes:
    return b"".join(Frame(Opcode.TEXT, line).serialize(mask=False) for line in lines)


@given(st.lists(st.binary().filter(lambda line: b"\n" not in line)))
def test_each_line_is_a_frame(lines: list[bytes]) -> None:
    assert frames(b"".join(line + b"\n" for line in lines)) == framed(lines)


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 128, 255, 256, 65535, 65536, 70000])
def test_every_size_of_head(length: int) -> None:
    line = b"x" * length
    assert frames(line + b"\n" + line + b"\n") == framed([line, line])


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        (b"info depth 1\n", True),
        (b"info depth 1\ninfo string x\n", True),
        (b"", True),
        (b"readyok\n", False),
        (b"info depth 1\nbestmove e2e4\n", False),
        (b"info depth 1\ninf\n", False),
        (b"information\n", False),
        (b"info\n", False),
    ],
)
def test_only_info_looks_at_every_line(piece: bytes, expected: bool) -> None:
    assert only_info(piece) is expected


def test_header_is_in_force() -> None:
    """A lost `.pxd` would build an untyped and slow module, which takes anything."""
    with pytest.raises(TypeError):
        frames(object())
    with pytest.raises(TypeError):
        only_info(bytearray(b"info x\n"))
