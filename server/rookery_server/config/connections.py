"""The sections [connections] and [tls]: how many clients may connect, and what protects them."""

from dataclasses import dataclass
from pathlib import Path

from rookery_server.config import validators
from rookery_server.config.schema import setting

_count = validators.whole(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class ConnectionConfig:
    """The bounds of connections, and of the starts of engines.

    A connection is a stranger until it has shown its account; then it is a member, or a visitor
    if it may only watch.  `total`: connections in all.  `per_address`: from one address, or one
    network of IPv6; of strangers, of visitors and of members, each.  `unauthenticated`:
    strangers, of all addresses.  `network_share`: the part of those that one network may have,
    which is so many bits of an address: `ipv4_network`, `ipv6_network`.  `starts_per_second`:
    engines in the long run, for one address and for one account, and `starts_burst` at once.
    `dead_after`: seconds after which a peer that gives no sign counts as gone; None leaves that
    to the system.
    """

    total: int = setting(_count, 2000)
    per_address: int = setting(_count, 64)
    unauthenticated: int = setting(_count, 200)
    network_share: float = setting(validators.fraction, 0.25)
    ipv4_network: int = setting(validators.whole(1, 32), 24)
    ipv6_network: int = setting(validators.whole(1, 128), 48)
    starts_per_second: float = setting(validators.rate, 2.0)
    starts_burst: int = setting(_count, 30)
    dead_after: int | None = setting(validators.or_none(validators.whole(2, 3600)), 60)


@dataclass(frozen=True, slots=True)
class TlsConfig:
    """Files in PEM: the certificate with those between it and its authority, and its key.

    With `client_ca` every client must show a certificate of that authority.  `hsts`: browsers
    that have come by name are to use only TLS from then on, for a year.
    """

    certificate: Path = setting(validators.path, is_path=True)
    key: Path = setting(validators.path, is_path=True)
    client_ca: Path | None = setting(validators.path, None, is_path=True, fixed=bool)
    hsts: bool = setting(validators.flag, default=True)
