"""The stream of a search for its requester: the lines of an engine, as objects.  No I/O.

A line of the first variation begins a new object, and it goes out when each variation has
one.  Scores are from White's point of view.  Source: the API's description and the
public broker's behaviour, `docs/lichess.md`.
"""

import json
from contextlib import suppress
from dataclasses import replace

import chess

import rookery_uci as uci
from rookery_protocol.legality import read_board
from rookery_protocol.lichess_api import (
    KEEPALIVE,
    MAX_PV,
    NO_MOVES,
    LichessApiError,
    LichessWork,
    with_known_moves,
)

# The words of an `info` with moves behind them; the others have numbers, or nothing.
_WITH_MOVES = ("currmove", "refutation", "currline", "pv")
_KNOWN = {
    *_WITH_MOVES, "multipv", "depth", "seldepth", "time", "nodes", "currmovenumber", "hashfull",
    "nps", "tbhits", "sbhits", "cpuload", "score", "cp", "mate", "lowerbound", "upperbound",
}  # fmt: skip


class AnalysisStream:
    """One search, from its first line to its bestmove.

    Args:
        work: what was asked for.
        board: the position that is searched.  No more variations can come than it has
            legal moves, and the best move is one of them.

    """

    def __init__(self, work: LichessWork, board: chess.Board) -> None:
        self.is_over = False
        self._board = board
        lines = min(work.multi_pv, board.legal_moves.count())
        self._slots: list[dict[str, object] | None] = [None] * lines
        self._best = ""  # the first move of the newest first variation
        self._latest: dict[str, object] = {"time": 0, "depth": 0, "nodes": 0, "pvs": []}

    def read_upload(self, line: bytes) -> bytes | None:
        """Return the object that a line of a provider's completes, with its newline.

        Raises:
            LichessApiError: it is none that a provider may say.

        """
        if not line or line + b"\n" == KEEPALIVE:
            return None  # Requesters are kept alive by the broker itself.
        if self.is_over:
            raise LichessApiError("nothing comes after bestmove")
        words = line.decode(errors="replace").partition(" string ")[0].split()
        if words[:1] == ["info"]:
            _check_info(words)
        elif words[:1] == ["bestmove"] and len(words) > 1:
            self._check_move(words[1])
        return self.read_line(line)

    def read_line(self, line: bytes) -> bytes | None:
        """Return the object that a line of an engine's completes, with its newline."""
        try:
            reply = uci.parse_reply(line.decode(errors="replace"))
        except uci.UciError:
            return None
        if isinstance(reply, uci.BestMove):
            return self._end(reply)
        if isinstance(reply, uci.Info) and reply.score and reply.pv and not self.is_over:
            return self._add_info(reply, reply.score)
        return None

    def end_early(self) -> bytes | None:
        """Return the last object of a search without bestmove, with the best move so far.

        None if it has one, or nothing was found.
        """
        if self._best and not self.is_over:
            with suppress(LichessApiError):
                self._check_move(self._best)
                return self._end(uci.BestMove(self._best))
        return None

    def _check_move(self, move: str) -> None:
        if move in NO_MOVES:
            return
        try:
            self._board.parse_uci(move)
        except ValueError as error:
            raise LichessApiError(f"the best move cannot be played: {error}") from error

    def _add_info(self, info: uci.Info, score: uci.Score) -> bytes | None:
        number = 1 if info.multipv is None else info.multipv
        if not 1 <= number <= len(self._slots) or (number == 1 and score.bound):
            return None
        if number == 1:
            self._slots = [None] * len(self._slots)
            self._best = info.pv[0]
        sign = 1 if self._board.turn == chess.WHITE else -1
        kind, value = ("cp", score.cp or 0) if score.mate is None else ("mate", score.mate)
        self._slots[number - 1] = {
            "moves": list(info.pv[:MAX_PV]),
            kind: sign * value,
            "depth": info.depth or 0,
        }
        if not all(self._slots):
            return None
        self._latest = {
            "time": info.time or 0,
            "depth": info.depth or 0,
            "nodes": info.nodes or 0,
            "pvs": list(self._slots),
        }
        return _print(self._latest)

    def _end(self, best: uci.BestMove) -> bytes:
        self.is_over = True
        move, ponder = with_known_moves(best)
        ending = {"bestmove": move, "ponder": ponder} if ponder else {"bestmove": move}
        return _print(self._latest | ending)


def prepare_work(work: LichessWork) -> tuple[LichessWork, AnalysisStream]:
    """Return work as engines must hear it, and the stream of its search.

    The FEN is written anew, and castling as the king taking its rook.

    Raises:
        LichessApiError: the position is none, or a move of it is not legal.

    """
    try:
        board, fen = read_board(work.initial_fen, chess960=True, variant=work.variant)
    except uci.UciError as error:
        raise LichessApiError(f"initialFen is no position: {error}") from error
    moves = []
    for number, text in enumerate(work.moves, 1):
        try:
            move = board.parse_uci(text)
        except ValueError as error:
            raise LichessApiError(f"move {number} cannot be played: {error}") from error
        moves.append(board.uci(move))
        board.push(move)
    work = replace(work, initial_fen=fen or work.initial_fen, moves=tuple(moves))
    return work, AnalysisStream(work, board)


def _print(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _check_info(words: list[str]) -> None:
    """Refuse an `info` that has unknown words, as Lichess's broker does."""
    expects = ""  # what the last key has behind it
    for word in words[1:]:
        if word in _KNOWN:
            expects = word
        elif expects in _WITH_MOVES:
            continue
        elif not expects or uci.to_number(word) is None:
            raise LichessApiError(f"no info has the word {word!r:.40}")
