"""What the operator sets: a TOML file, over it the command line, below it defaults.

    [server]
    host = "127.0.0.1"
    port = 8080
    tcp_port = 8081

    [engines.stockfish]
    command = "/usr/games/stockfish"
    files = false           # clients may not use files of this machine
    commands = ["d", "eval"]  # beside UCI's own

Every key is checked; an error names the key, what it had and what it wants.
"""

import difflib
import ipaddress
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rookery_engine.uci import EXTRAS
from rookery_server.errors import ConfigError
from rookery_server.policy import Policy
from rookery_server.wire import is_engine_name

DEFAULT_ENGINE = "rookery"
OWN_PROGRAM = "rookery-engine"
_SERVER_KEYS = ("host", "port", "tcp_port", "origins", "drain_timeout")
_ENGINE_KEYS = ("command", "commands", "files")


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """An engine on offer: its name to clients, and the command that starts it."""

    name: str
    command: tuple[str, ...]
    policy: Policy = field(default_factory=Policy)


@dataclass(frozen=True, slots=True)
class Config:
    """All that the operator can set.  Port 0 is any free port; None is no such port.

    `origins` are the web pages (`https://club.example`) that may connect besides
    the server's own; programs that are no browsers are not concerned.
    `drain_timeout` is in seconds.
    """

    engines: tuple[EngineConfig, ...]  # the first is the default one
    host: str = "127.0.0.1"
    port: int = 8080
    tcp_port: int | None = 8081
    origins: tuple[str, ...] = ()
    drain_timeout: float = 1.5
    insecure: bool = False

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
    engines: tuple[str, ...] = ()  # NAME=COMMAND
    insecure: bool = False


def load(path: Path | None, overrides: Overrides) -> Config:
    """Read the file, if there is one, and what the command line says over it.

    Raises:
        ConfigError: something in it cannot be used.

    """
    config = Config(engines=()) if path is None else from_toml(read(path))
    engines = tuple(parse_engine(text) for text in overrides.engines)
    named = {engine.name for engine in engines}
    engines += tuple(engine for engine in config.engines if engine.name not in named)
    given = {
        key: value
        for key in ("host", "port", "tcp_port")
        if (value := getattr(overrides, key)) is not None
    }
    config = replace(
        config,
        engines=tuple(map(found, engines or (own_engine(),))),
        insecure=overrides.insecure,
        **given,
    )
    check_exposure(config)
    return config


def read(path: Path) -> dict[str, object]:
    """Read a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error


def from_toml(document: Mapping[str, object]) -> Config:
    """Check a document key by key."""
    only_known("", document, ("server", "engines"))
    server = table("server", document.get("server", {}))
    only_known("server.", server, _SERVER_KEYS)
    values: dict[str, object] = {}
    for key, value in server.items():
        name = f"server.{key}"
        if key == "host":
            values[key] = text(name, value)
        elif key == "port":
            values[key] = port(name, value)
        elif key == "tcp_port":
            values[key] = None if value is False else port(name, value)
        elif key == "origins":
            values[key] = texts(name, value)
        else:
            values[key] = seconds(name, value)
    engines = table("engines", document.get("engines", {}))
    return Config(
        engines=tuple(engine(name, value) for name, value in engines.items()),
        **values,  # type: ignore[arg-type]  # each was checked for its key
    )


def engine(name: str, value: object) -> EngineConfig:
    """Check one table of `[engines.NAME]`."""
    where = f"engines.{name}"
    entry = table(where, value)
    only_known(f"{where}.", entry, _ENGINE_KEYS)
    if "command" not in entry:
        raise ConfigError(f"{where}.command is missing: the program that is the engine")
    command = entry["command"]
    words = split(f"{where}.command", command) if isinstance(command, str) else None
    words = words or texts(f"{where}.command", command)
    policy = Policy(
        files=flag(f"{where}.files", entry.get("files", False)),
        extras=extras(f"{where}.commands", entry.get("commands", list(own_extras(words)))),
    )
    return EngineConfig(engine_name(where, name), words, policy)


def parse_engine(argument: str) -> EngineConfig:
    """Read `NAME=COMMAND` of the command line."""
    name, equals, command = argument.partition("=")
    if not equals or not command.strip():
        raise ConfigError(f"--engine needs NAME=COMMAND, not {argument!r}")
    words = split("--engine", command)
    return EngineConfig(engine_name("--engine", name), words, Policy(extras=own_extras(words)))


def own_engine() -> EngineConfig:
    """Return our own engine, which stands beside the server."""
    beside = Path(sys.executable).with_name(OWN_PROGRAM)
    command = (str(beside) if beside.exists() else OWN_PROGRAM,)
    return EngineConfig(DEFAULT_ENGINE, command, Policy(extras=own_extras(command)))


def own_extras(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the extra commands that are offered unasked: of our engine, which bears them."""
    return EXTRAS if Path(command[0]).stem == OWN_PROGRAM else ()


