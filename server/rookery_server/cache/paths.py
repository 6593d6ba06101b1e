"""Where the evaluations are, if the operator has not said so."""

from collections.abc import Mapping
from pathlib import Path

from rookery_server.config.cache import CacheConfig

_NAME = "cache.sqlite"


def url_of(config: CacheConfig, environment: Mapping[str, str]) -> str:
    """Return the URL of the database."""
    if config.url:
        return config.url
    return f"sqlite:///{(config.file or usual_file(environment)).absolute()}"


def usual_file(environment: Mapping[str, str]) -> Path:
    """Return the server's own file, which is nobody else's.

    It is in the folder that systemd has made for the service (`StateDirectory`), or in the
    user's own for the state of programs.
    """
    return state_folder(environment) / _NAME


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return where a server keeps what outlives it."""
    if given := environment.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    if base := environment.get("XDG_STATE_HOME"):
        return Path(base) / "rookery"
    return Path(environment.get("HOME", "/var/lib")) / ".local" / "state" / "rookery"
