"""What the operator sets: a TOML file, over it the command line, below it defaults.

    [server]
    host = "127.0.0.1"
    port = 8080
    tcp_port = 8081

    [engines.stockfish]
    command = "/usr/games/stockfish"
    files = false           # clients may not use files of this machine
    commands = ["d", "eval"]  # beside UCI's own

    [quota]                 # of every account; [quotas.NAME] of a role or an account
    threads = 4

Every key is checked; an error names the key, what it had and what it wants.  Each
table of the file is a section (see setting.py), which stands with what it configures;
here they are put together.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import combinations
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.access.admission import ConnectionConfig
from rookery_server.access.origin import host_list, origin_list
from rookery_server.access.peer import Network, is_loopback, nearly_all, networks, overlap
from rookery_server.access.tls import TlsConfig
from rookery_server.cache.cache_config import CacheConfig
from rookery_server.cluster.ray_host import RayConfig
from rookery_server.config import validators
from rookery_server.config.files import contents
from rookery_server.config.schema import keys_of, only_known, read, setting
from rookery_server.engines.engine_config import (
    DEFAULT_ENGINE,
    EngineConfig,
    found,
    own_engine,
    parse_engine,
    read_engine,
)
from rookery_server.engines.pool import Stock
from rookery_server.log import LogConfig
from rookery_server.scheduling.budget import BudgetConfig
from rookery_server.scheduling.quota import Quotas

# Besides what stands here, of the modules that this puts together.
__all__ = [
    "DEFAULT_ENGINE",
    "Config",
    "EngineConfig",
    "Overrides",
    "found",
    "own_engine",
    "read_engine",
]

MOST = 1 << 20  # bytes of the file


def _socket(name: str, value: object) -> Path | bool:
    """Check a path, or whether there is a socket at all."""
    return value if isinstance(value, bool) else validators.path(name, value)


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Where the server listens, and how it ends.  Port 0 is any free port.

    `origins` are the web pages (`https://club.example`) that may connect besides
    the server's own; programs that are no browsers are not concerned.  `hosts` are the
    names under which it may be called besides those of this machine.  `tokens` is the
    file of those who may come in; without one nobody is asked.  `trusted_proxies` are
    believed when they say for whom they ask, and are trusted to end TLS.
    `watch_without_token`: who knows a room's name may watch without a token.  `plain` says
    that nobody can listen on the way here, so that no TLS is needed.  `drain` says
    whether searches are stopped when the server ends, or may finish.  Timeouts are in
    seconds: `drain_timeout` for searches to end, `start_timeout` for engines to answer
    `uci`.
    """

    host: str = setting(validators.host, "127.0.0.1")
    port: int = setting(validators.port, 8080)
    tcp_port: int | None = setting(validators.port_or_none, 8081)
    hosts: tuple[str, ...] = setting(host_list, ())
    origins: tuple[str, ...] = setting(origin_list, ())
    tokens: Path | None = setting(validators.path, None)
    trusted_proxies: tuple[Network, ...] = setting(networks, ())
    watch_without_token: bool = setting(validators.flag, default=False)
    plain: bool = setting(validators.flag, default=False)
    handshake_timeout: float = setting(validators.patience, 10.0)
    drain: str = setting(validators.choice("stop", "finish"), "stop")
    drain_timeout: float = setting(validators.seconds, 1.5)
    start_timeout: float = setting(validators.patience, 10.0)


@dataclass(frozen=True, slots=True)
class SessionsConfig:
    """How long things may take in a session; all times are in seconds.

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
        """How many spare engines of each name there may be."""
        return Stock(self.warm, max(self.warm, self.warm_most))


@dataclass(frozen=True, slots=True)
class MetricsConfig:
    """Where metrics are served: with a `port` there, to everybody who reaches it.

    Without one they are at the server's own port, for this machine and for admins.
    """

    host: str = setting(validators.host, "127.0.0.1")
    port: int | None = setting(validators.port_or_none, None)


@dataclass(frozen=True, slots=True)
class ControlConfig:
    """Where the operator's commands reach the server.

    `socket` is the path of a Unix socket; true is the usual place, false is none.
    """

    socket: Path | bool = setting(_socket, default=True)


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    """Where the API of external engines is served, as Lichess has it: nowhere without a `port`.

    `file` keeps what has been registered.  `engines` says whether the server's own engines are
    offered there, too.
    """

    port: int | None = setting(validators.port_or_none, None)
    file: Path | None = setting(validators.path, None)
    engines: bool = setting(validators.flag, default=True)


def _users(name: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Check a table: for each account that machines join by, who may use what they offer."""
    entries = validators.table(name, value).items()
    return tuple((key, validators.texts(f"{name}.{key}", entry)) for key, entry in entries)


