"""The tables of folders in the READMEs: each folder is in one, and none that is gone."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEADING = "## How it is built"
PACKAGES = {"server": "rookery_server", "bridge": "rookery_bridge"}


def told(part: str) -> set[str]:
    """Return the names in the first column of the table of folders."""
    text = (ROOT / part / "README.md").read_text(encoding="utf-8").partition(HEADING)[2]
    table = text.partition("| folder of ")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


@pytest.mark.parametrize("part", PACKAGES)
def test_each_folder_is_told_and_none_that_is_gone(part: str) -> None:
    package = ROOT / part / PACKAGES[part]
    assert told(part) == {path.parent.name for path in package.glob("*/__init__.py")}
