"""The stream of a search for its requester: the lines of an engine, as objects.  No I/O.

A line of the first variation begins a new object, and it goes out when each variation has
one.  Scores are from White's point of view.  Source: the API's description and the
public broker's behaviour, `docs/lichess.md`.
"""

import json
from contextlib import suppress

import chess

import rookery_uci as uci
from rookery_protocol.lichess_api import KEEPALIVE, MAX_PV, LichessApiError, LichessWork

NO_MOVE = "(none)"
_NO_MOVES = (NO_MOVE, "0000", "NULL")  # what engines say when there is none
_NUMBERS = (
    "multipv", "depth", "seldepth", "time", "nodes", "currmovenumber", "hashfull", "nps", "tbhits",
    "sbhits", "cpuload",
)  # fmt: skip
_MOVES = ("currmove", "refutation", "currline", "pv")
_SCORE = ("score", "cp", "mate", "lowerbound", "upperbound")
_KNOWN = {*_NUMBERS, *_MOVES, *_SCORE}


class Evaluation:
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
        self._latest: dict[str, object] = {"time": 0, "depth": 0, "nodes": 0, "pvs": []}

    def uploaded(self, line: bytes) -> bytes | None:
        """Take a line of a provider's; return what goes out, with its newline.

        Raises:
            LichessApiError: it is none that a provider may say.

        """
        if not line or line + b"\n" == KEEPALIVE:
            return None  # Requesters are kept alive by the broker itself.
        if self.is_over:
            raise LichessApiError("nothing comes after bestmove")
        if best := _check(line):
            self._check_move(best)
        return self.heard(line)

    def heard(self, line: bytes) -> bytes | None:
        """Take a line of an engine's; return what goes out, with its newline."""
        try:
            reply = uci.parse_reply(line.decode(errors="replace"))
        except uci.UciError:
            return None
        if isinstance(reply, uci.BestMove):
            return self._end(reply)
        if isinstance(reply, uci.Info) and reply.score and reply.pv and not self.is_over:
            return self._improve(reply, reply.score)
        return None

    def ending(self) -> bytes | None:
        """Return the end that has not been said: the best move so far.

        None if it has been, or nothing was found.
        """
        first = self._slots[0] if self._slots else None
        if self.is_over or first is None:
            return None
        moves = first["moves"]
        assert isinstance(moves, list)
        with suppress(LichessApiError):
            self._check_move(moves[0])
            return self._end(uci.BestMove(moves[0]))
        return None

    def _check_move(self, best: str) -> None:
        if best in _NO_MOVES:
            return
        try:
            self._board.parse_uci(best)
        except ValueError as error:
            raise LichessApiError(f"the best move cannot be played: {error}") from error

    def _improve(self, info: uci.Info, score: uci.Score) -> bytes | None:
        number = 1 if info.multipv is None else info.multipv
        if not 1 <= number <= len(self._slots) or (number == 1 and score.bound):
            return None
        if number == 1:
            self._slots = [None] * len(self._slots)
        self._slots[number - 1] = {
            "moves": list(info.pv[:MAX_PV]),
            **self._for_white(score),
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

    def _for_white(self, score: uci.Score) -> dict[str, int]:
        sign = 1 if self._board.turn == chess.WHITE else -1
        if score.mate is not None:
            return {"mate": sign * score.mate}
        return {"cp": sign * (score.cp or 0)}

    def _end(self, best: uci.BestMove) -> bytes:
        self.is_over = True
        move = NO_MOVE if best.move in _NO_MOVES else best.move
        ponder = {"ponder": best.ponder} if best.ponder else {}
        return _print({**self._latest, "bestmove": move, **ponder})


def _print(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _check(line: bytes) -> str | None:
    """Refuse an `info` that has unknown words; return the best move, if the line says one.

    Lines that are neither say nothing, as in Lichess's broker.
    """
    text = line.decode(errors="replace")
    words = text.partition(" string ")[0].split()
    if words[:1] == ["bestmove"] and len(words) > 1:
        return words[1]
    if words[:1] != ["info"]:
        return None
    expects = ""  # what the last key has behind it
    for word in words[1:]:
        if word in _KNOWN:
            expects = word
        elif expects in _MOVES:
            continue
        elif not expects or uci.to_number(word) is None:
            raise LichessApiError(f"no info has the word {word!r:.40}")
    return None
