"""A game with what was found of it: as PGN for people, as JSON for programs.  No I/O.

PGN is written as lichess does and ChessBase reads it: `[%eval 0.31,18]` after each move,
as White sees it; behind a bad move its glyph, a sentence, and the better line as a
variation.  What the game had in comments stays, but for old `[%eval]`s.
"""

import json
import re
from collections.abc import Iterator

import chess
import chess.pgn
from chess.engine import PovScore

from rookery_analysis.analysed_game import Finding
from rookery_analysis.game_review import Review, Verdict, score_of
from rookery_analysis.judgement import Judgement, accuracy
from rookery_analysis.pgn_export import without_moves, written

NAGS = {
    Judgement.MISTAKE: chess.pgn.NAG_MISTAKE,
    Judgement.BLUNDER: chess.pgn.NAG_BLUNDER,
    Judgement.INACCURACY: chess.pgn.NAG_DUBIOUS_MOVE,
}
BETTER_MOVES = 10  # half-moves of a better line that are shown
# What an earlier run, or lichess, has said of a move.
_FORMER = re.compile(r"(Inaccuracy|Mistake|Blunder)\. \S+ was best\.|\[analysis\] [^\[]*")
_JUDGED_BY_HAND = frozenset(range(chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_DUBIOUS_MOVE + 1))


def annotated(review: Review, engine: str) -> str:
    """Return the game as PGN, with a blank line behind it."""
    outcome = review.outcome
    game = outcome.work.game
    if outcome.findings:
        game.headers["Annotator"] = engine
        _annotate(game, review)
    if outcome.problems:
        end = game.end()
        end.comment = " ".join([end.comment, *map(_as_comment, outcome.problems)]).strip()
    is_read = not outcome.work.obstacle or game.variations
    return f"{written(game) if is_read else without_moves(game)}\n\n"


def _annotate(game: chess.pgn.Game, review: Review) -> None:
    boards, findings = review.outcome.work.boards, review.outcome.findings
    for ply, node in enumerate(game.mainline()):
        node.comment = _FORMER.sub("", node.comment).strip()
        _note_score(node, boards[ply + 1], findings[ply + 1])
        verdict, before = review.verdicts[ply], findings[ply]
        if verdict and verdict.judgement and before:
            _note_judgement(node, verdict.judgement, boards[ply], before)


def record(review: Review) -> str:
    """Return the game as a line of JSON.  Scores are White's; nothing in it depends on time."""
    work = review.outcome.work
    headers = work.game.headers
    document = {
        "game": work.place.number,
        "source": work.place.source,
        "line": work.place.line,
        "white": headers.get("White", "?"),
        "black": headers.get("Black", "?"),
        "result": headers.get("Result", "*"),
        "fen": headers.get("FEN", chess.STARTING_FEN),
        "status": review.outcome.status,
        "problems": review.outcome.problems,
        "positions": [_position_record(review, ply) for ply in range(len(review.outcome.findings))],
    }
    return json.dumps(document, ensure_ascii=False) + "\n"


def _position_record(review: Review, ply: int) -> dict[str, object]:
    """Return what is said of a position, and of the move that was played there."""
    outcome = review.outcome
    finding, moves = outcome.findings[ply], outcome.work.moves
    return {
        "ply": ply,
        "move": moves[ply] if ply < len(moves) else None,
        **_move_record(review.verdicts[ply] if ply < len(moves) else None),
        "poison": outcome.poison.get(ply),
        "best": finding and finding.best,
        "lines": list(_line_records(outcome.work.boards[ply], finding)),
    }


def _move_record(verdict: Verdict | None) -> dict[str, object]:
    if verdict is None:
        return {"loss": None, "accuracy": None, "judgement": None}
    return {
        "loss": round(verdict.loss, 2),
        "accuracy": round(accuracy(verdict.loss), 2),
        "judgement": verdict.judgement,
    }


def _line_records(board: chess.Board, finding: Finding | None) -> Iterator[dict[str, object]]:
    for line in finding.evaluation.lines if finding else ():
        score = score_of(line, board.turn)
        yield {
            "cp": score.score(),
            "mate": score.mate(),
            "depth": line.depth,
            "nodes": line.nodes,
            "pv": list(line.pv),
        }


def _note_score(node: chess.pgn.ChildNode, board: chess.Board, finding: Finding | None) -> None:
    if finding is None:
        node.set_eval(None)
        return
    line = finding.evaluation.lines[0]
    node.set_eval(PovScore(score_of(line, board.turn), chess.WHITE), line.depth)


def _note_judgement(
    node: chess.pgn.ChildNode, judgement: Judgement, board: chess.Board, before: Finding
) -> None:
    if not node.nags & _JUDGED_BY_HAND:
        node.nags.add(NAGS[judgement])
    best = [chess.Move.from_uci(text) for text in before.evaluation.lines[0].pv[:BETTER_MOVES]]
    sentence = f"{judgement.capitalize()}. {board.san(best[0])} was best."
    node.comment = f"{node.comment} {sentence}".strip()
    parent = node.parent
    if not parent.has_variation(best[0]):
        parent.add_line(best)


def _as_comment(problem: str) -> str:
    return f"[analysis] {problem}"
