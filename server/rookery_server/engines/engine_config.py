"""An engine as the operator offers it: by a table of the file, or by the command line."""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import is_plain_name
from rookery_server.cluster.ray_host import USUAL
from rookery_server.config import validators
from rookery_server.config.schema import keys_of, read
from rookery_server.engines.child_process import ResourceLimits
from rookery_server.engines.policy import EXTRAS, Policy
from rookery_server.scheduling.budget import ANY_SIZE, MAX_HASH_MB, MAX_THREADS, Size

DEFAULT_ENGINE = "rookery"
OWN_PROGRAM = "rookery-engine"

# Of an engine's table, besides what it says of the engine's policy and limits.
_OWN_KEYS = ("command", "reuse", "build", "threads", "hash_mb", "ray", "processes")


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """An engine on offer: its name to clients, and the command that starts it.

    `build` are files that make it what it is, besides those that the command names.
    `reuse`: one may serve several sessions, one after the other. `limits`: what the system
    holds each of its processes to. `most`: threads and hash that a session may have of it at
    most, whatever its quota. `ray`: it runs on a node of the Ray cluster, where so much is set
    aside for it. `processes`: how many there may be at once, with those that are spare.
    """

    name: str
    command: tuple[str, ...]
    policy: Policy = field(default_factory=Policy)
    reuse: bool = False
    build: tuple[str, ...] = ()
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    most: Size = ANY_SIZE
    ray: bool = False
    processes: int | None = None


_processes = validators.or_none(validators.whole(1, 10_000))


def read_engine(name: str, value: object, *, has_ray: bool = False) -> EngineConfig:
    """Check one table of `[engines.NAME]`; `has_ray` says whether there is a cluster."""
    where = f"engines.{name}"
    entry = validators.table(where, value)
    held = {key: entry[key] for key in keys_of(ResourceLimits) if key in entry}
    limits = read(ResourceLimits, where, held)
    policy = read(Policy, where, entry, besides=(*_OWN_KEYS, *keys_of(ResourceLimits)))
    if "command" not in entry:
        raise ConfigError(f"{where}.command is missing: the program that is the engine")
    command = validators.command(f"{where}.command", entry["command"])
    if "commands" not in entry:
        policy = replace(policy, commands=own_extras(command))
    ray = validators.flag(f"{where}.ray", entry.get("ray", False))
    if ray and not has_ray:
        raise ConfigError(f"{where}.ray needs a table [ray], which says where the cluster is")
    return EngineConfig(
        engine_name(where, name),
        command,
        policy,
        reuse=validators.flag(f"{where}.reuse", entry.get("reuse", False)),
        build=validators.texts(f"{where}.build", entry["build"]) if "build" in entry else (),
        limits=limits,
        most=_most(where, entry, USUAL if ray else ANY_SIZE),
        ray=ray,
        processes=_processes(f"{where}.processes", entry.get("processes", False)),
    )


def _most(where: str, entry: Mapping[str, object], usual: Size) -> Size:
    """Return what a session may have of an engine at most."""
    threads = validators.whole(1, MAX_THREADS)(
        f"{where}.threads", entry.get("threads", usual.threads)
    )
    hash_mb = validators.whole(1, MAX_HASH_MB)(
        f"{where}.hash_mb", entry.get("hash_mb", usual.hash_mb)
    )
    return Size(threads, hash_mb)


def parse_engine(argument: str) -> EngineConfig:
    """Read `NAME=COMMAND` of the command line."""
    name, equals, command = argument.partition("=")
    if not equals or not command.strip():
        raise ConfigError(f"--engine needs NAME=COMMAND, not {argument!r}")
    words = validators.split("--engine", command)
    return EngineConfig(engine_name("--engine", name), words, Policy(commands=own_extras(words)))


def own_engine() -> EngineConfig:
    """Return our own engine, which stands beside the server."""
    beside = Path(sys.executable).with_name(OWN_PROGRAM)
    command = (str(beside) if beside.exists() else OWN_PROGRAM,)
    return EngineConfig(DEFAULT_ENGINE, command, Policy(commands=own_extras(command)))


def own_extras(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the extra commands that are offered unasked: of our engine, which bears them."""
    return EXTRAS if Path(command[0]).stem == OWN_PROGRAM else ()


def found(engine: EngineConfig) -> EngineConfig:
    """Return the engine with the full path of its program, if it runs on this machine."""
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


def engine_name(where: str, name: str) -> str:
    """Check an engine's name."""
    if not is_plain_name(name):
        raise ConfigError(
            f"{where}: an engine's name has letters, digits, '.', '_' and '-', not {name!r}"
        )
    return name
