"""The parameters of a tuning run: constants with bounds and a step.

They are named in the command line or in a TOML file.

The file has `names = ["module.NAME", ...]`, and a table for each module whose constants
need a range of their own: `NULL_STEP = { min = 100, max = 400, step = 20 }` under `[pruning]`,
where any of the three may be missing.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.child import MissingError
from bench.match.constant import Constant, choose

KEYS = ("min", "max", "step")
SHARE = 0.1  # of the value: the step, if none is given
Ranges = dict[str, dict[str, float]]  # by full name, any of KEYS


@dataclass(frozen=True, slots=True)
class Parameter:
    """A constant that is tuned; `step` is how far it is moved for a try, at the end."""

    name: str  # the full one
    start: int
    low: int
    high: int
    step: float

    @classmethod
    def of(cls, constant: Constant, given: Mapping[str, float]) -> "Parameter":
        """Return the constant with the range that is given; half to double is the default.

        Raises:
            MissingError: the range makes no sense.

        """
        value = constant.value
        ends = sorted((value / 2, value * 2))
        low = int(given.get("min", -(-ends[0] // 1)))
        high = int(given.get("max", ends[1] // 1))
        step = given.get("step", max(1.0, abs(value) * SHARE))
        if not low < high:
            raise MissingError(f"{constant.full_name} needs min < max, not {low} and {high}")
        if not low <= value <= high:
            raise MissingError(f"{constant.full_name} is {value}, not from {low} to {high}")
        if step <= 0:
            raise MissingError(f"{constant.full_name} needs a step above 0, not {step:g}")
        return cls(constant.full_name, value, low, high, step)


def parameters(known: Mapping[str, Constant], ranges: Ranges) -> list[Parameter]:
    """Return what is to be tuned.

    Raises:
        MissingError: there is no such constant, or its range makes no sense.

    """
    return [Parameter.of(each, ranges[each.full_name]) for each in choose(known, ranges)]


def read(path: Path) -> Ranges:
    """Read a file.

    Raises:
        MissingError: it is not as it must be.

    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise MissingError(f"{path}: {error}") from error
    names = data.pop("names", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise MissingError(f"{path}: names needs a list of module.NAME, not {names!r}")
    ranges: Ranges = {name: {} for name in names}
    for module, table in data.items():
        if not isinstance(table, dict):
            raise MissingError(f"{path}: expected `names` or a module's table, not {module!r}")
        for name, given in table.items():
            ranges[f"{module}.{name}"] = _range(path, f"{module}.{name}", given)
    return ranges


def _range(path: Path, name: str, given: object) -> dict[str, float]:
    if not isinstance(given, dict) or not given.keys() <= set(KEYS):
        raise MissingError(f"{path}: {name} has {', '.join(KEYS)}, not {given!r}")
    for key, value in given.items():
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not (whole or (key == "step" and isinstance(value, float))):
            raise MissingError(f"{path}: {key} of {name} needs a number, not {value!r}")
    return given
