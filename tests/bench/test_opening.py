"""Openings: what is read from files, and in which order."""

from itertools import islice
from pathlib import Path

import chess
import pytest
from bench.match.opening import fen_of, openings

LINES = (
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
    'rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "French";',
)
PGN = """[Event "a"]

1. e4 e5 2. Nf3 *

[Event "b"]

1. d4 d5 *
"""


def test_a_line_may_have_counters_operations_or_neither() -> None:
    assert [fen_of(line)[-3:] for line in LINES] == ["0 2", "0 1", "0 1"]


def test_each_opening_comes_once_before_any_comes_again(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text("# a comment\n" + "\n".join(LINES) + "\n\n")
    drawn = list(islice(openings(book, seed=1), 6))
    assert len(set(drawn[:3])) == len(set(drawn[3:])) == 3


def test_the_seed_decides_the_order(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    board = chess.Board()
    lines = []
    for move in board.legal_moves:
        board.push(move)
        lines.append(board.fen())
        board.pop()
    book.write_text("\n".join(lines))
    first, again, other = (list(islice(openings(book, seed=seed), 20)) for seed in (1, 1, 2))
    assert first == again != other


def test_a_pgn_gives_the_positions_at_the_ends_of_its_games(tmp_path: Path) -> None:
    book = tmp_path / "book.pgn"
    book.write_text(PGN)
    drawn = set(islice(openings(book, seed=1), 2))
    assert {fen.split()[0] for fen in drawn} == {
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R",
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR",
    }


def test_without_a_file_openings_are_random_moves() -> None:
    drawn = list(islice(openings(None, seed=3), 5))
    assert len(set(drawn)) == 5
    assert all(chess.Board(fen).is_valid() for fen in drawn)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "has no openings"), ("nonsense\n", "is no position"), ("8/8/8/8/8/8/8/8 w - -", "legal")],
)
def test_file_without_openings_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    book = tmp_path / "book.epd"
    book.write_text(text)
    with pytest.raises(ValueError, match=sentence):
        next(openings(book, seed=1))
