# A game as it is played for training; see recorded_game.py.

from rookery_engine.core.position cimport Position
from rookery_engine.core.types cimport i16, u8, u16, u64

cdef enum:
    MOST_PLIES = 600            # of a game that is kept
    PACKED = 32                 # bytes of a position

# A position in a file: what stands on each occupied square, from a1 on, 4 bits a piece.
ctypedef packed struct Packed:
    u64 occupied
    u8[16] pieces
    u8 side
    u8 en_passant               # 64 is none
    u8 rule50
    u8[4] castling              # squares of the rooks that may castle; 64 is none
    u8 spare

ctypedef packed struct Ply:
    u16 move
    i16 score                   # from the mover's side

cdef class RecordedGame:
    cdef Position position
    cdef Packed start
    cdef u64[MOST_PLIES + 1] keys
    cdef Ply[MOST_PLIES] plies
    cdef readonly int count
    cdef int first_key           # of those since the last irreversible move

    cdef u16 read_move(self, const u8[::1] text)
    cdef void push(self, u16 move) noexcept

cdef void pack(Position* pos, Packed* packed) noexcept nogil
cdef bint unpack(Packed* packed, Position* pos) noexcept nogil