def found(engine: EngineConfig) -> EngineConfig:
    """Return the engine with the full path of its program."""
    program = shutil.which(engine.command[0])
    if program is None:
        beside = Path(sys.executable).with_name(engine.command[0])
        if not beside.exists():
            raise ConfigError(
                f"engine {engine.name}: there is no program {engine.command[0]!r};"
                " give its full path, or install it"
            )
        program = str(beside)
    return replace(engine, command=(program, *engine.command[1:]))


def check_exposure(config: Config) -> None:
    """Refuse to be open to a network by accident."""
    if not config.insecure and not is_loopback(config.host):
        raise ConfigError(
            f"server.host {config.host!r} can be reached from other machines, and anyone there"
            " could use the engines; keep 127.0.0.1, or say --insecure"
        )


def is_loopback(host: str) -> bool:
    """Say whether an address is reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


# --- checks of single values: each takes the key's full name for its error


def only_known(prefix: str, entry: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse keys that do not exist; a misspelt one would be lost in silence."""
    for key in entry:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise ConfigError(f"unknown key {prefix}{key}: {hint}")


def table(name: str, value: object) -> dict[str, object]:
    """Check that a value is a table."""
    if not isinstance(value, dict):
        raise ConfigError(f"{name} needs a table, not {value!r}")
    return value


def text(name: str, value: object) -> str:
    """Check that a value is a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{name} needs a text, not {value!r}")
    return value


def texts(name: str, value: object) -> tuple[str, ...]:
    """Check that a value is a list of texts."""
    if not isinstance(value, list) or not value:
        raise ConfigError(f"{name} needs a list of texts, not {value!r}")
    return tuple(text(name, item) for item in value)


def extras(name: str, value: object) -> tuple[str, ...]:
    """Check a list, perhaps empty, of commands beside UCI's own."""
    words = texts(name, value) if value != [] else ()
    for word in words:
        if word not in EXTRAS:
            raise ConfigError(f"{name} can have {', '.join(EXTRAS)}, not {word!r}")
    return words


def flag(name: str, value: object) -> bool:
    """Check that a value is true or false."""
    if not isinstance(value, bool):
        raise ConfigError(f"{name} needs true or false, not {value!r}")
    return value


def port(name: str, value: object) -> int:
    """Check that a value is a port."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 65535:
        raise ConfigError(f"{name} needs a port from 0 to 65535, not {value!r}")
    return value


def seconds(name: str, value: object) -> float:
    """Check that a value is a time in seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 86400:
        raise ConfigError(f"{name} needs seconds, from 0 to a day, not {value!r}")
    return float(value)


def split(name: str, command: str) -> tuple[str, ...]:
    """Divide a command as a shell would."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ConfigError(f"{name} cannot be read as a command: {error}: {command!r}") from error
    if not words:
        raise ConfigError(f"{name} is empty")
    return words


def engine_name(where: str, name: str) -> str:
    """Check an engine's name."""
    if not is_engine_name(name):
        raise ConfigError(
            f"{where}: an engine's name has letters, digits, '.', '_' and '-', not {name!r}"
        )
    return name
