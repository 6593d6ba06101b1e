"""The sections of the server itself: where it listens, how it waits, and what it writes.

They are [server], [sessions], [metrics], [control], [broker] and [log].
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rookery_server.config import validators
from rookery_server.config.addresses import Network, host_list, network_list, origin_list
from rookery_server.config.schema import itself, setting

LOG_LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The addresses and the clients of the server, and its end.  Port 0 is any free port.

    `origins` are the web pages (`https://club.example`) that may connect besides the server's
    own; programs that are no browsers need none.  `hosts` are the names of the server besides
    those of this machine.  `tokens` is the file of the tokens by which clients log in; without
    one no token is needed.  `trusted_proxies` may name the client that they forward, and are
    trusted to end TLS.  `watch_without_token`: a client that knows a room's name may watch
    without a token.  `plain`: the network is private, and needs no TLS.  `drain`: whether
    searches are stopped when the server ends, or may finish.  Timeouts are in seconds:
    `drain_timeout` for searches to end, `start_timeout` for engines to answer `uci`.
    """

    host: str = setting(validators.host, "127.0.0.1", fixed=itself)
    port: int = setting(validators.port, 8080, fixed=itself)
    tcp_port: int | None = setting(validators.port_or_none, 8081, fixed=itself)
    hosts: tuple[str, ...] = setting(host_list, ())
    origins: tuple[str, ...] = setting(origin_list, ())
    tokens: Path | None = setting(validators.path, None, is_path=True)
    trusted_proxies: tuple[Network, ...] = setting(network_list, ())
    watch_without_token: bool = setting(validators.flag, default=False)
    plain: bool = setting(validators.flag, default=False)
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
