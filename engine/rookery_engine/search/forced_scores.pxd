# Scores that the GUI gave to positions.

from rookery_engine.core.types cimport u64

ctypedef struct Value:
    u64 key                     # of the position; 0 is an empty slot
    int score                   # from White's side

ctypedef struct Values:
    Value* slots
    u64 size                    # a power of two, or 0
    u64 count

cdef bint put(Values* values, u64 key, int score) noexcept nogil
cdef void drop(Values* values, u64 key) noexcept nogil
cdef void clear(Values* values) noexcept nogil
cdef bint grow(Values* values) noexcept nogil
cdef bint given(Values* values, u64 key, int side, int* score) noexcept nogil

cdef inline Value* slot(Values* values, u64 key) noexcept nogil:
    cdef u64 index = key & (values.size - 1)
    while values.slots[index].key and values.slots[index].key != key:
        index = (index + 1) & (values.size - 1)
    return &values.slots[index]
