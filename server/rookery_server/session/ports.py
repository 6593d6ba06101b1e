"""What a session asks of those around it: who has engines, and who listens in."""

from typing import TYPE_CHECKING, Protocol

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Hello
from rookery_server.config.resources import Size
from rookery_server.engines.running_engine import RunningEngine
from rookery_server.session.deadlines import Patience

if TYPE_CHECKING:
    from rookery_server.session.actor import Relay


class Provider(Protocol):
    """Who has engines, and knows the sessions."""

    patience: Patience  # with engines

    def admit(self, relay: "Relay") -> Refusal | None:
        """Count a session whose client begins to speak UCI; say why it may not be."""

    def ask_for_slot(self, relay: "Relay") -> None:
        """Get the right to have an engine: its supply hears of it, now or later."""

    def resize(self, relay: "Relay", size: Size) -> Size:
        """Make a slot larger or smaller, as far as there is room; return its size now."""

    def give_back(self, relay: "Relay") -> None:
        """Take note that it needs its slot no more."""

    def forget(self, relay: "Relay") -> None:
        """Take note that it wants no engine any more, if it has asked for one."""

    def ask_for_engine(self, relay: "Relay") -> None:
        """Get an engine: its supply hears of it, now or later."""

    def is_offered(self, relay: "Relay") -> bool:
        """Say whether its engine can be had now: no machine may offer it, or not any more."""

    def engine_hangs(self, relay: "Relay") -> None:
        """Take note that its engine does not answer; those that it might get may not, either."""

    def take_back(self, relay: "Relay", engine: RunningEngine, undo: bytes) -> bool:
        """Say whether an engine serves others now, after what undoes its session."""

    def withdraw(self, relay: "Relay") -> None:
        """Take note that it needs no slot any more, if it waits for one."""

    def objection_to_search(self, relay: "Relay") -> Refusal | None:
        """Say why a search may not begin."""

    def search_began(self, relay: "Relay", engine: RunningEngine) -> None:
        """Take note that a search begins: what is known of its position may be told."""

    def charge(self, relay: "Relay", engine: RunningEngine) -> None:
        """Count the CPU time that an engine has used of late."""

    def search_over(self, relay: "Relay", engine: RunningEngine | None) -> None:
        """Take note that a search has ended."""

    def control(self, relay: "Relay", hello: Hello) -> None:
        """Do what a client asks of the server itself."""

    def detached(self, relay: "Relay") -> bool:
        """Say whether a session is kept, though its connection is lost."""

    def over(self, relay: "Relay") -> None:
        """Take note that a session is over: nobody can come back to it."""

    def ended(self, relay: "Relay") -> None:
        """Take note that a session is over, and its engine gone."""


class Gallery(Protocol):
    """Those who watch a session, and may have been handed control of it."""

    def share(self, piece: bytes) -> bytes:
        """Take what the session says; return what of it is for its own client."""

    def answer(self, line: bytes) -> bytes | None:
        """Answer the client in the session's stead while another has control, else None."""
