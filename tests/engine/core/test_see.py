"""Exchanges on one square, with their exact outcome."""

import pytest

from rookery_engine.core.board import Board

PAWN, KNIGHT, BISHOP, ROOK, QUEEN = 100, 325, 325, 500, 950


@pytest.mark.parametrize(("fen", "move", "gain"), [
    ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", PAWN),
    ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", PAWN - KNIGHT),
    ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", PAWN),
    ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
    ("4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5", KNIGHT - PAWN),
    ("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", PAWN - QUEEN),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", PAWN),
    ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", QUEEN - PAWN),
    ("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -PAWN),
    ("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", ROOK + QUEEN - PAWN),
    ("3rk3/8/8/8/8/8/3R4/3RK3 w - - 0 1", "d2d8", ROOK - ROOK + ROOK),  # the king may not take
    ("4k3/8/8/8/8/8/3r4/3RK3 w - - 0 1", "d1d2", ROOK),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0),
    ("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "f3d4", -KNIGHT),
])  # fmt: skip
def test_exchange(fen: str, move: str, gain: int) -> None:
    board = Board(fen)
    assert board.see_ge(move, gain)
    assert not board.see_ge(move, gain + 1)
