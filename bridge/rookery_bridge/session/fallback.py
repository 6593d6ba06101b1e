"""The engine of this machine that plays while the server cannot.  No I/O.

It is told one search at a time: what comes while it still owes the move of another
waits until that has come.  A search that was given up says nothing any more.
"""

from collections.abc import Iterable, Mapping
from math import inf

from rookery_bridge.session.game_setup import Recall
from rookery_bridge.session.opponent_strength import Strength
from rookery_bridge.session.pending import Search
from rookery_bridge.session.uci_answer import MAX_LINES, options_in
from rookery_uci import Option, SetOption, key_of

_ANSWER = 5.0  # s for `uciok`, for which GUIs wait that long, or for the move after a `stop`
_RESERVE = 0.05  # s that it is told less than there are
_HURRY_RESERVE = 0.2  # s, the same where it plays because the clock is short: a busy machine's


class Fallback:
    """What the engine hears, and which of its words count.

    `for_engine` is what it should hear now, `is_wanted` whether it may be needed soon,
    `is_known` whether it has said which options it has, and `offered` are those.
    `trusted_until` is until when one is thought to live that owes an answer without which it
    does not search.
    """

    def __init__(self) -> None:
        self.search: Search | None = None  # that it plays
        self.is_wanted = False
        self.is_known = False
        self.trusted_until = inf
        self._lack = ""  # what it cannot do of how weak it is to play
        self._known_lack = ""  # the same, as the GUI knows
        self._strength: Strength | None = None
        self._busy = False  # it owes a bestmove, perhaps one that nobody wants any more
        self._waiting: list[bytes] = []
        self._for_engine: list[bytes] = []
        self.offered: dict[str, Option] = {}  # by their keys, once known

    def knows(self, rules: Iterable[SetOption]) -> bool:
        """Say whether the engine has options, and the values; not before it has said so."""
        for rule in rules:
            option = self.offered.get(key_of(rule.name))
            values = [value.casefold() for value in option.var] if option else []
            if option is None or (values and (rule.value or "").casefold() not in values):
                return False
        return True

    def for_engine(self) -> list[bytes]:
        """Return the lines that the engine should hear now, and forget them."""
        lines, self._for_engine = self._for_engine, []
        return lines

    def play(
        self, search: Search, recall: Recall, offers: Mapping[str, Option], now: float
    ) -> None:
        """Let it search, with what is left of the time.

        How weak it is to play it is told once it has said what it has for that.

        Args:
            search: what is owed.
            recall: what the GUI has set for it.
            offers: the server's options by their keys, in whose words the GUI has set them.
            now: the time.

        """
        self._strength = Strength(recall, offers) if recall.sets_strength else None
        self.dismiss()
        self.search = search
        reserve = _HURRY_RESERVE if search.in_hurry else _RESERVE
        go = search.command(now, reserve if search.limits.movetime is None else 0.0)
        self._waiting = [*recall.rules(), str(search.position).encode(), str(go).encode()]
        if search.stopped_at is not None:
            self._waiting.append(b"stop")
        self._begin()
        if self._waiting or not self.is_known:
            self.trusted_until = min(self.trusted_until, now + _ANSWER)

    def new_lack(self) -> str:
        """Return, once, what it cannot do of how weak it is to play; nothing if it can do all."""
        known, self._known_lack = self._known_lack, self._lack
        return "" if self._lack == known else self._lack

    def signal(self, word: bytes) -> None:
        """Pass on what the GUI says to a search that runs."""
        if self.search is None:
            return
        if self._waiting:
            self._waiting.append(word)
        else:
            self._for_engine.append(word)

    def dismiss(self) -> None:
        """Let it stop: its move is not wanted."""
        if self.search and not self._waiting:
            self._for_engine.append(b"stop")
        self.search = None
        self._waiting = []

    def said(self, line: bytes) -> bool:
        """Take a line; say whether it counts."""
        if line.startswith(b"option "):
            if len(self.offered) < MAX_LINES:
                self.offered |= options_in([line])
        elif line.startswith(b"uciok"):
            self.is_known = True
            self.trusted_until = inf
            self._begin()
        is_move = line.startswith(b"bestmove")
        counts = self.search is not None and not self._waiting
        counts = counts and (is_move or line.startswith(b"info "))
        if is_move:
            self._busy = False
            self.trusted_until = inf
            if counts:
                self.search = None
            self._begin()
        return counts

    def lost(self) -> None:
        """Take note that the engine has ended."""
        self.search = None
        self._busy = False
        self._waiting = []
        self._for_engine = []
        self.offered = {}
        self.is_known = False
        self.trusted_until = inf

    def _begin(self) -> None:
        if self._waiting and not self._busy and (self.is_known or self._strength is None):
            if self._strength:
                self._for_engine += [
                    str(each).encode() for each in self._strength.fitted(self.offered)
                ]
                self._lack = self._strength.lack(self.offered)
            self._for_engine += self._waiting
            self._waiting = []
            self._busy = True
