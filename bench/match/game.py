"""One game between two players, by the rules of python-chess.

The third repetition and the fifty-move rule end a game without a claim.  A player that fails,
oversteps the time or plays an illegal move loses that game.  Before the rules end a game,
both players may agree on its result: it is won when both report a large score for a while, and
drawn when neither reports an advantage for a longer while, not too early in the game.
"""

import time
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum

import chess

from bench.match.player import Limit, MatchPlayer, MoveRequest, PlayedMove, PlayerError, PlayerFault


@dataclass(frozen=True, slots=True)
class Rules:
    """Centipawns, and for how many full moves; 0 moves switch a rule off."""

    win_score: int = 1000
    win_moves: int = 3
    draw_score: int = 8
    draw_moves: int = 8
    draw_after: int = 40  # full moves of the game


class Adjudicator:
    """The scores of one game so far."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._winning = 0  # plies in a row; below zero for Black
        self._drawn = 0

    def add_score(self, score: int | None, move: int, *, white: bool) -> float | None:
        """Add the mover's score at a full move; return White's points if the game is over."""
        rules = self._rules
        sign = 1 if white else -1
        if score is None or abs(score) < rules.win_score:
            self._winning = 0
        elif (score * sign > 0) == (self._winning > 0):
            self._winning += 1 if score * sign > 0 else -1
        else:
            self._winning = 1 if score * sign > 0 else -1
        early = move <= rules.draw_after
        self._drawn = (
            0 if score is None or abs(score) > rules.draw_score or early else self._drawn + 1
        )
        if rules.win_moves and abs(self._winning) >= 2 * rules.win_moves:
            return float(self._winning > 0)
        if rules.draw_moves and self._drawn >= 2 * rules.draw_moves:
            return 0.5
        return None


MOST_PLIES = 600  # then it is a draw
FIFTY_MOVES = 100  # plies
MARGIN = 100.0  # ms that a move may overstep the clock


class End(Enum):
    """The reasons for the end of a game."""

    MATE = "mate"
    STALEMATE = "stalemate"
    MATERIAL = "insufficient material"
    REPETITION = "third repetition"
    FIFTY = "fifty moves"
    LENGTH = "too long"
    ADJUDICATED = "adjudicated"
    TIME = "time"
    CRASH = PlayerFault.CRASH.value
    HANG = PlayerFault.HANG.value
    ILLEGAL = PlayerFault.ILLEGAL.value
    RESIGN = PlayerFault.RESIGN.value


# Ends that say something about a program, rather than about chess.
FAULTS = (End.TIME, End.CRASH, End.HANG, End.ILLEGAL)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game that was played; `points` are White's."""

    white: str
    black: str
    opening: str
    points: float
    end: End
    detail: str  # of a failure
    answers: tuple[PlayedMove, ...]
    clocks: tuple[float, ...]  # ms left after each move, without increment; empty without a clock
    seconds: float  # of the whole game
    chess960: bool = False


def play(
    white: MatchPlayer,
    black: MatchPlayer,
    opening: str,
    limit: Limit,
    *,
    rules: Rules | None = None,
    margin: float = MARGIN,
    most_plies: int = MOST_PLIES,
    chess960: bool = False,
) -> MatchGame:
    """Play from an opening (FEN); `margin` is in ms, without `rules` nothing is adjudicated."""
    white.new_game()
    black.new_game()
    started = time.perf_counter()
    course = _Course(opening, limit, margin=margin, chess960=chess960)
    referee = Adjudicator(rules) if rules else None
    verdict = course.verdict() if not course.has_moves() else None
    while verdict is None:
        turn, number = course.board.turn, course.board.fullmove_number
        verdict = course.move(white if turn else black)
        if verdict is None and referee:
            points = referee.add_score(course.answers[-1].score, number, white=turn)
            verdict = None if points is None else (points, End.ADJUDICATED, "")
        if verdict is None and len(course.answers) >= most_plies:
            verdict = (0.5, End.LENGTH, "")
    return MatchGame(
        white.name,
        black.name,
        opening,
        *verdict,
        tuple(course.answers),
        tuple(course.clocks),
        time.perf_counter() - started,
        chess960,
    )


class _Course:
    """A game under way: the board, the clocks, and what has been there before."""

    def __init__(self, opening: str, limit: Limit, *, margin: float, chess960: bool) -> None:
        self.board = chess.Board(opening, chess960=chess960)
        self.answers: list[PlayedMove] = []
        self.clocks: list[float] = []
        self._margin = margin
        base = float(limit.base or 0)
        self._question = MoveRequest(self.board, limit, base, base, self._fen())
        self._seen: Counter[Hashable] = Counter([self._key()])

    def move(self, player: MatchPlayer) -> tuple[float, End, str] | None:
        """Ask a player for its move; return White's points, the end and its detail, if any."""
        board, question = self.board, self._question
        lost = 0.0 if board.turn else 1.0
        try:
            answer = player.choose(question)
        except PlayerError as error:
            return lost, End(error.fault.value), str(error)
        try:
            move = board.parse_uci(answer.move)
        except ValueError:
            move = chess.Move.null()
        if not move:  # `0000` is how an engine says that it has none
            return lost, End.ILLEGAL, f"{player.name} played {answer.move!r} in {board.fen()}"
        self.answers.append(answer)
        if question.limit.base is not None:
            left = self._spend(answer.seconds * 1000)
            if left < -self._margin:
                return lost, End.TIME, f"{player.name} was {-left:.0f} ms late"
        if board.is_zeroing(move):  # what was before cannot come again
            question.fen, question.moves = self._fen(), []
            self._seen.clear()
        question.moves.append(answer.move)
        board.push(move)
        return self.verdict()

    def has_moves(self) -> bool:
        """Return whether any move is legal."""
        return any(True for _ in self.board.generate_legal_moves())

    def verdict(self) -> tuple[float, End, str] | None:
        """Return White's points and why, if the rules end the game here."""
        board = self.board
        if not self.has_moves():
            if board.is_check():
                return (0.0 if board.turn else 1.0), End.MATE, ""
            return 0.5, End.STALEMATE, ""
        key = self._key()
        self._seen[key] += 1
        if self._seen[key] >= 3:
            return 0.5, End.REPETITION, ""
        if board.halfmove_clock >= FIFTY_MOVES:
            return 0.5, End.FIFTY, ""
        if board.is_insufficient_material():
            return 0.5, End.MATERIAL, ""
        return None

    def _spend(self, ms: float) -> float:
        """Take time from the mover's clock, add the increment; return what was left before that."""
        question = self._question
        clock = question.white if self.board.turn else question.black
        left = clock - ms
        self.clocks.append(left)
        after = max(left, 0.0) + question.limit.increment
        if self.board.turn:
            question.white = after
        else:
            question.black = after
        return left

    def _fen(self) -> str:
        return self.board.fen()

    def _key(self) -> Hashable:
        """Return what makes positions the same, by FIDE's article 9.2.2."""
        board = self.board
        en_passant = board.ep_square if board.has_legal_en_passant() else None
        return (
            board.pawns,
            board.knights,
            board.bishops,
            board.rooks,
            board.queens,
            board.kings,
            board.occupied_co[chess.WHITE],
            board.turn,
            board.clean_castling_rights(),
            en_passant,
        )
