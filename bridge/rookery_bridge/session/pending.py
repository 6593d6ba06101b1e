"""What a GUI is owed: an answer to each `uci` and `isready`, a move for each `go`.

A debt is paid once, by whoever can: the server, the engine of this machine, or the
bridge itself.  What the server says to it after that is for nobody.  No I/O, no clock:
times are seconds that the callers give.
"""

from enum import StrEnum

from rookery_bridge.session.remaining_time import Clock, less
from rookery_uci import (
    FenError,
    Fields,
    Go,
    Info,
    Limits,
    Position,
    UciError,
    parse_reply,
    side_of,
)

_CALM = 10.0  # s from an outage, after which another has nothing to do with it


class Kind(StrEnum):
    """The words that pay."""

    UCIOK = "uciok"
    READYOK = "readyok"
    BESTMOVE = "bestmove"


class Debt:
    """An answer that is owed since some time."""

    __slots__ = ("kind", "paid", "since")

    def __init__(self, kind: Kind, since: float) -> None:
        self.kind = kind
        self.since = since
        self.paid = False


class Search(Debt):
    """A move that is owed: for which position, within which limits, and what is known of it."""

    __slots__ = (
        "_best",
        "_lost_at",
        "heard_at",
        "in_hurry",
        "is_heard",
        "is_kept",
        "is_put_off",
        "left_at",
        "limits",
        "move",
        "outages",
        "position",
        "stopped_at",
    )

    def __init__(self, limits: Limits, position: Position, since: float) -> None:
        super().__init__(Kind.BESTMOVE, since)
        self.limits = limits
        self.position = position
        self.stopped_at: float | None = None
        self.heard_at = since  # when something was heard of it last
        self.outages = 0  # without a server, one soon after the other
        self._lost_at = since
        self.in_hurry = False  # no server can answer in time: it is played on this machine
        self.is_kept = False  # by the engine of this machine once it is at it: the clock has run
        self.is_heard = False
        self.is_put_off = False  # the server's move for it is no answer
        self.left_at: float | None = (
            None  # to the engine of this machine, by a server that is there
        )
        self.move = b""  # an engine's line that came before the GUI expected a move
        self._best = b""  # the last line of output with the variation that is best

    @property
    def clock(self) -> Clock | None:
        """The time that there is for it; None if no clock runs."""
        return Clock.of(self.limits, white=white_moves(self.position))

    @property
    def has_flag(self) -> bool:
        """Whether a game is lost if its move comes too late; not by `movetime`."""
        limits = self.limits
        return (limits.wtime if white_moves(self.position) else limits.btime) is not None

    @property
    def is_open(self) -> bool:
        """Whether the GUI expects no move before another word of its own, whatever is found."""
        return (self.limits.ponder or self.limits.infinite) and self.stopped_at is None

    @property
    def is_played_here(self) -> bool:
        """Whether its move is not, or no longer, the server's to say."""
        return self.in_hurry or self.left_at is not None or self.move != b""

    @property
    def ends(self) -> bool:
        """Whether it comes to its move without another word of the GUI's."""
        # There may be no such mate, and many engines search on for it.
        has_limit = self.limits._replace(mate=None).has_limit
        return self.stopped_at is not None or (has_limit and not self.is_open)

    def heard(self, piece: bytes, now: float) -> None:
        """Take `info` lines of it."""
        self.heard_at = now
        self.is_heard = True
        if self.outages and now - self._lost_at > _CALM:
            self.outages = 0
        # Many lines are of other variations, or of the move that is looked at.
        self._best = _best_in(piece) or self._best

    def may_go_on(self, now: float) -> bool:
        """Say whether a server that ends it too early is to be left for another."""
        clock = self.clock
        return self.stopped_at is None and (clock is None or now < self.since + clock.elsewhere)

    def lost(self, now: float) -> None:
        """Take note that it is without a server."""
        self.outages += 1
        self._lost_at = now

    def ponderhit(self, now: float) -> None:
        """Take note that the move that was pondered on is played: the clock runs from here."""
        self.limits = self.limits._replace(ponder=False)
        self.since = now

    def command(self, now: float, delay: float) -> Go:
        """Return the search as it is begun now, over a way of so many seconds there and back."""
        if self.clock is None and not self.limits.ponder:
            return Go(self.limits)
        elapsed = 0.0 if self.limits.ponder else now - self.since
        return Go(less(self.limits, elapsed, delay, white=white_moves(self.position)))

    def best_line(self) -> tuple[str, ...]:
        """Return the moves that were best when it was last heard of."""
        try:
            info = parse_reply(self._best.decode(errors="replace"))
        except UciError:
            return ()
        return info.pv if isinstance(info, Info) else ()

    def best_info(self) -> bytes:
        """Return the line that has them; nothing if there is none."""
        return self._best if self.best_line() else b""


def white_moves(position: Position) -> bool:
    """Say whether it is White's turn."""
    begins = position.fen is None or _begins(position.fen)
    return begins == (len(position.moves) % 2 == 0)


def _begins(fen: str) -> bool:
    try:
        return side_of(Fields.parse(fen)) == "w"
    except FenError:  # of which no clock matters
        return True


def _best_in(piece: bytes) -> bytes:
    """Return the last line with the variation that is best; nothing if there is none."""
    if b" pv " not in piece:
        return b""
    for line in reversed(piece.splitlines()):
        is_first = b" multipv " not in line or b" multipv 1 " in line
        if b" pv " in line and is_first and not line.startswith(b"info string "):
            return line
    return b""
