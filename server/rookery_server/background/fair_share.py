"""The turns of accounts and of their works at the workers.  No I/O and no clock.

Accounts have equal shares of the workers' time; within an account the works of the highest
priority go first, and those of one priority have equal shares, as have the parts of a work.  What
comes anew begins with what the others have had by then, so nobody has to catch up with the past.
A worker stays with its work for `SLICE`, for another may need another engine.
"""

from collections import Counter
from collections.abc import Container, Hashable, Sequence
from typing import Generic, TypeVar

from rookery_server.background.work import Work, WorkKey

SLICE = 10.0  # s

K = TypeVar("K", bound=Hashable)


class _Shares(Generic[K]):
    """The seconds that each has had."""

    def __init__(self) -> None:
        self._had: dict[K, float] = {}

    def keep_only(self, keys: Sequence[K]) -> None:
        """Forget all others; those that are new have had as much as the least of the others."""
        known = [self._had[key] for key in keys if key in self._had]
        least = min(known, default=0.0)
        self._had = {key: self._had.get(key, least) for key in keys}

    def add(self, key: K, seconds: float) -> None:
        if key in self._had:
            self._had[key] += seconds

    def of(self, key: K) -> float:
        return self._had.get(key, 0.0)


class FairShare:
    """The shares of all accounts and works."""

    def __init__(self) -> None:
        self._accounts: _Shares[str] = _Shares()
        self._works: _Shares[WorkKey] = _Shares()
        self._parts: dict[WorkKey, _Shares[int]] = {}

    def update(self, works: Sequence[Work]) -> None:
        """Learn which works there are."""
        self._accounts.keep_only(list(dict.fromkeys(each.account.name for each in works)))
        parts: dict[WorkKey, list[int]] = {}
        for each in works:
            parts.setdefault(each.key, []).append(each.part)
        self._works.keep_only(list(parts))
        self._parts = {key: self._parts.get(key, _Shares()) for key in parts}
        for key, numbers in parts.items():
            self._parts[key].keep_only(numbers)

    def charge(self, work: Work, seconds: float) -> None:
        """Count the time of a worker."""
        self._accounts.add(work.account.name, seconds)
        self._works.add(work.key, seconds)
        if work.key in self._parts:
            self._parts[work.key].add(work.part, seconds)

    def choose(
        self,
        works: Sequence[Work],
        current: Work | None,
        busy: Container[str] = (),
        others: Sequence[Work] = (),
    ) -> Work | None:
        """Return the work whose turn it is at a worker.

        Args:
            works: those of which something may be claimed.
            current: the work at which the worker is now.
            busy: accounts that have as many workers as they may.
            others: the works of the other workers, who leave parts of a work to each other.

        """
        crowd = Counter((each.key, each.part) for each in others)

        free = [each for each in works if each.is_same(current) or each.account.name not in busy]
        if not free:
            return None
        account = min((each.account.name for each in free), key=self._accounts.of)
        stays = next((each for each in free if each.is_same(current)), None)
        if stays and self._has_time(stays.account.name, account):
            account = stays.account.name
        own = [each for each in free if each.account.name == account]
        highest = max(each.priority for each in own)
        # Of equals the oldest is first.
        first = [each for each in sorted(own, key=_age) if each.priority == highest]
        chosen = min(
            first,
            key=lambda each: (
                self._works.of(each.key), crowd[each.key, each.part], self._of_part(each)
            ),
        )  # fmt: skip
        if stays not in first:
            return chosen
        is_crowded = crowd[stays.key, stays.part] > crowd[chosen.key, chosen.part]
        return stays if self._may_stay(stays, chosen, is_crowded=is_crowded) else chosen

    def _has_time(self, account: str, least: str) -> bool:
        return self._accounts.of(account) < self._accounts.of(least) + SLICE

    def _may_stay(self, stays: Work, chosen: Work, *, is_crowded: bool) -> bool:
        if stays.key == chosen.key:
            return not is_crowded and self._of_part(stays) < self._of_part(chosen) + SLICE
        return self._works.of(stays.key) < self._works.of(chosen.key) + SLICE

    def _of_part(self, work: Work) -> float:
        parts = self._parts.get(work.key)
        return parts.of(work.part) if parts else 0.0


def _age(work: Work) -> tuple[WorkKey, int]:
    return work.key, work.part
