"""Where a connection comes from, seen through the proxies that the operator trusts."""

import ipaddress
import re
from collections.abc import Iterable, Sequence

from rookery_protocol.errors import ConfigError
from rookery_server.config.validators import texts

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses to listen on, at which nobody can be reached; and where this machine reaches them.
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # they are not opened here

# Header fields that proxies add, of the standards and of the usual products.  A program that
# asks for itself has no reason to send one.
_PROXYS = re.compile(
    r"via|forwarded|x-forwarded.*|x-original-.*|x-envoy-.*|proxy-.*|cdn-loop|cf-.*|x-amzn-.*"
    r"|tailscale-.*|front-end-https|x-(?:url-)?scheme"
    r"|(?:.*-)?(?:client|real|user)?(?:ip|addr|address|for)",
    re.IGNORECASE,
)

_SITE = 64  # bits of an IPv6 address that its owner was given; the rest he chooses


def networks(name: str, value: object) -> tuple[Network, ...]:
    """Check a list of networks, or single addresses."""
    try:
        return tuple(map(ipaddress.ip_network, texts(name, value, may_be_none=True)))
    except ValueError as error:
        raise ConfigError(f"{name} needs networks such as '10.0.0.0/8': {error}") from error


def is_address(text: str) -> bool:
    """Say whether a text is an IP address, and not a name."""
    return _read(text) is not None


def is_loopback(host: str) -> bool:
    """Say whether an address is reached from this machine only."""
    address = _read(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def overlap(host: str, other: str) -> bool:
    """Say whether who listens on one of two addresses has those of the other, too."""
    if host == other:
        return True
    everywhere = [each for each in (host, other) if each in EVERYWHERE]
    return bool(everywhere) and (":" in host) == (":" in other)


def nearly_all(trusted: Sequence[Network]) -> list[Network]:
    """Return networks so wide that they are no operator's own: they are the internet's.

    A private one has at most 2^24 addresses of IPv4 (10.0.0.0/8), or is fc00::/7.
    """
    old = [each for each in trusted if isinstance(each, ipaddress.IPv4Network)]
    new = [each for each in trusted if isinstance(each, ipaddress.IPv6Network)]
    return [
        *(each for each in ipaddress.collapse_addresses(old) if each.prefixlen < 8),
        *(each for each in ipaddress.collapse_addresses(new) if each.prefixlen < 7),
    ]


def is_trusted(peer: str, trusted: Sequence[Network]) -> bool:
    """Say whether an address is of a proxy that the operator trusts."""
    address = _read(peer)
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
        address = _read(_without_port(hops.pop()))
        if address is None:  # "unknown", or nonsense: the proxy that said so must do
            break
        peer = str(address)
    return peer


def source_of(address: str) -> str:
    """Return what failures are counted for: an IPv4 address, or an IPv6 site."""
    read = _read(address)
    if isinstance(read, ipaddress.IPv6Address):
        return f"{ipaddress.IPv6Address(int(read) >> (128 - _SITE) << (128 - _SITE))}/{_SITE}"
    return address if read is None else str(read)


def network_of(address: str, *, ipv4: int, ipv6: int) -> str | None:
    """Return the network of so many bits that an address is in; None if it is no address.

    On the machine itself each address is a network of its own.
    """
    read = _read(address)
    if read is None:
        return None
    if isinstance(read, ipaddress.IPv4Address):
        bits = read.max_prefixlen if read.is_loopback else ipv4
        return str(ipaddress.IPv4Network((int(read), bits), strict=False))
    bits = read.max_prefixlen if read.is_loopback else ipv6
    return str(ipaddress.IPv6Network((int(read), bits), strict=False))


def _read(text: str) -> _Address | None:
    """Read an address; one that is IPv4 in the clothes of IPv6 is IPv4."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _without_port(hop: str) -> str:
    """Return the address of a hop: some proxies name the port too."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
