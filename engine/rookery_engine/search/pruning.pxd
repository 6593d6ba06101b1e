# Pruning of nodes and moves.

from rookery_engine.search.movepick cimport Picker
from rookery_engine.search.node cimport Candidate, Node

cdef int reverse_futility(Node* node) noexcept nogil
cdef int razor(Node* node) noexcept nogil
cdef int null_move(Node* node) noexcept nogil
cdef int prob_cut(Node* node) noexcept nogil
cdef int prob_cut_by_table(Node* node) noexcept nogil
cdef bint is_worth_trying(Node* node, Candidate* candidate, Picker* picker) noexcept nogil
