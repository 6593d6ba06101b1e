# A search for nothing but mate.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport u16, u64
from rookery_engine.search.thread cimport Thread

cdef enum:  # answers of `find_mate` besides the index of a root move
    NO_MATE = -1
    GAVE_UP = -2

# What is known of a position, from the view of the side to move there.
ctypedef struct Proof:
    u16 move                    # that leads there
    u16 won                     # the proof number: 0 if it reaches its aim, NEVER if it cannot
    u16 lost                    # the disproof number: NEVER if it reaches its aim, 0 if it cannot
    u16 length                  # moves until mate, as far as proven; 0 if there is none

cdef int find_mate(Thread* thread, int moves, bint attacking, u64 most) noexcept nogil
cdef void set_line(Thread* thread, int index, int moves, bint attacking, u64 most) noexcept nogil
cdef u16 solve(
    Thread* thread, int ply, int moves, bint attacking, Proof* node, int won_limit, int lost_limit,
    u64 most
) noexcept nogil
cdef int expand(Thread* thread, int ply, int moves, bint attacking, Proof* children) noexcept nogil
cdef void estimate(
    Thread* thread, Position* pos, int moves, bint attacking, Proof* node
) noexcept nogil
cdef Proof* sum_up(
    Proof* children, int count, bint attacking, Proof* node, int* second
) noexcept nogil
cdef void decide(Proof* node, bint won) noexcept nogil
cdef bint is_drawn(Thread* thread, int ply) noexcept nogil
cdef u64 result_key(Thread* thread, Position* pos, int moves, bint attacking) noexcept nogil
cdef bint may_check(Position* pos, u16 move) noexcept nogil
cdef bint is_out_of_nodes(Thread* thread, u64 most) noexcept nogil

cdef inline bint is_decided(Proof* node) noexcept nogil:
    return node.won == 0 or node.lost == 0
