"""Made-up games for benchmarks: they follow known ways at first, as games of people do.

The move after the same moves is mostly the same one, until a game leaves the known ways; from
there on it goes by chance.  The same number always gives the same game.
"""

import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import chess

RESULTS = ("1-0", "1/2-1/2", "0-1")
PART = 2_000  # games that a process makes at once
_KNOWN_PLIES = (14, 24)  # half-moves of a known way, at least and at most
_PLIES = (44, 90)  # half-moves of a game, at least and at most
_SHARES = (70, 20, 7, 3)  # of the known moves of a position
_MOST_KNOWN = 100_000  # positions that are remembered


@dataclass(frozen=True, slots=True)
class MadeGame:
    """A game: its number, its moves in UCI, and its PGN."""

    number: int
    moves: tuple[str, ...]
    pgn: str


def pgn_parts(games: int) -> Iterator[str]:
    """Make so many games, on all cores; yield the PGN of some at a time, in order."""
    starts = range(0, games, PART)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(_pgn, starts, (min(PART, games - start) for start in starts))


def made_game(number: int) -> MadeGame:
    """Make one game."""
    chance = random.Random(number)
    known, plies = chance.randint(*_KNOWN_PLIES), chance.randint(*_PLIES)
    board, moves, words = chess.Board(), list[str](), list[str]()
    while len(moves) < plies:
        move = _known(board, tuple(moves), chance) if len(moves) < known else _any(board, chance)
        if move is None:
            break
        if board.turn:
            words.append(f"{board.fullmove_number}.")
        words.append(board.san_and_push(move))
        moves.append(move.uci())
    result = chance.choice(RESULTS) if not board.is_checkmate() else board.result()
    return MadeGame(number, tuple(moves), _document(number, " ".join(words), result, chance))


def _pgn(start: int, count: int) -> str:
    return "".join(made_game(number).pgn for number in range(start, start + count))


def _known(board: chess.Board, path: tuple[str, ...], chance: random.Random) -> chess.Move | None:
    moves = _moves_after(path, board.fen())
    return chance.choices(moves, _SHARES[: len(moves)])[0] if moves else None


@lru_cache(_MOST_KNOWN)
def _moves_after(path: tuple[str, ...], fen: str) -> list[chess.Move]:
    moves = list(chess.Board(fen).legal_moves)
    return random.Random(" ".join(path)).sample(moves, min(len(moves), len(_SHARES)))


def _any(board: chess.Board, chance: random.Random) -> chess.Move | None:
    moves = list(board.pseudo_legal_moves)
    while moves:
        move = moves.pop(chance.randrange(len(moves)))
        if board.is_legal(move):
            return move
    return None


def _document(number: int, words: str, result: str, chance: random.Random) -> str:
    white, black = chance.randrange(20_000), chance.randrange(20_000)
    return (
        f'[Event "Made up"]\n[Site "?"]\n[Date "{chance.randint(1950, 2025)}.01.01"]\n'
        f'[Round "{number}"]\n[White "Player {white}"]\n[Black "Player {black}"]\n'
        f'[Result "{result}"]\n[WhiteElo "{chance.randint(2000, 2800)}"]\n'
        f'[BlackElo "{chance.randint(2000, 2800)}"]\n\n{words} {result}\n\n'
    )
