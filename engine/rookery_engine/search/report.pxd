# Reports of a search.

from rookery_engine.core.board cimport Board
from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport i64, u64
from rookery_engine.search.thread cimport RootMove, Thread
from rookery_engine.search.thread_pool cimport ThreadPool

cdef class Report:
    cdef ThreadPool* pool
    cdef Board board
    cdef object send
    cdef i64 started            # ns of the monotonic clock
    cdef bint minimal           # nothing is reported before the end
    cdef bint shows_wdl
    cdef bint shows_refutations
    cdef bint shows_lines
    cdef int material           # for `wdl`
    cdef list best_line         # the first variation, as it was last reported
    cdef bint is_whole          # the last variation ends in the mate of its score
    cdef bint ended_with_lines  # nothing else has been reported since
    cdef i64 last_time          # ms; neither ever falls
    cdef u64 last_nodes

    cdef void report_lines(self, int depth)
    cdef list lines(self, int depth)
    cdef void report_bound(self, int depth, str bound)
    cdef str line(self, int depth, int index, str bound, str numbers)
    cdef str wdl_text(self, int score)
    cdef void report_current_move(self, int depth, int index)
    cdef void tick(self, int depth)
    cdef str numbers(self)
    cdef list variation(self, RootMove* root, int score)
    cdef list mating_line(self, RootMove* root, int plies)
    cdef str ponder_move(self)
    cdef tuple legal_part(self, Thread* thread)

cdef int count_material(Position* pos) noexcept
cdef str score_text(int score)