@dataclass(frozen=True, slots=True)
class MachinesConfig:
    """The machines that join, and offer engines of theirs.

    `enabled`: whether any may.  `most`: how many at once.  `grace`: seconds that sessions wait
    for a machine that is lost.  `users`: for an account by which machines join, the accounts
    and roles that may use their engines; all may where nothing is said.
    """

    enabled: bool = setting(validators.flag, default=True)
    most: int = setting(validators.whole(1, 1000), 64)
    grace: float = setting(validators.seconds, 60.0)
    users: tuple[tuple[str, tuple[str, ...]], ...] = setting(_users, ())

    def users_of(self, group: str) -> tuple[str, ...] | None:
        """Return who may use the engines of machines of that account; None is everybody."""
        return dict(self.users).get(group)


@dataclass(frozen=True, slots=True)
class Config:
    """All that the operator can set: one field for each table of the file.

    `quotas` has two, for `[quota]` is below each of `[quotas.NAME]`.

    `insecure` allows what could be open by accident; only the command line says it.
    `socket_host` is the address of sockets that somebody else has opened, for what would
    listen at `server.host` otherwise; a broker listens there all the same.
    """

    engines: tuple[EngineConfig, ...]  # the first is the default one
    server: ServerConfig = field(default_factory=ServerConfig)
    sessions: SessionsConfig = field(default_factory=SessionsConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    connections: ConnectionConfig = field(default_factory=ConnectionConfig)
    quotas: Quotas = field(default_factory=Quotas)
    metrics: MetricsConfig = field(default_factory=MetricsConfig)
    log: LogConfig = field(default_factory=LogConfig)
    control: ControlConfig = field(default_factory=ControlConfig)
    cache: CacheConfig = field(default_factory=CacheConfig)
    broker: BrokerConfig = field(default_factory=BrokerConfig)
    machines: MachinesConfig = field(default_factory=MachinesConfig)
    ray: RayConfig | None = None
    tls: TlsConfig | None = None
    insecure: bool = False
    socket_host: str | None = None

    @property
    def host(self) -> str:
        """The address at which clients find the server."""
        return self.socket_host or self.server.host

    @property
    def hosts(self) -> tuple[str, ...]:
        """All addresses that anybody uses the server by."""
        return (self.host,) if self.broker.port is None else (self.host, self.server.host)

    @property
    def is_local(self) -> bool:
        """Whether nobody but who works on this machine reaches the server."""
        return all(map(is_loopback, self.hosts)) and not self.server.trusted_proxies

    def engine(self, name: str | None) -> EngineConfig | None:
        """Return the engine of that name, or the default one for None."""
        if name is None:
            return self.engines[0]
        return next((engine for engine in self.engines if engine.name == name), None)


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says; None and () leave the file's word."""

    host: str | None = None
    port: int | None = None
    tcp_port: int | None = None
    tokens: Path | None = None
    engines: tuple[str, ...] = ()  # NAME=COMMAND
    insecure: bool = False


def load(path: Path | None, overrides: Overrides) -> Config:
    """Read the file, if there is one, and what the command line says over it.

    Raises:
        ConfigError: something in it cannot be used.

    """
    config = Config(engines=()) if path is None else read_document(path)
    engines = tuple(parse_engine(text) for text in overrides.engines)
    named = Counter(engine.name for engine in engines)
    for name, times in named.items():
        if times > 1:
            raise ConfigError(
                f"--engine {name}=... is there {times} times: each engine has its name"
            )
    engines += tuple(engine for engine in config.engines if engine.name not in named)
    given = {
        key: value
        for key in ("host", "port", "tcp_port", "tokens")
        if (value := getattr(overrides, key)) is not None
    }
    config = replace(
        config,
        engines=tuple(map(found, engines or (own_engine(),))),
        server=replace(config.server, **given),
        insecure=overrides.insecure,
    )
    check_exposure(config)
    if config.ray:
        config.ray.check()
    return config


def read_document(path: Path) -> Config:
    """Read the file; other files that it names are relative to the folder it is in."""
    config, folder = from_toml(read_file(path)), path.parent
    server, tls = config.server, config.tls
    if server.tokens:
        server = replace(server, tokens=folder / server.tokens)
    if tls:
        authority = tls.client_ca and folder / tls.client_ca
        tls = replace(
            tls,
            certificate=folder / tls.certificate,
            key=folder / tls.key,
            client_ca=authority,
        )
    control = config.control
    if isinstance(control.socket, Path):
        control = ControlConfig(folder / control.socket)
    cache = config.cache
    if cache.file:
        cache = replace(cache, file=folder / cache.file)
    broker = config.broker
    if broker.file:
        broker = replace(broker, file=folder / broker.file)
    ray = config.ray and replace(config.ray, token=folder / config.ray.token)
    engines = tuple(
        replace(each, build=tuple(str((folder / path).absolute()) for path in each.build))
        for each in config.engines
    )
    return replace(
        config,
        engines=engines,
        server=server,
        tls=tls,
        control=control,
        cache=cache,
        broker=broker,
        ray=ray,
    )


def read_file(path: Path) -> dict[str, object]:
    """Read a TOML file."""
    try:
        data = contents("--config", path, MOST).data
        # Every end of a line is one, whatever editor has written it.
        return tomllib.loads(StringIO(data.decode("utf-8-sig"), newline=None).read())
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path} is not UTF-8, from line {line} on: save it as UTF-8, which TOML is written in"
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def from_toml(document: Mapping[str, object]) -> Config:
    """Check a document table by table."""
    known = (
        "server", "tls", "sessions", "engines", "budget", "connections", "quota", "quotas",
        "metrics", "log", "control", "cache", "broker", "machines", "ray",
    )  # fmt: skip
    _none_outside(document)
    only_known("", document, known)
    engines = validators.table("engines", document.get("engines", {}))
    ray = read(RayConfig, "ray", document["ray"]) if "ray" in document else None
    return Config(
        engines=tuple(
            read_engine(name, value, has_ray=ray is not None) for name, value in engines.items()
        ),
        server=read(ServerConfig, "server", document.get("server", {})),
        sessions=read(SessionsConfig, "sessions", document.get("sessions", {})),
        budget=read(BudgetConfig, "budget", document.get("budget", {})),
        connections=read(ConnectionConfig, "connections", document.get("connections", {})),
        quotas=Quotas(
            validators.table("quota", document.get("quota", {})),
            validators.table("quotas", document.get("quotas", {})),
        ),
        metrics=read(MetricsConfig, "metrics", document.get("metrics", {})),
        log=read(LogConfig, "log", document.get("log", {})),
        control=read(ControlConfig, "control", document.get("control", {})),
        cache=read(CacheConfig, "cache", document.get("cache", {})),
        broker=read(BrokerConfig, "broker", document.get("broker", {})),
        machines=read(MachinesConfig, "machines", document.get("machines", {})),
        ray=ray,
        tls=read(TlsConfig, "tls", document["tls"]) if "tls" in document else None,
    )


