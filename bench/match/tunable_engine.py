"""The engine that `tunable` has built, with the option `Tune`; run as a script of its own.

It sets constants by the functions `set_constants` which that build has in its modules.
"""

import importlib
import pkgutil

import rookery_engine
from rookery_engine.shell import options
from rookery_uci import Option, UciError

# Before anyone has imported them.
options.OPTIONS = (*options.OPTIONS, Option("Tune", "string", ""))  # type: ignore[assignment]

from rookery_engine.shell import engine, loop  # noqa: E402

MODULES = {
    each.name.rpartition(".")[2]: each.name
    for each in pkgutil.walk_packages(rookery_engine.__path__, "rookery_engine.")
}


def tune(owner: engine.UciEngine) -> None:
    """Set the constants that the option names: `module.NAME=VALUE` with spaces between."""
    values: dict[str, dict[str, int]] = {}
    for word in owner.options.text("Tune").split():
        name, _, value = word.partition("=")
        module, _, constant = name.rpartition(".")
        try:
            values.setdefault(module, {})[constant] = int(value)
        except ValueError:
            raise UciError(f"Tune needs module.NAME=VALUE, not {word!r}") from None
    for module, numbers in values.items():
        try:
            setter = importlib.import_module(MODULES[module]).set_constants
        except (KeyError, ImportError, AttributeError):
            raise UciError(f"Tune: no constants in {module!r}") from None
        setter(numbers)


engine._EFFECTS["Tune"] = tune
loop.main()
