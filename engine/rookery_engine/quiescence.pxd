# The search's leaves; see quiescence.py.

from rookery_engine.thread cimport Thread

cdef int quiescence(Thread* thread, int alpha, int beta, int ply) noexcept nogil
