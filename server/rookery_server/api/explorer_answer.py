"""The answer of the operator's games, or book, to a position.  No I/O."""

from collections.abc import Sequence

import chess

from rookery_server.api.lookup_schema import ExplorerGame, ExplorerMove, ExplorerResult
from rookery_server.explorer.game_file import StoredGame
from rookery_server.explorer.packing import PositionEntry, unpack_move

_YEAR = 4  # digits


def explorer_result(
    name: str, board: chess.Board, entry: PositionEntry, games: Sequence[StoredGame]
) -> ExplorerResult:
    """Return what was played in a position, the most frequent move first."""
    moves = []
    for each in entry.moves:
        move = unpack_move(each.move)
        if not board.is_legal(move):
            continue  # Two positions have one key.
        moves.append(
            ExplorerMove(
                uci=move.uci(),
                san=board.san(move),
                white=each.white,
                draws=each.draws,
                black=each.black,
                average_rating=each.rating or None,
                last_year=each.year or None,
            )
        )
    return ExplorerResult(
        name=name,
        fen=board.fen(),
        white=sum(each.white for each in moves),
        draws=sum(each.draws for each in moves),
        black=sum(each.black for each in moves),
        moves=moves,
        games=[_described(each) for each in games],
    )


def book_result(
    name: str, board: chess.Board, weights: Sequence[tuple[chess.Move, int]]
) -> ExplorerResult:
    """Return the moves of an opening book."""
    moves = [
        ExplorerMove(uci=move.uci(), san=board.san(move), white=0, draws=0, black=0, weight=weight)
        for move, weight in weights
    ]
    return ExplorerResult(
        name=name,
        kind="book",
        fen=board.fen(),
        white=0,
        draws=0,
        black=0,
        moves=moves,
        games=[],
    )


def _described(game: StoredGame) -> ExplorerGame:
    year = game.date[:_YEAR]
    return ExplorerGame(
        id=game.id,
        white=game.white,
        black=game.black,
        white_rating=game.white_rating or None,
        black_rating=game.black_rating or None,
        result=game.result,
        event=game.event,
        year=int(year) if year.isascii() and year.isdecimal() else None,
    )
