"""The engine's constants that can be tuned, found in its source and written back into it.

They are the module-level lines `NAME = cython.declare(cython.int, VALUE)` of the compiled
modules: variables in C, filled at import.  They are found by that form, wherever they
are; one whose value is an expression is not, since nobody could write a number back.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.child import MissingError

PACKAGE = Path("engine") / "rookery_engine"  # below a root
FORM = "cython.declare(cython.int, VALUE)"


@dataclass(frozen=True, slots=True)
class Constant:
    """A number in a module's source."""

    module: str
    name: str
    value: int
    line: int  # from 1
    start: int  # bytes of the line, where the number begins
    end: int

    @property
    def full_name(self) -> str:
        """`module.NAME`, as the tuner knows it."""
        return f"{self.module}.{self.name}"


def constants(root: Path) -> dict[str, Constant]:
    """Return those of all compiled modules below a root, by their full names."""
    return {
        constant.full_name: constant
        for path in modules(root)
        for constant in constants_of(path.stem, path.read_text(encoding="utf-8"))
    }


def modules(root: Path) -> list[Path]:
    """Return the compiled modules: those with a `.pxd` beside them."""
    headers = sorted((root / PACKAGE).rglob("*.pxd"))
    return [path for header in headers if (path := header.with_suffix(".py")).exists()]


def constants_of(module: str, source: str) -> list[Constant]:
    """Return the constants of a module."""
    found = []
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=function, args=[kind, number], keywords=[]),
            ) if ast.unparse(function) == "cython.declare" and ast.unparse(kind) == "cython.int":
                value = _integer(number)
                if value is not None and number.end_col_offset is not None:
                    place = (number.lineno, number.col_offset, number.end_col_offset)
                    found.append(Constant(module, name, value, *place))
    return found


def choose(known: Mapping[str, Constant], names: Iterable[str]) -> list[Constant]:
    """Return the constants with these full names.

    Raises:
        MissingError: there is no such constant; like ones are named.

    """
    chosen = []
    for name in names:
        if name not in known:
            last = name.rpartition(".")[2]
            like = [other for other, constant in known.items() if constant.name == last]
            hint = f"there is {', '.join(like)}" if like else "`tune --list` shows all"
            raise MissingError(f"no constant {name!r}; {hint}")
        chosen.append(known[name])
    return chosen


def apply(root: Path, values: Mapping[str, int]) -> None:
    """Write new values into the source below a root; nothing else is changed.

    Raises:
        MissingError: a constant is gone.

    """
    chosen = choose(constants(root), values)
    for path in modules(root):
        own = [constant for constant in chosen if constant.module == path.stem]
        if own:
            source = path.read_text(encoding="utf-8")
            text = rewritten(source, {each: values[each.full_name] for each in own})
            path.write_text(text, encoding="utf-8")


def rewritten(source: str, values: Mapping[Constant, int]) -> str:
    """Return a module's source with other numbers."""
    lines = source.splitlines(keepends=True)
    for constant, value in values.items():
        line = lines[constant.line - 1].encode()
        lines[constant.line - 1] = (
            line[: constant.start] + str(value).encode() + line[constant.end :]
        ).decode()
    return "".join(lines)


def _integer(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None
