"""Lists of small numbers, compressed by pairs, with access to any place.

Pairs of values that are often side by side became one symbol, again and again
("recursive pairing", Larsson and Moffat); the symbols were then given canonical
Huffman codes.  Blocks of codes are of one size in bytes, so that an index with an
entry every so many positions finds the block of any.

Offsets and symbols of a file are checked before they are used, so a damaged file gives
wrong numbers or none, and does no other harm.
"""

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.rookery_engine.core.types import i64, u8, u64

CONSTANT = cython.declare(cython.int, 0x80)  # flag of a list with one value
NOTHING = cython.declare(cython.int, -1)  # decoded from a damaged file


def read_codes(pairs, file, at, size, count):
    """Read the code of a list of `count` values; return the offset of its end, 0 if unsound."""
    pairs.constant = NOTHING
    if at + 2 > size:
        return 0
    pairs.flags = file[at]
    pairs.end = file + size
    if pairs.flags & CONSTANT:
        pairs.constant = file[at + 1]
        return at + 2
    if at + 10 > size:
        return 0
    pairs.block_bits = file[at + 1]
    pairs.span_bits = file[at + 2]
    pairs.blocks = small32(file + at + 4)
    padded = cython.cast(u64, pairs.blocks) + file[at + 3]
    longest: cython.int = file[at + 8]
    pairs.min_length = file[at + 9]
    pairs.lengths = longest - pairs.min_length + 1
    if pairs.block_bits > 30 or pairs.span_bits > 30 or not 1 <= pairs.min_length <= longest:
        return 0
    if longest > MAX_LENGTH or padded > 0x7FFFFFFF:
        return 0
    pairs.sizes_count = padded
    pairs.index_count = ((count - 1) >> pairs.span_bits) + 1
    at += 10
    if at + 2 * pairs.lengths + 2 > size:
        return 0
    for place in range(pairs.lengths):
        pairs.lowest_symbol[place] = small16(file + at + 2 * place)
    at += 2 * pairs.lengths
    pairs.symbols = small16(file + at)
    at += 2
    pairs.tree = file + at
    at += 3 * pairs.symbols + (pairs.symbols & 1)
    if at > size or not 1 <= pairs.symbols <= MAX_SYMBOLS or not measure_all(pairs):
        return 0

    # Longer codes are lower numbers; each length begins where those below it end.
    pairs.base[pairs.lengths - 1] = 0
    for place in range(pairs.lengths - 2, -1, -1):
        codes = cython.cast(i64, pairs.lowest_symbol[place]) - pairs.lowest_symbol[place + 1]
        pairs.base[place] = (pairs.base[place + 1] + cython.cast(u64, codes)) >> 1
    for place in range(pairs.lengths):
        pairs.base[place] <<= 64 - pairs.min_length - place
    return at


def measure_all(pairs):
    """Count the values that each symbol stands for; False if that is impossible."""
    pairs.spans = cython.cast(cython.pointer[u8], calloc(2, pairs.symbols))
    if pairs.spans == cython.NULL:
        return False
    known = pairs.spans + pairs.symbols
    for symbol in range(pairs.symbols):
        if not measure(pairs, known, symbol):
            free(pairs.spans)
            pairs.spans = cython.NULL
            return False
    return True


def measure(pairs, known, symbol):
    """Count the values that a symbol stands for; False if it contains itself, or too many."""
    if known[symbol]:
        return known[symbol] == 2
    known[symbol] = 1
    second = second_of(pairs, symbol)
    if second != LEAF:
        first = first_of(pairs, symbol)
        if first >= pairs.symbols or second >= pairs.symbols:
            return False
        if not measure(pairs, known, first) or not measure(pairs, known, second):
            return False
        span = cython.cast(cython.int, pairs.spans[first]) + pairs.spans[second] + 1
        if span > 255:
            return False
        pairs.spans[symbol] = span
    known[symbol] = 2
    return True


def decode(pairs, number):
    """Return the value at a place of the list; `NOTHING` if the file is damaged."""
    if pairs.constant != NOTHING:
        return pairs.constant
    entry = number >> pairs.span_bits
    if entry >= pairs.index_count:
        return NOTHING
    # The entry points at the value in the middle of its span.
    half = (cython.cast(i64, 1) << pairs.span_bits) >> 1
    place = cython.cast(i64, number & ((cython.cast(u64, 1) << pairs.span_bits) - 1)) - half
    at = pairs.index + 6 * entry
    block: i64 = small32(at)
    place += small16(at + 4)
    while place < 0:
        block -= 1
        if block < 0 or block >= pairs.sizes_count:
            return NOTHING
        place += small16(pairs.sizes + 2 * block) + 1
    while True:
        if block >= pairs.blocks:
            return NOTHING
        last = small16(pairs.sizes + 2 * block)
        if place <= last:
            return decode_block(pairs, block, place)
        place -= last + 1
        block += 1


def decode_block(pairs, block, offset):
    """Return the value at an offset within a block."""
    at = pairs.data + (cython.cast(u64, block) << pairs.block_bits)
    code = big64(at)
    at += 8
    left = 64  # bits of `code` that are the file's
    symbol: cython.int
    while True:
        place = 0
        while code < pairs.base[place]:
            place += 1
        length = pairs.min_length + place
        ahead = (code - pairs.base[place]) >> (64 - length)
        if ahead + pairs.lowest_symbol[place] >= cython.cast(u64, pairs.symbols):
            return NOTHING
        symbol = cython.cast(cython.int, ahead) + pairs.lowest_symbol[place]
        if offset <= pairs.spans[symbol]:
            break
        offset -= pairs.spans[symbol] + 1
        code <<= length
        left -= length
        if left <= 32:
            if at + 4 <= pairs.end:
                code |= big32(at) << (32 - left)
            at += 4
            left += 32
    while pairs.spans[symbol]:
        first = first_of(pairs, symbol)
        if offset <= pairs.spans[first]:
            symbol = first
        else:
            offset -= pairs.spans[first] + 1
            symbol = second_of(pairs, symbol)
    return first_of(pairs, symbol)
