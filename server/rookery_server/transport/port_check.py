"""A check that a server could listen where its configuration says: each address is bound once."""

import errno
import socket
from collections.abc import Iterator

from rookery_protocol.errors import ConfigError
from rookery_server.config.config import Config, places

_WHY = {
    errno.EADDRINUSE: "is in use: by this server, if it runs already; else choose another",
    errno.EACCES: "is for root only (below 1024): a socket of systemd's, or another port, will do",
}


def doubts(config: Config) -> Iterator[str]:
    """Say which ports could not be had now; a server that runs already has them itself.

    Raises:
        ConfigError: an address is none of this machine's.

    """
    for name, host, port in places(config):
        if port is None:
            continue
        codes = [_try(*each) for each in _addresses(name, host, port)]
        if codes and all(code == errno.EADDRNOTAVAIL for code in codes):
            raise ConfigError(f"{_host_of(name)} {host!r} is no address of this machine")
        if found := next((code for code in codes if code in _WHY), None):
            yield f"{name} {port} {_WHY[found]}"


def _host_of(name: str) -> str:
    """Return the key of the address that goes with the key of a port."""
    return "metrics.host" if name == "metrics.port" else "server.host"


def _addresses(name: str, host: str, port: int) -> list[tuple[int, tuple[object, ...]]]:
    """Return families and addresses of a name."""
    flags = socket.AI_PASSIVE
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError) as error:
        raise ConfigError(
            f"{_host_of(name)} {host!r} is no name that this machine knows: give an address of it"
        ) from error
    return [(family, address) for family, _, _, _, address in found]


def _try(family: int, address: tuple[object, ...]) -> int:
    """Take an address and let it go; return the number of the error, or 0."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            trial.bind(address)
    except OSError as error:
        return error.errno or errno.EINVAL
    return 0
