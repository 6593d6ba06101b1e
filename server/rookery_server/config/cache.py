"""The section [cache]: which analyses are kept, and where.

    [cache]
    least_seconds = 5
    url = "postgresql://rookery@db.example/rookery"

Without it they are kept in a file of the server's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.schema import itself, setting
from rookery_uci import Limits

_FILE = "cache.sqlite"
MOST_ROWS = 100_000_000
_FEW_NODES = 10_000  # a search of so few is over before a look-up
_DATABASES = ("postgresql://", "postgresql+psycopg://", "sqlite:///")


def database(name: str, value: object) -> str:
    """Check the URL of a database of a known kind, for which a driver is installed."""
    url = validators.text(name, value)
    if not url.startswith(_DATABASES):
        # The value is not repeated, for a URL may have a password.
        raise ConfigError(f"{name} needs 'postgresql://USER@HOST/DATABASE' or 'sqlite:////FILE'")
    if url.startswith("postgresql") and find_spec("psycopg") is None:
        raise ConfigError(f"{name} needs a driver: pip install 'rookery-chess[postgres]'")
    return url


@dataclass(frozen=True, slots=True)
class CacheConfig:
    """The place of finished analyses, and the choice of those that are kept.

    `file` is where SQLite keeps them; None is the usual place.  `url` is a database
    instead, for many servers.  `shared`: all accounts have them in common.  `rows`: so
    many are kept, those used last.  `least_depth`, `least_seconds`: shallower and quicker
    ones are not kept.  `patience`: seconds that what the engine says is held back while its
    position is looked up; the engine searches meanwhile.
    """

    enabled: bool = setting(validators.flag, default=True, fixed=itself)
    file: Path | None = setting(validators.path, None, is_path=True, fixed=itself)
    url: str | None = setting(database, None, fixed=itself)
    shared: bool = setting(validators.flag, default=False)
    rows: int = setting(validators.whole(1, MOST_ROWS), 100_000)
    least_depth: int = setting(validators.whole(1, 1000), 10)
    least_seconds: float = setting(validators.seconds, 2.0)
    patience: float = setting(validators.seconds, 0.05)

    def __post_init__(self) -> None:
        if self.file and self.url:
            raise ConfigError("cache.file and cache.url are two places: set one of them")

    def is_worth_asking(self, limits: Limits) -> bool:
        """Return whether a search with these limits may end with an analysis that is kept."""
        return not (
            (limits.depth is not None and limits.depth < self.least_depth)
            or (limits.nodes is not None and limits.nodes < _FEW_NODES)
            or (limits.movetime is not None and limits.movetime < 1000 * self.least_seconds)
        )


def database_url(config: CacheConfig, environment: Mapping[str, str]) -> str:
    """Return the URL of the database."""
    if config.url:
        return config.url
    return f"sqlite:///{(config.file or usual_file(environment)).absolute()}"


def usual_file(environment: Mapping[str, str]) -> Path:
    """Return the server's own file.

    It is in the folder that systemd has made for the service (`StateDirectory`), or in the
    user's own for the state of programs.
    """
    return state_folder(environment) / _FILE


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder for the files that outlive a server."""
    if given := environment.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    if base := environment.get("XDG_STATE_HOME"):
        return Path(base) / "rookery"
    return Path(environment.get("HOME", "/var/lib")) / ".local" / "state" / "rookery"
