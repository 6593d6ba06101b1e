"""A conversation of the bridge, with plain lines and no clock but a number."""

from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_bridge.session.conversation import Conversation, Effects
from rookery_protocol.hello import Hello


class Talk:
    """A conversation, the time in it, and what each side has not heard yet."""

    def __init__(
        self, *, fall_back: bool = False, correct: bool = True, may_guess: bool = True
    ) -> None:
        self.now = 100.0
        options = BridgeOptions(correct_clocks=correct, has_fallback=fall_back, may_guess=may_guess)
        self.core = Conversation(options, self.now)
        self.due = self.core.due()
        self._gui = b""
        self._server: list[bytes] = []
        self._fallback: list[bytes] = []

    def collect(self, effects: Effects) -> None:
        """Keep what an input has brought about."""
        self._gui += effects.gui
        self._server += effects.server
        self._fallback += effects.fallback
        if effects.due is not None:
            self.due = effects.due

    def say(self, *lines: str) -> list[str]:
        """Let the GUI say lines; return what the server hears at once."""
        for line in lines:
            self.collect(self.core.receive_from_gui(line.encode(), self.now))
        return self.told()

    def told(self) -> list[str]:
        """Return what the server hears, but for the counting."""
        lines = [line.decode() for line in self.told_all()]
        return [line for line in lines if not line.startswith("rookery heard")]

    def told_all(self) -> list[bytes]:
        lines, self._server = self._server, []
        return lines

    def hello(self) -> Hello:
        """Begin a connection: what was not sent over the last one is not sent over this."""
        self._server = []
        return self.core.hello()

    def answer(self, *lines: str) -> list[str]:
        """Let the server say lines; return what the GUI hears."""
        piece = "".join(f"{line}\n" for line in lines).encode()
        self.collect(self.core.receive_from_server(piece, self.now))
        return self.heard()

    def heard(self) -> list[str]:
        piece, self._gui = self._gui, b""
        return piece.decode().splitlines()

    def link(self, heard: int = 0, ticket: str = "a.b", trip: float = 0.0) -> list[str]:
        """Connect, with a server that has heard so many lines; return what it hears now."""
        self.hello()
        self.collect(
            self.core.receive_from_server(
                f"rookery session {ticket} heard {heard} grace 60\n".encode(), self.now
            )
        )
        told = self.told()
        self.now += trip
        self.collect(self.core.receive_from_server(f"rookery heard {heard}\n".encode(), self.now))
        return told

    def lose(self) -> list[str]:
        self.collect(self.core.lose_link("the connection was lost", self.now))
        return self.heard()

    def begin_without(self) -> None:
        self.collect(self.core.begin_without_server(self.now))

    def wait(self, seconds: float) -> list[str]:
        """Let time pass, and the conversation be called whenever it has asked for it."""
        until = self.now + seconds
        while self.due <= until:
            self.now = max(self.due, self.now)
            self.collect(self.core.tick(self.now))
        self.now = until
        return self.heard()

    def fallback_hears(self) -> list[str]:
        lines, self._fallback = self._fallback, []
        return [line.decode() for line in lines]

    def local_says(self, *lines: str) -> list[str]:
        """Let the engine of this machine say lines; return what the GUI hears."""
        piece = "".join(f"{line}\n" for line in lines).encode()
        self.collect(self.core.receive_from_fallback(piece, self.now))
        return self.heard()
