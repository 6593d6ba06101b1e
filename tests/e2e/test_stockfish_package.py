"""PyPI's package `stockfish`, which programs use to ask an engine: all its methods answer."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

CALLS = Path(__file__).parent / "stockfish_calls.py"
PATIENCE = 120.0  # s; the calls take one second, and a few through a bridge


def call_all(path: str) -> None:
    """Call every method in a process of its own, because one without an answer waits for ever."""
    called = subprocess.run(
        [sys.executable, str(CALLS), path],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert called.returncode == 0, called.stderr


def test_every_method_answers_with_the_engine(find: Callable[[str], str]) -> None:
    call_all(find("rookery-engine"))


def test_every_method_answers_through_a_bridge(
    find: Callable[[str], str], server_url: str, tmp_path: Path
) -> None:
    script = tmp_path / "bridge"
    script.write_text(f"#!/bin/sh\nexec {find('rookery-bridge')} {server_url}\n")
    script.chmod(0o755)
    call_all(str(script))
