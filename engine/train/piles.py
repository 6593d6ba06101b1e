"""Samples in memory: a pile for training and one for validation, which grow.

Every 64th game is for validation, as a whole: positions of one game are too much alike.
"""

import cython

if not cython.compiled:
    raise ImportError("the trainer is not compiled: run `make train`", name="cython")

from cython.cimports.cpython.buffer import PyBUF_READ
from cython.cimports.cpython.memoryview import PyMemoryView_FromMemory
from cython.cimports.libc.stdlib import calloc, free, realloc
from cython.cimports.libc.string import memcpy
from cython.cimports.rookery_engine.core.position import next_random
from cython.cimports.rookery_engine.core.types import u64
from cython.cimports.train.sample import SAMPLE, Sample

PLACES_EACH = cython.declare(cython.double, 1.5)  # of the table of positions, for each sample


class Piles:
    """The two piles of samples."""

    def __dealloc__(self):
        for index in range(2):
            free(self.piles[index].samples)

    @property
    def total(self) -> int:
        """The number of samples, for training and for validation."""
        return self.piles[0].count + self.piles[1].count

    def take_samples(self, other: "Piles") -> None:
        """Take all samples of others, which are empty then.

        Raises:
            MemoryError: there is no room for them.

        """
        for index in range(2):
            pile: cython.pointer[Pile] = cython.address(self.piles[index])
            source: cython.pointer[Pile] = cython.address(other.piles[index])
            if not make_room(pile, source.count):
                raise MemoryError("there is not enough memory for the samples")
            if source.count:
                memcpy(pile.samples + pile.count, source.samples, source.count * SAMPLE)
            pile.count += source.count
            free(source.samples)
            source.samples = cython.NULL
            source.count = source.room = 0

    def drop_repeated(self) -> None:
        """Keep one sample of each position, rather for training than for validation.

        Raises:
            MemoryError: there is no room for a table of the positions.

        """
        places: u64 = cython.cast(u64, PLACES_EACH * self.total) + 1
        seen = cython.cast(cython.pointer[u64], calloc(places, cython.sizeof(u64)))
        if seen == cython.NULL:
            raise MemoryError("there is not enough memory to find repeated positions")
        with cython.nogil:
            for index in range(2):
                drop_seen(cython.address(self.piles[index]), seen, places)
        free(seen)

    def shuffle(self, seed: int) -> None:
        """Shuffle the samples by the seed alone."""
        for index in range(2):
            number: u64 = (2 * seed + index + 1) & 0xFFFFFFFF
            with cython.nogil:
                mix(cython.address(self.piles[index]), number)

    def samples(self, which: int) -> memoryview:
        """Return the samples for training (0) or validation (1), as bytes.

        They are valid until more are added, and as long as the piles.
        """
        pile: cython.pointer[Pile] = cython.address(self.piles[1 if which else 0])
        if not pile.count:
            return memoryview(b"")
        return PyMemoryView_FromMemory(
            cython.cast(cython.p_char, pile.samples), pile.count * SAMPLE, PyBUF_READ
        )


def make_room(pile, more):
    """Make room for more samples in a pile; False if there is no memory."""
    if pile.count + more <= pile.room:
        return True
    room: cython.long = pile.room * 3 // 2 + more + 65536
    grown = cython.cast(cython.pointer(Sample), realloc(pile.samples, room * SAMPLE))
    if not grown:
        return False
    pile.samples = grown
    pile.room = room
    return True


def mix(pile, seed):
    """Shuffle by the algorithm of Fisher and Yates."""
    kept: Sample
    left: cython.long = pile.count
    while left > 1:
        other: cython.long = next_random(cython.address(seed)) % cython.cast(u64, left)
        left -= 1
        kept = pile.samples[left]
        pile.samples[left] = pile.samples[other]
        pile.samples[other] = kept


def drop_seen(pile, seen, places):
    """Drop the samples whose position is in a hash table, and add those of the others to it."""
    kept: cython.long = 0
    for index in range(pile.count):
        key: u64 = key_of(pile.samples + index)
        place: u64 = key % places
        while seen[place] != 0 and seen[place] != key:
            place = place + 1 if place + 1 < places else 0
        if seen[place] == 0:
            seen[place] = key
            pile.samples[kept] = pile.samples[index]
            kept += 1
    pile.count = kept


def key_of(sample):
    """Return a hash of the position of a sample."""
    words = cython.cast(cython.pointer[u64], cython.address(sample.pieces[0]))
    key: u64 = sample.occupied
    key = next_random(cython.address(key)) ^ words[0]
    key = next_random(cython.address(key)) ^ words[1]
    return next_random(cython.address(key))
