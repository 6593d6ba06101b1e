"""The operator's configuration: a TOML file; the command line is above it, defaults are below.

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

Every key is checked; an error names the key, what it had and what it wants.  Each table of the
file is a section, declared in a module of this package (see schema.py).
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

from rookery_protocol.engine_names import authority
from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.addresses import is_loopback, overlap, public_ranges
from rookery_server.config.devices import DeviceConfig, read_device
from rookery_server.config.engines import (
    EngineConfig,
    own_engine,
    parse_engine,
    read_engine,
    with_program,
)
from rookery_server.config.files import contents
from rookery_server.config.resources import BudgetConfig, Quotas
from rookery_server.config.schema import (
    keep_fixed,
    keys_of,
    read_section,
    refuse_unknown,
    resolve_paths,
    section,
    sections_of,
)
from rookery_server.config.sections import (
    BrokerConfig,
    CacheConfig,
    ConnectionConfig,
    ControlConfig,
    ExplorerConfig,
    GamesConfig,
    JobsConfig,
    LibraryConfig,
    LogConfig,
    MachinesConfig,
    MetricsConfig,
    ProjectsConfig,
    RayConfig,
    ServerConfig,
    SessionsConfig,
    TablebasesConfig,
    TlsConfig,
)

MOST = 1 << 20  # bytes of the file


@dataclass(frozen=True, slots=True)
class Config:
    """All that the operator can set: one field for each table of the file.

    `quotas` has the tables `[quota]` and `[quotas.NAME]`.  `insecure` allows exposure to a
    network without protection; only the command line sets it.  `socket_host` is the address of
    sockets that the system has opened for the server, instead of `server.host`; a broker
    listens at the latter all the same.
    """

    engines: tuple[EngineConfig, ...]  # the first is the default one
    server: ServerConfig = section(ServerConfig)
    tls: TlsConfig | None = section(TlsConfig, optional=True)
    sessions: SessionsConfig = section(SessionsConfig)
    budget: BudgetConfig = section(BudgetConfig)
    connections: ConnectionConfig = section(ConnectionConfig)
    quotas: Quotas = field(default_factory=Quotas)
    metrics: MetricsConfig = section(MetricsConfig)
    log: LogConfig = section(LogConfig)
    control: ControlConfig = section(ControlConfig)
    cache: CacheConfig = section(CacheConfig)
    jobs: JobsConfig = section(JobsConfig)
    projects: ProjectsConfig = section(ProjectsConfig)
    games: GamesConfig = section(GamesConfig)
    library: LibraryConfig = section(LibraryConfig)
    tablebases: TablebasesConfig = section(TablebasesConfig)
    explorer: ExplorerConfig = section(ExplorerConfig)
    broker: BrokerConfig = section(BrokerConfig)
    machines: MachinesConfig = section(MachinesConfig)
    ray: RayConfig | None = section(RayConfig, optional=True)
    devices: tuple[DeviceConfig, ...] = ()
    insecure: bool = False
    socket_host: str | None = None

    @property
    def host(self) -> str:
        """The address at which clients find the server."""
        return self.socket_host or self.server.host

    @property
    def hosts(self) -> tuple[str, ...]:
        """All addresses that clients use."""
        return (self.host,) if self.broker.port is None else (self.host, self.server.host)

    @property
    def is_local(self) -> bool:
        """Return whether only this machine reaches the server."""
        return all(map(is_loopback, self.hosts)) and not self.server.trusted_proxies

    def terminal_command(self, tcp_port: int) -> str:
        """Return the command that connects a terminal to the port for plain lines."""
        if self.tls:
            return f"openssl s_client -quiet -connect {authority(self.host, tcp_port)}"
        return f"nc {self.host} {tcp_port}"

    def engine(self, name: str | None) -> EngineConfig | None:
        """Return the engine of that name, or the default one for None."""
        if name is None:
            return self.engines[0]
        return next((engine for engine in self.engines if engine.name == name), None)


SECTIONS = sections_of(Config)


@dataclass(frozen=True, slots=True)
class Overrides:
    """The values of the command line; None and () leave those of the file."""

    host: str | None = None
    port: int | None = None
    tcp_port: int | None = None
    tokens: Path | None = None
    announce: bool | None = None
    engines: tuple[str, ...] = ()  # NAME=COMMAND
    insecure: bool = False


def load(path: Path | None, overrides: Overrides) -> Config:
    """Read the file, if there is one, and apply the values of the command line.

    Raises:
        ConfigError: something in it cannot be used.

    """
    config = read_document(path)
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
        for key in ("host", "port", "tcp_port", "tokens", "announce")
        if (value := getattr(overrides, key)) is not None
    }
    config = replace(
        config,
        engines=tuple(map(with_program, engines or (own_engine(),))),
        server=replace(config.server, **given),
        insecure=overrides.insecure,
    )
    check_exposure(config)
    if config.ray:
        config.ray.check_usable()
    return config


def read_document(path: Path | None) -> Config:
    """Read the file; without one all is as by default."""
    if path is None:
        return Config(engines=())
    try:
        data = contents("--config", path, MOST).data
        # Every editor's line endings are accepted.
        document = tomllib.loads(StringIO(data.decode("utf-8-sig"), newline=None).read())
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path} is not UTF-8, from line {line} on: save it as UTF-8, which TOML is written in"
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    return from_toml(document, path.parent)


def from_toml(document: Mapping[str, object], folder: Path = Path()) -> Config:
    """Check a document table by table; files that it names are relative to a folder."""
    if isinstance(document.get("engines"), list):
        raise ConfigError(
            "engines: each has a table with its name, [engines.NAME], not [[engines]]"
        )
    _refuse_misplaced(document)
    refuse_unknown("", document, [*SECTIONS, "engines", "quota", "quotas", "devices"])
    engines = validators.table("engines", document.get("engines", {}))
    devices = validators.table("devices", document.get("devices", {}))
    sections: dict[str, Any] = {
        name: resolve_paths(read_section(section, name, document[name]), folder)
        for name, section in SECTIONS.items()
        if name in document
    }
    return Config(
        tuple(
            resolve_paths(read_engine(name, each, has_ray="ray" in sections), folder)
            for name, each in engines.items()
        ),
        quotas=Quotas.parse(document.get("quota", {}), document.get("quotas", {})),
        devices=tuple(read_device(name, each) for name, each in devices.items()),
        **sections,
    )


def _refuse_misplaced(document: Mapping[str, object]) -> None:
    """Raise for a key that stands before the line of its table."""
    for key, value in document.items():
        where = next((name for name, each in SECTIONS.items() if key in keys_of(each)), None)
        if where and not isinstance(value, dict):
            raise ConfigError(f"unknown key {key}: {where}.{key} stands below a line [{where}]")


def after_reload(running: Config, read: Config) -> tuple[Config, list[str]]:
    """Return what a running server takes of a configuration, and the keys that it cannot."""
    kept: dict[str, Any] = {}
    late: list[str] = []
    for name in SECTIONS:
        before, now = getattr(running, name), getattr(read, name)
        if before is None or now is None:
            kept[name], keys = before, [] if before is now else [name]
        else:
            kept[name], keys = keep_fixed(before, now, f"{name}.")
        late += keys
    if running.devices != read.devices:
        kept["devices"] = running.devices
        late.append("devices")
    return replace(read, **kept), late


def at(config: Config, hosts: Sequence[str]) -> Config:
    """Return the configuration of a server whose sockets the system has opened.

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
        *(
            (f"devices.{each.name}.port", each.host or server.host, each.port)
            for each in config.devices
        ),
    )


