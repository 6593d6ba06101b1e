"""An analysed game as PGN for people, and as JSON for programs.  No I/O.

PGN is written as lichess does and ChessBase reads it: `[%eval 0.31,18]` before the first move and
after each, from White's point of view; behind a bad move its glyph, a sentence, and the better
line as a variation.  Comments of the game stay, except old `[%eval]`s.

Other programs (pgn-extract, ChessBase, lichess) read it back whole.  Lines have 79 characters
at most, except tags, which cannot be broken.  pgn-extract refuses games with a null move in the
main line: such a main line ends before it, and goes on in a variation that repeats the last move.
"""

import json
import re
from collections.abc import Iterator, Sequence

import chess
import chess.pgn
from chess.engine import PovScore

from rookery_analysis.analysed_game import (
    AnalysedGame,
    JudgedMove,
    MoveJudgement,
    PositionAnalysis,
    accuracy_of,
    score_of,
)
from rookery_protocol.legality import STANDARD, set_up
from rookery_uci import UciError

NAGS = {
    MoveJudgement.MISTAKE: chess.pgn.NAG_MISTAKE,
    MoveJudgement.BLUNDER: chess.pgn.NAG_BLUNDER,
    MoveJudgement.INACCURACY: chess.pgn.NAG_DUBIOUS_MOVE,
}
BETTER_MOVES = 10  # half-moves of a better line that are shown
# Comments of an earlier run, or of lichess, on a move.
_CHANGE = r"\(\S{1,12}\s+→\s+\S{1,12}\)\s*"
_BEST = r"\s+(?P<%s>\S+)\s+was\s+best\."
_FORMER = re.compile(
    rf"(?:{_CHANGE})?(?:Inaccuracy|Mistake|Blunder)\.{_BEST % 'better'}"
    rf"|{_CHANGE}(?:Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable"
    r"|Lost forced checkmate sequence|Not the best checkmate sequence)\."
    rf"(?:{_BEST % 'saved'})?|(?P<problem>\[analysis\] [^\[]*)"
)
_JUDGED_BY_HAND = frozenset(range(chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_DUBIOUS_MOVE + 1))

