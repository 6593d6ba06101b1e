"""WebSocket frames, compiled, against the library's own."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from rookery_server.transport.framing import Bounds, frames, text_of

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
def test_bounds_of_frames_are_known_in_whatever_pieces_they_come(
    lines: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(map(sent, lines))
    ends = {0}
    for line in lines:
        ends.add(max(ends) + len(sent(line)))
    bounds, place = Bounds(), 0
    while place < len(stream):
        piece = stream[place : place + data.draw(st.integers(1, 150))]
        assert bounds.scan(piece) == len(piece)
        place += len(piece)
        assert bounds.is_between == (place in ends)


@pytest.mark.parametrize("size", SIZES)
def test_bounds_of_every_size_of_head(size: int) -> None:
    for opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
        frame, bounds = sent(b"x" * size, opcode), Bounds()
        assert bounds.scan(frame * 3) == 3 * len(frame)
        assert bounds.is_between
        assert bounds.scan(frame[:-1]) == len(frame) - 1
        assert not bounds.is_between


def long_length(size: int, digits: int, opcode: Opcode = Opcode.TEXT) -> bytes:
    """Return a frame that has its length in so many bytes, though fewer would do."""
    form = {2: 126, 8: 127}[digits]
    head = bytes([0x80 | opcode, 0x80 | form]) + size.to_bytes(digits, "big")
    return head + b"\0\0\0\0" + b"x" * size


@pytest.mark.parametrize("opcode", [Opcode.TEXT, Opcode.BINARY, Opcode.CONT, Opcode.PING])
@pytest.mark.parametrize(
    ("size", "digits"), [(0, 2), (7, 2), (125, 2), (0, 8), (125, 8), (126, 8), (65535, 8)]
)
def test_length_that_could_be_shorter_is_no_good(size: int, digits: int, opcode: Opcode) -> None:
    wrong, good = long_length(size, digits, opcode), sent(b"isready")
    assert text_of(wrong) is None
    assert Bounds().scan(good + wrong + good) == len(good)
    bounds = Bounds()
    taken = [bounds.scan(wrong[place : place + 1]) for place in range(2 + digits)]
    assert taken == [1] * (1 + digits) + [0]
    assert not bounds.is_between


@pytest.mark.parametrize("length", [1 << 63, *((1 << 64) - less for less in range(1, 20)), 1 << 40])
def test_length_that_cannot_be_is_left_to_the_library(length: int) -> None:
    """With 2^64 - 14 the count once went on for ever."""
    head = b"\x81\xff" + length.to_bytes(8, "big") + b"mask"
    bounds = Bounds()
    assert bounds.scan(head + b"x" * 100) == len(head) + 100
    assert bounds.scan(sent(b"x")) == len(sent(b"x"))
    assert not bounds.is_between
    assert text_of(head) is None


def test_frame_without_a_mask_is_left_to_the_library() -> None:
    bounds = Bounds()
    assert bounds.scan(b"\x81\x05hello" + sent(b"x")) == 7 + len(sent(b"x"))
    assert not bounds.is_between


def test_headers_are_in_force() -> None:
    """A lost `.pxd` would build an untyped and slow module, which takes anything."""
    for function in (frames, text_of):
        with pytest.raises(TypeError):
            function(object())
        with pytest.raises(TypeError):
            function(bytearray(b"x"))
    with pytest.raises(TypeError):
        Bounds().scan(bytearray(b"x"))
