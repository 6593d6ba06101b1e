# Quiescence search.

from rookery_engine.search.thread cimport Thread

cdef int quiescence(Thread* thread, int alpha, int beta, int ply) noexcept nogil
