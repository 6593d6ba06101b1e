"""One rule of which positions are played (docs/position.md): of engine, server and bridge alike.

The page is held to the same table by its own tests (`src/game/fen.test.ts`).
"""

import random
from pathlib import Path

import chess
import chess.engine
import pytest
from helpers.positions import Case, cases
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rookery_engine.core.board import Board
from rookery_protocol.legality import STANDARD, Referee, position_for_engine
from rookery_uci import Fen, Position, UciError, mended

STOCKFISH = Path("/usr/games/stockfish")
START = chess.STARTING_FEN


def engine_reads(fen: str, moves: str = "", *, chess960: bool = False) -> str | None:
    """Return the position that the engine has, by its FEN; None if it refuses it."""
    try:
        board = Board(fen, chess960)
    except UciError:
        return None
    return board.fen if all(board.play(move) for move in moves.split()) else None


def server_reads(fen: str, moves: str = "", *, chess960: bool = False) -> Position | None:
    """Return what an engine hears from the server; None if it refuses it."""
    said = Position(fen, tuple(moves.split()))
    try:
        return Referee().check(said, chess960=chess960, variant=STANDARD)
    except UciError:
        return None


def refusal(case: Case) -> list[str]:
    """Return why engine, server and bridge refuse a position."""
    texts = []
    said = Position(case.fen, tuple(case.moves.split()))
    for check in (
        lambda: Board(case.fen, case.chess960),
        lambda: Referee().check(said, chess960=case.chess960, variant=STANDARD),
        lambda: position_for_engine(said, chess960=case.chess960),
    ):
        with pytest.raises(UciError) as caught:
            check()
        texts.append(str(caught.value))
    return texts


@pytest.mark.parametrize("case", cases("positions"), ids=str)
def test_position_is_read_alike(case: Case) -> None:
    if case.read is None:
        assert all(case.refused in text and len(text) < 200 for text in refusal(case))
        return
    assert engine_reads(case.fen, chess960=case.chess960) == case.read
    told = server_reads(case.fen, chess960=case.chess960)
    assert told is not None
    assert told.fen is not None
    # In Chess960 the server names the rooks as its client does.
    assert engine_reads(told.fen, chess960=case.chess960) == case.read
    if not case.chess960:
        assert told.fen == case.read
    said = Position(case.fen)
    assert position_for_engine(said, chess960=case.chess960) == told
    assert bool(mended(case.fen, case.read)) is (case.fen.split() != case.read.split())


@pytest.mark.parametrize("case", cases("moves"), ids=str)
def test_moves_are_read_alike(case: Case) -> None:
    """A move that is not legal refuses all of it; the moves before it are not played either."""
    told = server_reads(case.fen, case.moves, chess960=case.chess960)
    reads = engine_reads(case.fen, case.moves, chess960=case.chess960)
    said = Position(case.fen, tuple(case.moves.split()))
    if case.read is None:
        assert told is reads is None
        with pytest.raises(UciError, match=case.refused):
            position_for_engine(said, chess960=case.chess960)
        return
    assert told is not None
    assert " ".join(told.moves) == case.read
    assert reads == engine_reads(case.fen, case.read, chess960=case.chess960)
    assert position_for_engine(said, chess960=case.chess960) == told


# --- whatever is said

WORDS = st.sampled_from([
    "w", "b", "W", "B", "white", "-", "KQkq", "kq", "KKQ", "HAha", "hA", "x", "e3", "e6", "D6", "0",
    "1", "5", "-1", "0.0", "99", "100", "007", ";", "0;", "bm", "Nf3;", "3+3", "1e9", "\u0663", '"',
])  # fmt: skip
PLACEMENTS = st.builds(
    lambda seed, men: random_placement(random.Random(seed), men),
    st.integers(0, 1 << 32), st.integers(0, 30),
)  # fmt: skip
FENS = st.builds(
    lambda placement, words, glue: glue.join([placement, *words]),
    PLACEMENTS | st.text("/pPnNbBrRqQkK12345678", max_size=40),
    st.lists(WORDS | st.text(max_size=4), max_size=9),
    st.sampled_from([" ", "  ", "\t", " \u00a0"]),
)


