"""The origin of a request: the address, the page, and the name by which it calls the server.

A browser is a stranger's tool: any page that its owner visits can have it open a
connection to this server.  It does say truly which page that was (`Origin`) and which
name it looked up (`Host`).  So a page must be of the server itself or on the
operator's list; and because a name of an attacker's may lead to 127.0.0.1 (DNS
rebinding), a server of this machine answers only to the names that it knows.  The address is
seen through the proxies that the operator trusts.
"""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rookery_server.config.addresses import (
    DEFAULT_PORTS,
    HOST,
    ORIGIN,
    Address,
    Network,
    host_name,
    parse_address,
)

_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
# Header fields that proxies add, of the standards and of the usual products.  A program that
# asks for itself has no reason to send one.
_PROXYS = re.compile(
    r"via|forwarded|x-forwarded.*|x-original-.*|x-envoy-.*|proxy-.*|cdn-loop|cf-.*|x-amzn-.*"
    r"|tailscale-.*|front-end-https|x-(?:url-)?scheme"
    r"|(?:.*-)?(?:client|real|user)?(?:ip|addr|address|for)",
    re.IGNORECASE,
)

_SITE = 64  # bits of an IPv6 address that its owner was given; the rest he chooses


@dataclass(frozen=True, slots=True)
class OriginPolicy:
    """The names and pages that are admitted.

    `addresses` are what the server listens on; `local` says that only this machine
    reaches it, `login` that a token is wanted, `tls` that it speaks TLS itself.
    """

    addresses: tuple[str, ...]
    local: bool
    login: bool = False
    tls: bool = False
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    def is_own_host(self, hosts: Sequence[str]) -> bool:
        """Return whether a request with these `Host` headers is meant for this server."""
        name = name_in(hosts)
        return name is not None and (self._is_known(name) or not (self.local or self.hosts))

    def admits(self, origins: Sequence[str], hosts: Sequence[str]) -> bool:
        """Return whether a request with these `Origin` and `Host` headers may go on.

        Programs that are no browsers send no `Origin`, and are admitted.
        """
        if self.is_own_page(origins, hosts):
            return True
        page = _form(ORIGIN, origins)
        return page is not None and (
            page[0] in self.origins or (self.local and page[2].strip("[]") in _LOCAL_NAMES)
        )

    def is_own_page(self, origins: Sequence[str], hosts: Sequence[str]) -> bool:
        """Return whether a request is of a page of this very server, or of no page at all.

        It is one if its browser has found this server at the address that the page is from.
        """
        if not origins:
            return True
        page, called = _form(ORIGIN, origins), _form(HOST, hosts)
        if page is None or called is None or (self.tls and page[1] != "https"):
            return False
        # Without a log-in the name must be one of ours: another may be a rebound one.
        if not self.login and not self._is_known(page[2].strip("[]")):
            return False
        default = DEFAULT_PORTS[page[1]]
        return (page[2], int(page[3] or default)) == (called[1].lower(), int(called[2] or default))

    def _is_known(self, name: str) -> bool:
        """Return whether a name is ours; on a network any address is, for none is rebound."""
        if name in (*_LOCAL_NAMES, *self.addresses, *self.hosts):
            return True
        return not self.local and parse_address(name) is not None


def name_in(hosts: Sequence[str]) -> str | None:
    """Return the name in a `Host` header; None if there is not just one."""
    return host_name(hosts[0]) if len(hosts) == 1 else None


def _form(pattern: re.Pattern[str], values: Sequence[str]) -> re.Match[str] | None:
    """Return the parts of a header that is there once, and in that form; None for another."""
    return pattern.fullmatch(values[0]) if len(values) == 1 else None


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Say whether an address is of a proxy that the operator trusts."""
    address = parse_address(peer)
    return address is not None and any(address in network for network in trusted)


def comes_by_proxy(fields: Iterable[str]) -> bool:
    """Say whether one of these names of header fields is a proxy's, trusted or not."""
    return any(map(_PROXYS.fullmatch, fields))


def client_of(peer: str, forwarded: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return the address that a request comes from.

    Args:
        peer: the address at the other end of the connection.
        forwarded: the values of its `X-Forwarded-For` headers.  Anybody can send
            them, so each hop is believed only if a trusted proxy has named it.
        trusted: where those proxies are.

    """
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    while hops and is_trusted(peer, trusted):
        address = parse_address(_without_port(hops.pop()))
        if address is None:  # "unknown", or nonsense: the proxy that said so must do
            break
        peer = str(address)
    return peer


def source_of(address: str) -> str:
    """Return for what failures of an address are counted: an IPv4 address, or an IPv6 site."""
    read = parse_address(address)
    return address if read is None else _source_of(read)


class AddressGroup(NamedTuple):
    """The addresses with which a connection is counted.

    `source`: the address, or site of IPv6, that it counts for; None is of this machine, or not
    known.  `network`: the larger network around it; None is not known, which is so of a proxy
    that has not said yet for which client it asks.
    """

    source: str | None
    network: str | None


NO_GROUP = AddressGroup(None, None)


def group_of(address: str, *, ipv4: int, ipv6: int) -> AddressGroup:
    """Return the group of an address, with the network of so many bits that it is in.

    This machine's own address is no source: its user's connections would only count against each
    other, and behind a proxy all have it.  Each such address is a network of its own.
    """
    read = parse_address(address)
    if read is None:  # The socket of a path has no address, or an empty one.
        return NO_GROUP
    if read.is_loopback:
        return AddressGroup(None, _network_of(read, read.max_prefixlen))
    return AddressGroup(_source_of(read), _network_of(read, ipv4 if read.version == 4 else ipv6))


def _source_of(address: Address) -> str:
    return str(address) if address.version == 4 else _network_of(address, _SITE)


def _network_of(address: Address, bits: int) -> str:
    kind = ipaddress.IPv4Network if address.version == 4 else ipaddress.IPv6Network
    return str(kind((int(address), bits), strict=False))


def _without_port(hop: str) -> str:
    """Return the address of a hop: some proxies name the port too."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
