"""A conversation of the bridge, with plain lines and no clock but a number."""

from rookery_bridge.session.bridge_options import Preferences
from rookery_bridge.session.conversation import Conversation


class Talk:
    """A conversation, and the time in it."""

    def __init__(self, *, fall_back: bool | None = None, correct: bool = True) -> None:
        self.now = 100.0
        preferences = Preferences(correct_clocks=correct, fall_back=fall_back)
        self.core = Conversation(preferences, self.now)

    def say(self, *lines: str) -> list[str]:
        """Let the GUI say lines; return what the server hears at once."""
        for line in lines:
            self.core.gui_said(line.encode(), self.now)
        return self.told()

    def told(self) -> list[str]:
        """Return what the server hears, but for the counting."""
        lines = [line.decode() for line in self.core.for_server()]
        return [line for line in lines if not line.startswith("rookery heard")]

    def answer(self, *lines: str) -> list[str]:
        """Let the server say lines; return what the GUI hears."""
        piece = "".join(f"{line}\n" for line in lines).encode()
        self.core.server_said(piece, self.now)
        return self.heard()

    def heard(self) -> list[str]:
        return self.core.for_gui().decode().splitlines()

    def link(self, heard: int = 0, ticket: str = "a.b", trip: float = 0.0) -> list[str]:
        """Connect, with a server that has heard so many lines; return what it hears now."""
        self.core.greeting()
        self.answer(f"rookery session {ticket} heard {heard} grace 60")
        told = self.told()
        self.now += trip
        self.core.server_said(f"rookery heard {heard}\n".encode(), self.now)
        return told

    def lose(self) -> list[str]:
        self.core.link_lost("the connection was lost", self.now)
        return self.heard()

    def wait(self, seconds: float) -> list[str]:
        """Let time pass, and the conversation be woken whenever it asks for it."""
        until = self.now + seconds
        while (due := self.core.due()) <= until:
            self.now = max(due, self.now)
            self.core.tick(self.now)
        self.now = until
        return self.heard()

    def fallback_hears(self) -> list[str]:
        return [line.decode() for line in self.core.for_fallback()]

    def local_says(self, *lines: str) -> list[str]:
        """Let the engine of this machine say lines; return what the GUI hears."""
        self.core.fallback_said("".join(f"{line}\n" for line in lines).encode(), self.now)
        return self.heard()
