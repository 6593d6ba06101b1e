# Probing of Syzygy tables.

from rookery_engine.core.position cimport Position
from rookery_engine.syzygy.table_files cimport Tablebase, Tablebases

cdef enum:  # results, from the side to move
    LOSS = -2
    BLESSED_LOSS = -1           # a loss that the fifty-move rule makes a draw
    TABLE_DRAW = 0
    CURSED_WIN = 1              # a win that the fifty-move rule makes a draw
    WIN = 2

# The outcome of a probe; the values from KNOWN on are good.
cdef enum:
    UNKNOWN                     # there is no such table
    OTHER_SIDE                  # the DTZ table is of the other side to move
    KNOWN
    BY_ZEROING                  # the best move is a capture, or a pawn move if those count

cdef class Prober:
    cdef Tablebases* tables
    cdef readonly int wdl_count
    cdef readonly int dtz_count

    cdef int list_folder(self, str folder, list messages) except -1
    cdef bint add_file(self, str path, str name)

cdef int probe_wdl(Tablebases* tables, Position* pos, int* ok) noexcept nogil
cdef int probe_dtz(Tablebases* tables, Position* pos, int* ok) noexcept nogil
cdef int best_reply_dtz(Tablebases* tables, Position* pos, int wdl, int* ok) noexcept nogil
cdef int resolve(Tablebases* tables, Position* pos, bint pawns_too, int* how) noexcept nogil
cdef int probe_wdl_table(Tablebases* tables, Position* pos, int* how) noexcept nogil
cdef int probe_dtz_table(Tablebases* tables, Position* pos, int wdl, int* how) noexcept nogil
cdef int probe_table(
    Tablebases* tables, Position* pos, int kind, int wdl, int* how
) noexcept nogil

# The DTZ of a position whose best move is a zeroing one, by its result.
cdef inline int dtz_before_zeroing(int wdl) noexcept nogil:
    if wdl == WIN or wdl == LOSS:
        return wdl // 2
    return 101 * wdl

cdef inline int sign(int value) noexcept nogil:
    return 1 if value > 0 else -1 if value < 0 else 0
