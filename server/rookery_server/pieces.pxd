# C signatures of pieces.py.

cdef char* _line_end(char* text, char* stop) noexcept nogil
cdef int _head_size(Py_ssize_t length) noexcept nogil
cdef char* _put_frame(char* out, char* text, Py_ssize_t length) noexcept nogil

cpdef bytes frames(bytes piece)
cpdef bint only_info(bytes piece)
