"""Chess960: rows 217 to 222."""

from pathlib import Path

import chess
import pytest
from conformance.rows import rows

PERFT = [
    line.split(";")
    for line in (Path(__file__).parents[1] / "data" / "perft960.epd").read_text().splitlines()
]
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
NEAR = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1"  # Kc1 and castling to c1 are two moves
SHREDDER = "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w FCfc - 0 1"
OPENED = "2rk1r2/8/8/8/8/8/8/2RK1R2 {} {} - 0 1"
INNER = "r1rk1r1r/8/8/8/8/8/8/R1RK1R1R w FCfc - 0 1"  # not the outermost rooks


@pytest.fixture
def gui(gui):
    gui.option("UCI_Chess960")
    gui.set_option("UCI_Chess960", "true")
    return gui


def legal_moves(fen, *moves):
    board = chess.Board(fen, chess960=True)
    for move in moves:
        board.push_uci(move)
    return {board.uci(move) for move in board.legal_moves}


@rows(217)
@pytest.mark.parametrize("moves", [["e1h1"], ["e1a1"], ["a1b1", "e8h8"], ["a1b1", "e8a8"]])
def test_king_takes_rook_is_understood(gui, moves):
    assert gui.moves(f"position fen {ROOKS} moves {' '.join(moves)}") == legal_moves(ROOKS, *moves)


@rows(218)
@pytest.mark.parametrize("castling", ["e1h1", "e1a1", "e8h8", "e8a8"])
def test_castling_is_sent_as_king_takes_rook(gui, castling):
    fen = ROOKS if castling.startswith("e1") else ROOKS.replace(" w ", " b ")
    search = gui.search(f"go depth 2 searchmoves {castling}", f"position fen {fen}")
    assert search.move == castling


@rows(219)
@pytest.mark.parametrize("fen", [SHREDDER, OPENED.format("w", "FCfc"), OPENED.format("b", "FCfc"),
                                 INNER, NEAR, OPENED.format("w", "Fc")])  # fmt: skip
def test_shredder_fen_is_understood(gui, fen):
    assert gui.moves(f"position fen {fen}") == legal_moves(fen)


@rows(220)
@pytest.mark.parametrize("castling", ["KQkq", "Kq", "Q", "-"])
@pytest.mark.parametrize("side", "wb")
def test_x_fen_is_understood(gui, castling, side):
    fen = OPENED.format(side, castling)
    assert gui.moves(f"position fen {fen}") == legal_moves(fen)


@rows(221)
def test_king_step_and_castling_are_two_moves(gui):
    assert {"b1c1", "b1a1"} <= gui.moves(f"position fen {NEAR}")
    for move in ("b1c1", "b1a1"):
        heard = gui.moves(f"position fen {NEAR} moves {move} e8e7")
        assert heard == legal_moves(NEAR, move, "e8e7")
        search = gui.search(f"go depth 2 searchmoves {move}", f"position fen {NEAR}")
        assert search.move == move


@rows(222)
@pytest.mark.parametrize(("fen", "counts"), [(fen.strip(), counts) for fen, *counts in PERFT])
def test_perft_of_chess960(gui, fen, counts):
    gui.say(f"position fen {fen}")
    for text in counts[:3]:
        depth, nodes = text.removeprefix("D").split()
        assert gui.ask(f"go perft {depth}", until="Nodes searched")[-1].split()[-1] == nodes
