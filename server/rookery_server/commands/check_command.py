"""Command `rookery-server check`: tries a configuration, and each engine of it."""

import errno
import os
import queue
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rookery_protocol.console import print_line
from rookery_protocol.errors import ConfigError, ServerError
from rookery_server import log, process
from rookery_server.access.tls import Certificate, TlsContext, complaints
from rookery_server.announcer import check_announcement
from rookery_server.api.explorer_routes import ExplorerRoutes
from rookery_server.api.tablebase_routes import TablebaseRoutes
from rookery_server.commands.engine_trial import try_engines
from rookery_server.config import config as configuration
from rookery_server.config.config import Config, Overrides, places
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import LogConfig, database_url
from rookery_server.http.admin_socket import check_place, place_for
from rookery_server.scheduling.machine_resources import survey
from rookery_server.transport.connection_policy import ConnectionPolicy

BAD = 2
PATIENCE = 20.0  # s that a database has: each of its addresses is tried for 5
_FILE = "sqlite:///"
_MAGIC = b"SQLite format 3\0"
_WHY_NOT_BOUND = {
    errno.EADDRINUSE: "is in use: by this server, if it runs already; else choose another",
    errno.EACCES: "is for root only (below 1024): a socket of systemd's, or another port, will do",
}


def run(path: Path | None, overrides: Overrides, *, verbose: bool) -> int:
    """Print what would be served by a configuration and a command line; return the exit status.

    Raises:
        ConfigError: it cannot be used.

    """
    # What is wrong with an engine is printed once, and not logged.
    log.set_up(LogConfig(level="critical"), verbose=verbose)
    config = configuration.load(path, overrides)
    configuration.check_ports(config)
    check_announcement(config)
    return process.run(check(config))


async def check(config: Config) -> int:
    """Start each engine once and print what there is; return the exit status.

    Raises:
        ConfigError: a file that the configuration names cannot be used.

    """
    if path := place_for(config.control.socket, os.environ):
        check_place(path)
    ConnectionPolicy(config, survey())
    if config.tls:
        TlsContext(config.tls)
    taken = list(_doubts_of_ports(config))
    troubles, total = await try_engines(config)
    server = config.server
    tcp = "no TCP" if server.tcp_port is None else f"TCP {server.tcp_port}"
    print_line(f"listens on {server.host}, WebSocket {server.port}, {tcp}{_but(taken)}")
    print_line(f"wants a token: {'yes' if config.server.tokens else 'no'}")
    for device in config.devices:
        print_line(f"device port {device.port}: for addresses that {device.owner} has paired")
    for each in configuration.doubts(config):
        print_line(f"doubtful: {each}")
    certificate = Certificate.read(config.tls, None) if config.tls else None
    doubts = complaints(config.tls, certificate) if config.tls and certificate else []
    print_line(f"TLS: {'yes' if config.tls else 'no'}{_but(doubts)}")
    lack = _trouble_of_cache(config)
    print_line(f"keeps analyses: {_cache(config)}{_but([lack] if lack else [])}")
    lacks = [*_print_databases(config)]
    print_line(f"engines may use {total}")
    if config.ray:
        print_line(
            f"has a Ray cluster: head {config.ray.address}, its nodes reach {config.ray.listen}"
        )
    for engine in config.engines:
        trouble = troubles[engine.name] = troubles[engine.name] or _trouble_of_files(engine)
        place = f", on Ray with {engine.most}" if engine.ray else ""
        print_line(
            f"engine {engine.name}{place}: {trouble or 'answers'}: {' '.join(engine.command)}"
        )
    # A cache in the usual place is a convenience: it may fail.
    is_asked_for = config.cache.file or config.cache.url
    is_bad = (
        any(troubles.values())
        or lacks
        or (lack and is_asked_for)
        or (certificate and certificate.trouble)
    )
    return BAD if is_bad else 0


def _print_databases(config: Config) -> Iterator[str]:
    """Print what the server would know without an engine; yield what is wrong with it."""
    if config.tablebases.path:
        tables = TablebaseRoutes(config.tablebases.path)
        if trouble := _trouble_with(tables.open):
            yield trouble
        print_line(f"tablebases: {trouble or f'up to {tables.men} men'}")
    if config.explorer.file:
        games = ExplorerRoutes(config.explorer)
        if trouble := _trouble_with(games.open):
            yield trouble
        print_line(f"games for the explorer: {trouble or config.explorer.file}")


