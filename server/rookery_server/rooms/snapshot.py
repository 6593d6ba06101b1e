"""The state of a watched session, in as few lines as will do for one that comes late.  No I/O.

The state is the options, the position, whether it is searched, the newest `info` of each
variation, and the `bestmove` if it is over.  A spectator that hears these lines, which others
have heard before, knows what they know.
"""

from rookery_protocol.hello import RoomLine, RoomWord
from rookery_server.session.chunks import newest, runs
from rookery_uci import EXTRAS, SHOWING

_SAID = bytes(RoomLine(RoomWord.SAID))[:-1] + b" "
_NOTED = (b"bestmove", _SAID)  # with what lines begin that are no `info`, and are kept
# What leaves a position that only the engine knows, until the next `position`.
_MOVING = {each.encode() for each in EXTRAS if each not in SHOWING}
_MAX_INFO = 1 << 16  # bytes; 256 variations of usual length
_SQUEEZE_AT = 16384  # bytes; the least that is worth a walk over the lines


class Snapshot:
    """The newest of all that has been said in a room."""

    __slots__ = ("_bestmove", "_go", "_infos", "_options", "_position", "_searched", "_stop")

    def __init__(self) -> None:
        self._options: dict[bytes, bytes] = {}  # how each was last set
        self._position = b""
        # Of the newest search: the position, `go`, `ponderhit` or `stop`, what came of it.
        self._searched = self._go = self._stop = self._infos = self._bestmove = b""

    def record(self, piece: bytes) -> None:
        """Record lines as spectators hear them."""
        for part in runs(piece, _NOTED):
            if part.startswith(_NOTED):
                self._record_line(part)
            else:
                self._record_infos(part)

    def text(self) -> bytes:
        """Return the lines that say it all."""
        search = self._searched, self._go, newest(self._infos), self._stop, self._bestmove
        later = b"" if self._position == self._searched else self._position
        return b"".join((*self._options.values(), *(search if self._go else ()), later))

    def _record_infos(self, infos: bytes) -> None:
        self._infos += infos
        if len(self._infos) > _SQUEEZE_AT:
            self._infos = newest(self._infos)
            if len(self._infos) > _MAX_INFO:
                # Of what is too much, the latest.
                self._infos = self._infos[self._infos.find(b"\n", -_MAX_INFO) + 1 :]

    def _record_line(self, line: bytes) -> None:
        if line.startswith(b"bestmove"):
            self._bestmove = line
        if not line.startswith(_SAID):
            return
        word, _, rest = line[len(_SAID) :].rstrip().partition(b" ")
        if word == b"position":
            self._position = line
        elif word in _MOVING:  # Of several the last will do: it is not known where they lead.
            self._position = self._position[: self._position.find(b"\n") + 1] + line
        elif word == b"go":
            self._searched, self._go = self._position, line
            self._stop = self._infos = self._bestmove = b""
        elif word in (b"stop", b"ponderhit"):
            self._stop = line
        elif word == b"setoption":
            name, value, _ = rest.partition(b" value ")
            self._options.pop(name, None)  # Set anew, it goes to the end.
            if value:  # Else it was a button, which stays in no state.
                self._options[name] = line
