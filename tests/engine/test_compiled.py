"""The core is compiled with its headers: without, it works, but untyped and slow."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rookery_engine.core.board
import rookery_engine.shell.bench

FOLDERS = ("core", "nnue", "search", "syzygy")
COMPILED = [
    f"{folder}.{path.stem}"
    for folder in FOLDERS
    for path in Path(rookery_engine.shell.bench.__file__).parents[1].glob(f"{folder}/*.py")
    if path.stem != "__init__"
]
MODULES = {
    "core.attacks": "slide",
    "core.fen_codec": "read",
    "core.movegen": "generate",
    "core.perft": "count_leaves",
    "core.position": "make",
    "core.see": "see_ge",
    "nnue.accumulator": "evaluate_ply",
    "nnue.evaluate": "evaluate",
    "nnue.network": "output",
    "search.forced_scores": "put",
    "search.history": "adjust",
    "search.mate": "seek",
    "search.movepick": "next_move",
    "search.node": "conclude",
    "search.pruning": "is_worth_trying",
    "search.quiescence": "quiescence",
    "search.reductions": "reduced_plies",
    "search.root": "try_window",
    "search.search": "search",
    "search.stdin_reader": "end_search",
    "search.tablebase_search": "ask",
    "search.thread": "visit",
    "search.thread_pool": "recruit",
    "search.transposition": "probe",
    "search.weakness": "overlooks",
    "syzygy.encoding": "encode",
    "syzygy.pairs": "decode",
    "syzygy.probing": "probe_wdl",
    "syzygy.table_files": "find_slot",
}


@pytest.mark.parametrize("name", COMPILED)
def test_module_is_compiled(name: str) -> None:
    module = importlib.import_module(f"rookery_engine.{name}")
    assert module.__file__.endswith(".so")


@pytest.mark.parametrize(("name", "function"), MODULES.items())
def test_functions_are_of_c(name: str, function: str) -> None:
    """A function with a signature in the header cannot be seen from Python."""
    assert not hasattr(importlib.import_module(f"rookery_engine.{name}"), function)


@pytest.mark.parametrize("words", [(), ("bench",), ("eval",)])
def test_missing_network_is_reported(tmp_path: Path, words: tuple[str, ...]) -> None:
    package = Path(rookery_engine.core.board.__file__).parents[1]  # with what was compiled
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
def test_uncompiled_core_names_the_remedy(tmp_path: Path, words: tuple[str, ...]) -> None:
    source = Path(rookery_engine.shell.bench.__file__).parents[1]
    shutil.copytree(source, tmp_path / "rookery_engine", ignore=shutil.ignore_patterns("*.so"))
    done = subprocess.run(
        [sys.executable, "-m", "rookery_engine", *words],
        input="isready\n", capture_output=True, text=True, timeout=60, check=False,
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode != 0
    assert "run `make build`" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
