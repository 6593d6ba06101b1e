"""Sections of the configuration, declared as frozen dataclasses.

    @dataclass(frozen=True, slots=True)
    class Example:
        idle_timeout: float = setting(seconds, 300.0)
        file: Path | None = setting(path, None, is_path=True, fixed=itself)

A key is declared once: its check, its default, whether it is a path relative to the folder of
the file, and whether a running server can take another value of it.  `read_section` makes a
section of a table of the file; an unknown key is an error that suggests a known one.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from rookery_protocol.errors import ConfigError
from rookery_server.config.validators import table


class Section(Protocol):
    """A dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


S = TypeVar("S", bound=Section)
T = TypeVar("T")

_CHECK, _IS_PATH, _FIXED, _PART, _SECTION = "check", "is path", "fixed", "part", "section"


def itself(value: object) -> object:
    """Return a value: with `fixed`, a running server cannot take another one."""
    return value


def setting(
    check: Callable[[str, object], T],
    default: Any = MISSING,
    *,
    is_path: bool = False,
    fixed: Callable[[Any], object] | None = None,
) -> T:
    """Declare a key.

    Args:
        check: makes the value of what the file has.
        default: without one the key is required.
        is_path: the value is a path, or several, relative to the folder of the file.
        fixed: returns what of the value only another start of the server can change.

    """
    metadata = {_CHECK: check, _IS_PATH: is_path, _FIXED: fixed}
    result: T = field(default=default, metadata=metadata)
    return result


def part(kind: type[S]) -> S:
    """Declare keys of the same table that are another dataclass."""
    result: S = field(default_factory=kind, metadata={_PART: kind})
    return result


def section(kind: type[S], *, optional: bool = False) -> S:
    """Declare a table of the file; one that is optional is None where the file has none."""
    default: dict[str, Any] = {"default": None} if optional else {"default_factory": kind}
    result: S = field(**default, metadata={_SECTION: kind})
    return result


def sections_of(config: type[Section]) -> dict[str, type[Section]]:
    """Return the tables of the file, by name."""
    return {
        each.name: each.metadata[_SECTION] for each in fields(config) if _SECTION in each.metadata
    }


def keys_of(kind: type[Section]) -> list[str]:
    """Return the names of the keys that a section has."""
    keys = []
    for each in fields(kind):
        if _PART in each.metadata:
            keys += keys_of(each.metadata[_PART])
        elif _CHECK in each.metadata:
            keys.append(each.name)
    return keys


def read_section(kind: type[S], where: str, value: object, **given: object) -> S:
    """Make a section of a table of the file.

    Args:
        kind: the dataclass.
        where: the table's full name, for errors.
        value: the table.
        given: values of fields that are no keys.

    Raises:
        ConfigError: a key is unknown, missing, or has a value that it cannot have.

    """
    values = read_values(kind, where, value)
    for each in fields(kind):
        if each.default is MISSING and _CHECK in each.metadata and each.name not in values:
            raise ConfigError(f"{where}.{each.name} is missing")
    return kind(**given, **values)


def read_values(kind: type[Section], where: str, value: object) -> dict[str, Any]:
    """Return the values of the keys that a table has, by field of the section."""
    entry = table(where, value)
    refuse_unknown(f"{where}.", entry, keys_of(kind))
    return _checked(kind, where, entry)


def _checked(kind: type[Section], where: str, entry: Mapping[str, object]) -> dict[str, Any]:
    values = {}
    for each in fields(kind):
        if inner := each.metadata.get(_PART):
            values[each.name] = inner(**_checked(inner, where, entry))
        elif _CHECK in each.metadata and each.name in entry:
            values[each.name] = each.metadata[_CHECK](f"{where}.{each.name}", entry[each.name])
    return values


def refuse_unknown(prefix: str, entry: Mapping[str, object], known: Iterable[str]) -> None:
    """Raise for keys that do not exist, for a misspelt one would have no effect."""
    known = list(known)
    for key in entry:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise ConfigError(f"unknown key {prefix}{key}: {hint}")


def resolve_paths(section: S, folder: Path) -> S:
    """Return a section whose relative paths are paths in a folder."""
    values: dict[str, Any] = {}
    for each in fields(section):
        value = getattr(section, each.name)
        if not each.metadata.get(_IS_PATH):
            continue
        if isinstance(value, Path):
            values[each.name] = folder / value
        elif isinstance(value, tuple):
            values[each.name] = tuple(str((folder / path).absolute()) for path in value)
    return replace(section, **values) if values else section


def keep_fixed(running: S, read: S, where: str) -> tuple[S, list[str]]:
    """Return a section that keeps the running one's fixed values, and the keys that differ."""
    kept, late = {}, []
    for each in fields(read):
        fixed, now = each.metadata.get(_FIXED), getattr(running, each.name)
        if fixed and fixed(now) != fixed(getattr(read, each.name)):
            kept[each.name] = now
            late.append(f"{where}{each.name}")
    return replace(read, **kept) if kept else read, late
