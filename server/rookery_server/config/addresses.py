"""Addresses, networks, host names and origins: their grammar, and the checks of lists of them."""

import ipaddress
import re
from collections.abc import Sequence
from functools import lru_cache

from rookery_protocol.errors import ConfigError
from rookery_server.config.validators import texts

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses to listen on that no client can connect to, and where this machine reaches them.
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # they are not opened here

# The headers `Origin` and `Host`, as browsers send them.
ORIGIN = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")
DEFAULT_PORTS = {"http": 80, "https": 443}
_LAST_PORT = 65_535


def parse_address(text: str) -> Address | None:
    """Parse an IP address, or return None; one of IPv4 mapped into IPv6 is IPv4."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


@lru_cache(1024)  # Each request asks.
def is_loopback(host: str) -> bool:
    """Return whether an address is reached from this machine only."""
    address = parse_address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def connect_host(host: str) -> str:
    """Return the address by which this machine reaches a server that listens on an address."""
    return EVERYWHERE.get(host, host)


def overlap(host: str, other: str) -> bool:
    """Return whether two sockets on these addresses cannot have the same port."""
    if host == other:
        return True
    everywhere = [each for each in (host, other) if each in EVERYWHERE]
    return bool(everywhere) and (":" in host) == (":" in other)


def public_ranges(trusted: Sequence[Network]) -> list[Network]:
    """Return the networks that are too wide to be private: they are the internet's.

    A private one has at most 2^24 addresses of IPv4 (10.0.0.0/8), or is fc00::/7.
    """
    old = [each for each in trusted if isinstance(each, ipaddress.IPv4Network)]
    new = [each for each in trusted if isinstance(each, ipaddress.IPv6Network)]
    return [
        *(each for each in ipaddress.collapse_addresses(old) if each.prefixlen < 8),
        *(each for each in ipaddress.collapse_addresses(new) if each.prefixlen < 7),
    ]


def network_list(name: str, value: object) -> tuple[Network, ...]:
    """Check a list of networks, or single addresses."""
    try:
        return tuple(map(ipaddress.ip_network, texts(name, value)))
    except ValueError as error:
        raise ConfigError(f"{name} needs networks such as '10.0.0.0/8': {error}") from error


def origin_list(name: str, value: object) -> tuple[str, ...]:
    """Check a list of origins, in the form in which browsers send them."""
    result = texts(name, value)
    for text in result:
        form = ORIGIN.fullmatch(text)
        if form is None or form[3] == str(DEFAULT_PORTS[form[1]]):
            raise ConfigError(
                f"{name} needs origins such as 'https://club.example', in lower case, without"
                f" a path and without a port that goes without saying, not {text!r}"
            )
    return result


def framer_list(name: str, value: object) -> tuple[str, ...]:
    """Check a list of origins that may show a page in a frame.

    They are written into a header of each such page, so only what browsers read there as one origin
    may be in them.
    """
    result = texts(name, value)
    for text in result:
        if why := _not_a_framer(text):
            raise ConfigError(
                f"{name} needs origins such as 'https://club.example', in lower case and without a"
                f" path, not {text!r}: {why}"
            )
    return result


def _not_a_framer(text: str) -> str:
    """Return why a text is no origin that may show a page in a frame; "" if it is one."""
    if "*" in text:
        return "there is none for all, so list each page that may show games"
    form = ORIGIN.fullmatch(text)
    if form is None:
        return "it is https:// or http://, a name, and perhaps a port"
    scheme, host, port = form[1], form[2], form[3]
    if host.startswith("["):
        return "browsers know no addresses of IPv6 there, so give the page a name"
    if scheme == "http" and not is_loopback(host):
        return "anyone on its way can change a page of http, so it has to be https"
    if port is not None and not 1 <= int(port) <= _LAST_PORT:
        return f"a port is 1 to {_LAST_PORT}"
    if port == str(DEFAULT_PORTS[scheme]):
        return f"port {port} goes without saying"
    return ""


def host_list(name: str, value: object) -> tuple[str, ...]:
    """Check a list of host names."""
    result = texts(name, value)
    for text in result:
        if host_name(text) != text:
            raise ConfigError(
                f"{name} needs names such as 'club.example', in lower case and without a"
                f" port, not {text!r}"
            )
    return result


def host_name(header: str) -> str | None:
    """Return the name in a `Host` header, without its port; None if it is none."""
    form = HOST.fullmatch(header)
    return form[1].strip("[]").lower() if form else None
