"""A game whose moves are judged, as a model reads it: the worst moves, and what was best.  No I/O.

The judgements are the server's.  Its record is not believed: moves are played again, and texts
are cut and quoted.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from rookery_bridge.client.service_error import DocumentError
from rookery_bridge.client.service_results import read_document
from rookery_bridge.mcp.checked_position import PositionError, place_pieces
from rookery_bridge.mcp.game_text import MAX_PLIES, GameLine, quoted_name
from rookery_bridge.mcp.legal_move import move_label
from rookery_bridge.mcp.position_words import line_words, side_name
from rookery_bridge.mcp.score_words import WhiteScore

_MOST_SHOWN = 24  # judged moves; the worst of them
_BETTER_LINE = 6  # half-moves
_MOST_PROBLEMS = 3
_GLYPHS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


@dataclass(frozen=True, slots=True)
class LineRecord:
    """A line of an engine in a position of a game."""

    pv: tuple[str, ...] = ()
    cp: int | None = None
    mate: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class PositionRecord:
    """A position of a game, the move that was played there, and its judgement."""

    ply: int
    move: str | None = None
    loss: float | None = None
    accuracy: float | None = None
    judgement: str | None = None
    best: str | None = None
    lines: tuple[LineRecord, ...] = ()

    @property
    def score(self) -> WhiteScore | None:
        """White's score, if there is one."""
        if not self.lines or (self.lines[0].cp is None and self.lines[0].mate is None):
            return None
        return WhiteScore(self.lines[0].cp, self.lines[0].mate)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The record of a game, as `rookery-server analyse --jsonl` has it."""

    fen: str
    positions: tuple[PositionRecord, ...]
    white: str = "?"
    black: str = "?"
    result: str = "*"
    status: str = ""
    problems: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game and the record of it."""

    game: GameLine
    record: GameRecord

    @classmethod
    def of_record(cls, document: object, game: GameLine | None = None) -> "GameReview":
        """Read the record of a game; it is this one, if it was sent from here.

        Raises:
            DocumentError: it is none.

        """
        record = read_document(GameRecord, document)
        played = [each.move for each in record.positions if each.move is not None]
        tags = {"White": record.white, "Black": record.black, "Result": record.result}
        try:
            board = place_pieces(record.fen)
            start = board.copy()
            moves = tuple(board.push_uci(text) for text in played[:MAX_PLIES])
        except (PositionError, ValueError) as error:
            raise DocumentError(f"the record of the game cannot be played: {error}") from error
        own = game if game and game.moves == moves else None
        return cls(own or GameLine(start, moves, tags), record)

    def lines(self) -> Iterator[str]:
        """Yield the review for a model."""
        names = f" ({self.game.players})" if self.game.players else ""
        yield f"Review of game {self.game.handle}{names}, {len(self.game.moves)} half-moves."
        for color in (chess.WHITE, chess.BLACK):
            yield self._side_words(color)
        faults = self._faults()
        shown = self._worst(faults)
        if not faults:
            yield "No move was an inaccuracy, a mistake or a blunder."
        elif len(shown) < len(faults):
            yield f"The {len(shown)} worst of {len(faults)} bad moves:"
        else:
            yield "Bad moves:"
        boards = self._boards()
        yield from (self._fault_words(boards[each.ply], each) for each in shown)
        if (last := self._score_at(len(self.game.moves))) is not None:
            yield f"At the end: {last.in_words}."
        for problem in self.record.problems[:_MOST_PROBLEMS]:
            yield f"Note of the server: {quoted_name(problem, 160)}"

    def data(self) -> dict[str, object]:
        """Return the review for programs."""
        boards = self._boards()
        faults = self._faults()
        return {
            "game": self.game.handle,
            "plies": len(self.game.moves),
            "white": self._side_data(chess.WHITE),
            "black": self._side_data(chess.BLACK),
            "bad_moves": [self._fault_data(boards[each.ply], each) for each in self._worst(faults)],
            "bad_moves_in_all": len(faults),
        }

    def _boards(self) -> list[chess.Board]:
        board = self.game.start.copy(stack=False)
        boards = [board.copy(stack=False)]
        for move in self.game.moves:
            board.push(move)
            boards.append(board.copy(stack=False))
        return boards

    def _moves_of(self, color: chess.Color) -> list[PositionRecord]:
        """Return the records of a side's moves that are judged."""
        first = self.game.start.turn
        return [
            each
            for each in self.record.positions
            if each.move is not None
            and each.accuracy is not None
            and (each.ply % 2 == 0) == (color == first)
        ]

    def _side_data(self, color: chess.Color) -> dict[str, object]:
        moves = self._moves_of(color)
        found: dict[str, object] = {
            name: sum(each.judgement == name for each in moves) for name in _GLYPHS
        }
        if moves:
            found["accuracy"] = round(sum(each.accuracy or 0.0 for each in moves) / len(moves), 1)
        return found

    def _side_words(self, color: chess.Color) -> str:
        found = self._side_data(color)
        accuracy = f"accuracy {found['accuracy']} %" if "accuracy" in found else "no move judged"
        return (
            f"{side_name(color)}: {accuracy}; inaccuracies {found['inaccuracy']},"
            f" mistakes {found['mistake']}, blunders {found['blunder']}."
        )

    def _faults(self) -> list[PositionRecord]:
        count = len(self.game.moves)
        return [
            each
            for each in self.record.positions
            if each.judgement in _GLYPHS and 0 <= each.ply < count
        ]

    def _worst(self, faults: list[PositionRecord]) -> list[PositionRecord]:
        """Return those that are shown, in the order of the game."""
        worst = sorted(faults, key=lambda each: -(each.loss or 0.0))[:_MOST_SHOWN]
        return sorted(worst, key=lambda each: each.ply)

    def _score_at(self, ply: int) -> WhiteScore | None:
        return next((each.score for each in self.record.positions if each.ply == ply), None)

    def _fault_words(self, board: chess.Board, fault: PositionRecord) -> str:
        data = self._fault_data(board, fault)
        scores = f": {data['before']} -> {data['after']}" if "after" in data else ""
        best = f". Best: {data['better_line']}" if data.get("better_line") else ""
        return f"{data['move']}{_GLYPHS[str(data['judgement'])]} {data['judgement']}{scores}{best}"

    def _fault_data(self, board: chess.Board, fault: PositionRecord) -> dict[str, object]:
        found: dict[str, object] = {
            "move": move_label(board, self.game.moves[fault.ply]),
            "ply": fault.ply,
            "judgement": fault.judgement,
        }
        before, after = fault.score, self._score_at(fault.ply + 1)
        if after is None and (over := _final_score(board, self.game.moves[fault.ply])):
            after = over
        if before is not None and after is not None:
            found |= {"before": str(before), "after": str(after)}
        line = list(fault.lines[0].pv) if fault.lines else []
        if better := line_words(board, line, _BETTER_LINE):
            found["better_line"] = better
        return found


def _final_score(board: chess.Board, move: chess.Move) -> WhiteScore | None:
    """Return the score of a position in which the game is drawn; None if it goes on."""
    after = board.copy(stack=False)
    after.push(move)
    return WhiteScore(0) if after.is_stalemate() or after.is_insufficient_material() else None
