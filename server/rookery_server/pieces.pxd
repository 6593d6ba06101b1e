# C signatures of pieces.py.

cpdef bint only_info(bytes piece)
