# C signatures of framing.py.

from libc.stdint cimport uint8_t

cdef Py_ssize_t _head_size(Py_ssize_t length) noexcept nogil
cdef uint8_t* _line_end(uint8_t* text, uint8_t* stop) noexcept nogil
cdef uint8_t* _put_frame(uint8_t* out, uint8_t* text, Py_ssize_t length) noexcept nogil
cdef Py_ssize_t _masked_head_size(uint8_t* frame, Py_ssize_t available) noexcept nogil
cdef Py_ssize_t _payload_size(uint8_t* frame) noexcept nogil
cdef Py_ssize_t _digits(uint8_t* frame) noexcept nogil

cpdef bytes frames(bytes piece)
cpdef bytes text_of(bytes data)

cdef class Bounds:
    cdef Py_ssize_t _owed, _size
    cdef bint _is_lost
    cdef uint8_t[10] _head
    cdef bint _is_measured(self)
    cpdef Py_ssize_t scan(self, bytes data)
