# The index of a position in a Syzygy table.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport bit, lowest, u8, u64

cdef enum:
    MAX_MEN = 7                 # of the largest tables that exist

# The numbering of the positions of one table.  Men are in groups of those that look the
# same; the first group is the pawns of one side, or the kings and perhaps another man.
ctypedef struct Encoding:
    u8[MAX_MEN] pieces          # 2 * type + colour, in the table's order
    int men
    bint pawns                  # there are any
    bint both_pawns             # both sides have some: those of the other side come second
    bint unique                 # a man besides the kings is the only one of its kind
    int file                    # of the leading pawn, a to d
    int groups
    int[MAX_MEN] length         # men in each group
    u64[MAX_MEN] weight         # what each group's number is multiplied by
    u64 count                   # of positions

# The ways to choose so many squares out of so many.
cdef u64[65][MAX_MEN + 1] CHOICES
# The triangle a1-d1-d4: b1 to d3 below the diagonal, then a1 to d4 on it, as 0 to 9.
cdef int[64] TRIANGLE
# The 28 squares below the diagonal a1-h8.
cdef int[64] BELOW
# Two kings, the first by its place in the triangle.
cdef int[10][64] KINGS
# Ranking of pawns: the one with the highest is the leading pawn.
cdef int[64] PAWN_RANKING
# For each number of pawns in the group: the first number of those whose leading pawn is on a
# square; and the count of those with the leading pawn on a file.
cdef u64[MAX_MEN][64] PAWN_LEADS
cdef u64[MAX_MEN][4] PAWN_COUNTS

cdef bint arrange(Encoding* encoding, int lead_order, int pawn_order) noexcept nogil
cdef bint is_sound(Encoding* encoding, int lead_order, int pawn_order) noexcept nogil
cdef u64 count_leads(Encoding* encoding) noexcept nogil
cdef int leading_file(Position* pos, int piece, bint turned) noexcept nogil
cdef u64 encode(Encoding* encoding, Position* pos, bint turned) noexcept nogil
cdef void list_squares(Encoding* encoding, Position* pos, bint turned, int* squares) noexcept nogil
cdef void lead_with_pawn(Encoding* encoding, int* squares) noexcept nogil
cdef void stand_below_diagonal(Encoding* encoding, int* squares) noexcept nogil
cdef u64 number_pawns(Encoding* encoding, int* squares) noexcept nogil
cdef u64 number_three(int* squares) noexcept nogil
cdef void sort(int* squares, int count) noexcept nogil

# The distance of a square above the diagonal from a1 to h8; negative below.
cdef inline int above_diagonal(int square) noexcept nogil:
    return (square >> 3) - (square & 7)
