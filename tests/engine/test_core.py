"""That the core was compiled with its headers: without, it works, but untyped and slow."""

import importlib

import pytest

MODULES = {
    "attacks": "slide",
    "evaluate": "evaluate",
    "fen": "read",
    "history": "adjust",
    "movegen": "generate",
    "movepick": "next_move",
    "perft": "count_leaves",
    "position": "make",
    "search": "search",
    "see": "wins_at_least",
    "table": "probe",
}


@pytest.mark.parametrize("name", [*MODULES, "board", "searcher"])
def test_module_is_compiled(name: str) -> None:
    module = importlib.import_module(f"rookery_engine.{name}")
    assert module.__file__.endswith(".so")


@pytest.mark.parametrize(("name", "function"), MODULES.items())
def test_functions_are_of_c(name: str, function: str) -> None:
    """A function with a signature in the header cannot be seen from Python."""
    assert not hasattr(importlib.import_module(f"rookery_engine.{name}"), function)
