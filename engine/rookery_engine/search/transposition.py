"""The transposition table: earlier results of the search, by position.

Sixteen bytes an entry, four entries a cache line.  Threads share the table
without locks: the key is stored xor the data, so an entry of which two threads
wrote one half each matches no position (R. Hyatt's lockless hashing, see the
chess programming wiki, Shared Hash Table).

The memory comes from the operating system in one piece, untouched.  So a table
of many GiB is made, and emptied, in no time: pages are zeroed when first used.
"""

import cython
from cython.cimports.libc.string import memset
from cython.cimports.rookery_engine.core.system import renew, reserve, unreserve
from cython.cimports.rookery_engine.core.types import NO_MOVE, WIN_BOUND, i16, u64


def resize_table(table, mib):
    """Give the table a new size, and no content; False if there is no such memory.

    The old memory is released first, since both might not fit.
    """
    release_table(table)
    size = mib << 20
    memory = reserve(size)
    if memory == cython.NULL:
        return False
    table.buckets = cython.cast(cython.pointer[Bucket], memory)
    table.count = size // cython.sizeof(Bucket)
    table.age = 0
    return True


def release_table(table):
    """Release the memory."""
    if table.count:
        unreserve(table.buckets, table.count * cython.sizeof(Bucket))
    table.buckets = cython.NULL
    table.count = 0


def clear_table(table):
    """Forget everything."""
    size = table.count * cython.sizeof(Bucket)
    if not renew(table.buckets, size):
        memset(table.buckets, 0, size)
    table.age = 0


def next_age(table):
    """Begin a new search: the entries of earlier ones are worth less from now on."""
    table.age = (table.age + 1) % AGES


def probe(table, key, ply, found):
    """Look up a position; False, and `found` emptied, if it is not known.

    Mates and wins in tablebases are stored relative to their position; `ply` makes them
    relative to the root.
    """
    home = bucket(table, key)
    for index in range(ENTRIES):
        data = home.entries[index].data
        if home.entries[index].key ^ data == key and data:
            found.move = data & 0xFFFF
            score: cython.int = cython.cast(i16, (data >> 16) & 0xFFFF)
            if score >= WIN_BOUND:
                score -= ply
            elif score <= -WIN_BOUND:
                score += ply
            found.score = score
            found.evaluation = cython.cast(i16, (data >> 32) & 0xFFFF)
            found.depth = cython.cast(cython.int, (data >> 48) & 0xFF) - DEPTH_OFFSET
            found.bound = (data >> 56) & 3
            found.in_pv = (data >> 58) & 1
            return True
    found.move = NO_MOVE
    found.bound = NO_BOUND
    found.depth = -DEPTH_OFFSET
    found.in_pv = False
    return False


def store(table, key, ply, move, score, evaluation, depth, bound, in_pv):
    """Store a result of the search, in place of the least valuable entry.

    The same position keeps its place, and its move if no other one is known;
    a shallower result does not replace a much deeper one, unless it is exact.
    """
    home = bucket(table, key)
    place = cython.address(home.entries[0])
    least = 1 << 20
    for index in range(ENTRIES):
        entry = cython.address(home.entries[index])
        data = entry.data
        if entry.key ^ data == key:
            if move == NO_MOVE:
                move = data & 0xFFFF
            old_depth = cython.cast(cython.int, (data >> 48) & 0xFF) - DEPTH_OFFSET
            if bound != EXACT and depth < old_depth - KEEP_DEEPER and data >> 59 == table.age:
                return
            place = entry
            break
        value = worth(table, data)
        if value < least:
            least = value
            place = entry
    if score >= WIN_BOUND:
        score += ply
    elif score <= -WIN_BOUND:
        score -= ply
    packed: u64 = move
    packed |= cython.cast(u64, score & 0xFFFF) << 16
    packed |= cython.cast(u64, evaluation & 0xFFFF) << 32
    packed |= cython.cast(u64, (depth + DEPTH_OFFSET) & 0xFF) << 48
    packed |= cython.cast(u64, bound) << 56
    packed |= cython.cast(u64, in_pv) << 58
    packed |= cython.cast(u64, table.age) << 59
    place.data = packed
    place.key = key ^ packed


def worth(table, data):
    """Return the value of an entry: deep and new ones are worth most."""
    if not data:
        return -AGES * AGE_WORTH - 1
    age = (table.age + AGES - cython.cast(cython.int, data >> 59)) % AGES
    return cython.cast(cython.int, (data >> 48) & 0xFF) - age * AGE_WORTH


def permill_full(table):
    """Return the permill of entries that this search has written."""
    used = 0
    sample = SAMPLE if table.count > SAMPLE else table.count
    for index in range(sample):
        for slot in range(ENTRIES):
            data = table.buckets[index].entries[slot].data
            if data and data >> 59 == table.age:
                used += 1
    return used * 1000 // (cython.cast(cython.int, sample) * ENTRIES) if sample else 0
