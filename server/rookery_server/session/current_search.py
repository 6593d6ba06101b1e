"""The search that a client has asked for last, and the best that was heard of it.  No I/O."""

from typing import NamedTuple

import rookery_uci as uci
from rookery_protocol.notices import Notice
from rookery_server.session.chunks import last_variation

_UNNOTICED = 100  # ms that are no wait: a network takes as much
_HURRY = 50  # ms, the least for a search that is done again


class Void(NamedTuple):
    """A `go` that no engine hears, for its position was refused."""

    go: uci.Go
    refusal: Notice

    def __str__(self) -> str:
        return str(self.go)

    @property
    def reason(self) -> Notice:
        """What the client hears at once."""
        text = f"nothing is searched without its position: {self.refusal.text}"
        return Notice(self.refusal.code, text)

    @property
    def answer(self) -> bytes:
        """What the client hears when it expects a move."""
        is_count = self.go.limits.perft is not None
        return b"Nodes searched: 0\n" if is_count else b"bestmove 0000\n"

    def is_held(self, word: str) -> bool:
        """Say whether its answer is not expected yet, once the client says a word."""
        limits = self.go.limits
        if limits.perft is not None or word == "stop":
            return False
        return limits.infinite or (limits.ponder and word != "ponderhit")


Command = uci.Command | Void  # as a session has it when it is judged


class Search:
    """A `go`, and of what the engine has said since the last two pieces and the main variation.

    An engine may say for seconds only which move it looks at, so that the pieces do not have it.
    """

    __slots__ = ("_variation", "go", "latest", "runner_up")

    def __init__(self, go: uci.Go | None = None) -> None:
        self.go = go or uci.Go()
        self.latest = self.runner_up = self._variation = b""

    @property
    def said(self) -> bytes:
        """What was heard of it last."""
        return self.runner_up + self.latest

    @property
    def is_urgent(self) -> bool:
        """Whether a clock runs while it does."""
        limits = self.go.limits
        if limits.ponder or limits.infinite:
            return False
        return not (limits.wtime is limits.btime is limits.movetime is None)

    @property
    def is_bounded(self) -> bool:
        """Whether it ends by itself."""
        limits = self.go.limits
        return limits.has_limit and not (limits.ponder or limits.infinite)

    def put(self, piece: bytes) -> None:
        """Take lines that the engine has said."""
        self.runner_up, self.latest = self.latest, piece
        self._variation = last_variation(piece) or self._variation

    def begin(self, waited: int) -> None:
        """Forget what was heard: it begins, perhaps anew, after so many ms."""
        self.latest = self.runner_up = self._variation = b""
        if waited > _UNNOTICED:
            self._take_off(waited, "wtime", "btime")

    def ponderhit(self) -> None:
        """Take note that the move that was guessed has been played."""
        self.go = uci.Go(self.go.limits._replace(ponder=False))

    def lose(self, elapsed: int) -> None:
        """Take note that so many ms have passed for nothing: the next engine has the rest."""
        self._take_off(elapsed, "wtime", "btime", "movetime")

    def _take_off(self, elapsed: int, *names: str) -> None:
        if not self.is_urgent:
            return
        limits = self.go.limits
        clocks = {
            name: max(time - elapsed, _HURRY)
            for name in names
            if (time := getattr(limits, name)) is not None
        }
        self.go = uci.Go(limits._replace(**clocks))

    def best_move(self) -> str | None:
        """Return the move that was best when it was last heard of; None if none was."""
        moves = self._variation.split()
        return moves[0].decode() if moves else None
