# A search for nothing but mate.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport u16, u64
from rookery_engine.search.thread cimport Thread

cdef int find_shortest_mate(Thread* thread, int moves, u64 most) noexcept nogil
cdef int find_longest_defence(Thread* thread, int moves, u64 most) noexcept nogil
cdef int mate_in(Thread* thread, int ply, int moves, u64 most) noexcept nogil
cdef int find_mating_move(
    Thread* thread, int ply, int moves, u16* tried, int count, u64 most
) noexcept nogil
cdef bint escapes(Thread* thread, int ply, int moves, u64 most) noexcept nogil
cdef int order_attack(Thread* thread, int ply, u16* moves, u16 first) noexcept nogil
cdef void order_defence(Thread* thread, int ply, u16* moves, int count) noexcept nogil
cdef void mating_line(Thread* thread, int index, int moves, bint attacking) noexcept nogil
cdef bint may_check(Position* pos, u16 move) noexcept nogil
cdef bint is_out_of_nodes(Thread* thread, u64 most) noexcept nogil
