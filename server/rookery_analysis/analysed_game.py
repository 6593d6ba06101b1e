"""An analysed game: the evaluation of each position and the judgement of each move.  No I/O.

Judgements are those of the page (server/web/README.md).  Scores are White's.  The chance to
win is lichess' curve, fitted to games of its members: 50 % at 0, about 75 % at +3.0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import chess
from chess.engine import Cp, Mate, PovScore, Score

from rookery_analysis.evaluation import PositionEvaluation
from rookery_analysis.game import NULL, ParsedGame, final_score
from rookery_uci import Info

STEEPNESS = -0.00368208
CEILING = 1000  # centipawns; a mate is worth as much

_SCALE, _DECAY, _SHIFT = 103.1668100711649, -0.04354415386753951, -3.166924740191411


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """The evaluation of a position, the engine's move, and the reply that it expects."""

    evaluation: PositionEvaluation
    best: str
    ponder: str | None = None


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game with one analysis for each position, None where there is none.

    `poison` has the half-moves of positions that were skipped, and why; `gave_up` is why the
    whole game was.
    """

    game: ParsedGame
    positions: tuple[PositionAnalysis | None, ...] = ()
    poison: dict[int, str] = field(default_factory=dict)
    gave_up: str | None = None

    @property
    def status(self) -> str:
        """`analysed`, `partly` or `skipped`."""
        if self.game.obstacle or self.gave_up:
            return "skipped"
        return "partly" if self.game.flaws or self.poison else "analysed"

    @property
    def problems(self) -> list[str]:
        """All that is wrong with the game, each as a sentence."""
        if self.game.obstacle:
            return [*self.game.remarks, self.game.obstacle]
        skipped = [f"half-move {ply}: skipped, {why}" for ply, why in sorted(self.poison.items())]
        gave_up = [self.gave_up] if self.gave_up else []
        return [*self.game.remarks, *self.game.flaws, *skipped, *gave_up]

    def judged_moves(self) -> list["JudgedMove | None"]:
        """Judge each move; None where a position beside it has no score."""
        scores = [
            score_of(each.evaluation.lines[0], board.turn) if each else final_score(board)
            for board, each in zip(self.game.boards, self.positions, strict=False)
        ]
        moves = self.game.moves if self.positions else ()
        return [self._judge_move(scores, ply) for ply in range(len(moves))]

    def _judge_move(self, scores: Sequence[Score | None], ply: int) -> "JudgedMove | None":
        before, after, found = scores[ply], scores[ply + 1], self.positions[ply]
        move = self.game.moves[ply]
        if before is None or after is None or move == NULL:
            return None
        mover = self.game.boards[ply].turn
        lost = points_lost(before, after, mover)
        # The engine's own move is no mistake, whatever a later search says.
        is_best = found is not None and found.best == move
        return JudgedMove(mover, lost, None if is_best else judgement_of(lost))


class MoveJudgement(StrEnum):
    """The name of a move that was not good enough."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


# So many points of win chance must be lost for it; the worst first.
BOUNDS = (
    (15.0, MoveJudgement.BLUNDER),
    (10.0, MoveJudgement.MISTAKE),
    (5.0, MoveJudgement.INACCURACY),
)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that was played: the points of win chance that it lost, and its name if it is bad."""

    mover: chess.Color
    loss: float
    judgement: MoveJudgement | None


def score_of(info: Info, turn: chess.Color) -> Score:
    """Return the score of a line, from White's point of view."""
    assert info.score
    mate, cp = info.score.mate, info.score.cp
    score: Score = Mate(mate) if mate is not None else Cp(cp or 0)
    return PovScore(score, turn).white()


def win_chance(score: Score) -> float:
    """Return White's chance to win, 0 to 100."""
    points = score.score(mate_score=CEILING * CEILING)
    assert points is not None  # for a mate has a value
    bounded = max(-CEILING, min(CEILING, points))
    return 50 + 50 * (2 / (1 + math.exp(STEEPNESS * bounded)) - 1)


def points_lost(before: Score, after: Score, mover: chess.Color) -> float:
    """Return the points of win chance that a move has lost its mover; never below 0."""
    lost = win_chance(before) - win_chance(after)
    return max(0.0, lost if mover == chess.WHITE else -lost)


def judgement_of(points: float) -> MoveJudgement | None:
    """Return the name of a move that has lost so many points; None if it is good enough."""
    return next((name for bound, name in BOUNDS if points >= bound), None)


def accuracy_of(points: float) -> float:
    """Return the accuracy of a move that has lost so many points, 0 to 100."""
    return max(0.0, min(100.0, _SCALE * math.exp(_DECAY * points) + _SHIFT))
