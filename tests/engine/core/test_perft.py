"""Counts of legal lines, against published ones; the whole suites are in the README."""

from pathlib import Path

import pytest

from rookery_engine.core.board import Board

DATA = Path(__file__).parents[2] / "data"


def cases(name: str) -> list[tuple[str, dict[int, int]]]:
    found = []
    for line in (DATA / name).read_text().splitlines():
        fen, *counts = line.split(";")
        found.append((fen.strip(), {int(c.split()[0][1:]): int(c.split()[1]) for c in counts}))
    return found


@pytest.mark.parametrize(("fen", "counts"), cases("perft.epd"))
def test_perft(fen: str, counts: dict[int, int]) -> None:
    board = Board(fen)
    assert {depth: board.perft(depth) for depth in counts} == counts


@pytest.mark.parametrize(("fen", "counts"), cases("perft960.epd"))
def test_perft_of_chess960(fen: str, counts: dict[int, int]) -> None:
    board = Board(fen, chess960=True)
    assert {depth: board.perft(depth) for depth in counts} == counts


def test_divide_adds_up_to_perft() -> None:
    board = Board()
    counts = board.divide(3)
    assert len(counts) == 20
    assert sum(counts.values()) == board.perft(3) == 8902


def test_most_legal_moves() -> None:
    assert Board("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").perft(1) == 218
