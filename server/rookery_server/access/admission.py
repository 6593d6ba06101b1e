"""Who may connect, and how often an engine may be started for whom.

A connection is counted in all and for its source: an IPv4 address, or a network of
IPv6, because a household has 2^64 addresses of that.  This machine's own address is no
source: its user would only be in his own way, and behind a proxy everybody has it.

Whoever asks gets None, or why not.  No I/O and no clock: `now` is in seconds.
"""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from rookery_server import check
from rookery_server.access import peer
from rookery_server.errors import Refusal
from rookery_server.setting import setting
from rookery_server.shares.bucket import TokenBucket
from rookery_server.shares.quota import in_words
from rookery_server.wire import Code

REMEMBERED = 10_000  # sources and accounts whose starts are remembered: about 2 MB

_count = check.whole(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class ConnectionConfig:
    """How many may be connected at once, and how fast engines may be started.

    `total`: connections in all.  `per_address`: from one address, or one network of
    IPv6.  `unauthenticated`: that have not said yet who they are, of all addresses.
    `starts_per_second`: engines in the long run, for one address and for one account,
    and `starts_burst` at once.  `dead_after`: s after which a peer that gives no sign
    counts as gone; None is when the system says so.
    """

    total: int = setting(_count, 2000)
    per_address: int = setting(_count, 64)
    unauthenticated: int = setting(_count, 200)
    starts_per_second: float = setting(check.rate, 2.0)
    starts_burst: int = setting(_count, 30)
    dead_after: int | None = setting(check.or_none(check.whole(2, 3600)), 60)


class Admission:
    """The connections that there are, and who has started engines of late.

    A connection is whatever the caller knows it by.
    """

    __slots__ = ("_config", "_connections", "_most", "_sources", "_starts", "_strangers")

    def __init__(self, config: ConnectionConfig, most: int | None = None) -> None:
        """Make an admission; `most` is how many connections the machine can bear."""
        self._config = config
        self._most = most
        self._connections: dict[Hashable, str | None] = {}  # and whence each is
        self._sources: dict[str, set[Hashable]] = {}  # none is empty
        self._strangers: set[Hashable] = set()
        self._starts: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._connections)

    @property
    def total(self) -> int:
        """How many connections there may be in all."""
        total = self._config.total
        return total if self._most is None else min(total, self._most)

    @property
    def strangers(self) -> int:
        """How many connections there are from whom nobody knows yet."""
        return len(self._strangers)

    def reconfigure(self, config: ConnectionConfig) -> None:
        """Take other limits; connections that are there stay, and so do old buckets."""
        self._config = config

    def objection(self, address: str) -> Refusal | None:
        """Say why one more connection from an address may not be."""
        source = source_of(address)
        own = 0 if source is None else len(self._sources.get(source, ()))
        if own >= self._config.per_address:
            text = f"there are {own} connections from {source}: close one, then connect again"
        elif len(self) >= self.total:
            text = f"there are {len(self)} connections: connect again later"
        elif len(self._strangers) >= self._config.unauthenticated:
            text = f"{len(self._strangers)} clients are logging in: connect again in a moment"
        else:
            return None
        return Code.TOO_MANY_CONNECTIONS, text

    def enter(self, connection: Hashable, address: str) -> None:
        """Take note of a connection, from somebody who is not known yet."""
        source = source_of(address)
        self._connections[connection] = source
        self._strangers.add(connection)
        if source is not None:
            self._sources.setdefault(source, set()).add(connection)

    def authenticated(self, connection: Hashable) -> None:
        """Take note that it is known who a connection is from."""
        self._strangers.discard(connection)

    def leave(self, connection: Hashable) -> None:
        """Take note that a connection is gone; to say so twice does no harm."""
        source = self._connections.pop(connection, None)
        self._strangers.discard(connection)
        if source is not None:
            self._sources[source].discard(connection)
            if not self._sources[source]:
                del self._sources[source]

    def objection_to_start(self, address: str, account: str | None, now: float) -> Refusal | None:
        """Say why no engine may be started now; else it counts as started.

        None is the account of who uses this machine without one.
        """
        buckets = [self._bucket(key, now) for key in _keys(address, account)]
        wait = max((bucket.wait(now) for bucket in buckets), default=0.0)
        if wait > 0:
            return Code.TOO_MANY_STARTS, (
                f"you start engines too often: try again in {in_words(wait)}"
            )
        for bucket in buckets:
            bucket.take(now)
        return None

    def _bucket(self, key: tuple[str, str], now: float) -> TokenBucket:
        bucket = self._starts.get(key)
        if bucket is None:
            config = self._config
            bucket = TokenBucket(config.starts_per_second, config.starts_burst, now)
            self._starts[key] = bucket
            if len(self._starts) > REMEMBERED:
                self._starts.popitem(last=False)
        self._starts.move_to_end(key)
        return bucket


def source_of(address: str) -> str | None:
    """Return what an address counts as; None if it is of this machine."""
    # A socket may have no address, but a path, or nothing.
    if not peer.is_address(address) or peer.is_loopback(address):
        return None
    return peer.source_of(address)


def _keys(address: str, account: str | None) -> list[tuple[str, str]]:
    source = source_of(address)
    keys = [] if source is None else [("address", source)]
    return keys if account is None else [*keys, ("account", account)]
