"""The turns of accounts and of their jobs at the workers.  No I/O and no clock.

Accounts have equal shares of the workers' time; within an account the jobs of the highest
priority go first, and those of one priority have equal shares.  What comes anew begins with
what the others have had by then, so nobody has to catch up with the past.  A worker stays with
its job for `SLICE`, for another may need another engine.
"""

from collections.abc import Container, Sequence
from typing import Generic, TypeVar

from rookery_server.jobs.stored_job import StoredJob

SLICE = 10.0  # s

K = TypeVar("K", str, int)


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
    """The shares of all accounts and jobs that have work."""

    def __init__(self) -> None:
        self._accounts: _Shares[str] = _Shares()
        self._jobs: _Shares[int] = _Shares()

    def update(self, jobs: Sequence[StoredJob]) -> None:
        """Learn which jobs there are."""
        self._accounts.keep_only(list(dict.fromkeys(each.account.name for each in jobs)))
        self._jobs.keep_only([each.number for each in jobs])

    def charge(self, job: StoredJob, seconds: float) -> None:
        """Count the time of a worker."""
        self._accounts.add(job.account.name, seconds)
        self._jobs.add(job.number, seconds)

    def choose(
        self, jobs: Sequence[StoredJob], current: int | None, busy: Container[str] = ()
    ) -> StoredJob | None:
        """Return the job whose turn it is at a worker.

        Args:
            jobs: those that have work.
            current: the job at which the worker is now.
            busy: accounts that have as many workers as they may.

        """
        free = [each for each in jobs if each.number == current or each.account.name not in busy]
        if not free:
            return None
        account = min((each.account.name for each in free), key=self._accounts.of)
        stays = next((each for each in free if each.number == current), None)
        if stays and self._has_time(stays.account.name, account):
            account = stays.account.name
        own = [each for each in free if each.account.name == account]
        highest = max(each.priority for each in own)
        # Of equals the oldest is first.
        first = [each for each in sorted(own, key=_number) if each.priority == highest]
        chosen = min(first, key=lambda each: self._jobs.of(each.number))
        if stays in first and self._jobs.of(stays.number) < self._jobs.of(chosen.number) + SLICE:
            return stays
        return chosen

    def _has_time(self, account: str, least: str) -> bool:
        return self._accounts.of(account) < self._accounts.of(least) + SLICE


def _number(job: StoredJob) -> int:
    return job.number
