"""Pieces of an engine's output: whole lines in one `bytes`, each with its newline."""

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING
from cython.cimports.libc.string import memchr, memcmp

if not cython.compiled:
    raise ImportError("rookery_server.pieces runs only compiled: type `make build`")


def only_info(piece: bytes) -> cython.bint:
    """Say whether every line of a piece is an `info` line."""
    text = PyBytes_AS_STRING(piece)
    stop = text + len(piece)
    while text < stop:
        if stop - text < 5 or memcmp(text, b"info ", 5) != 0:
            return False
        end = cython.cast(cython.p_char, memchr(text, 10, stop - text))
        if end == cython.NULL:
            return True
        text = end + 1
    return True
