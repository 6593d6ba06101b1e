"""Pieces of an engine's output: whole lines in one `bytes`, each with its newline.

An engine can say a million lines a second.  So that no Python object has to be made
for each of them, output travels as it was read, and what has to be done to every
line is done here, compiled.
"""

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.string import memchr, memcmp, memcpy

if not cython.compiled:
    raise ImportError("rookery_server.pieces runs only compiled: type `make build`")


def frames(piece: bytes) -> bytes:
    """Return the lines of a piece as unmasked text frames (RFC 6455, section 5.2)."""
    start: cython.p_char = PyBytes_AS_STRING(piece)
    stop: cython.p_char = start + len(piece)
    text: cython.p_char = start
    end: cython.p_char
    size: cython.Py_ssize_t = 0
    while text < stop:
        end = _line_end(text, stop)
        size += _head_size(end - text) + (end - text)
        text = end + 1
    result: bytes = PyBytes_FromStringAndSize(cython.NULL, size)
    out: cython.p_char = PyBytes_AS_STRING(result)
    text = start
    while text < stop:
        end = _line_end(text, stop)
        out = _put_frame(out, text, end - text)
        text = end + 1
    return result


def only_info(piece: bytes) -> cython.bint:
    """Say whether every line of a piece is an `info` line."""
    text: cython.p_char = PyBytes_AS_STRING(piece)
    stop: cython.p_char = text + len(piece)
    while text < stop:
        if stop - text < 5 or memcmp(text, b"info ", 5) != 0:
            return False
        text = _line_end(text, stop) + 1
    return True


def _line_end(text: cython.p_char, stop: cython.p_char) -> cython.p_char:
    end: cython.p_char = cython.cast(cython.p_char, memchr(text, 10, stop - text))
    return end if end != cython.NULL else stop


def _head_size(length: cython.Py_ssize_t) -> cython.int:
    if length < 126:
        return 2
    return 4 if length < 65536 else 10


def _put_frame(out: cython.p_char, text: cython.p_char, length: cython.Py_ssize_t) -> cython.p_char:
    head: cython.int = _head_size(length)
    place: cython.int
    out[0] = cython.cast(cython.char, 0x81)  # a whole message of text
    if head == 2:
        out[1] = cython.cast(cython.char, length)
    else:
        out[1] = cython.cast(cython.char, 126 if head == 4 else 127)
        for place in range(2, head):
            out[place] = cython.cast(cython.char, (length >> (8 * (head - 1 - place))) & 255)
    memcpy(out + head, text, length)
    return out + head + length
