"""Bounds on connections, the stranger that has to make room, and on starts of engines.

A connection is a *stranger* until it has shown who it is; then it is a *member*, or a *visitor*
if it may only watch.  No connection is refused for the number of strangers: the oldest stranger of
the network that has most is evicted instead, and each has a moment before that.  So a bound
that strangers share cannot be used up by some of them, and a client that shows a good token at
once comes in.

No I/O and no clock: `now` is in seconds.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from rookery_protocol.errors import Refusal, in_words
from rookery_protocol.notices import Code
from rookery_server.access.origin import NO_GROUP, AddressGroup, group_of
from rookery_server.config.sections import ConnectionConfig
from rookery_server.token_bucket import TokenBucket

REMEMBERED = 10_000  # sources and accounts whose starts are remembered: about 2 MB
MOMENT = 0.25  # s that every stranger has to show who it is
EVICTED: Refusal = (
    Code.TOO_MANY_CONNECTIONS,
    "too many clients are logging in, and of your network this one has taken longest:"
    " connect again, and log in at once",
)

C = TypeVar("C", bound=Hashable)
K = TypeVar("K", bound=Hashable)


class Admission(Generic[C]):
    """The connections that are open, and the engines that were started for each of late.

    A connection is whatever hashable object the caller knows it by.
    """

    __slots__ = ("_groups", "_members", "_most", "_starts", "_visitors", "config", "strangers")

    def __init__(self, config: ConnectionConfig, most: int | None = None) -> None:
        """Make an admission; `most` is how many connections the machine can bear."""
        self.config = config  # With other bounds, open connections stay, and buckets of starts.
        self._most = most
        self._groups: dict[C, AddressGroup] = {}  # of all connections
        self.strangers: Crowd[C] = Crowd()
        self._visitors: Crowd[C] = Crowd()
        self._members: Crowd[C] = Crowd()
        self._starts: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._groups)

    @property
    def total(self) -> int:
        """The bound on all connections."""
        total = self.config.total
        return total if self._most is None else min(total, self._most)

    @property
    def is_full(self) -> bool:
        """True if there is no room for one more, because no stranger could make room."""
        return len(self._members) + len(self._visitors) >= self.total

    @property
    def is_over_total(self) -> bool:
        """True if there are more connections than there may be: a stranger has to go at once."""
        return len(self._groups) > self.total

    @property
    def is_crowded(self) -> bool:
        """True if there are more strangers than there may be."""
        return self._surplus() is not None

    def add(self, connection: C, address: str, now: float) -> Refusal | None:
        """Count a connection as a stranger; return why that may not be, or None.

        A stranger may have to be evicted afterwards.
        """
        config = self.config
        group = group_of(address, ipv4=config.ipv4_network, ipv6=config.ipv6_network)
        if refusal := self._refusal_of_source(self._members, group.source):
            return refusal
        if self.is_full:
            text = f"there are {len(self)} connections: connect again later"
            return Code.TOO_MANY_CONNECTIONS, text
        self._groups[connection] = group
        self.strangers.add(connection, group, now)
        return None

    def renew(self, connection: C, now: float) -> None:
        """Count a stranger that has said what it wants as the newest: silent ones go before it."""
        self.strangers.renew(connection, now)

    def pass_on(self, former: C, heir: C, now: float) -> None:
        """Count a connection as its heir's, which is the newest stranger."""
        group = self._groups.get(former)
        self.remove(former)
        if group is not None:
            self._groups[heir] = group
            self.strangers.add(heir, group, now)

    def admit(self, connection: C, *, is_visitor: bool = False) -> Refusal | None:
        """Count a stranger as a member, or a visitor; return why that may not be, or None.

        Visitors show nothing that others could not show, so half of the places are not for them.
        """
        if connection in self.strangers:
            group, crowd = self._groups[connection], self._members
            if is_visitor:
                crowd = self._visitors
            if refusal := self._refusal_of_source(crowd, group.source):
                return refusal
            if is_visitor and len(crowd) >= max(1, self.total // 2):
                return Code.TOO_MANY_CONNECTIONS, f"{len(crowd)} clients watch: connect again later"
            self.strangers.discard(connection)
            crowd.add(connection, group)
        return None

    def remove(self, connection: C) -> None:
        """Forget a connection; one that is not counted is no error."""
        self._groups.pop(connection, None)
        for crowd in (self.strangers, self._visitors, self._members):
            crowd.discard(connection)

    def next_to_evict(self, now: float) -> C | None:
        """Return the stranger that has to go next, so that every bound holds, or None.

        It has had a moment to show who it is, unless there is no room at all.
        """
        stranger = self._surplus()
        is_early = stranger is not None and now - self.strangers.since(stranger) < MOMENT
        return None if is_early and not self.is_over_total else stranger

    def _surplus(self) -> C | None:
        """Return the stranger that is one too many, or None."""
        strangers, config = self.strangers, self.config
        source, network = strangers.sources.most(), strangers.networks.most()
        if source is not None and strangers.sources.count(source) > config.per_address:
            return strangers.oldest_of_source(source)
        share = max(1, int(config.unauthenticated * config.network_share))
        if network is not None and strangers.networks.count(network) > share:
            return strangers.oldest(network)
        if strangers and (self.is_over_total or len(strangers) > config.unauthenticated):
            is_known = strangers.networks.count(network) >= strangers.count_unknown()
            return strangers.oldest(network if is_known else None)
        return None

    def _refusal_of_source(self, crowd: "Crowd[C]", source: str | None) -> Refusal | None:
        count = crowd.sources.count(source)
        if count < self.config.per_address:
            return None
        text = f"there are {count} connections from {source}: close one, then connect again"
        return Code.TOO_MANY_CONNECTIONS, text

    def count_start(self, connection: C, account: str | None, now: float) -> Refusal | None:
        """Count the start of an engine for a connection; return why it may not be, or None.

        `account` is None if it is shared by all clients.
        """
        source = self._groups.get(connection, NO_GROUP).source
        keys = [] if source is None else [("address", source)]
        if account is not None:
            keys.append(("account", account))
        buckets = [self._bucket(key, now) for key in keys]
        wait = max((bucket.wait(now) for bucket in buckets), default=0.0)
        if wait > 0:
            return Code.TOO_MANY_STARTS, (
                f"you start engines too often: try again in {in_words(wait)}"
            )
        for bucket in buckets:
            bucket.spend(now)
        return None

    def _bucket(self, key: tuple[str, str], now: float) -> TokenBucket:
        bucket = self._starts.get(key)
        if bucket is None:
            config = self.config
            bucket = TokenBucket(config.starts_per_second, config.starts_burst, now)
            self._starts[key] = bucket
            if len(self._starts) > REMEMBERED:
                self._starts.popitem(last=False)
        self._starts.move_to_end(key)
        return bucket


class Crowd(Generic[C]):
    """A set of connections that knows how many there are of each source and network.

    When a bound that many share is reached, the connection that goes is the oldest of the source
    that has most, within the network that has most.  An attacker with few networks then evicts
    only its own connections, however fast it opens new ones.  Finding that connection takes the
    same time for one as for all: it is sought most often while there are many.
    """

    __slots__ = ("_connections", "_groups_of", "_members", "networks", "sources")

    def __init__(self) -> None:
        self._connections: dict[C, AddressGroup] = {}
        # The connections of each group, the oldest first, with their times; none is empty.
        self._members: dict[AddressGroup, dict[C, float]] = {}
        self._groups_of: dict[str | None, Ranking[AddressGroup]] = {}  # of each network
        self.networks: Ranking[str | None] = Ranking()  # without unknown ones, and so of sources
        self.sources: Ranking[str | None] = Ranking()

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[C]:
        return iter(list(self._connections))

    def __contains__(self, connection: object) -> bool:
        return connection in self._connections

    def add(self, connection: C, group: AddressGroup, now: float = 0.0) -> None:
        """Add a connection, as the newest; `now` is in seconds, and never less than before."""
        self._connections[connection] = group
        self._members.setdefault(group, {})[connection] = now
        self._groups_of.setdefault(group.network, Ranking()).add(group)
        if group.network is not None:
            self.networks.add(group.network)
        if group.source is not None:
            self.sources.add(group.source)

    def discard(self, connection: C) -> None:
        """Remove a connection; one that is not there is no error."""
        group = self._connections.pop(connection, None)
        if group is None:
            return
        del self._members[group][connection]
        if not self._members[group]:
            del self._members[group]
        self._groups_of[group.network].remove(group)
        if self._groups_of[group.network].most() is None:
            del self._groups_of[group.network]
        if group.network is not None:
            self.networks.remove(group.network)
        if group.source is not None:
            self.sources.remove(group.source)

    def renew(self, connection: C, now: float) -> None:
        """Count a connection as the newest, if it is there."""
        if group := self._connections.get(connection):
            self.discard(connection)
            self.add(connection, group, now)

    def since(self, connection: C) -> float:
        """Return when a connection that is there was added, or renewed."""
        return self._members[self._connections[connection]][connection]

    def count_unknown(self) -> int:
        """Return how many connections of no known network there are."""
        return len(self._members.get(NO_GROUP, ()))

    def oldest(self, network: str | None) -> C:
        """Return the oldest connection of the source with most, in a network that is there."""
        group = self._groups_of[network].most()
        assert group
        return next(iter(self._members[group]))

    def oldest_of_source(self, source: str) -> C:
        """Return the oldest connection of a source that is there."""
        return next(each for each, group in self._connections.items() if group.source == source)


class Ranking(Generic[K]):
    """Counts of each kind, and the kind that has most."""

    __slots__ = ("_counts", "_most", "_ranks")

    def __init__(self) -> None:
        self._counts: dict[K, int] = {}
        self._ranks: dict[int, dict[K, None]] = {}  # the kinds of each number; none is empty
        self._most = 0

    def __len__(self) -> int:
        return len(self._counts)

    def count(self, kind: K) -> int:
        """Return how many there are of a kind."""
        return self._counts.get(kind, 0)

    def most(self) -> K | None:
        """Return the kind with most; of equals, the one that has had so many for longest."""
        return next(iter(self._ranks[self._most])) if self._most else None

    def add(self, kind: K) -> None:
        """Count one more of a kind."""
        self._move(kind, self.count(kind) + 1)

    def remove(self, kind: K) -> None:
        """Count one less of a kind that is there."""
        self._move(kind, self._counts[kind] - 1)

    def _move(self, kind: K, number: int) -> None:
        former = self._counts.pop(kind, 0)
        if former:
            del self._ranks[former][kind]
            if not self._ranks[former]:
                del self._ranks[former]
        if number:
            self._counts[kind] = number
            self._ranks.setdefault(number, {})[kind] = None
        # One more or one less of one kind: the largest number is no further away than that.
        if number > self._most:
            self._most = number
        elif self._most not in self._ranks:
            self._most -= 1
