"""A limit on how often something may happen: a bucket that fills at a steady rate.

A caller that may refuse asks `wait` first.  One that may not, because to lose the thing
would do harm, spends at once, even into debt, and does not read from the sender
until the debt is paid.  Times are in seconds, and `now` is the caller's clock.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

REMEMBERED = 10_000  # keys with a bucket each: about 2 MB

K = TypeVar("K", bound=Hashable)


class TokenBucket:
    """A bucket that holds up to `burst` tokens, and gets `rate` new ones each second."""

    __slots__ = ("_burst", "_rate", "_then", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._then = now

    def spend(self, now: float, tokens: float = 1.0) -> float:
        """Spend tokens, whether they are there or not; return the seconds until they are paid."""
        self._fill(now)
        self._tokens -= tokens
        return max(0.0, -self._tokens / self._rate)

    def try_spend(self, now: float) -> bool:
        """Spend a token if there is one; return whether there was."""
        if self.wait(now):
            return False
        self._tokens -= 1.0
        return True

    def wait(self, now: float) -> float:
        """Return the seconds until there is a token; 0 if there is one."""
        self._fill(now)
        return max(0.0, (1.0 - self._tokens) / self._rate)

    def is_full(self, now: float) -> bool:
        """Return whether nothing is left to remember: it is as good as a new one."""
        self._fill(now)
        return self._tokens >= self._burst

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate)
        self._then = now


class TokenBuckets(Generic[K]):
    """A bucket for each key, as an address; those that were seen last are remembered."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[K, TokenBucket] = OrderedDict()

    def spend(self, key: K, now: float) -> float:
        """Spend a token if there is one, and return 0; else return the seconds until there is."""
        bucket = self._buckets.setdefault(key, TokenBucket(self._rate, self._burst, now))
        self._buckets.move_to_end(key)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return 0.0 if bucket.try_spend(now) else bucket.wait(now)


class TooOftenError(Exception):
    """Something was asked for too often; `wait` is the time in seconds until it may be again."""

    def __init__(self, text: str, wait: float) -> None:
        super().__init__(text)
        self.wait = wait