def _none_outside(document: Mapping[str, object]) -> None:
    """Refuse a key that stands before the table that it is of."""
    sections = {
        "server": ServerConfig, "tls": TlsConfig, "sessions": SessionsConfig,
        "budget": BudgetConfig, "connections": ConnectionConfig, "cache": CacheConfig,
    }  # fmt: skip
    for key, value in document.items():
        where = next((name for name, each in sections.items() if key in keys_of(each)), None)
        if where and not isinstance(value, dict):
            raise ConfigError(f"unknown key {key}: {where}.{key} stands below a line [{where}]")


def at(config: Config, hosts: Sequence[str]) -> Config:
    """Return the configuration of a server whose sockets somebody else has opened.

    Raises:
        ConfigError: it would be open to a network by accident.

    """
    if not hosts:
        return config
    # The most exposed of them counts.
    host = next((host for host in hosts if not is_loopback(host)), hosts[0])
    config = replace(config, socket_host=host)
    check_exposure(config)
    return config


def places(config: Config) -> tuple[tuple[str, str, int | None], ...]:
    """Return where the server listens if it opens its sockets itself: key, address, port."""
    server, metrics = config.server, config.metrics
    return (
        ("server.port", server.host, server.port),
        ("server.tcp_port", server.host, server.tcp_port),
        ("metrics.port", metrics.host, metrics.port),
        ("broker.port", server.host, config.broker.port),
    )


def check_ports(config: Config) -> None:
    """Refuse one port for two things, where the server itself opens its sockets."""
    for (name, host, port), (other, its_host, its_port) in combinations(places(config), 2):
        if port and port == its_port and overlap(host, its_host):
            raise ConfigError(f"{name} and {other} are both {port}: each needs a port of its own")


def doubts(config: Config) -> list[str]:
    """Say what is allowed, and hardly what the operator wants."""
    wide = nearly_all(config.server.trusted_proxies)
    if not wide:
        return []
    tokens = "" if config.tls else ", and tokens may come without TLS for all to read"
    return [
        f"server.trusted_proxies has {', '.join(map(str, wide))}, which is nearly everybody: any"
        " client may then claim any address, so that nobody has to wait for wrong tokens"
        f"{tokens}; list the addresses of your proxies only"
    ]


def check_exposure(config: Config) -> None:
    """Refuse to be open to a network by accident."""
    server, tls = config.server, config.tls
    if config.insecure or config.is_local:
        return
    exposed = next((host for host in config.hosts if not is_loopback(host)), config.host)
    where = f"server.host {exposed!r} can be reached from other machines"
    if server.trusted_proxies:
        where = "server.trusted_proxies lead here from other machines"
    if server.tokens is None and not (tls and tls.client_ca):
        raise ConfigError(
            f"{where}, and anyone there could use the engines; make a token"
            " ('rookery-server token add NAME --file FILE') and set server.tokens, keep"
            " 127.0.0.1, or say --insecure"
        )
    if tls is None and not server.trusted_proxies and not server.plain:
        raise ConfigError(
            f"{where}, and tokens would be sent there for all to read; set tls.certificate and"
            " tls.key, or server.trusted_proxies if a proxy ends TLS, or server.plain if only"
            " this machine reaches it, as a container's port may be, or say --insecure"
        )
