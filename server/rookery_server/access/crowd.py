"""Connections of one standing, by the networks that they come from.

When a bound that many share is reached, the connection that goes is the oldest of the address
that has most, within the network that has most.  An attacker with few networks then turns out
only its own connections, however fast it opens new ones.  To find that connection takes the same
time for one as for all: it is looked for most often while there are many.
"""

from collections.abc import Hashable, Iterator
from typing import Generic, NamedTuple, TypeVar

C = TypeVar("C", bound=Hashable)
K = TypeVar("K", bound=Hashable)


class Place(NamedTuple):
    """Where a connection comes from.

    `source`: the address, or site of IPv6, that it counts for; None is of this machine, or not
    known.  `network`: the larger network around it; None is not known, which is so of a proxy
    that has not said yet for whom it asks.
    """

    source: str | None
    network: str | None


UNKNOWN = Place(None, None)


class Crowd(Generic[C]):
    """A set of connections that knows how many there are of each source and network."""

    __slots__ = ("_by_network", "_by_source", "_connections", "_groups", "_places")

    def __init__(self) -> None:
        self._connections: dict[C, Place] = {}
        # When each came, in that order; none is empty.
        self._groups: dict[Place, dict[C, float]] = {}
        self._by_network: Ranking[str | None] = Ranking()  # known ones, and so of sources
        self._by_source: Ranking[str | None] = Ranking()
        self._places: dict[str | None, Ranking[Place]] = {}  # of each network

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[C]:
        return iter(list(self._connections))

    def __contains__(self, connection: object) -> bool:
        return connection in self._connections

    def add(self, connection: C, place: Place, now: float = 0.0) -> None:
        """Add a connection, as the newest; `now` is in seconds, and never less than before."""
        self._connections[connection] = place
        self._groups.setdefault(place, {})[connection] = now
        if place.network is not None:
            self._by_network.add(place.network)
        self._places.setdefault(place.network, Ranking()).add(place)
        if place.source is not None:
            self._by_source.add(place.source)

    def discard(self, connection: C) -> None:
        """Remove a connection; one that is not there is no error."""
        place = self._connections.pop(connection, None)
        if place is None:
            return
        del self._groups[place][connection]
        if not self._groups[place]:
            del self._groups[place]
        if place.network is not None:
            self._by_network.remove(place.network)
        self._places[place.network].remove(place)
        if self._places[place.network].most() is None:
            del self._places[place.network]
        if place.source is not None:
            self._by_source.remove(place.source)

    def renew(self, connection: C, now: float) -> None:
        """Count a connection as the newest, if it is there."""
        if place := self._connections.get(connection):
            self.discard(connection)
            self.add(connection, place, now)

    def since(self, connection: C) -> float:
        """Return when a connection that is there was added, or renewed."""
        return self._groups[self._connections[connection]][connection]

    def of_source(self, source: str | None) -> int:
        """Return how many connections of a source there are; none if it is not counted."""
        return self._by_source.count(source)

    def of_network(self, network: str | None) -> int:
        """Return how many connections of a network there are; None is the unknown one."""
        if network is None:
            return len(self._groups.get(UNKNOWN, ()))
        return self._by_network.count(network)

    def networks(self) -> int:
        """Return how many known networks there are."""
        return len(self._places) - (None in self._places)

    def largest(self) -> str | None:
        """Return the known network with most connections; None if there is none."""
        return self._by_network.most()

    def busiest(self) -> str | None:
        """Return the source with most connections; None if there is none that counts."""
        return self._by_source.most()

    def eldest(self, network: str | None) -> C:
        """Return the oldest connection of the source with most, in a network that is there."""
        place = self._places[network].most()
        assert place
        return next(iter(self._groups[place]))

    def eldest_of(self, source: str) -> C:
        """Return the oldest connection of a source that is there."""
        return next(each for each, place in self._connections.items() if place.source == source)


class Ranking(Generic[K]):
    """How many there are of each kind, and which kind has most."""

    __slots__ = ("_counts", "_most", "_ranks")

    def __init__(self) -> None:
        self._counts: dict[K, int] = {}
        self._ranks: dict[int, dict[K, None]] = {}  # the kinds of each number; none is empty
        self._most = 0

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
