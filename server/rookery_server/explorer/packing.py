"""Positions and moves as numbers, and the entry of a position in the file.  No I/O."""

import struct
from hashlib import blake2b

import chess
import msgspec

KEY_OFFSET = 1 << 63  # from a key to a row of SQLite, whose numbers have a sign

_BOARD = struct.Struct("<9QBB")
_PROMOTIONS = (None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


class MoveCounts(msgspec.Struct, array_like=True):
    """A move, the results of its games, and their rating and last year; 0 is not known."""

    move: int
    white: int = 0
    draws: int = 0
    black: int = 0
    rating: int = 0
    year: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.white + self.draws + self.black


class PositionEntry(msgspec.Struct, array_like=True):
    """The moves of a position, the most frequent first, and the ids of its best games."""

    moves: list[MoveCounts]
    games: list[int]


encode_entry = msgspec.msgpack.Encoder().encode
decode_entry = msgspec.msgpack.Decoder(PositionEntry).decode


def key_of(board: chess.Board) -> int:
    """Return 64 bits of a position; positions that FIDE's rules call the same have the same."""
    en_passant = board.ep_square if board.ep_square and board.has_legal_en_passant() else 0
    packed = _BOARD.pack(
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.clean_castling_rights(),
        board.turn,
        en_passant,
    )
    return int.from_bytes(blake2b(packed, digest_size=8).digest())


def pack_move(move: chess.Move) -> int:
    """Return 15 bits of a move: from, to, and the promotion."""
    return move.from_square | move.to_square << 6 | _PROMOTIONS.index(move.promotion) << 12


def unpack_move(bits: int) -> chess.Move:
    """Return the move of some bits."""
    return chess.Move(bits & 63, bits >> 6 & 63, _PROMOTIONS[bits >> 12 & 7])
