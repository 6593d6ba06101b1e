# What need not be searched; see prune.py.

from rookery_engine.movepick cimport Picker
from rookery_engine.node cimport Candidate, Node

cdef int settle(Node* node) noexcept nogil
cdef bint is_worth_trying(Node* node, Candidate* candidate, Picker* picker) noexcept nogil
