"""What an engine is told for one job after the other, and what of its answers goes out.  No I/O."""

from dataclasses import replace

import rookery_uci as uci
from rookery_protocol.legality import standard_castling
from rookery_protocol.lichess_api import VARIANTS, Registration, Work

NO_MOVE = "(none)"
_NO_MOVES = (NO_MOVE, "0000", "NULL")
_VARIANT = "uci_variant"
_CHESS960 = "uci_chess960"


class Script:
    """One engine process from when it began: it is told what has changed, and no more."""

    def __init__(self) -> None:
        self.options: dict[str, uci.Option] = {}  # that it has, by their names in lower case
        self.name = ""  # as it calls itself
        self._told: dict[str, str] = {}
        self._session: str | None = None

    def introduced(self, line: bytes) -> bool:
        """Take a line of its answer to `uci`; say whether that was the last one."""
        try:
            reply = uci.parse_reply(line.decode(errors="replace"))
        except uci.UciError:
            return False
        if isinstance(reply, uci.Option):
            self.options[reply.name.lower()] = reply
        elif isinstance(reply, uci.Id) and reply.kind == "name":
            self.name = reply.text
        return reply is uci.Ok.UCIOK

    def prepare(self, work: Work) -> list[bytes]:
        """Return what it hears before a position; `isready` is the last, if there is anything."""
        wanted = work.options()
        lines = [
            f"setoption name {name} value {value}"
            for name, value in wanted.items()
            if name.lower() in self.options and self._told.get(name) != value
        ]
        self._told |= wanted
        if work.session_id != self._session:
            self._session = work.session_id
            lines.append("ucinewgame")
        return [line.encode() for line in (*lines, "isready")] if lines else []

    def search(self, work: Work) -> list[bytes]:
        """Return what lets it search."""
        if _CHESS960 not in self.options:
            position = uci.Position(work.initial_fen, work.moves)
            work = replace(work, moves=standard_castling(position, variant=work.variant))
        # A line end in a FEN would begin a command to a program of this machine.
        return [" ".join(line.split()).encode() for line in work.lines()]

    def registration(
        self, name: str, secret: str, *, max_threads: int, max_hash: int
    ) -> Registration:
        """Return what it is registered with: no more than it has, and than is allowed."""
        offered = self.options.get(_VARIANT)
        variants = tuple(each for each in VARIANTS if offered and each in offered.var)
        return Registration(
            name,
            max_threads=min(max_threads, self._most("threads")),
            max_hash=min(max_hash, self._most("hash")),
            provider_secret=secret,
            variants=variants or ("chess",),
        )

    def _most(self, name: str) -> int:
        option = self.options.get(name)
        return max(1, option.max) if option and option.max else 1


class Findings:
    """What of an engine's answers goes out, in words that the broker knows.

    A bestmove is the last: if the engine does not say it, it is the first move of the
    best line so far.
    """

    def __init__(self) -> None:
        self.info: uci.Info | None = None  # the last that had a score, of the best line
        self.is_over = False

    def heard(self, line: bytes) -> bytes | None:
        """Take a line of the engine's; return what goes out, with its newline."""
        if self.is_over:
            return None
        try:
            reply = uci.parse_reply(line.decode(errors="replace"))
        except uci.UciError:
            return None
        if isinstance(reply, uci.BestMove):
            return self._end(reply)
        if not isinstance(reply, uci.Info) or reply.score is None:
            return None
        if reply.pv and reply.multipv in (None, 1):
            self.info = reply
        # The broker knows no `wdl`, and refuses what it does not know.
        return f"{reply._replace(wdl=None, string=None)}\n".encode()

    def ending(self) -> bytes | None:
        """Return the bestmove that an engine has not said; None if it has."""
        best = self.info.pv[0] if self.info else NO_MOVE
        return None if self.is_over else self._end(uci.BestMove(best))

    def _end(self, best: uci.BestMove) -> bytes:
        self.is_over = True
        move = NO_MOVE if best.move in _NO_MOVES else best.move
        ponder = None if best.ponder in _NO_MOVES else best.ponder
        return f"{uci.BestMove(move, ponder)}\n".encode()
