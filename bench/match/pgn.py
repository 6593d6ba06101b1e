"""A game as PGN, with score, depth and time of each move as cutechess writes them."""

from datetime import date

import chess
import chess.pgn

from bench.match.game import MatchGame
from bench.match.player import MATE, Limit, PlayedMove

RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
FAR = MATE - 1000  # scores beyond it are mates


def pgn(game: MatchGame, limit: Limit) -> str:
    """Return the game, and an empty line after it."""
    record = chess.pgn.Game()
    board = chess.Board(game.opening, chess960=game.chess960)
    record.setup(board)
    headers = {
        "Event": "bench.match",
        "Site": "?",
        "Date": date.today().strftime("%Y.%m.%d"),
        "White": game.white,
        "Black": game.black,
        "Result": RESULTS[game.points],
        "TimeControl": str(limit),
        "Termination": game.detail or game.end.value,
    }
    record.headers.update(headers)
    node: chess.pgn.GameNode = record
    for answer in game.answers:
        # The move that lost by being late was not played, but is shown.
        node = node.add_variation(node.board().parse_uci(answer.move), comment=_comment(answer))
    return f"{record}\n\n"


def _comment(answer: PlayedMove) -> str:
    if answer.score is None:
        return f"{answer.seconds:.3f}s"
    score = f"{answer.score / 100:+.2f}"
    if abs(answer.score) > FAR:
        moves = MATE - abs(answer.score)
        score = f"{'+' if answer.score > 0 else '-'}M{moves}"
    depth = "" if answer.depth is None else f"/{answer.depth}"
    return f"{score}{depth} {answer.seconds:.3f}s"
