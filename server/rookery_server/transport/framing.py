"""WebSocket frames (RFC 6455, section 5.2) of plain text messages, compiled.

Writing: an engine can say a million lines a second, and no Python object should have
to be made for each.  Reading: a client's line is nearly always one whole frame, and
taking it apart here takes 0.3 us where the library takes 8.  Whatever
else a client sends is left to the library.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.stdint import uint8_t
from cython.cimports.libc.string import memchr, memcpy

if not cython.compiled:
    raise ImportError("rookery_server.transport.framing runs only compiled: type `make build`")

UNKNOWN = -1  # what `owed_after` says when it has lost count
# Bytes of a frame, far beyond what is taken: a length has 64 bits, and must not overflow.
_TOO_MUCH = cython.declare(cython.Py_ssize_t, 1 << 32)


def frames(piece: bytes) -> bytes:
    """Return the lines of a piece, each ended by a newline, as unmasked text frames."""
    start = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(piece))
    stop = start + len(piece)
    size: cython.Py_ssize_t = 0
    text = start
    while text < stop:
        end = _line_end(text, stop)
        size += _head_size(end - text) + (end - text)
        text = end + 1
    result: bytes = PyBytes_FromStringAndSize(cython.NULL, size)
    out = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(result))
    text = start
    while text < stop:
        end = _line_end(text, stop)
        out = _put_frame(out, text, end - text)
        text = end + 1
    return result


def text_of(data: bytes) -> bytes:
    """Return the text of a client's message if the data is just that; else None.

    It is if it is one whole, masked frame of a message in one frame, with up to 65535
    bytes of text.
    """
    frame = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(data))
    head = _masked_head_size(frame, len(data))
    if head == 0 or head > 8 or frame[0] != 0x81:
        return None
    length = _payload_size(frame)
    if len(data) != head + length:
        return None
    result: bytes = PyBytes_FromStringAndSize(cython.NULL, length)
    out = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(result))
    mask = frame + head - 4
    place: cython.Py_ssize_t
    for place in range(length):
        out[place] = frame[head + place] ^ mask[place & 3]
    return result


def owed_after(data: bytes, owed: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return how many bytes of a frame are still to come after the data.

    Args:
        data: what a client sent next.
        owed: how many bytes of it belong to a frame that began before; 0 if none do.

    Returns:
        0 between two frames; `UNKNOWN` if the data ends inside the head of a frame, or
        `owed` was unknown already.

    """
    if owed == UNKNOWN:
        return UNKNOWN
    frame = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(data))
    left: cython.Py_ssize_t = len(data)
    while left > owed:
        frame += owed
        left -= owed
        head = _masked_head_size(frame, left)
        if head == 0:
            return UNKNOWN
        size = _payload_size(frame)
        if size < 0 or size > _TOO_MUCH:
            return UNKNOWN
        owed = head + size
    return owed - left


def _line_end(text: cython.pointer(uint8_t), stop: cython.pointer(uint8_t)) -> cython.pointer(
    uint8_t
):
    end = cython.cast(cython.pointer(uint8_t), memchr(text, 10, stop - text))
    return end if end != cython.NULL else stop


def _head_size(length: cython.Py_ssize_t) -> cython.Py_ssize_t:
    if length < 126:
        return 2
    return 4 if length < 65536 else 10


def _put_frame(
    out: cython.pointer(uint8_t), text: cython.pointer(uint8_t), length: cython.Py_ssize_t
) -> cython.pointer(uint8_t):
    head = _head_size(length)
    place: cython.Py_ssize_t
    out[0] = 0x81  # a whole message, of text
    if head == 2:
        out[1] = cython.cast(uint8_t, length)
    else:
        out[1] = 126 if head == 4 else 127
        for place in range(2, head):
            out[place] = cython.cast(uint8_t, length >> (8 * (head - 1 - place)))
    memcpy(out + head, text, length)
    return out + head + length


def _masked_head_size(
    frame: cython.pointer(uint8_t), available: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the size of a client's frame's head, or 0 if it is cut or without a mask."""
    if available < 2 or frame[1] < 0x80:
        return 0
    size: cython.Py_ssize_t = 6
    if frame[1] == 0x80 + 126:
        size = 8
    elif frame[1] == 0x80 + 127:
        size = 14
    return size if size <= available else 0


def _payload_size(frame: cython.pointer(uint8_t)) -> cython.Py_ssize_t:
    size: cython.Py_ssize_t = frame[1] & 0x7F
    digits: cython.Py_ssize_t = 2 if size == 126 else 8
    place: cython.Py_ssize_t
    if size >= 126:
        size = 0
        for place in range(2, 2 + digits):
            size = size << 8 | frame[place]
    return size
