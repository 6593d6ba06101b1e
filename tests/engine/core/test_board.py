"""Rules and keys over random games, held against python-chess."""

import random

import chess
import pytest

from rookery_engine.core.board import Board
from rookery_engine.core.fen_codec import START

GAMES = 12
PLIES = 120


def reference(seed: int, *, chess960: bool) -> tuple[chess.Board, Board, random.Random]:
    chance = random.Random(seed)
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
    return board, Board(board.shredder_fen() if chess960 else board.fen(), chess960), chance


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("seed", range(GAMES))
def test_random_game(seed: int, chess960: bool) -> None:
    """Moves, FEN and key agree with python-chess, and with a start from nothing."""
    theirs, ours, chance = reference(seed, chess960=chess960)
    for _ in range(PLIES):
        moves = sorted(theirs.uci(move, chess960=chess960) for move in theirs.legal_moves)
        assert sorted(ours.legal_moves()) == moves, theirs.fen()
        assert ours.in_check == theirs.is_check()
        assert ours.keys == ours.fresh_keys
        for white in (True, False):
            attacked = [s for s in chess.SQUARES if theirs.is_attacked_by(white, s)]
            assert ours.attacked_by(white) == [chess.square_name(s) for s in attacked]
        again = Board(ours.fen, chess960)
        assert (again.fen, again.key) == (ours.fen, ours.key)
        written = theirs.shredder_fen() if chess960 else theirs.fen()
        if written.split()[3] == "-":
            # We keep an en passant square that only a pinned pawn could use.
            assert drop_en_passant(ours.fen) == drop_en_passant(written)
        else:
            assert ours.fen == written
        if not moves:
            break
        move = chance.choice(moves)
        assert ours.play(move)
        theirs.push_uci(move)


def drop_en_passant(fen: str) -> list[str]:
    fields = fen.split()
    return fields[:3] + fields[4:]


def test_transpositions_have_one_key() -> None:
    one, other = Board(), Board()
    for move in ("g1f3", "g8f6", "b1c3"):
        assert one.play(move)
    for move in ("b1c3", "g8f6", "g1f3"):
        assert other.play(move)
    assert one.key == other.key


@pytest.mark.parametrize("fen", [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
])  # fmt: skip
def test_side_rights_and_men_are_in_the_key(fen: str) -> None:
    assert Board(fen).key != Board(START).key


def test_illegal_move_changes_nothing() -> None:
    board = Board()
    for text in ("e2e5", "e7e5", "0000", "", "e2", "e2e4q", "\x00", "z9z9"):
        assert not board.play(text)
    assert board.fen == START


def test_castling_is_understood_both_ways() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for chess960 in (False, True):
        for text in ("e1g1", "e1h1"):
            board = Board(fen, chess960)
            assert board.play(text)
            assert board.fen.startswith("r3k2r/8/8/8/8/8/8/R4RK1 b")


@pytest.mark.parametrize("piece", "nbrqNBRQ")
def test_promotion_may_be_a_capital(piece: str) -> None:
    board = Board("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    assert board.play(f"e7e8{piece}")
    assert board.fen.startswith(f"4{piece.upper()}3/6k1/")


def test_king_step_is_no_castling_in_chess960() -> None:
    board = Board("4k3/8/8/8/8/8/8/5K1R w H - 0 1", True)
    assert {"f1g1", "f1h1"} <= set(board.legal_moves())
    assert board.play("f1g1")
    assert board.fen.startswith("4k3/8/8/8/8/8/8/6KR b -")


def test_wrong_types_are_refused() -> None:
    """A module built without its .pxd would take them (docs: trap 10)."""
    with pytest.raises(TypeError):
        Board().perft(object())
    with pytest.raises(TypeError):
        Board(object())
