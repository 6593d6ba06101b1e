"""The lines of a session that both sides count, so that none is lost or heard twice.

It is the client's half of "a session that outlives its connection" in docs/protocol.md:
what was said and is not known to be heard is kept, in order, to be said again; and how
much the server has said that is no `info`.  No I/O.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rookery_bridge.session.pending import Debt


@dataclass(slots=True)
class Entry:
    """A line of the client's, and the debt that it is about, if it is about one.

    `asks` says that the debt comes from this line: others about it are `stop` and `ponderhit`.
    """

    line: bytes
    debt: Debt | None = None
    asks: bool = False


class Journal:
    """One session's lines.  `ticket` is the pass to come back with; None is a new session."""

    def __init__(self) -> None:
        self.ticket: str | None = None
        self.heard = 0  # lines of the server's that count
        self._said = 0  # lines of ours that the server is known to have heard
        self._entries: list[Entry] = []  # those after them

    def say(self, entry: Entry) -> None:
        """Add a line."""
        self._entries.append(entry)

    def confirm(self, count: int) -> bool:
        """Take note of how many lines the server has heard; say whether that can be."""
        if not self._said <= count <= self._said + len(self._entries):
            return False
        del self._entries[: count - self._said]
        self._said = count
        return True

    def revise(self, revision: Callable[[list[Entry]], list[Entry]]) -> list[Entry]:
        """Return the lines to say after coming back: what was not heard may still be changed."""
        self._entries = revision(self._entries)
        return self._entries

    def begin_anew(self, entries: list[Entry]) -> None:
        """Begin another session with these lines."""
        self.ticket = None
        self.heard = self._said = 0
        self._entries = entries
