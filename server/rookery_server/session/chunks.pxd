# C signatures of pieces.py.

cdef enum:
    PROGRESS = 0
    REFUTATION = 1
    CURRLINE = 2
    FIRST_VARIATION = 4         # multipv 1; engines that count from 0 have one more
    SUBJECTS = 1024             # the most legal moves of a position are 218

cdef enum:                      # what is kept of a piece:
    ALL = 0                     # all but what a later line replaces
    INFO = 1                    # of that the `info` lines
    EXACT = 2                   # of these the variations with a score that is no bound

cdef char* _find(char* text, char* stop, char* word, Py_ssize_t length) noexcept nogil
cdef bint _starts(char* text, char* stop, char* word, Py_ssize_t length) noexcept nogil
cdef char* _after_line(char* text, char* stop) noexcept nogil
cdef char* _line_before(char* begin, char* stop) noexcept nogil
cdef int _subject(char* text, char* stop) noexcept nogil
cdef bint _is_owed(char* text, char* stop) noexcept nogil
cdef bint _is_bound(char* text, char* stop) noexcept nogil
cdef bint _is_plain(char* text, Py_ssize_t length) noexcept nogil
cdef bint _may_be_notice(char* text, char* stop) noexcept nogil
cdef char* _after_blanks(char* text, char* stop) noexcept nogil

cdef bint _starts_with_one(char* text, char* stop, tuple starts)

cdef bytes _kept(bytes piece, int wanted)

cpdef bint only_info(bytes piece)
cpdef Py_ssize_t count_owed(bytes piece)
cpdef Py_ssize_t after_owed(bytes piece, Py_ssize_t count)
cpdef bytes squeeze(bytes piece)
cpdef bytes last_variation(bytes piece)
cpdef bytes newest_exact(bytes piece)
cpdef bytes without_blanks(bytes piece)
cpdef list runs(bytes piece, tuple starts)
