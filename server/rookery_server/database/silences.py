"""The silence of other servers, as this one has seen it by its own clock.  No I/O and no clock."""

from collections.abc import Mapping

GIVEN_UP = 30.0  # s without a sign of a server, after which others do what it had begun
# s that count of the time between two looks, which are 5 s apart.  Between two that are further
# apart the database could not be reached, or this server stood still; others may have, too.
COUNTED = 6.0


class Silences:
    """The time for which each of the other servers has given no sign."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, float]] = {}  # the last sign of each; s since then
        self._looked_at: float | None = None

    def update(self, signs: Mapping[int, int], now: float) -> set[int]:
        """Learn the last signs of all others; return the servers to give up."""
        passed = 0.0 if self._looked_at is None else min(now - self._looked_at, COUNTED)
        self._looked_at = now
        former, self._known = self._known, {}
        for server, sign in signs.items():
            last, silence = former.get(server, (None, 0.0))
            self._known[server] = (sign, silence + passed if sign == last else 0.0)
        return {server for server, (_, silence) in self._known.items() if silence > GIVEN_UP}
