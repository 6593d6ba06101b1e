"""Which Ray cluster a job has its engines on: by its command line, and the configuration."""

import os
import socket
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.config.machines import RayConfig

# As Ray itself looks for it: https://docs.ray.io/en/latest/ray-security/token-auth.html
TOKEN_VARIABLE = "RAY_AUTH_TOKEN_PATH"  # noqa: S105  # its name
USUAL_TOKEN = ".ray/auth_token"  # noqa: S105  # in the home folder


def cluster(
    address: str, *, token: Path | None, listen: str | None, known: RayConfig | None
) -> RayConfig:
    """Return the cluster at an address, seen to be usable here.

    Args:
        address: `HOST:PORT` of its head.
        token: the file with its token; if none is named, where Ray itself would look.
        listen: the address of this machine for its nodes; if none is given, the one from
            which this machine reaches the head.
        known: the configuration's cluster, which says what is not given.

    Raises:
        ConfigError: it cannot be used.

    """
    token = token or (known and known.token) or _usual_token()
    listen = listen or (known and known.listen) or _way_to(address)
    found = RayConfig(address, token, listen, known.port if known else 0)
    found.check_usable()
    return found


def _usual_token() -> Path:
    named = os.environ.get(TOKEN_VARIABLE)
    return Path(named) if named else Path.home() / USUAL_TOKEN


def _way_to(address: str) -> str:
    """Return the address of this machine from which it would speak to another."""
    host, _, port = address.rpartition(":")
    try:
        (family, _, _, _, there), *_ = socket.getaddrinfo(
            host.strip("[]"), int(port), type=socket.SOCK_DGRAM
        )
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect(there)  # of UDP: nothing is sent
            return str(way.getsockname()[0])
    except OSError as error:
        raise ConfigError(f"--ray: there is no way to {address}: {error.strerror}") from error
