# What is told of a search; see report.py.

from rookery_engine.board cimport Board
from rookery_engine.position cimport Position
from rookery_engine.team cimport Team
from rookery_engine.thread cimport RootMove, Thread
from rookery_engine.types cimport MAX_PLY, i64, u16, u64

# A line that is made longer move by move, with the keys that it must not repeat.
ctypedef struct Walk:
    Position here
    Position next
    u64[MAX_PLY + 2] keys
    int length

cdef class Report:
    cdef Team* team
    cdef Board board
    cdef object send
    cdef i64 started            # ns of the monotonic clock
    cdef bint minimal           # nothing is told before the end
    cdef bint shows_wdl
    cdef bint shows_refutations
    cdef bint shows_lines
    cdef int material           # for `wdl`
    cdef list best_line         # the first variation, as it was last told
    cdef bint ended_with_lines  # nothing else has been told since
    cdef i64 last_time          # ms; neither ever falls
    cdef u64 last_nodes

    cdef void tell_lines(self, int depth)
    cdef list lines(self, int depth)
    cdef void tell_bound(self, int depth, str bound)
    cdef str line(self, int depth, int index, str bound, str numbers)
    cdef str wdl_text(self, int score)
    cdef void tell_current(self, int depth, int index)
    cdef void tick(self, int depth)
    cdef str numbers(self)
    cdef list variation(self, RootMove* root, int score)
    cdef str ponder_move(self)
    cdef tuple legal_part(self, Thread* thread)

cdef void start_walk(Walk* walk, Position* pos) noexcept
cdef bint step(Walk* walk, u16 move) noexcept
cdef u16 known_move(Walk* walk, Team* team) noexcept
cdef int count_material(Position* pos) noexcept
cdef str score_text(int score)
