"""Facts that a release must agree on."""

import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from helpers.tool import tool

from rookery_engine.shell.loop import VERSION

ROOT = Path(__file__).parents[2]
FILES = ("engine/rookery_engine/shell/loop.py", "CHANGELOG.md", "docker/chart/rookery/Chart.yaml")
TAG = f"v{VERSION}"


@pytest.fixture(scope="module")
def complaints_of() -> Callable[[str | None, Path], Iterator[str]]:
    return tool("release").complaints_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a copy of what has a version."""
    for name in FILES:
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def release(root: Path) -> None:
    text = (root / "CHANGELOG.md").read_text()
    (root / "CHANGELOG.md").write_text(
        re.sub(r"^## .+$", f"## {VERSION}, 2027-01-31", text, count=1, flags=re.MULTILINE)
    )


def test_everything_agrees_on_the_version(complaints_of) -> None:
    assert list(complaints_of(None, ROOT)) == []
    assert version("rookery-chess") == VERSION
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project, "it is in loop.py"


def test_release_agrees(complaints_of, root: Path) -> None:
    release(root)
    assert list(complaints_of(TAG, root)) == []


def test_tag_of_another_version_is_refused(complaints_of, root: Path) -> None:
    release(root)
    [complaint] = complaints_of("v99.0.0", root)
    assert complaint == f"the tag is v99.0.0, and the version {VERSION}"


def test_release_that_is_unreleased_is_refused(complaints_of, root: Path) -> None:
    text = (root / "CHANGELOG.md").read_text()
    (root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {VERSION}, unreleased\n{text[12:]}")
    [complaint] = complaints_of(TAG, root)
    assert "still 'unreleased'" in complaint


def test_changelog_of_another_version_is_refused(complaints_of, root: Path) -> None:
    change(root / FILES[0], f'VERSION = "{VERSION}"', 'VERSION = "99.0.0"')
    complaints = "\n".join(complaints_of(None, root))
    assert "CHANGELOG.md: the first heading is" in complaints
    assert f"appVersion is {VERSION}, and the version 99.0.0" in complaints


def test_changelog_has_each_version_once_and_something_under_it() -> None:
    parts = re.split(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    headings, texts = parts[::2], parts[1::2]
    assert len({heading.split(",")[0] for heading in headings}) == len(headings)
    assert all(re.search(r"^- \S", text, re.MULTILINE) for text in texts)
