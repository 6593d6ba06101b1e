"""The static evaluation of one position: who stands better, without looking ahead.

The score is the network's (see network.py), made from nothing.  The search does not use
this: it keeps what a move does not change (see accumulator.py), and gets the same.
"""

import cython
from cython.cimports.rookery_engine.core.types import i16
from cython.cimports.rookery_engine.nnue.accumulator import fill
from cython.cimports.rookery_engine.nnue.network import HIDDEN, Row, output


def evaluate(pos, bucket):
    """Return an output's score in the units of `wdl`, from the side of who is to move."""
    own: i16[HIDDEN]
    other: i16[HIDDEN]
    fill(pos, pos.side, cython.cast(Row, own))
    fill(pos, pos.side ^ 1, cython.cast(Row, other))
    return output(cython.cast(Row, own), cython.cast(Row, other), bucket)
