"""Scores that the GUI gave to positions (`UCI_SetPositionValue`).

A hash table with open addressing, by Zobrist key.  As long as it is empty the search
reads only its `count`.
"""

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.rookery_engine.core.types import u64

FIRST_SIZE = cython.declare(u64, 64)


def set_score(scores, key, score):
    """Set the score of a position; False if there is no memory."""
    if 2 * (scores.count + 1) > scores.size and not grow(scores):
        return False
    place = slot(scores, key)
    scores.count += place.key != key
    place.key = key
    place.score = score
    return True


def remove_score(scores, key):
    """Remove a position's score; those behind it move up to where they are found."""
    if scores.count == 0 or slot(scores, key).key != key:
        return
    place = slot(scores, key)
    place.key = 0
    scores.count -= 1
    index = cython.cast(u64, place - scores.slots)
    while True:
        index = (index + 1) & (scores.size - 1)
        moved = scores.slots[index]
        if not moved.key:
            return
        scores.slots[index].key = 0
        slot(scores, moved.key)[0] = moved


def clear_scores(scores):
    """Remove all scores."""
    free(scores.slots)
    scores.slots = cython.NULL
    scores.size = scores.count = 0


def grow(scores):
    """Double the table; False if there is no memory."""
    bigger: ForcedScores
    bigger.size = 2 * scores.size if scores.size else FIRST_SIZE
    bigger.count = scores.count
    bigger.slots = cython.cast(
        cython.pointer[ForcedScore], calloc(bigger.size, cython.sizeof(ForcedScore))
    )
    if bigger.slots == cython.NULL:
        return False
    for index in range(scores.size):
        if scores.slots[index].key:
            slot(cython.address(bigger), scores.slots[index].key)[0] = scores.slots[index]
    free(scores.slots)
    scores[0] = bigger
    return True


def forced_score(scores, key, side, score):
    """Find the score of a position, from the side to move; False if it has none."""
    place = slot(scores, key)
    if place.key != key:
        return False
    score[0] = -place.score if side else place.score
    return True
