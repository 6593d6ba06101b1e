# Files of Syzygy tables, found by material.

from rookery_engine.core.position cimport Position
from rookery_engine.core.system cimport SystemLock
from rookery_engine.core.types cimport popcount, u8, u32, u64
from rookery_engine.syzygy.encoding cimport Encoding
from rookery_engine.syzygy.pairs cimport Pairs

cdef extern from *:
    int ACQUIRE "__ATOMIC_ACQUIRE"
    int RELEASE "__ATOMIC_RELEASE"
    int load_atomic "__atomic_load_n"(int* at, int order) noexcept nogil
    void store_atomic "__atomic_store_n"(int* at, int value, int order) noexcept nogil

cdef enum:
    SLOTS = 8192                # 2 for each of the 1511 materials of up to 7 men, and room
    PARTS = 8                   # of a file: 2 sides to move, 4 files of the leading pawn

cdef enum:  # the two kinds of file
    WDL                         # win, draw or loss
    DTZ                         # distance to zeroing: the next capture or pawn move
    KINDS

cdef enum:  # the state of a file; those from REFUSED on are the reason of a refusal
    MISSING
    UNREAD
    READY
    REFUSED
    UNREADABLE = REFUSED
    WRONG_SIZE
    WRONG_MAGIC
    WRONG_HEADER
    TRUNCATED

cdef enum:  # flags of a DTZ list
    BLACK_TO_MOVE = 1           # of the two sides, the one the list is for
    MAPPED = 2                  # values are places in a map, the most frequent first
    WIN_PLIES = 4               # wins count plies, not moves
    LOSS_PLIES = 8
    WIDE = 16                   # the map has 16 bits a value

# The list of one side to move and one file of the leading pawn.
ctypedef struct Part:
    Encoding encoding
    Pairs pairs
    u64[4] map                  # offset in the file of the map of each result
    u32[4] map_count

ctypedef struct File:
    char* path                  # owned
    int state                   # read and written atomically
    u8* bytes                   # mapped
    u64 size
    Part* parts                 # PARTS of them, owned

# The tables of one material.
ctypedef struct Tablebase:
    u64 material                # with the side that the name has first as White
    u64 mirrored                # the other way round; equal if both sides have the same
    int men
    bint pawns
    bint both_pawns
    bint unique                 # a man besides the kings is the only one of its kind
    u8[12] count                # of each piece
    File[KINDS] files

ctypedef struct Slot:
    u64 material                # 0: empty
    Tablebase* tablebase

ctypedef struct Tablebases:
    Slot[SLOTS] slots
    SystemLock lock             # held while a file is read for the first time
    int count
    int largest                 # men of the largest WDL table

cdef Tablebases* new_tablebases() noexcept nogil
cdef void release_tablebases(Tablebases* tables) noexcept nogil
cdef bint add_path(Tablebases* tables, u64 material, u64 mirrored, int kind, char* path) noexcept nogil
cdef Slot* find_slot(Tablebases* tables, u64 material) noexcept nogil
cdef Tablebase* describe(u64 material, u64 mirrored) noexcept nogil
cdef u64 material_of(Position* pos) noexcept nogil
cdef File* open_tables(Tablebases* tables, Tablebase* tablebase, int kind) noexcept nogil
cdef int read_file(Tablebase* tablebase, int kind) noexcept nogil
cdef int map_file(File* file) noexcept nogil
cdef void close_file(File* file) noexcept nogil
cdef int read_tables(Tablebase* tablebase, int kind) noexcept nogil
cdef u64 read_encodings(Tablebase* tablebase, File* file, int sides) noexcept nogil
cdef bint has_material(Tablebase* tablebase, Encoding* encoding) noexcept nogil
cdef u64 read_maps(File* file, int files, u64 at) noexcept nogil
cdef bint place_lists(File* file, int sides, int files, u64 at) noexcept nogil

# The number of men of a piece, 2 * type + colour, as 4 bits of the material.
cdef inline int count_in(u64 material, int piece) noexcept nogil:
    return (material >> (4 * piece)) & 15

cdef inline Part* part(File* file, int side, int index) noexcept nogil:
    return &file.parts[4 * side + index]