def random_placement(chance: random.Random, men: int) -> str:
    """Return kings, mostly one of each, and men anywhere; pawns rarely stand where none can."""
    board = chess.Board(None)
    squares = chance.sample(chess.SQUARES, men + 2)
    for square, king in zip(squares, "Kk", strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(king))
    for square in squares[2:]:
        piece = chess.Piece.from_symbol(chance.choice("PPPpppNnBbRRrrQq"))
        if piece.piece_type != chess.PAWN or 7 < square < 56 or not chance.randrange(50):
            board.set_piece_at(square, piece)
    return board.board_fen() + chance.choice(["", "", "", "", "/", "~"])


@settings(max_examples=1000, deadline=None)
@given(FENS, st.booleans())
@example("4k3/8/8/8/8/8/8/R2RK2R w KD - 0 1", True)
def test_engine_and_server_agree_on_any_text(fen: str, chess960: bool) -> None:
    told = server_reads(fen, chess960=chess960)
    reads = engine_reads(fen, chess960=chess960)
    assert (told is None) is (reads is None)
    if told is not None:
        assert told.fen is not None
        assert engine_reads(told.fen, chess960=chess960) == reads
        assert server_reads(told.fen, chess960=chess960) == told
        board = chess.Board(told.fen, chess960=chess960)
        assert board.fen(shredder=chess960, en_passant="xfen") == reads


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 1 << 32), st.booleans())
def test_engine_and_server_play_the_same_moves(seed: int, chess960: bool) -> None:
    """All texts of squares, in positions with castling, en passant and promotions."""
    chance = random.Random(seed)
    placement = random_placement(chance, chance.randrange(20)).rstrip("/~")
    side, square = chance.choice("wb"), chance.choice(chess.SQUARE_NAMES)
    fen = f"{placement} {side} KQkq {square} 0 1"
    told = server_reads(fen, chess960=chess960)
    if told is None:
        return
    assert told.fen is not None
    board = chess.Board(told.fen, chess960=chess960)
    legal = {move.uci() for move in board.legal_moves}
    assert set(Board(fen, chess960).legal_moves()) == {board.uci(m) for m in board.legal_moves}
    names = chess.SQUARE_NAMES
    others = {chance.choice(names) + chance.choice(names) for _ in range(60)}
    castlings = {"e1g1", "e1c1", "e1h1", "e1a1", "e8g8", "e8c8", "e8h8", "e8a8"}
    for move in sorted(legal | others | castlings | {move.upper() for move in sorted(legal)[:3]}):
        server = server_reads(fen, move, chess960=chess960)
        engine = engine_reads(fen, move, chess960=chess960)
        assert (server is None) is (engine is None), (fen, move)
        if server is not None:
            assert engine == engine_reads(fen, server.moves[0], chess960=chess960)


def test_no_position_has_more_moves_than_engines_have_room_for() -> None:
    """Queens placed by hill climbing: 15 have fewer than 256 moves, 24 have more."""
    most = chess.Board("KQ4Q1/4Q3/Q1Q4Q/Q4Q2/3Q4/1Q4Q1/4Q3/Q1Q4Q w - - 0 1")
    assert chess.popcount(most.occupied) == 16
    assert 240 < most.pseudo_legal_moves.count() <= 250
    many = "kbK1QQQQ/ppQ4Q/QQ5Q/3Q3Q/Q6Q/Q6Q/Q6Q/QQQQQQQ1 w - - 0 1"
    assert chess.Board(many).pseudo_legal_moves.count() == 261
    assert server_reads(many) is engine_reads(many) is None


@pytest.mark.skipif(not STOCKFISH.exists(), reason="Stockfish is not installed")
def test_stockfish_plays_whatever_the_server_lets_through() -> None:
    chance = random.Random(30)
    with chess.engine.SimpleEngine.popen_uci(str(STOCKFISH), timeout=60) as stockfish:
        for _ in range(200):
            placement = random_placement(chance, chance.randrange(31)).rstrip("/~")
            told = server_reads(f"{placement} {chance.choice('wb')} KQkq e3 0 1")
            if told is None:
                continue
            board = chess.Board(told.fen or START)
            if any(board.legal_moves):
                found = stockfish.play(board, chess.engine.Limit(depth=3))
                assert found.move in board.legal_moves


def test_canonical_form_is_read_as_itself() -> None:
    for case in cases("positions"):
        if case.read is not None:
            assert str(Fen.parse(case.read, chess960=case.chess960)) == case.read
            assert mended(case.read, case.read) == ""