def _trouble_with(action: Callable[[], None]) -> str:
    """Return why something cannot be opened; "" if it can."""
    try:
        action()
    except ServerError as error:
        return str(error)
    return ""


def _but(found: Iterable[str]) -> str:
    return "".join(f", but {each}" for each in found)


# --- the ports: each address is bound once


def _doubts_of_ports(config: Config) -> Iterator[str]:
    """Say which ports could not be had now; a server that runs already has them itself.

    Raises:
        ConfigError: an address is none of this machine's.

    """
    for name, host, port in places(config):
        if port is None:
            continue
        has_host = name.startswith(("metrics.", "devices."))
        key = f"{name.removesuffix('.port')}.host" if has_host else "server.host"
        codes = [_try_to_bind(*each) for each in _addresses(key, host, port)]
        if codes and all(code == errno.EADDRNOTAVAIL for code in codes):
            raise ConfigError(f"{key} {host!r} is no address of this machine")
        if found := next((code for code in codes if code in _WHY_NOT_BOUND), None):
            yield f"{name} {port} {_WHY_NOT_BOUND[found]}"


def _addresses(key: str, host: str, port: int) -> list[tuple[int, tuple[object, ...]]]:
    """Return families and addresses of a name, which a key of the configuration has."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ConfigError(
            f"{key} {host!r} is no name that this machine knows: give an address of it"
        ) from error
    return [(family, address) for family, _, _, _, address in found]


def _try_to_bind(family: int, address: tuple[object, ...]) -> int:
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


# --- files and databases


def _trouble_of_files(engine: EngineConfig) -> str:
    """Return the path that an engine would not find; "" if it finds all, or is elsewhere."""
    if engine.ray:
        return ""
    if lost := next((each for each in engine.build if not _is_there(each)), None):
        return f"build: there is no {lost}"
    for alias in engine.policy.aliases:
        # Paths of tablebases may be several; where others begin is the engine's business.
        for each in [] if _is_there(alias.path) else alias.path.split(os.pathsep):
            if Path(each).is_absolute() and not _is_there(each):
                return f"aliases.{alias.option}.{alias.name}: there is no {each}"
    return ""


def _is_there(path: Path | str) -> bool:
    return os.access(path, os.F_OK)


def _trouble_of_cache(config: Config) -> str:
    """Return why analyses could not be kept; "" if they can.  Nothing is made, or changed."""
    url = database_url(config.cache, os.environ)
    if not config.cache.enabled:
        return ""
    if not url.startswith(_FILE):
        return _trouble_of_database(url)
    path = Path(url.removeprefix(_FILE).partition("?")[0])
    try:
        if _is_there(path) and not path.is_dir() and not path.is_file():
            return "that is no file"  # It would be waited for, or have no end.
        if _is_there(path):
            with path.open("r+b") as file:
                is_database = file.read(len(_MAGIC)) in (b"", _MAGIC)
            return "" if is_database else "that is no database of SQLite"
    except OSError as error:
        return f"it cannot be opened: {error.strerror}"
    folder = next(each for each in path.absolute().parents if _is_there(each))
    is_good = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    return "" if is_good else f"nothing can be made in {folder}"


def _trouble_of_database(url: str) -> str:
    """Return why a database cannot be used; "" if it can.

    It is tried in a thread that is left alone after a while: a name that is looked up, or a
    server that stands still, has no end that could be set.
    """
    from rookery_server.cache.evaluation_store import (
        EvaluationStore,  # Only now, for it takes 0.3 s.
    )

    answers: queue.Queue[str] = queue.Queue()

    def try_database() -> None:
        try:
            EvaluationStore(url, is_trial=True).close()
        except ServerError as error:
            answers.put(str(error))
        else:
            answers.put("")

    threading.Thread(target=try_database, name="check of the database", daemon=True).start()
    try:
        return answers.get(timeout=PATIENCE)
    except queue.Empty:
        return f"it has not answered within {PATIENCE:g} s"


def _place_of(url: str) -> str:
    """Return the machine that a database is on, as far as its URL names it without secrets."""
    from rookery_server.database.database import StoreError, read_url

    try:
        read = read_url(url)
    except StoreError:
        return ""
    host = read.host or read.query.get("host")
    return f" at {host}" if isinstance(host, str) else ""


def _cache(config: Config) -> str:
    if not config.cache.enabled:
        return "no"
    if config.cache.url and not config.cache.url.startswith(_FILE):
        return f"in a database{_place_of(config.cache.url)}"
    return f"in {database_url(config.cache, os.environ).removeprefix(_FILE)}"
