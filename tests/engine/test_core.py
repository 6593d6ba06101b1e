"""That the core was compiled with its headers: without, it works, but untyped and slow."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rookery_engine.bench
import rookery_engine.board

MODULES = {
    "accumulator": "weigh",
    "attacks": "slide",
    "encoding": "encode",
    "endgame": "ask",
    "evaluate": "evaluate",
    "fen": "read",
    "history": "adjust",
    "input": "end_search",
    "mate": "seek",
    "movegen": "generate",
    "movepick": "next_move",
    "network": "output",
    "node": "conclude",
    "pairs": "decode",
    "perft": "count_leaves",
    "position": "make",
    "prune": "is_worth_trying",
    "quiescence": "quiescence",
    "reduce": "reduced_plies",
    "root": "try_window",
    "search": "search",
    "see": "wins_at_least",
    "sight": "overlooks",
    "syzygy": "probe_wdl",
    "table": "probe",
    "tablebase": "find_slot",
    "team": "recruit",
    "thread": "visit",
    "values": "put",
}


@pytest.mark.parametrize(
    "name", [*MODULES, "board", "iteration", "line", "report", "searcher", "timer"]
)
def test_module_is_compiled(name: str) -> None:
    module = importlib.import_module(f"rookery_engine.{name}")
    assert module.__file__.endswith(".so")


@pytest.mark.parametrize(("name", "function"), MODULES.items())
def test_functions_are_of_c(name: str, function: str) -> None:
    """A function with a signature in the header cannot be seen from Python."""
    assert not hasattr(importlib.import_module(f"rookery_engine.{name}"), function)


@pytest.mark.parametrize("words", [(), ("bench",), ("eval",)])
def test_missing_network_is_said(tmp_path: Path, words: tuple[str, ...]) -> None:
    package = Path(rookery_engine.board.__file__).parent  # with what was compiled
    shutil.copytree(
        package, tmp_path / "rookery_engine", ignore=shutil.ignore_patterns("*.network")
    )
    done = subprocess.run(
        [sys.executable, "-m", "rookery_engine", *words],
        input="isready\n", capture_output=True, text=True, timeout=60, check=False,
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode != 0
    assert "own network should be one file *.network in" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [(), ("bench",), ("perft", "1")])
def test_uncompiled_core_says_what_to_do(tmp_path: Path, words: tuple[str, ...]) -> None:
    source = Path(rookery_engine.bench.__file__).parent
    shutil.copytree(source, tmp_path / "rookery_engine", ignore=shutil.ignore_patterns("*.so"))
    done = subprocess.run(
        [sys.executable, "-m", "rookery_engine", *words],
        input="isready\n", capture_output=True, text=True, timeout=60, check=False,
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode != 0
    assert "run `make build`" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
