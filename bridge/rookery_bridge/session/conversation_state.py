"""What one conversation knows, for those who judge by it and those who act.  No I/O."""

from dataclasses import dataclass, field

from rookery_bridge.session.bridge_options import Preferences
from rookery_bridge.session.fallback import Fallback
from rookery_bridge.session.game_setup import Recall
from rookery_bridge.session.gui import Gui
from rookery_bridge.session.pending_requests import Ledger
from rookery_bridge.session.server_link import Link
from rookery_bridge.session.uci_answer import Greeting


@dataclass(frozen=True, slots=True)
class State:
    """Both sides of a conversation, and what is owed between them.

    `preferences` are those of the bridge's user, `greeting` is the server's answer to `uci`,
    `recall` what the GUI has set.
    """

    preferences: Preferences
    link: Link
    greeting: Greeting
    gui: Gui = field(default_factory=Gui)
    ledger: Ledger = field(default_factory=Ledger)
    recall: Recall = field(default_factory=Recall)
    fallback: Fallback = field(default_factory=Fallback)

    @property
    def delay(self) -> float:
        """What the network takes of each clock, in seconds."""
        return self.link.round_trip.seconds if self.preferences.correct_clocks else 0.0

    @property
    def may_fall_back(self) -> bool:
        """Whether the engine of this machine may play, and knows the rules of the game."""
        rules = self.recall.unusual_rules()
        return self.preferences.fall_back and self.fallback.knows(rules)
