"""A position to train on: 32 bytes, from the side to move's view.

All numbers are little endian.
"""

import cython

if not cython.compiled:
    raise ImportError("the trainer is not compiled: run `make train`", name="cython")

from cython.cimports.cpython.bytes import PyBytes_FromStringAndSize
from cython.cimports.rookery_engine.core import fen_codec as _fen
from cython.cimports.rookery_engine.core.position import (
    Position,
    clear_board,
    king_square,
    put_piece,
)
from cython.cimports.rookery_engine.core.types import PIECES, lowest, u16, u64
from cython.cimports.train.sample import SAMPLE, Sample, features, is_sound, turned


def make_sample(pos, score, result, sample):
    """Write a sample: the position, and the score and result of the side to move."""
    flip: cython.int = 56 if pos.side else 0
    for index in range(16):
        sample.pieces[index] = 0
    sample.occupied = pos.colours[0] | pos.colours[1]
    if pos.side:
        sample.occupied = turned(sample.occupied)
    left: u64 = sample.occupied
    number: cython.int = 0
    while left:
        piece = pos.board[lowest(left) ^ flip] ^ pos.side
        sample.pieces[number >> 1] |= piece << (4 * (number & 1))
        left &= left - 1
        number += 1
    sample.score = score
    sample.result = result
    sample.king = king_square(pos, pos.side) ^ flip
    sample.enemy_king = king_square(pos, pos.side ^ 1) ^ flip
    sample.men = number
    sample.spare[0] = sample.spare[1] = 0


def sample_of(fen: str) -> bytes:
    """Return a position's sample, with a score of 0 and as drawn.

    Raises:
        FenError: the position is none.

    """
    pos: Position
    sample: Sample
    _fen.read_fen(cython.address(pos), fen, False)
    make_sample(cython.address(pos), 0, 1, cython.address(sample))
    return PyBytes_FromStringAndSize(cython.cast(cython.p_char, cython.address(sample)), SAMPLE)


def fen_of(data: bytes) -> str:
    """Return a sample's position as FEN: White is the side to move, and cannot castle.

    Raises:
        ValueError: the bytes are no sample.

    """
    pos: Position
    sample = read_sample(data)
    clear_board(cython.address(pos))
    left: u64 = sample.occupied
    number: cython.int = 0
    while left:
        piece: cython.int = sample.pieces[number >> 1] >> (4 * (number & 1)) & 15
        if piece >= PIECES:
            raise ValueError("these bytes are no sample")
        put_piece(cython.address(pos), lowest(left), piece)
        left &= left - 1
        number += 1
    return _fen.write_fen(cython.address(pos), False)


def features_of(data: bytes) -> tuple[list[int], list[int]]:
    """Return the features of a sample's bytes: the side to move's, the other side's.

    Raises:
        ValueError: they are no sample.

    """
    sample = read_sample(data)
    ours: u16[32]
    theirs: u16[32]
    count: cython.int = features(sample, cython.address(ours[0]), cython.address(theirs[0]))
    return [ours[i] for i in range(count)], [theirs[i] for i in range(count)]


def read_sample(data):
    """Return the sample that the bytes are.

    Raises:
        ValueError: they are none.

    """
    if len(data) != SAMPLE:
        raise ValueError(f"a sample has {SAMPLE} bytes, not {len(data)}")
    sample = cython.cast(cython.pointer(Sample), cython.cast(cython.p_char, data))
    if not is_sound(sample):
        raise ValueError("these bytes are no sample")
    return sample
