"""Scores that the GUI gave to positions (`UCI_SetPositionValue`).

A hash table with open addressing, by Zobrist key.  The search looks only at `count`
as long as it is empty.
"""

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.rookery_engine.core.types import u64

FIRST_SIZE = cython.declare(u64, 64)


def put(values, key, score):
    """Give a position a score; False if there is no memory."""
    if 2 * (values.count + 1) > values.size and not grow(values):
        return False
    place = slot(values, key)
    values.count += place.key != key
    place.key = key
    place.score = score
    return True


def drop(values, key):
    """Take a position's score back; those behind it move up to where they are looked for."""
    if values.count == 0 or slot(values, key).key != key:
        return
    place = slot(values, key)
    place.key = 0
    values.count -= 1
    index = cython.cast(u64, place - values.slots)
    while True:
        index = (index + 1) & (values.size - 1)
        moved = values.slots[index]
        if not moved.key:
            return
        values.slots[index].key = 0
        slot(values, moved.key)[0] = moved


def clear(values):
    """Take all scores back."""
    free(values.slots)
    values.slots = cython.NULL
    values.size = values.count = 0


def grow(values):
    """Make room for twice as many; False if there is no memory."""
    bigger: Values
    bigger.size = 2 * values.size if values.size else FIRST_SIZE
    bigger.count = values.count
    bigger.slots = cython.cast(cython.pointer[Value], calloc(bigger.size, cython.sizeof(Value)))
    if bigger.slots == cython.NULL:
        return False
    for index in range(values.size):
        if values.slots[index].key:
            slot(cython.address(bigger), values.slots[index].key)[0] = values.slots[index]
    free(values.slots)
    values[0] = bigger
    return True


def given(values, key, side, score):
    """Find the score of a position, from the side to move; False if it was given none."""
    place = slot(values, key)
    if place.key != key:
        return False
    score[0] = -place.score if side else place.score
    return True
