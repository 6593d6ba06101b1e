"""Moves, written and read: rows 30 to 37."""

import chess
import pytest
from conformance.rows import rows

ROOKS = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1"
PAWN_ON_SEVENTH = "8/P6k/8/8/8/8/p6K/8 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATE_BY_KNIGHT = "6br/5Ppk/7p/8/8/8/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"

OVER = [MATED, STALEMATED]


def legal_moves(fen, *moves):
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    return {move.uci() for move in board.legal_moves}


@rows(31)
@pytest.mark.parametrize("go", ["go depth 2", "go movetime 50", "go nodes 10", "go wtime 100"])
@pytest.mark.parametrize("fen", OVER)
def test_finished_game_gets_a_bestmove(gui, fen, go):
    assert gui.search(go, f"position fen {fen}").said in ("0000", "(none)")


@rows(32)
@pytest.mark.parametrize("fen", OVER)
def test_no_move_is_written_0000(gui, fen):
    assert gui.search("go depth 2", f"position fen {fen}").said == "0000"


@rows(33)
@pytest.mark.parametrize("moves", ["e1g1", "e1c1", "a2a3 e8g8", "a2a3 e8c8", "e1g1 e8c8"])
def test_castling_is_understood(gui, moves):
    heard = gui.moves(f"position fen {ROOKS} moves {moves}")
    assert heard == legal_moves(ROOKS, *moves.split())


@rows(34)
@pytest.mark.parametrize("castling", ["e1g1", "e1c1", "e8g8", "e8c8"])
def test_castling_is_sent_as_the_kings_move(gui, castling):
    fen = ROOKS if castling.startswith("e1") else ROOKS.replace(" w ", " b ")
    search = gui.search(f"go depth 2 searchmoves {castling}", f"position fen {fen}")
    assert search.move == castling


@rows(35)
@pytest.mark.parametrize("piece", "qrbn")
def test_promotion_is_understood(gui, piece):
    moves = [f"a7a8{piece}", f"a2a1{piece}"]
    heard = gui.moves(f"position fen {PAWN_ON_SEVENTH} moves {' '.join(moves)}")
    assert heard == legal_moves(PAWN_ON_SEVENTH, *moves)


@rows(36)
def test_promotion_is_sent_with_its_letter(gui):
    search = gui.search("go depth 12", f"position fen {PAWN_ON_SEVENTH}")
    assert search.move == "a7a8q"


@rows(36)
def test_underpromotion_is_played_when_it_is_best(gui):
    search = gui.search("go depth 4", f"position fen {MATE_BY_KNIGHT}")
    assert search.move == "f7f8n"


@rows(37)
def test_en_passant_is_understood_in_a_list_of_moves(gui):
    moves = ["e2e4", "a7a6", "e4e5", "d7d5"]
    heard = gui.moves(f"position startpos moves {' '.join(moves)}")
    assert "e5d6" in heard
    assert heard == legal_moves(chess.STARTING_FEN, *moves)
    moves.append("e5d6")
    assert gui.moves(f"position startpos moves {' '.join(moves)}") == legal_moves(
        chess.STARTING_FEN, *moves
    )


@rows(37)
def test_en_passant_is_understood_from_the_fen(gui):
    assert "e5d6" in gui.moves(f"position fen {EN_PASSANT}")
    assert "e5d6" not in gui.moves(f"position fen {EN_PASSANT.replace(' d6 ', ' - ')}")
