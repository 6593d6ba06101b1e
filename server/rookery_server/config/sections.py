"""The sections of the configuration, but for engines, quotas and the machine's budget.

They are [server], [tls], [sessions], [connections], [metrics], [control], [broker], [log],
[machines], [ray], [cache], [jobs], [projects], [games], [library], [tablebases] and [explorer].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.addresses import (
    Network,
    framer_list,
    host_list,
    network_list,
    origin_list,
)
from rookery_server.config.files import contents
from rookery_server.config.schema import itself, setting
from rookery_uci import Limits

LOG_LEVELS = ("debug", "info", "warning", "error")
_MOST_TOKEN = 4096  # bytes
_FILE = "cache.sqlite"
MOST_ROWS = 100_000_000
_FEW_NODES = 10_000  # a search of so few is over before a look-up
_DATABASES = ("postgresql://", "postgresql+psycopg://", "sqlite:///")
_count = validators.whole(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The addresses and the clients of the server, and its end.  Port 0 is any free port.

    `origins` are the web pages (`https://club.example`) that may connect besides the server's
    own; programs that are no browsers need none.  `frame_ancestors` are the web pages that may
    show shared games in frames.  `hosts` are the names of the server besides those of this
    machine.  `tokens` is the file of the tokens by which clients log in; without one no token
    is needed.  `trusted_proxies` may name the client that they forward, and are trusted to end
    TLS.  `watch_without_token`: a client that knows a room's name may watch without a token.
    `plain`: the network is private, and needs no TLS.
    `announce`: the server announces itself on the local network.  `drain`: whether searches are
    stopped when the server ends, or may finish.  Timeouts are in seconds: `drain_timeout` for
    searches to end, `start_timeout` for engines to answer `uci`.
    """

    host: str = setting(validators.host, "127.0.0.1", fixed=itself)
    port: int = setting(validators.port, 8080, fixed=itself)
    tcp_port: int | None = setting(validators.port_or_none, 8081, fixed=itself)
    hosts: tuple[str, ...] = setting(host_list, ())
    origins: tuple[str, ...] = setting(origin_list, ())
    frame_ancestors: tuple[str, ...] = setting(framer_list, ())
    tokens: Path | None = setting(validators.path, None, is_path=True)
    trusted_proxies: tuple[Network, ...] = setting(network_list, ())
    watch_without_token: bool = setting(validators.flag, default=False)
    plain: bool = setting(validators.flag, default=False)
    announce: bool = setting(validators.flag, default=False, fixed=itself)
    handshake_timeout: float = setting(validators.patience, 10.0, fixed=itself)
    drain: str = setting(validators.choice("stop", "finish"), "stop")
    drain_timeout: float = setting(validators.seconds, 1.5)
    start_timeout: float = setting(validators.patience, 10.0)


class Stock(NamedTuple):
    """Spare engines of one name: `least` always, up to `most` where they are taken."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class SessionsConfig:
    """The patience of sessions, in seconds, and the spare engines.

    `grace`: a session without a connection is kept so long, if its client has asked for it.
    `stop_timeout`, `ready_timeout`: an engine that takes longer, from `stop` to `bestmove`
    or from `isready` to `readyok`, is replaced.  `warm`: spare engines of each name, and
    `warm_most` where many are taken at once.
    """

    grace: float = setting(validators.seconds, 60.0)
    stop_timeout: float = setting(validators.patience, 3.0)
    ready_timeout: float = setting(validators.patience, 10.0)
    warm: int = setting(validators.whole(0, 1000), 1)
    warm_most: int = setting(validators.whole(0, 1000), 64)

    @property
    def stock(self) -> Stock:
        """The bounds of spare engines."""
        return Stock(self.warm, max(self.warm, self.warm_most))


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    """The address of the metrics: with a `port` they are for every client that reaches it.

    Without one they are at the server's own port, for this machine and for admins.
    """

    host: str = setting(validators.host, "127.0.0.1", fixed=itself)
    port: int | None = setting(validators.port_or_none, None, fixed=itself)


def _socket(name: str, value: object) -> Path | bool:
    """Check a path, or whether there is a socket at all."""
    return value if isinstance(value, bool) else validators.path(name, value)


@dataclass(frozen=True, slots=True)
class ControlConfig:
    """The Unix socket for the operator's commands.

    `socket` is the path of a Unix socket; true is the usual place, false is none.
    """

    socket: Path | bool = setting(_socket, default=True, is_path=True, fixed=itself)


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    """The API of external engines, as Lichess has it; it is off without a `port`.

    `file` keeps the registrations.  `engines`: whether the server's own engines are offered
    there, too.
    """

    port: int | None = setting(validators.port_or_none, None, fixed=itself)
    file: Path | None = setting(validators.path, None, is_path=True, fixed=itself)
    engines: bool = setting(validators.flag, default=True, fixed=itself)


@dataclass(frozen=True, slots=True)
class LogConfig:
    """The form of the log: `format` is `text` or `json`; less than `level` is left out."""

    format: str = setting(validators.choice("text", "json"), "text")
    level: str = setting(validators.choice(*LOG_LEVELS), "info")


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


def _users(name: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Check a table: for each account that machines join by, the users of what they offer."""
    entries = validators.table(name, value).items()
    return tuple((key, validators.some_texts(f"{name}.{key}", entry)) for key, entry in entries)


