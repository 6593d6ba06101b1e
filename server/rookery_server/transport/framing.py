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
    bytes of text, and its length is as short as can be.
    """
    frame = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(data))
    head = _masked_head_size(frame, len(data))
    if head == 0 or head > 8 or frame[0] != 0x81:
        return None
    length = _payload_size(frame)
    if len(data) != head + length or (head == 8 and length < 126):
        return None
    result: bytes = PyBytes_FromStringAndSize(cython.NULL, length)
    out = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(result))
    mask = frame + head - 4
    place: cython.Py_ssize_t
    for place in range(length):
        out[place] = frame[head + place] ^ mask[place & 3]
    return result


@cython.cclass
class Bounds:
    """Boundaries of a client's frames, in whatever pieces their bytes come.

    A length may be written in one way only, the shortest (RFC 6455, section 5.2), which the
    library does not check.
    """

    def __init__(self) -> None:
        self._owed = 0  # bytes of a frame, behind its length, that are still to come
        self._size = 0  # of the head that has come until now
        self._is_lost = False  # nobody knows: the library refuses such a frame, and all after it

    @property
    def is_between(self) -> bool:
        """Return whether one frame has ended and none has begun."""
        return self._owed == 0 and self._size == 0 and not self._is_lost

    def scan(self, data: bytes) -> cython.Py_ssize_t:
        """Follow what comes next; return how much of it is good.

        All is good but a frame whose length is longer than it need be, and what is behind it.
        """
        frame = cython.cast(cython.pointer(uint8_t), PyBytes_AS_STRING(data))
        place: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t = len(data)
        while place < stop and not self._is_lost:
            step = min(self._owed, stop - place)
            self._owed -= step
            place += step
            if place == stop:
                break
            self._head[self._size] = frame[place]
            self._size += 1
            place += 1
            if self._size < 2 or self._size < 2 + _digits(self._head):
                continue
            begin = place - self._size
            if not self._is_measured():
                return max(0, begin)
        return stop

    @cython.cfunc
    def _is_measured(self) -> cython.bint:
        """Begin a frame of which the length has come; say whether that is as short as can be."""
        length = _payload_size(self._head)
        digits = _digits(self._head)
        self._size = 0
        self._owed = 4 + length  # and the mask
        # A frame of so many bytes, or without a mask, is the end of what the library takes.
        self._is_lost = length < 0 or length > _TOO_MUCH or self._head[1] < 0x80
        if self._is_lost or digits == 0 or length >= (126 if digits == 2 else 65536):
            return True
        self._is_lost = True
        return False


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


def _digits(frame: cython.pointer(uint8_t)) -> cython.Py_ssize_t:
    """Return how many bytes have a frame's length, besides the second one."""
    size = frame[1] & 0x7F
    if size < 126:
        return 0
    return 2 if size == 126 else 8


def _payload_size(frame: cython.pointer(uint8_t)) -> cython.Py_ssize_t:
    size: cython.Py_ssize_t = frame[1] & 0x7F
    digits = _digits(frame)
    place: cython.Py_ssize_t
    if digits:
        size = 0
        for place in range(2, 2 + digits):
            size = size << 8 | frame[place]
    return size
