"""Who may connect, who has to make room, and how often an engine may be started for whom.

A connection is a *stranger* until it has shown who it is; then it is a *member*, or a *visitor*
if it may only watch.  No connection is refused for the number of strangers: the oldest stranger of
the network that has most is turned out instead, and each has a moment before that.  So a bound
that strangers share cannot be used up by some of them, and whoever shows a good token at once
comes in.

A source is an IPv4 address, or a network of IPv6, because a household has 2^64 addresses of
that.  This machine's own address is no source: its user would only be in his own way, and behind
a proxy everybody has it.

No I/O and no clock: `now` is in seconds.
"""

from collections import OrderedDict
from typing import Generic

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Code
from rookery_server.access import peer
from rookery_server.access.crowd import C, Crowd, Place
from rookery_server.config.addresses import is_address, is_loopback
from rookery_server.config.connections import ConnectionConfig
from rookery_server.scheduling.quota import in_words
from rookery_server.token_bucket import TokenBucket

REMEMBERED = 10_000  # sources and accounts whose starts are remembered: about 2 MB
MOMENT = 0.25  # s that every stranger has to show who it is
TURNED_OUT: Refusal = (
    Code.TOO_MANY_CONNECTIONS,
    "too many clients are logging in, and of your network this one has taken longest:"
    " connect again, and log in at once",
)


class Admission(Generic[C]):
    """The connections that there are, and who has started engines of late.

    A connection is whatever the caller knows it by.
    """

    __slots__ = ("_config", "_members", "_most", "_places", "_starts", "_strangers", "_visitors")

    def __init__(self, config: ConnectionConfig, most: int | None = None) -> None:
        """Make an admission; `most` is how many connections the machine can bear."""
        self._config = config
        self._most = most
        self._places: dict[C, Place] = {}  # of all connections
        self._strangers: Crowd[C] = Crowd()
        self._visitors: Crowd[C] = Crowd()
        self._members: Crowd[C] = Crowd()
        self._starts: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._places)

    @property
    def total(self) -> int:
        """How many connections there may be in all."""
        total = self._config.total
        return total if self._most is None else min(total, self._most)

    @property
    def strangers(self) -> int:
        """How many connections have not shown yet who they are."""
        return len(self._strangers)

    @property
    def stranger_networks(self) -> int:
        """How many networks those are of."""
        return self._strangers.networks()

    @property
    def is_full(self) -> bool:
        """Whether there is no room for one more: there is no stranger that could make room."""
        return len(self._members) + len(self._visitors) >= self.total

    def reconfigure(self, config: ConnectionConfig) -> None:
        """Take other limits; connections that are there stay, and so do old buckets."""
        self._config = config

    def objection(self, address: str) -> Refusal | None:
        """Return why one more connection from an address may not be, or None."""
        if objection := self._objection_to_source(self._members, source_of(address)):
            return objection
        if self.is_full:
            text = f"there are {len(self)} connections: connect again later"
            return Code.TOO_MANY_CONNECTIONS, text
        return None

    def enter(self, connection: C, address: str, now: float) -> bool:
        """Count a connection as a stranger; return whether there are too many of them."""
        config = self._config
        network = peer.network_of(address, ipv4=config.ipv4_network, ipv6=config.ipv6_network)
        place = Place(source_of(address), network)
        self._places[connection] = place
        self._strangers.add(connection, place, now)
        return (
            self.is_over_total
            or len(self._strangers) > config.unauthenticated
            or (network is not None and self._strangers.of_network(network) > self._share)
            or self._strangers.of_source(place.source) > config.per_address
        )

    def asked(self, connection: C, now: float) -> None:
        """Count a stranger that has said what it wants as the newest: silent ones go before it."""
        self._strangers.renew(connection, now)

    @property
    def is_over_total(self) -> bool:
        """Whether there are more connections than there may be: a stranger has to go at once."""
        return len(self) > self.total

    @property
    def is_crowded(self) -> bool:
        """Whether there are more strangers than there may be."""
        return self._surplus() is not None

    def to_turn_out(self, now: float) -> C | None:
        """Return the stranger that has to go next, so that every bound holds, or None.

        It has had a moment to show who it is, unless there is no room at all.
        """
        stranger = self._surplus()
        is_early = stranger is not None and now - self._strangers.since(stranger) < MOMENT
        return None if is_early and not self.is_over_total else stranger

    def admit(self, connection: C, *, visits: bool = False) -> Refusal | None:
        """Count a connection as a member, or a visitor; return why it may not be one, or None.

        Visitors show nothing that others could not show, so half of the places are not for them.
        """
        if connection in self._strangers:
            place, crowd = self._places[connection], self._visitors if visits else self._members
            if objection := self._objection_to_source(crowd, place.source):
                return objection
            if visits and len(crowd) >= max(1, self.total // 2):
                return Code.TOO_MANY_CONNECTIONS, f"{len(crowd)} clients watch: connect again later"
            self._strangers.discard(connection)
            crowd.add(connection, place)
        return None

    def leave(self, connection: C) -> None:
        """Forget a connection; one that is not there is no error."""
        self._places.pop(connection, None)
        for crowd in (self._strangers, self._visitors, self._members):
            crowd.discard(connection)

    def _surplus(self) -> C | None:
        """Return the stranger that is one too many, or None."""
        strangers, config = self._strangers, self._config
        source, network = strangers.busiest(), strangers.largest()
        if source is not None and strangers.of_source(source) > config.per_address:
            return strangers.eldest_of(source)
        if network is not None and strangers.of_network(network) > self._share:
            return strangers.eldest(network)
        if strangers and (self.is_over_total or len(strangers) > config.unauthenticated):
            is_known = strangers.of_network(network) >= strangers.of_network(None)
            return strangers.eldest(network if is_known else None)
        return None

    @property
    def _share(self) -> int:
        return max(1, int(self._config.unauthenticated * self._config.network_share))

    def _objection_to_source(self, crowd: Crowd[C], source: str | None) -> Refusal | None:
        own = crowd.of_source(source)
        if own < self._config.per_address:
            return None
        text = f"there are {own} connections from {source}: close one, then connect again"
        return Code.TOO_MANY_CONNECTIONS, text

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
            bucket.spend(now)
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
    if not is_address(address) or is_loopback(address):
        return None
    return peer.source_of(address)


def _keys(address: str, account: str | None) -> list[tuple[str, str]]:
    source = source_of(address)
    keys = [] if source is None else [("address", source)]
    return keys if account is None else [*keys, ("account", account)]
