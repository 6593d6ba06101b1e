# Learning of a thread's histories.

from rookery_engine.core.types cimport u16
from rookery_engine.search.thread cimport Thread

cdef void update_history(
    Thread* thread, int ply, int depth, u16 best, u16* tried, int count
) noexcept nogil
cdef void reward_known_move(Thread* thread, int ply, u16 move, int depth) noexcept nogil
cdef void reward_reply(Thread* thread, int ply, u16 move, int bonus) noexcept nogil
cdef void blame_early_move(Thread* thread, int ply, int depth) noexcept nogil
cdef void reward_change(Thread* thread, int ply, int gain) noexcept nogil
cdef void reward_previous_move(Thread* thread, int ply, int depth) noexcept nogil
cdef void update_move_history(Thread* thread, int ply, u16 move, int bonus) noexcept nogil
