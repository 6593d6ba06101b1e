"""The works that wait, because their engine could not be had or they met an error of ours.

An engine that cannot be had is asked for again after a while, for no work of the same account
before that; an error of the server is one of the work itself.  No I/O and no clock.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from rookery_protocol.backoff import Backoff
from rookery_server.background.work import Work

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0  # s


@dataclass(slots=True)
class _Wait:
    until: float = 0.0  # s
    backoff: Backoff = field(
        default_factory=lambda: Backoff(first=FIRST_WAIT, longest=LONGEST_WAIT)
    )


class WorkWaits:
    """The waits of all works."""

    def __init__(self) -> None:
        self._waits: dict[Hashable, _Wait] = {}

    def add_for_engine(self, work: Work, now: float) -> bool:
        """Have all wait that want this engine; return whether that is new."""
        return self._add(_engine_of(work), now)

    def add(self, work: Work, now: float) -> bool:
        """Have a work wait; return whether that is new."""
        return self._add(work.key, now)

    def end(self, work: Work) -> None:
        """Forget the waits of a work: some of it was done."""
        for key in (_engine_of(work), work.key):
            self._waits.pop(key, None)

    def are_over(self, work: Work, now: float) -> bool:
        """Return whether a work need not wait."""
        waits = (self._waits.get(key) for key in (_engine_of(work), work.key))
        return all(wait is None or now >= wait.until for wait in waits)

    def keep_only(self, works: Sequence[Work]) -> None:
        """Forget the waits of all others."""
        known = {key for each in works for key in (_engine_of(each), each.key)}
        self._waits = {key: wait for key, wait in self._waits.items() if key in known}

    def _add(self, key: Hashable, now: float) -> bool:
        is_new = key not in self._waits
        wait = self._waits.setdefault(key, _Wait())
        wait.until = now + wait.backoff.next_wait(1.0)
        return is_new


def _engine_of(work: Work) -> Hashable:
    return work.account.name, work.engine, "engine"
