# Lists of small numbers, compressed by pairs.

from rookery_engine.core.types cimport i64, u8, u16, u32, u64

cdef enum:
    MAX_LENGTH = 32             # bits of a symbol
    MAX_SYMBOLS = 4096          # a symbol's number has 12 bits
    LEAF = 0xFFF                # in place of the second of a pair: the first is a value

ctypedef struct Pairs:
    u8 flags                    # of the whole list; see table_files.pxd
    int constant                # the one value of all positions; -1: there are many
    int span_bits               # positions for each entry of `index`: 2 ** so many
    int block_bits              # bytes of a block likewise
    u32 blocks
    u32 sizes_count
    int min_length              # bits of the shortest symbol
    int lengths                 # how many different lengths there are
    u64[MAX_LENGTH] base        # lowest code of each length, shifted to the top
    u16[MAX_LENGTH] lowest_symbol
    int symbols
    u8* tree                    # 3 bytes a symbol: the two it stands for
    u8* spans                   # values a symbol stands for, less one; owned
    u64 index_count
    u8* index                   # 6 bytes an entry: block, and offset in it
    u8* sizes                   # 2 bytes a block: values in it, less one
    u8* data                    # the blocks
    u8* end                     # of the file

cdef u64 read_codes(Pairs* pairs, u8* file, u64 at, u64 size, u64 count) noexcept nogil
cdef bint measure_all(Pairs* pairs) noexcept nogil
cdef bint measure(Pairs* pairs, u8* known, int symbol) noexcept nogil
cdef int decode(Pairs* pairs, u64 number) noexcept nogil
cdef int decode_block(Pairs* pairs, u32 block, int offset) noexcept nogil

# Numbers of more than a byte are little-endian in the headers, and big-endian in blocks.
cdef inline int small16(u8* at) noexcept nogil:
    return at[0] | at[1] << 8

cdef inline u32 small32(u8* at) noexcept nogil:
    return at[0] | at[1] << 8 | at[2] << 16 | <u32>at[3] << 24

cdef inline u64 big32(u8* at) noexcept nogil:
    return <u64>at[0] << 24 | <u64>at[1] << 16 | <u64>at[2] << 8 | at[3]

cdef inline u64 big64(u8* at) noexcept nogil:
    return big32(at) << 32 | big32(at + 4)

cdef inline int first_of(Pairs* pairs, int symbol) noexcept nogil:
    cdef u8* at = pairs.tree + 3 * symbol
    return at[0] | (at[1] & 15) << 8

cdef inline int second_of(Pairs* pairs, int symbol) noexcept nogil:
    cdef u8* at = pairs.tree + 3 * symbol
    return at[1] >> 4 | at[2] << 4
