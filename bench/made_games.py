"""Made-up games for benchmarks: they follow known ways at first, as games of people do.

The move after the same moves is mostly the same one, until a game leaves the known ways; from
there on it goes by chance.  The same number always gives the same game.
"""

import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import chess

RESULTS = ("1-0", "1/2-1/2", "0-1")
PART = 2_000  # games that a process makes at once
_KNOWN_PLIES = (14, 24)  # half-moves of a known way, at least and at most
_PLIES = (40, 64)  # half-moves of a game, at least and at most
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
    board, moves, sans = chess.Board(), list[chess.Move](), list[str]()
    while len(moves) < plies:
        if len(moves) < known:
            choices = _known(tuple(moves), board)
            found = chance.choices(choices, _SHARES[: len(choices)])[0] if choices else None
        else:
            move = _any(board, chance)
            found = move and (move, board.san(move))
        if found is None:
            break
        board.push(found[0])
        moves.append(found[0])
        sans.append(found[1])
    result = chance.choice(RESULTS) if not board.is_checkmate() else board.result()
    words = [f"{ply // 2 + 1}. {san}" if ply % 2 == 0 else san for ply, san in enumerate(sans)]
    pgn = _document(number, " ".join(words), result, chance)
    return MadeGame(number, tuple(move.uci() for move in moves), pgn)


def _pgn(start: int, count: int) -> str:
    return "".join(made_game(number).pgn for number in range(start, start + count))


_known_moves: dict[tuple[chess.Move, ...], list[tuple[chess.Move, str]]] = {}


def _known(path: tuple[chess.Move, ...], board: chess.Board) -> list[tuple[chess.Move, str]]:
    """Return the known moves behind others, the most frequent first, each with its SAN."""
    if path in _known_moves:
        return _known_moves[path]
    moves = list(board.legal_moves)
    chance = random.Random(" ".join(move.uci() for move in path))
    chosen = chance.sample(moves, min(len(moves), len(_SHARES)))
    known = [(move, board.san(move)) for move in chosen]
    if len(_known_moves) < _MOST_KNOWN:
        _known_moves[path] = known
    return known


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
