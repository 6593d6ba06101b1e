"""The address that a connection comes from, seen through the proxies that the operator trusts."""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rookery_server.config.addresses import Network, is_loopback, parse_address

# Header fields that proxies add, of the standards and of the usual products.  A program that
# asks for itself has no reason to send one.
_PROXYS = re.compile(
    r"via|forwarded|x-forwarded.*|x-original-.*|x-envoy-.*|proxy-.*|cdn-loop|cf-.*|x-amzn-.*"
    r"|tailscale-.*|front-end-https|x-(?:url-)?scheme"
    r"|(?:.*-)?(?:client|real|user)?(?:ip|addr|address|for)",
    re.IGNORECASE,
)

_SITE = 64  # bits of an IPv6 address that its owner was given; the rest he chooses


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
    if isinstance(read, ipaddress.IPv6Address):
        return f"{ipaddress.IPv6Address(int(read) >> (128 - _SITE) << (128 - _SITE))}/{_SITE}"
    return address if read is None else str(read)


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
    source = None if is_loopback(address) else source_of(address)
    if isinstance(read, ipaddress.IPv4Address):
        bits = read.max_prefixlen if read.is_loopback else ipv4
        return AddressGroup(source, str(ipaddress.IPv4Network((int(read), bits), strict=False)))
    bits = read.max_prefixlen if read.is_loopback else ipv6
    return AddressGroup(source, str(ipaddress.IPv6Network((int(read), bits), strict=False)))


def _without_port(hop: str) -> str:
    """Return the address of a hop: some proxies name the port too."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