@dataclass(frozen=True, slots=True)
class MachinesConfig:
    """The machines that join, and offer engines of theirs.

    `enabled`: whether any may.  `most`: how many at once.  `grace`: seconds that sessions wait
    for a machine that is lost.  `users`: for an account by which machines join, the accounts
    and roles that may use their engines; without an entry all may.
    """

    enabled: bool = setting(validators.flag, default=True)
    most: int = setting(validators.whole(1, 1000), 64)
    grace: float = setting(validators.seconds, 60.0)
    users: tuple[tuple[str, tuple[str, ...]], ...] = setting(_users, ())

    def users_of(self, group: str) -> tuple[str, ...] | None:
        """Return the users of the engines of machines of that account; None is everybody."""
        return dict(self.users).get(group)


def head_address(name: str, value: object) -> str:
    """Check the address of a cluster's head."""
    text = validators.text(name, value)
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ConfigError(
            f"{name} needs HOST:PORT of the head, as in '10.0.0.1:6379', not {text!r}"
        )
    return text


@dataclass(frozen=True, slots=True)
class RayConfig:
    """A Ray cluster, and where its nodes reach this machine.

    `address` of the cluster's head; this machine has to be a node of it, with no CPUs perhaps.
    `token`: file with the cluster's token.  `listen`, `port`: where the engines on the nodes
    connect to; 0 is any free port.
    """

    address: str = setting(head_address, fixed=itself)
    token: Path = setting(validators.path, is_path=True, fixed=itself)
    listen: str = setting(validators.text, fixed=itself)
    port: int = setting(validators.port, 0, fixed=itself)

    def check_usable(self) -> None:
        """Check that Ray is installed, and that there is a token.

        Raises:
            ConfigError: it is not so.

        """
        if find_spec("ray") is None:
            raise ConfigError("[ray] needs Ray: pip install 'rookery-chess[ray]'")
        try:
            token = contents("ray.token", self.token, _MOST_TOKEN).data
        except OSError as error:
            raise ConfigError(f"ray.token: cannot read {self.token}: {error.strerror}") from error
        if not token:
            raise ConfigError(f"ray.token: {self.token} is empty; `ray get-auth-token` prints one")


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


def _folders(name: str, value: object) -> tuple[str, ...]:
    """Check a folder, or a list of folders."""
    values = validators.some_texts(name, value if isinstance(value, list) else [value])
    return tuple(str(validators.path(name, each)) for each in values)


@dataclass(frozen=True, slots=True)
class TablebasesConfig:
    """The Syzygy tables that clients may ask: `path` is a folder, or several."""

    path: tuple[str, ...] = setting(_folders, (), is_path=True, fixed=itself)


@dataclass(frozen=True, slots=True)
class ExplorerConfig:
    """The games of the explorer: the file of `rookery-server games build`, and their name.

    A file that ends in `.bin` is an opening book of Polyglot.  Without a name it is `masters`, or
    `book`.
    """

    file: Path | None = setting(validators.path, None, is_path=True, fixed=itself)
    name: str | None = setting(validators.text, None, fixed=itself)


@dataclass(frozen=True, slots=True)
class JobsConfig:
    """The jobs of positions and games, which are in the database of the cache.

    `workers`: so many engines work at them, and at projects, at once; None is as many as the
    machine has CPUs that no client uses.
    """

    enabled: bool = setting(validators.flag, default=True, fixed=itself)
    workers: int | None = setting(validators.or_none(validators.whole(1, 1000)), None)


@dataclass(frozen=True, slots=True)
class ProjectsConfig:
    """The kept analyses that engines go on with, which are in the database of the cache."""

    enabled: bool = setting(validators.flag, default=True, fixed=itself)


@dataclass(frozen=True, slots=True)
class GamesConfig:
    """The games that accounts share by a link, which are in the database of the cache.

    `most_days`: the longest for which one may be shared; None is no bound.
    """

    enabled: bool = setting(validators.flag, default=True, fixed=itself)
    most_days: int | None = setting(validators.or_none(validators.whole(1, 36_500)), None)


@dataclass(frozen=True, slots=True)
class LibraryConfig:
    """The files that accounts keep on the server, which are in the database of the cache."""

    enabled: bool = setting(validators.flag, default=True, fixed=itself)


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
