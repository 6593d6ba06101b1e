"""Sections of the configuration, declared as frozen dataclasses.

    @dataclass(frozen=True, slots=True)
    class Keeping:
        idle_timeout: float = setting(seconds, 300.0)

`read` makes one of a table of the file: every key is checked by the check of its field,
what is not there has its default, and an unknown key is an error that says what may
have been meant.  So a key is written down once, and what it means stands beside it.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from rookery_protocol.errors import ConfigError
from rookery_server.config.validators import table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    S = TypeVar("S", bound=DataclassInstance)
else:
    S = TypeVar("S")
T = TypeVar("T")

_CHECK = "check"


def setting(check: Callable[[str, object], T], default: Any = MISSING) -> T:
    """Declare a key: what checks it, and its default; without one it must be given."""
    result: T = field(default=default, metadata={_CHECK: check})
    return result


def keys_of(section: type[Any]) -> list[str]:
    """Return the names of the keys that a section has."""
    return [each.name for each in fields(section) if _CHECK in each.metadata]


def read(
    section: type[S],
    where: str,
    value: object,
    besides: Sequence[str] = (),
    *,
    over: S | None = None,
) -> S:
    """Make a section of a table of the file.

    Args:
        section: the dataclass.
        where: the table's full name, for errors.
        value: what the file has.
        besides: keys of the table that somebody else reads.
        over: has the values of the keys that are not there, instead of the defaults.

    Raises:
        ConfigError: a key is unknown, missing, or has a value it cannot have.

    """
    entry = table(where, value)
    only_known(f"{where}.", entry, [*keys_of(section), *besides])
    values = {}
    for each in fields(section):
        check = each.metadata.get(_CHECK)
        if check and each.name in entry:
            values[each.name] = check(f"{where}.{each.name}", entry[each.name])
        elif check and each.default is MISSING and over is None:
            raise ConfigError(f"{where}.{each.name} is missing")
    return section(**values) if over is None else replace(over, **values)


def only_known(prefix: str, entry: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse keys that do not exist; a misspelt one would be lost in silence."""
    for key in entry:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise ConfigError(f"unknown key {prefix}{key}: {hint}")
