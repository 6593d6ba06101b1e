"""How good the moves of a game were, by what was found of its positions.  No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass

import chess
from chess.engine import Cp, Mate, PovScore, Score

from rookery_analysis.analysed_game import Finding, Outcome
from rookery_analysis.game import NULL
from rookery_analysis.judgement import Judgement, final_score, judge, loss
from rookery_uci import Info


@dataclass(frozen=True, slots=True)
class Verdict:
    """A move that was played: what it lost, in points of win chance, and what to call it."""

    mover: chess.Color
    loss: float
    judgement: Judgement | None


def score_of(info: Info, turn: chess.Color) -> Score:
    """Return the score of a line as White sees it."""
    assert info.score
    mate, cp = info.score.mate, info.score.cp
    score: Score = Mate(mate) if mate is not None else Cp(cp or 0)
    return PovScore(score, turn).white()


@dataclass(frozen=True, slots=True)
class Review:
    """An outcome, and a verdict for each move: None where a position beside it is not known."""

    outcome: Outcome
    verdicts: tuple[Verdict | None, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> "Review":
        """Judge each move of a game."""
        boards, findings = outcome.work.boards, outcome.findings
        scores = [_score(board, each) for board, each in zip(boards, findings, strict=False)]
        moves = outcome.work.moves if findings else ()
        return cls(outcome, tuple(_judge(outcome, scores, ply) for ply in range(len(moves))))


def _judge(outcome: Outcome, scores: Sequence[Score | None], ply: int) -> Verdict | None:
    before, after, found = scores[ply], scores[ply + 1], outcome.findings[ply]
    if before is None or after is None or outcome.work.moves[ply] == NULL:
        return None
    mover = outcome.work.boards[ply].turn
    lost = loss(before, after, mover)
    # Who plays the engine's own move has made no mistake, whatever a later look says.
    is_best = found is not None and found.best == outcome.work.moves[ply]
    return Verdict(mover, lost, None if is_best else judge(lost))


def _score(board: chess.Board, finding: Finding | None) -> Score | None:
    if finding is None:
        return final_score(board)
    return score_of(finding.evaluation.lines[0], board.turn)
