"""The signature of the search against the history."""

import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from helpers.tool import tool

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")


@pytest.fixture(scope="module")
def signature() -> ModuleType:
    return tool("signature")


def commit(repository: Path, message: str) -> None:
    name = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    words = ["commit", "--quiet", "--allow-empty", "--message", message]
    subprocess.run(["git", "-C", str(repository), *name, *words], check=True)


def test_the_newest_line_counts(signature: ModuleType, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    assert signature.newest(tmp_path) is None
    commit(tmp_path, "One\n\nBench: 111")
    commit(tmp_path, "Two\n\nSaid Bench: 5 before.\n\nBench: 222")
    commit(tmp_path, "Three\n\nNo functional change.")
    commit(tmp_path, "Four\n\nBench: soon")
    found = signature.newest(tmp_path)
    assert found
    assert found[1] == 222


def test_no_history_is_no_fault(signature: ModuleType, tmp_path: Path) -> None:
    assert signature.newest(tmp_path) is None


def test_a_difference_says_what_to_do(signature: ModuleType) -> None:
    assert signature.judge(5, 5, "abc") == ""
    assert "    Bench: 6\n" in signature.judge(6, 5, "abc")
