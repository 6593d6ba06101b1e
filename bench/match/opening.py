"""Openings from a file, in random order: a position in each line (EPD, FEN), or PGN.

Only those that are drawn are parsed, so a file with 200,000 lines is ready in a moment.
"""

import io
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

RANDOM_PLIES = 6  # of an opening, if no file has better ones


def openings(path: Path | None, *, seed: int, chess960: bool = False) -> Iterator[str]:
    """Yield FENs without end: each of the file once, then all again; random moves without a file.

    Raises:
        ValueError: there are none, or one is not a legal position.

    """
    chance = random.Random(seed)
    if path is None:
        while True:
            yield _random_opening(chance)
    items = _split(path)
    if not items:
        raise ValueError(f"{path} has no openings")
    while True:
        for place in chance.sample(range(len(items)), len(items)):
            yield _read(path, items[place], chess960=chess960)


def fen_of(line: str) -> str:
    """Return the FEN of a line of EPD or FEN; EPD has no counters, but may have operations."""
    words = line.split()
    counters = words[4:6]
    if len(counters) < 2 or not all(word.isdecimal() for word in counters):
        counters = ["0", "1"]
    return " ".join([*words[:4], *counters])


def _split(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix.lower() == ".pgn":
        return ["[Event " + game for game in ("\n" + text).split("\n[Event ")[1:]]
    return [line for line in text.splitlines() if line.strip() and line[0] != "#"]


def _read(path: Path, item: str, *, chess960: bool) -> str:
    if path.suffix.lower() == ".pgn":
        game = chess.pgn.read_game(io.StringIO(item))
        if game is None or game.errors:
            raise ValueError(f"{path}: cannot read {item[:200]!r}")
        return game.end().board().fen()
    try:
        board = chess.Board(fen_of(item), chess960=chess960)
    except ValueError as error:
        raise ValueError(f"{path}: {item!r} is no position: {error}") from error
    if not board.is_valid():
        raise ValueError(f"{path}: {item!r} is not a legal position")
    return board.fen()


def _random_opening(chance: random.Random) -> str:
    while True:
        board = chess.Board()
        for _ in range(RANDOM_PLIES):
            board.push(chance.choice(list(board.legal_moves)))
        if not board.is_game_over() and not board.is_check():
            return board.fen()
