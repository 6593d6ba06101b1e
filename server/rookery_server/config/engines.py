"""The sections [engines.NAME]: the engines on offer, and what clients may do with them.

    [engines.stockfish]
    command = "/usr/games/stockfish"
    hash_mb = 1024

The command line offers engines, too: `--engine NAME=COMMAND`.
"""

import shutil
import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import rookery_uci as uci
from rookery_protocol.engine_names import is_plain_name
from rookery_protocol.errors import ConfigError
from rookery_server.config import validators
from rookery_server.config.resources import ANY_SIZE, MAX_HASH_MB, MAX_THREADS, Size
from rookery_server.config.schema import part, read_section, setting

DEFAULT_ENGINE = "rookery"
OWN_PROGRAM = "rookery-engine"
RAY_SIZE = Size(1, 256)  # of an engine on Ray whose table does not say how large it may be

# Commands that are no part of UCI; "perft" is a `go perft`.
EXTRAS = (*uci.EXTRAS, "perft")


class Forced(NamedTuple):
    """An option that the operator sets."""

    option: str
    value: str


class Alias(NamedTuple):
    """A name that clients may set an option to, instead of a path that they are not told."""

    option: str
    name: str
    path: str


def _extras(name: str, value: object) -> tuple[str, ...]:
    """Check a list of commands beside UCI's own."""
    words = validators.texts(name, value)
    for word in words:
        if word not in EXTRAS:
            raise ConfigError(f"{name} can have {', '.join(EXTRAS)}, not {word!r}")
    return words


def _options(name: str, value: object) -> tuple[Forced, ...]:
    """Check a table of options; in UCI, case and spaces do not make another name."""
    known: dict[str, str] = {}
    forced = []
    for option, entry in validators.table(name, value).items():
        other = known.setdefault(" ".join(option.split()).casefold(), option)
        if other != option:
            raise ConfigError(f"{name} has {other!r} and {option!r}, which is one option")
        if not isinstance(entry, str | int) or not str(entry).isprintable():
            raise ConfigError(
                f"{name}.{option} needs a text, a number, true or false, not {entry!r}"
            )
        text = str(entry).lower() if isinstance(entry, bool) else str(entry)
        forced.append(Forced(option, text))
    return tuple(forced)


def _aliases(name: str, value: object) -> tuple[Alias, ...]:
    """Check a table of options, each of them a table of names and what they stand for."""
    return tuple(
        _alias(f"{name}.{option}", option, key, path)
        for option, entry in validators.table(name, value).items()
        for key, path in validators.table(f"{name}.{option}", entry).items()
    )


def _alias(where: str, option: str, key: str, path: object) -> Alias:
    if not is_plain_name(key):
        raise ConfigError(f"{where}: a name has letters, digits, '.', '_' and '-', not {key!r}")
    if not validators.text(f"{where}.{key}", path).isprintable():
        raise ConfigError(f"{where}.{key} needs one line of text, not {path!r}")
    return Alias(option, key, str(path))


