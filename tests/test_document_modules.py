"""The tables of modules in the READMEs: each module is in one, and none that is gone."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEADING = "## How it is built"
PACKAGES = {"server": "rookery_server", "bridge": "rookery_bridge"}


def named(part: str) -> set[str]:
    """Return the names in the first columns of the tables below the heading."""
    text = (ROOT / part / "README.md").read_text(encoding="utf-8").partition(HEADING)[2]
    text = text.partition("| decision |")[0]
    cells = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return {name.split("/")[-1] for cell in cells for name in re.findall(r"`([\w/]+)`", cell)}


def modules(part: str) -> set[str]:
    """Return the names of the modules of a package."""
    package = ROOT / part / PACKAGES[part]
    found = (path for path in package.rglob("*.py") if path.parent.name != "versions")
    return {path.stem for path in found} - {"__init__", "__main__"}


@pytest.mark.parametrize("part", PACKAGES)
def test_each_module_is_told(part: str) -> None:
    assert modules(part) - named(part) == set()


@pytest.mark.parametrize("part", PACKAGES)
def test_no_module_is_told_that_is_gone(part: str) -> None:
    package = ROOT / part / PACKAGES[part]
    folders = {path.name for path in package.rglob("*") if path.is_dir()}
    assert named(part) - modules(part) - folders - {"__main__"} == set()