WIDTH = 80
# Of a comment: commands are not broken, and no line begins as an escaped line or a tag does.
_GLUED = re.compile(r"(?<!\s)\s+(?=[%;]|\[(?!%))")
_WORDS = re.compile(r"(?:\[%[^\]]{0,60}\]|\S| (?=[%;]|\[(?!%)))+")
_UNREADABLE = {"FEN": "UnreadableFEN", "SetUp": "UnreadableSetUp", "Variant": "UnreadableVariant"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

Moves = Sequence[JudgedMove | None]


def annotated(analysed: AnalysedGame, moves: Moves, engine: str) -> str:
    """Return a game as PGN, with a blank line behind it."""
    game = analysed.game.pgn
    if analysed.positions:
        game.headers["Annotator"] = engine
        _annotate(analysed, moves)
    if analysed.problems:
        end = game.end()
        problems = (f"[analysis] {problem}" for problem in analysed.problems)
        end.comment = " ".join([end.comment, *problems]).strip()
    is_read = not analysed.game.obstacle or game.variations
    return f"{to_pgn(game) if is_read else _without_moves(game)}\n\n"


def json_record(analysed: AnalysedGame, moves: Moves) -> str:
    """Return a game as a line of JSON.  Scores are White's; nothing in it depends on time."""
    game = analysed.game
    headers = game.pgn.headers
    document = {
        "game": game.number,
        "source": game.source,
        "line": game.line,
        "white": headers.get("White", "?"),
        "black": headers.get("Black", "?"),
        "result": headers.get("Result", "*"),
        "fen": headers.get("FEN", chess.STARTING_FEN),
        "status": analysed.status,
        "problems": analysed.problems,
        "positions": [
            _position_record(analysed, moves, ply) for ply in range(len(analysed.positions))
        ],
    }
    return json.dumps(document, ensure_ascii=False) + "\n"


def _position_record(analysed: AnalysedGame, moves: Moves, ply: int) -> dict[str, object]:
    """Return the record of a position, and of the move that was played there."""
    found, played = analysed.positions[ply], analysed.game.moves
    return {
        "ply": ply,
        "move": played[ply] if ply < len(played) else None,
        **_move_record(moves[ply] if ply < len(played) else None),
        "poison": analysed.poison.get(ply),
        "best": found and found.best,
        "lines": list(_line_records(analysed.game.boards[ply], found)),
    }


def _move_record(move: JudgedMove | None) -> dict[str, object]:
    if move is None:
        return {"loss": None, "accuracy": None, "judgement": None}
    return {
        "loss": round(move.loss, 2),
        "accuracy": round(accuracy_of(move.loss), 2),
        "judgement": move.judgement,
    }


def _line_records(
    board: chess.Board, found: PositionAnalysis | None
) -> Iterator[dict[str, object]]:
    for line in found.evaluation.lines if found else ():
        score = score_of(line, board.turn)
        yield {
            "cp": score.score(),
            "mate": score.mate(),
            "depth": line.depth,
            "nodes": line.nodes,
            "pv": list(line.pv),
        }


def _annotate(analysed: AnalysedGame, moves: Moves) -> None:
    boards, positions = analysed.game.boards, analysed.positions
    _set_score(analysed.game.pgn, boards[0], positions[0])
    for ply, node in enumerate(analysed.game.pgn.mainline()):
        remove_judgement(node)
        _set_score(node, boards[ply + 1], positions[ply + 1])
        move, before = moves[ply], positions[ply]
        if move and move.judgement and before:
            _add_judgement(node, move.judgement, boards[ply], before)


def remove_judgement(node: chess.pgn.ChildNode) -> None:
    """Remove the words, the glyph and the better line of an earlier run, or of lichess."""
    for found in _FORMER.finditer(node.comment):
        if found["problem"]:
            continue
        node.nags -= set(NAGS.values())
        better = found["better"] or found["saved"] or ""
        for other in node.parent.variations[1:]:
            if other.san().rstrip("+#") == better.rstrip("+#") and _is_plain(other):
                node.parent.variations.remove(other)
                break
    node.comment = _FORMER.sub("", node.comment).strip()


def _is_plain(node: chess.pgn.ChildNode) -> bool:
    """Return whether nothing was said of a line, and nothing varied in it."""
    return all(
        not (each.comment or each.starting_comment or each.nags) and len(each.variations) < 2
        for each in (node, *node.mainline())
    )


def _set_score(
    node: chess.pgn.GameNode, board: chess.Board, found: PositionAnalysis | None
) -> None:
    if found is None:
        node.set_eval(None)
        return
    line = found.evaluation.lines[0]
    node.set_eval(PovScore(score_of(line, board.turn), chess.WHITE), line.depth)


def _add_judgement(
    node: chess.pgn.ChildNode,
    judgement: MoveJudgement,
    board: chess.Board,
    before: PositionAnalysis,
) -> None:
    if not node.nags & _JUDGED_BY_HAND:
        node.nags.add(NAGS[judgement])
    best = [chess.Move.from_uci(text) for text in before.evaluation.lines[0].pv[:BETTER_MOVES]]
    sentence = f"{judgement.capitalize()}. {board.san(best[0])} was best."
    node.comment = f"{node.comment} {sentence}".strip()
    parent = node.parent
    if not parent.has_variation(best[0]):
        parent.add_line(best)


def to_pgn(game: chess.pgn.Game) -> str:
    """Return a game as PGN."""
    return _without_null(game).accept(_Exporter(columns=WIDTH))


def _without_moves(game: chess.pgn.Game) -> str:
    """Return a game of which no move can be read: its tags, and its comment.

    Programs refuse a game whose position they cannot set up, so such a tag gets another name.
    """
    is_usual = _begins_as_chess(game.headers)
    copy = chess.pgn.Game()
    copy.comment = game.comment
    for name, value in game.headers.items():
        copy.headers[name if is_usual else _UNREADABLE.get(name, name)] = value
    return copy.accept(_Exporter(columns=WIDTH))


def _begins_as_chess(headers: chess.pgn.Headers) -> bool:
    if headers.get("SetUp") == "1" and "FEN" not in headers:
        return False
    try:
        board = headers.board()
        set_up(headers.get("FEN"), chess960=board.chess960, variant=board.uci_variant or STANDARD)
    except (ValueError, UciError):
        return False
    return board.uci_variant == STANDARD


class _Exporter(chess.pgn.StringExporter):
    """An exporter whose lines are never too long."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Write a tag."""
        self.found_headers = True
        value = _UNPRINTABLE.sub(" ", tagvalue).replace("\n", " ")
        escaped = value.replace("\\", r"\\").replace('"', r"\"")
        self.write_line(f'[{tagname} "{escaped}"]')

    def visit_comment(self, comment: str) -> None:
        """Write a comment, on as many lines as it needs, without braces, which would end it."""
        plain = _UNPRINTABLE.sub(" ", comment.replace("{", "(").replace("}", ")")).strip()
        self.write_token("{ ")
        for number, line in enumerate(_GLUED.sub(" ", plain).split("\n")):
            if number:
                self.flush_current_line()
            for word in _WORDS.findall(line):
                self.write_token(word + " ")
        self.write_token("} ")
        self.force_movenumber = True

    def write_token(self, token: str) -> None:
        """Write a word, on the next line if there is no room."""
        if len(self.current_line) + len(token.rstrip()) >= WIDTH:
            self.flush_current_line()
        self.current_line += token


def _without_null(game: chess.pgn.Game) -> chess.pgn.Game:
    """End the main line before its first null move, and continue it in a variation."""
    last = next((node.parent for node in game.mainline() if not node.move), None)
    if isinstance(last, chess.pgn.ChildNode):
        again = chess.pgn.ChildNode(last.parent, last.move)
        last.parent.variations.remove(again)  # which is where its parent has put it
        last.parent.variations.insert(1, again)
        again.variations, last.variations = last.variations, []
        for node in again.variations:
            node.parent = again
    return game