@dataclass(frozen=True, slots=True)
class Policy:
    """The rights of clients with an engine.

    `files`: use files of this machine, and set every text.  `commands`: those beside
    UCI's own.  `strings`: options of text that name no file.  `hidden`: options that
    clients do not have.  `options`: values that the operator sets.  `aliases`: what clients
    may choose from instead of paths.
    """

    files: bool = setting(validators.flag, False)
    commands: tuple[str, ...] = setting(_extras, ())
    strings: tuple[str, ...] = setting(validators.texts, ())
    hidden: tuple[str, ...] = setting(validators.texts, ())
    options: tuple[Forced, ...] = setting(_options, ())
    aliases: tuple[Alias, ...] = setting(_aliases, ())


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Limits of one engine's process, and of what it starts; the system enforces them.

    `nice`: by how much other processes go first where CPUs are short, 0 to 19 (nice(2)).
    `memory_mb`: MiB of address space of each of its processes (RLIMIT_AS), None for no bound.
    """

    nice: int = setting(validators.whole(0, 19), 5)
    memory_mb: int | None = setting(validators.or_none(validators.whole(16, 1 << 24)), None)


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """An engine on offer: its name to clients, and the command that starts it.

    `build` are files that make it what it is, besides those that the command names.
    `reuse`: one may serve several sessions, one after the other. `limits`: what the system
    holds each of its processes to. `threads`, `hash_mb`: what a session may have of it at
    most, whatever its quota. `ray`: it runs on a node of the Ray cluster, where so much is set
    aside for it. `processes`: how many there may be at once, with those that are spare.
    """

    name: str
    command: tuple[str, ...] = setting(validators.command)
    policy: Policy = part(Policy)
    reuse: bool = setting(validators.flag, False)
    build: tuple[str, ...] = setting(validators.some_texts, (), is_path=True)
    limits: ResourceLimits = part(ResourceLimits)
    threads: int | None = setting(validators.whole(1, MAX_THREADS), None)
    hash_mb: int | None = setting(validators.whole(1, MAX_HASH_MB), None)
    ray: bool = setting(validators.flag, False)
    processes: int | None = setting(validators.or_none(validators.whole(1, 10_000)), None)

    @property
    def most(self) -> Size:
        """The largest slot that a session may have of it."""
        usual = RAY_SIZE if self.ray else ANY_SIZE
        return Size(self.threads or usual.threads, self.hash_mb or usual.hash_mb)


def read_engine(name: str, value: object, *, has_ray: bool = False) -> EngineConfig:
    """Check one table of `[engines.NAME]`; `has_ray` says whether there is a cluster."""
    where = f"engines.{name}"
    entry = validators.table(where, value)
    engine = read_section(EngineConfig, where, entry, name=_checked_name(where, name))
    if engine.ray and not has_ray:
        raise ConfigError(f"{where}.ray needs a table [ray], which says where the cluster is")
    if "commands" in entry:
        return engine
    return replace(engine, policy=replace(engine.policy, commands=_own_extras(engine.command)))


def parse_engine(argument: str) -> EngineConfig:
    """Parse `NAME=COMMAND` of the command line."""
    name, equals, command = argument.partition("=")
    if not equals or not command.strip():
        raise ConfigError(f"--engine needs NAME=COMMAND, not {argument!r}")
    words = validators.command("--engine", command)
    policy = Policy(commands=_own_extras(words))
    return EngineConfig(_checked_name("--engine", name), words, policy)


def own_engine() -> EngineConfig:
    """Return our own engine, which is installed beside the server."""
    beside = Path(sys.executable).with_name(OWN_PROGRAM)
    command = (str(beside) if beside.exists() else OWN_PROGRAM,)
    return EngineConfig(DEFAULT_ENGINE, command, Policy(commands=_own_extras(command)))


def _own_extras(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the extra commands that are offered by default: of our engine, which bears them."""
    return EXTRAS if Path(command[0]).stem == OWN_PROGRAM else ()


def with_program(engine: EngineConfig) -> EngineConfig:
    """Return the engine with the full path of its program, if it runs on this machine.

    Raises:
        ConfigError: there is no such program.

    """
    if engine.ray:
        return engine
    name = engine.command[0]
    program = shutil.which(name) or shutil.which(str(Path(sys.executable).parent / name))
    if program is None and Path(name).exists():
        raise ConfigError(f"engine {engine.name}: {name!r} is no file that may be executed")
    if program is None:
        raise ConfigError(
            f"engine {engine.name}: there is no program {name!r}; give its full path, or install it"
        )
    return replace(
        engine, command=(program, *engine.command[1:]), build=engine.build or own_build(program)
    )


def own_build(program: str) -> tuple[str, ...]:
    """Return the files of our own engine, whose program only starts what is in them."""
    own = Path(sys.executable).with_name(OWN_PROGRAM)
    package = find_spec("rookery_engine")
    if Path(program) != own or package is None or package.origin is None:
        return ()
    folder = Path(package.origin).parent
    return tuple(map(str, sorted([*folder.rglob("*.so"), *folder.glob("net/*")])))


def _checked_name(where: str, name: str) -> str:
    if not is_plain_name(name):
        raise ConfigError(
            f"{where}: an engine's name has letters, digits, '.', '_' and '-', not {name!r}"
        )
    return name
