"""Where the evaluations are, if the operator has not said so."""

from collections.abc import Mapping
from pathlib import Path

from rookery_server.cache.rule import CacheConfig

_NAME = "cache.sqlite"


def url_of(config: CacheConfig, environment: Mapping[str, str]) -> str:
    """Return the URL of the database.

    The usual place is the folder that systemd has made for the service
    (`StateDirectory`), or the user's own for the state of programs.
    """
    if config.url:
        return config.url
    return f"sqlite:///{(config.file or state_folder(environment) / _NAME).absolute()}"


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return where a server keeps what outlives it."""
    if given := environment.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    if base := environment.get("XDG_STATE_HOME"):
        return Path(base) / "rookery"
    return Path(environment.get("HOME", "/var/lib")) / ".local" / "state" / "rookery"
