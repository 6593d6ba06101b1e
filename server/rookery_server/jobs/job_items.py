"""Items of jobs: what a worker searches of them, and the one answer to each.  No I/O.

An item is JSON: a position as `{"id", "fen", "moves", "variant"}`, each of which may be missing,
or a game as `{"text", "line", "flaw", "whole"}`.  What cannot be analysed is answered at once.
An answer is a line of JSON as `/v1/jobs/ID/results` has it: scores are White's.
"""

import json
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import groupby

import chess

from rookery_analysis.analysed_game import AnalysedGame, PositionAnalysis
from rookery_analysis.annotation import annotated, json_record
from rookery_analysis.game import parse_game
from rookery_analysis.pgn_splitter import GameText, Mark
from rookery_analysis.worker import PendingGame, PendingSearches
from rookery_protocol.notices import Code
from rookery_server.analysis.position_reading import PositionError, RequestedPosition
from rookery_server.analysis.variation_record import variation_record
from rookery_server.jobs.stored_job import GAMES, Claim, ItemResult, StoredJob
from rookery_uci import Position

SOURCE = "game"  # the name of a game's file, which is not known


@dataclass(frozen=True, slots=True)
class PositionItem:
    """A position of a job."""

    number: int
    id: str | int | None
    requested: RequestedPosition
    outcome: str | None


@dataclass(slots=True)
class PendingPositions(PendingSearches):
    """Positions of a job that have the same rules, each searched as if it were the first."""

    items: list[PositionItem] = field(kw_only=True)

    @property
    def boards(self) -> Sequence[chess.Board]:
        """The boards of all positions."""
        return [each.requested.board for each in self.items]

    def positions(self) -> Sequence[Position]:
        """Return all positions."""
        return [each.requested.position for each in self.items]

    def is_over(self, index: int) -> bool:
        """Return whether the game is over in a position."""
        return self.items[index].outcome is not None

    @property
    def is_open(self) -> bool:
        """True if there is something to search."""
        return any(
            not self.is_over(index) and index not in self.found for index in range(len(self.items))
        )

    def answers(self, known: Set[int], engine: str) -> list[ItemResult]:
        """Return the answers that are there by now, but for those of some items."""
        answers = []
        for index, item in enumerate(self.items):
            if item.number in known:
                continue
            if found := self.found.get(index):
                answers.append(_answer_to_position(item, found, engine))
            elif item.outcome:
                answers.append(_answer_to_position(item, None, engine))
            elif why := self.poison.get(index):
                answers.append(error_answer(item.number, item.id, Code.ENGINE_FAILED, why))
        return answers

    def refusals(self, why: str) -> list[ItemResult]:
        """Return the same answer to all: an engine cannot play by these rules."""
        return [
            error_answer(each.number, each.id, Code.BAD_VALUE, why)
            for each in self.items
            if each.outcome is None
        ]


@dataclass(slots=True)
class PendingJobGame(PendingGame):
    """A game of a job."""

    number: int = field(kw_only=True)

    def final_answer(self, analysed: AnalysedGame, engine: str) -> ItemResult:
        """Return the answer to the game."""
        if not analysed.positions:
            why = "; ".join(analysed.problems)
            error = error_answer(self.number, None, Code.ILLEGAL_POSITION, why)
            return replace(error, annotated=annotated(analysed, (), engine))
        moves = analysed.judged_moves()
        record = json_record(analysed, moves).strip()
        found = [each.evaluation for each in analysed.positions if each]
        return ItemResult(
            self.number,
            f'{{"index":{self.number},"game":{record}}}',
            annotated=annotated(analysed, moves, engine),
            positions=len(found),
            nodes=sum(each.nodes for each in found),
            spent=sum(each.time for each in found),
        )


@dataclass(frozen=True, slots=True)
class ReadItems:
    """The items of a claim: what is to be searched, and what is answered already."""

    positions: tuple[PendingPositions, ...] = ()
    games: tuple[PendingJobGame, ...] = ()
    answers: tuple[ItemResult, ...] = ()


def read_items(job: StoredJob, claim: Claim) -> ReadItems:
    """Read the items of a claim."""
    if job.kind == GAMES:
        games = [_read_game(number, text) for number, text in claim.items]
        obstacles = [
            each.final_answer(AnalysedGame(each.game), "") for each in games if each.game.obstacle
        ]
        good = [each for each in games if not each.game.obstacle]
        return ReadItems(games=tuple(good), answers=tuple(obstacles))
    items: list[PositionItem] = []
    answers: list[ItemResult] = []
    for number, text in claim.items:
        said = json.loads(text)
        try:
            requested = RequestedPosition.set_up(
                said.get("fen"), said.get("moves", ()), said.get("variant", "standard")
            )
        except PositionError as error:
            code, id_ = Code.ILLEGAL_POSITION, said.get("id")
            answers.append(error_answer(number, id_, code, str(error), error.member))
        else:
            items.append(PositionItem(number, said.get("id"), requested, requested.outcome))
    groups = []
    for rules, some in groupby(items, key=lambda each: _rules_of(each.requested)):
        chess960, variant = rules
        name = f"job {job.id}"
        groups.append(PendingPositions(name, chess960, variant, is_game=False, items=list(some)))
    return ReadItems(tuple(groups), answers=tuple(answers))


def _rules_of(requested: RequestedPosition) -> tuple[bool, str]:
    return requested.chess960, requested.variant


def _read_game(number: int, text: str) -> PendingJobGame:
    said = json.loads(text)
    game_text = GameText(said["text"], said["line"], Mark(), said["flaw"], said["whole"])
    game = parse_game(game_text, number + 1, SOURCE)
    return PendingJobGame(game.name, chess960=game.chess960, game=game, number=number)


def game_input(text: GameText) -> str:
    """Return a game as an item."""
    return json.dumps(
        {"text": text.data, "line": text.line, "flaw": text.flaw, "whole": text.whole}
    )


def error_answer(
    number: int, id_: str | int | None, code: Code, detail: str, path: str | None = None
) -> ItemResult:
    """Return the answer to an item that cannot be analysed."""
    error = {"code": str(code), "detail": detail}
    if path:
        error["path"] = path
    return ItemResult(number, _line({**_head(number, id_), "error": error}), is_error=True)


def _head(number: int, id_: str | int | None) -> dict[str, object]:
    return {"index": number} if id_ is None else {"index": number, "id": id_}


def _line(document: dict[str, object]) -> str:
    return json.dumps(document, separators=(",", ":"))


def _answer_to_position(
    item: PositionItem, found: PositionAnalysis | None, engine: str
) -> ItemResult:
    """Return the answer to a position; nothing was found of one in which the game is over."""
    board = item.requested.board
    analysis: dict[str, object] = {"fen": item.requested.fen, "engine": engine, "final": True}
    if notices := item.requested.notices:
        analysis["notices"] = notices
    head = _head(item.number, item.id)
    if found is None:
        analysis["outcome"] = item.outcome
        return ItemResult(item.number, _line({**head, "analysis": analysis}))
    evaluation = found.evaluation
    analysis["best"] = found.best
    if found.ponder:
        analysis["ponder"] = found.ponder
    analysis |= {"depth": evaluation.depth, "nodes": evaluation.nodes, "time": evaluation.time}
    analysis["lines"] = [variation_record(line, board) for line in evaluation.lines]
    nodes, spent = evaluation.nodes, evaluation.time
    if evaluation.stored is not None:
        analysis["cached"], nodes, spent = evaluation.date, 0, 0
    text = _line({**head, "analysis": analysis})
    return ItemResult(item.number, text, positions=1, nodes=nodes, spent=spent)
