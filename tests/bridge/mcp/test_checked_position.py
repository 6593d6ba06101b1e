"""Positions that models make up: each is refused, with all of its faults."""

import chess
import pytest

from rookery_bridge.mcp.checked_position import PositionError, corrections, place_pieces


@pytest.mark.parametrize(
    ("fen", "faults"),
    [
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", ["White has 2 kings"]),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", ["Black has no king"]),
        ("4k2P/8/8/8/8/8/8/p3K3 w - - 0 1", ["a pawn is on the last rank", "the first rank"]),
        ("K6k/8/8/8/8/8/8/KP6 w - - 0 1", ["White has 2 kings", "a pawn is on the first rank"]),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", ["black is in check but not to move"]),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", ["Black has 9 pawns"]),
        ("4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1", ["White has 17 men"]),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", ["only promotion gives"]),
        ("4k3/8/8/8/8/B1B5/PPPPPPPP/4K3 w - - 0 1", ["only promotion gives"]),
        ("4k3/8/3N1N2/8/4R3/8/8/4K3 b - - 0 1", ["more pieces give check"]),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", ["side to move must be 'w' or 'b'"]),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", ["8 ranks"]),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", ["8 squares"]),
        ("4k3/8/8/8/8/8/8/4KX2 w - - 0 1", ["rank 1"]),
        ("4k3/8/8/8/8/8/8/4K3", ["side to move is missing"]),
        ("the starting position", ["8 ranks"]),
        ("", ["no whole FEN"]),
        ("\x00" * 50, ["no whole FEN"]),
        ("8/" * 200, ["200 characters at most"]),
    ],
)
def test_a_made_up_position_is_named(fen: str, faults: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        place_pieces(fen)
    for fault in faults:
        assert fault in str(error.value)


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
        "7k/8/8/8/NNNN4/8/8/K7 w - - 0 1",
        "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K",
    ],
)
def test_positions_of_games_are_good(fen: str) -> None:
    board = place_pieces(fen)
    assert board.is_valid()
    assert corrections(fen, board) == []


def test_what_counts_for_nothing_is_said() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3 w KQ e6 0 1"
    board = place_pieces(fen)
    assert len(corrections(fen, board)) == 2
    assert "castling right 'KQ'" in corrections(fen, board)[0]
    assert "en passant square 'e6'" in corrections(fen, board)[1]


def test_words_for_the_start() -> None:
    assert place_pieces("startpos").fen() == place_pieces(None).fen() == chess.STARTING_FEN