def check_ports(config: Config) -> None:
    """Refuse one port for two things, where the server itself opens its sockets."""
    for (name, host, port), (other, its_host, its_port) in combinations(places(config), 2):
        if port and port == its_port and overlap(host, its_host):
            raise ConfigError(f"{name} and {other} are both {port}: each needs a port of its own")


def doubts(config: Config) -> list[str]:
    """Return warnings on what is allowed, but hardly what the operator wants."""
    found = [
        f"devices.{each.name} listens on {host}, where no phone reaches it: set"
        f" devices.{each.name}.host"
        for each in config.devices
        if is_loopback(host := each.host or config.server.host)
    ]
    if wide := public_ranges(config.server.trusted_proxies):
        tokens = "" if config.tls else ", and tokens may come without TLS for all to read"
        found.append(
            f"server.trusted_proxies has {', '.join(map(str, wide))}, which is nearly everybody:"
            " any client may then claim any address, so that nobody has to wait for wrong tokens"
            f"{tokens}; list the addresses of your proxies only"
        )
    return found


def check_exposure(config: Config) -> None:
    """Refuse to be open to a network by accident."""
    _check_devices(config)
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


def _check_devices(config: Config) -> None:
    """Refuse device ports where nobody could tell whose they are."""
    for device in config.devices:
        where = f"devices.{device.name}"
        if config.server.tokens is None:
            raise ConfigError(
                f"{where} is a port of an account, and without server.tokens there are no accounts:"
                " set server.tokens, or leave the table out; a server that wants no tokens has"
                " server.tcp_port for programs that know none"
            )
        if config.tls and config.tls.client_ca:
            raise ConfigError(
                f"{where} is for programs that show no certificate, and tls.client_ca wants one of"
                " every client: leave one of them out"
            )
        # Engines of machines that join, NAME@ACCOUNT, may be there later.
        names = [engine.name for engine in config.engines]
        if device.engine and "@" not in device.engine and device.engine not in names:
            raise ConfigError(
                f"{where}.engine: there is no engine {device.engine!r}; there are:"
                f" {', '.join(names)}"
            )
