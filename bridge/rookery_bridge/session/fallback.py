"""The engine of this machine that plays while the server cannot.  No I/O.

It is told one search at a time: lines that come while it still owes the move of another wait
until that has come.  The move of a search that was given up is ignored.
"""

from collections.abc import Iterable, Mapping
from math import inf

from rookery_bridge.session.bridge_options import MAX_LINES, options_in
from rookery_bridge.session.game_setup import GameSetup, OpponentStrength
from rookery_bridge.session.pending_requests import PendingSearch
from rookery_uci import Option, SetOption, key_of

_ANSWER = 5.0  # s for `uciok`, for which GUIs wait that long, or for the move after a `stop`
_RESERVE = 0.05  # s that it is told less than there are
_HURRY_RESERVE = 0.2  # s, the same where it plays because the clock is short: a busy machine's


class Fallback:
    """The `lines` for the engine, and which of its own count.

    `search` is the one that it plays; `is_wanted` says that the engine may be needed soon;
    `is_known` that it has said which options it has, and `offered` are those, by their keys.
    `lack` is what it cannot do of how weak it is to play, nothing if it can do all.
    `trusted_until` is until when an engine is taken to be alive that owes an answer without
    which it does not search.
    """

    def __init__(self) -> None:
        self.search: PendingSearch | None = None
        self.is_wanted = False
        self.is_known = False
        self.trusted_until = inf
        self.offered: dict[str, Option] = {}
        self.lack = ""
        self._strength: OpponentStrength | None = None
        self._is_busy = False  # it owes a bestmove, perhaps an unwanted one
        self._waiting: list[bytes] = []
        self.lines: list[bytes] = []

    def knows(self, rules: Iterable[SetOption]) -> bool:
        """Say whether the engine has options and their values; not before `uciok`."""
        for rule in rules:
            option = self.offered.get(key_of(rule.name))
            values = [value.casefold() for value in option.var] if option else []
            if option is None or (values and (rule.value or "").casefold() not in values):
                return False
        return True

    def start_search(
        self, search: PendingSearch, setup: GameSetup, offers: Mapping[str, Option], now: float
    ) -> None:
        """Begin a search, with the time that is left.

        How weak it is to play it is told after its `uciok`.

        Args:
            search: the search.
            setup: the GUI's options.
            offers: the server's options by their keys, in whose words the GUI has set them.
            now: the time.

        """
        self._strength = OpponentStrength(setup, offers) if setup.sets_strength else None
        self.stop_search()
        self.search = search
        reserve = _HURRY_RESERVE if search.in_hurry else _RESERVE
        go = search.command(now, reserve if search.limits.movetime is None else 0.0)
        self._waiting = [*setup.rules(), str(search.position).encode(), str(go).encode()]
        if search.stopped_at is not None:
            self._waiting.append(b"stop")
        self._send_waiting()
        if self._waiting or not self.is_known:
            self.trusted_until = min(self.trusted_until, now + _ANSWER)

    def signal(self, word: bytes) -> None:
        """Send `stop` or `ponderhit` to its search."""
        if self.search:
            (self._waiting or self.lines).append(word)

    def stop_search(self) -> None:
        """Stop its search: the move is not wanted."""
        if self.search and not self._waiting:
            self.lines.append(b"stop")
        self.search = None
        self._waiting = []

    def receive_line(self, line: bytes) -> bool:
        """Receive a line; say whether it counts."""
        if line.startswith(b"option "):
            if len(self.offered) < MAX_LINES:
                self.offered |= options_in([line])
        elif line.startswith(b"uciok"):
            self.is_known = True
            self.trusted_until = inf
            self._send_waiting()
        is_move = line.startswith(b"bestmove")
        counts = self.search is not None and not self._waiting
        counts = counts and (is_move or line.startswith(b"info "))
        if is_move:
            self._is_busy = False
            self.trusted_until = inf
            if counts:
                self.search = None
            self._send_waiting()
        return counts

    def lose_engine(self) -> None:
        """Forget all of an engine that has ended."""
        self.search = None
        self._is_busy = self.is_known = False
        self._waiting, self.lines = [], []
        self.offered = {}
        self.trusted_until = inf

    def _send_waiting(self) -> None:
        if self._waiting and not self._is_busy and (self.is_known or self._strength is None):
            if self._strength:
                options = self._strength.options_for(self.offered)
                self.lines += [str(each).encode() for each in options]
                self.lack = self._strength.lack(self.offered)
            self.lines += self._waiting
            self._waiting = []
            self._is_busy = True
