"""WebSocket frames, compiled, against the library's own."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from rookery_server.transport.framing import UNKNOWN, frames, owed_after, text_of

SIZES = (0, 1, 125, 126, 127, 128, 255, 256, 65535, 65536, 70000)


def written(lines: list[bytes]) -> bytes:
    return b"".join(Frame(Opcode.TEXT, line).serialize(mask=False) for line in lines)


def sent(data: bytes, opcode: Opcode = Opcode.TEXT, **bits: bool) -> bytes:
    """Return a frame as a client sends it."""
    return Frame(opcode, data, **bits).serialize(mask=True)


@given(st.lists(st.binary().filter(lambda line: b"\n" not in line)))
def test_each_line_is_a_frame(lines: list[bytes]) -> None:
    assert frames(b"".join(line + b"\n" for line in lines)) == written(lines)


@pytest.mark.parametrize("size", SIZES)
def test_every_size_of_head_is_written(size: int) -> None:
    line = b"x" * size
    assert frames(line + b"\n" + line + b"\n") == written([line, line])


@given(st.binary(max_size=300))
def test_text_of_a_whole_frame(line: bytes) -> None:
    assert text_of(sent(line)) == line


@pytest.mark.parametrize("size", SIZES)
def test_every_size_of_head_is_read(size: int) -> None:
    line = b"x" * size
    assert text_of(sent(line)) == (line if size < 65536 else None)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        sent(b"isready")[:-1],
        sent(b"isready")[:3],
        sent(b"isready") + b"\x81",
        sent(b"isready") * 2,
        sent(b"isready", Opcode.BINARY),
        sent(b"is", fin=False),
        sent(b"ready", Opcode.CONT),
        sent(b"", Opcode.PING),
        Frame(Opcode.TEXT, b"isready").serialize(mask=False),
    ],
    ids=count(),  # the data are masked with other bytes each time
)
def test_all_else_is_left_to_the_library(data: bytes) -> None:
    assert text_of(data) is None


@given(st.lists(st.binary(max_size=200), min_size=1), st.data())
def test_what_is_owed_is_known_or_unknown_but_never_wrong(
    lines: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(map(sent, lines))
    ends = {0}
    for line in lines:
        ends.add(max(ends) + len(sent(line)))
    owed, place = 0, 0
    while place < len(stream):
        step = data.draw(st.integers(1, 150))
        owed = owed_after(stream[place : place + step], owed)
        place = min(place + step, len(stream))
        if owed == UNKNOWN:
            return
        assert place + owed in ends
        assert (owed == 0) == (place in ends)


def test_what_is_owed_is_known_where_frames_come_whole() -> None:
    for size in SIZES:
        frame = sent(b"x" * size)
        assert owed_after(frame, 0) == 0
        assert owed_after(frame * 3, 0) == 0
        assert owed_after(frame[:-1], 0) == (1 if size else UNKNOWN)
    assert owed_after(sent(b"", Opcode.PING), 0) == 0


@pytest.mark.parametrize(
    "data",
    [b"\x81", sent(b"x")[:4], b"\x81\x05hello", b"\x81\xff" + b"\xff" * 12],
    ids=count(),
)
def test_count_is_lost_at_a_cut_or_wrong_head(data: bytes) -> None:
    assert owed_after(data, 0) == UNKNOWN
    assert owed_after(sent(b"x"), UNKNOWN) == UNKNOWN


def test_headers_are_in_force() -> None:
    """A lost `.pxd` would build an untyped and slow module, which takes anything."""
    for function in (frames, text_of):
        with pytest.raises(TypeError):
            function(object())
        with pytest.raises(TypeError):
            function(bytearray(b"x"))
    with pytest.raises(TypeError):
        owed_after(b"x", 1.5)


@pytest.mark.parametrize("length", [1 << 63, *((1 << 64) - less for less in range(1, 20)), 1 << 40])
def test_length_that_cannot_be_loses_the_count(length: int) -> None:
    """With 2^64 - 14 the count once went on for ever."""
    head = b"\x81\xff" + length.to_bytes(8, "big") + b"mask"
    assert owed_after(head, 0) == UNKNOWN
    assert owed_after(head + b"x" * 100, 0) == UNKNOWN
    assert text_of(head) is None
