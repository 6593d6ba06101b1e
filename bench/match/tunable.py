"""An engine whose constants can be changed while it runs, made aside for the tuner.

The engine that is shipped knows nothing of this: a copy of the working tree's source gets
a function in each module with constants, is built, and is started by `tunable_engine.py`,
which adds the option `Tune` with values like `pruning.NULL_STEP=210 root.WINDOW=11`.
"""

import ast
import hashlib
import os
import shutil
import sys
from pathlib import Path

from bench.match.build import BUILDS, FLAGS, ROOT, build
from bench.match.constant import PACKAGE, constants_of, modules
from bench.match.player import PlayerSpec

NEEDED = ("setup.py", "pyproject.toml", "README.md", "LICENSE")  # to build, besides the package
PRODUCTS = ("__pycache__", "*.so", "*.c")
STARTER = Path(__file__).with_name("tunable_engine.py")
SETTER = "set_constants"  # also in tunable_engine.py
OPTION = "Tune"  # also in tunable_engine.py


def tunable(root: Path = ROOT) -> Path:
    """Return the folder with the tunable engine of a working tree, building it if it must be.

    Raises:
        MissingError: it does not build.

    """
    key = f"tunable-{digest(root)}"

    def copy_with_setters(source: Path) -> None:
        copy(root, source)
        for path in modules(source):
            text = path.read_text(encoding="utf-8")
            path.write_text(text + setter(path.stem, text), encoding="utf-8")

    return build(key, "the tunable engine", copy_with_setters)


def spec_of(folder: Path, options: tuple[tuple[str, str], ...]) -> PlayerSpec:
    """Return how to start what `tunable` has built."""
    command = (sys.executable, "-P", str(STARTER))
    return PlayerSpec("", command, options, environment=(("PYTHONPATH", str(folder)),))


def built_before(key: str) -> Path | None:
    """Return the folder of an earlier build, if it is still there."""
    folder = BUILDS / key
    return folder if folder.is_dir() else None


def setter(module: str, source: str) -> str:
    """Return what to add to a module so that its constants can be changed.

    Tables that are made from constants are made again: a function called at module level
    without arguments makes one.
    """
    names = [constant.name for constant in constants_of(module, source)]
    if not names:
        return ""
    lines = ["", "", f"def {SETTER}(values):", f"    global {', '.join(names)}"]
    lines += [f'    {name} = values.get("{name}", {name})' for name in names]
    lines += [f"    {call}" for call in _calls(source)]
    return "\n".join([*lines, ""])


def copy(root: Path, target: Path) -> None:
    """Copy what a build needs."""
    ignore = shutil.ignore_patterns(*PRODUCTS)
    shutil.copytree(root / PACKAGE, target / PACKAGE, ignore=ignore)
    for name in NEEDED:
        if (root / name).exists():
            shutil.copy(root / name, target / name)


def digest(root: Path) -> str:
    """Return a name for what the engine of a working tree is, and how it would be compiled."""
    total = hashlib.sha256(setter("", "X = cython.declare(cython.int, 1)").encode())
    for name in FLAGS:
        total.update(f"{os.environ.get(name)}\0".encode())
    for path in [root / "setup.py", *sorted((root / PACKAGE).rglob("*"))]:
        product = any(part.match(name) for part in (path, path.parent) for name in PRODUCTS)
        if path.is_file() and not product:
            total.update(f"{path.relative_to(root)}\0".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:12]


def _calls(source: str) -> list[str]:
    return [
        ast.unparse(node)
        for node in ast.parse(source).body
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and not (node.value.args or node.value.keywords)
    ]
