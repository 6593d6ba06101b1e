"""What one session says to its client: over the connection that it has now, or the next one.

A connection may be lost, or taken over by a newer one.  For a client that has said that it may
come back, all that it must hear once is kept until it says that it has heard it.
"""

from rookery_protocol.notices import Close
from rookery_server.session.client_channel import Client, Ear
from rookery_server.session.replay_buffer import Owed
from rookery_server.session.totals import Totals


class Delivery:
    """The client of one session, as who is told things."""

    __slots__ = ("_totals", "ear", "owed")

    def __init__(self, client: Client, totals: Totals) -> None:
        """Begin with a connection; the lines that are told are counted in `totals`."""
        self.ear: Ear | None = Ear(client)  # None while there is no connection
        self.owed: Owed | None = None  # for a client that may come back
        self._totals = totals

    @property
    def client(self) -> Client | None:
        """The connection; None while there is none."""
        return self.ear.client if self.ear else None

    # --- what is told

    def put(self, piece: bytes) -> None:
        """Tell what the session says: it is owed to a client that may come back."""
        self._totals.lines_told += piece.count(b"\n")
        if self.owed:
            self.owed.put(piece)
        if self.ear:
            self.ear.tell(piece)

    def tell(self, piece: bytes) -> None:
        """Tell lines that are none of the session's, if the client is there."""
        if self.ear:
            self.ear.tell(piece)

    def mention(self, piece: bytes) -> bool:
        """Tell what is of use now, and owed to nobody, unless the client is behind.

        Returns whether it was told.
        """
        if self.ear is None or self.ear.paused:
            return False
        self._totals.lines_told += piece.count(b"\n")
        self.ear.tell(piece)
        return True

    # --- a client that may come back

    def keep(self) -> None:
        """Keep what the client is owed, so that it may come back for it."""
        self.owed = self.owed or Owed()

    def heard(self, count: int) -> None:
        """Take note that the client has heard so many lines that were owed."""
        if self.owed:
            self.owed.heard(count)

    def change(self, ear: Ear) -> None:
        """Go on with another connection, which has taken the session over."""
        if self.ear:
            self.ear.finish(Close.TAKEN_OVER, "another connection has taken over")
        self.ear = ear

    def catch_up(self, greeting: bytes, count: int) -> None:
        """Greet a client that has come back, and tell what it has missed.

        Args:
            greeting: what it is told first.
            count: how many of the lines that were owed it has heard.

        """
        assert self.ear
        assert self.owed
        self.ear.tell(greeting)
        self.owed.go_on(count)
        if piece := self.owed.after(count):
            self.ear.tell(piece)

    # --- its end

    def lose(self) -> None:
        """Take note that the connection is lost, or belongs to another session now."""
        self.ear = None

    def finish(self, piece: bytes, close: Close, reason: str) -> None:
        """Tell the last lines, if there are any, and close the connection."""
        if self.ear:
            if piece:
                self.ear.tell(piece)
            self.ear.finish(close, reason)
            self.ear = None
