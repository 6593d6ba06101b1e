"""Engines by name: commands, and revisions of a repository."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bench.child import MissingError
from bench.match import build
from bench.match.build import built, resolve, spec_of

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

SETUP = """
from setuptools import setup
setup(name="tiny", version="1", packages=["rookery_engine"], package_dir={"": "engine"})
"""


def git(repository: Path, *words: str) -> str:
    name = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", "-C", str(repository), *name, *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository with an engine that says the number of its commit."""
    monkeypatch.setattr(build, "BUILDS", tmp_path / "builds")
    root = tmp_path / "repository"
    package = root / "engine" / "rookery_engine"
    package.mkdir(parents=True)
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(root))
    (root / "setup.py").write_text(SETUP)
    (package / "__init__.py").touch()
    for number in range(2):
        (package / "__main__.py").write_text(f"print({number})\n")
        git(root, "add", ".")
        git(root, "commit", "--quiet", "--message", str(number))
    return root


def test_a_revision_is_built_once_and_run_from_its_folder(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    spec = spec_of("rev:HEAD~1", ["Hash=4"], repository=repository)
    commit = git(repository, "rev-parse", "HEAD~1")
    assert spec.name == f"rookery-{commit[:9]}"
    assert spec.options == (("Hash", "4"),)
    said = subprocess.run(
        spec.command, env=dict(spec.environment), capture_output=True, text=True, check=True
    )
    assert said.stdout == "0\n"
    assert "building" in capfd.readouterr().err
    built(commit, repository)
    assert "building" not in capfd.readouterr().err
    kept = [f"{commit}-{sys.implementation.cache_tag}"]
    assert [path.name for path in build.BUILDS.iterdir()] == kept


def test_a_revision_compiled_otherwise_is_another_build(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    usual = built(commit, repository)
    monkeypatch.setenv("ROOKERY_CFLAGS", "-O1")
    assert built(commit, repository) != usual


def test_base_is_where_the_branch_left_main(repository: Path) -> None:
    main = git(repository, "rev-parse", "HEAD")
    assert resolve("base", repository) == git(repository, "rev-parse", "HEAD~1")
    git(repository, "checkout", "--quiet", "-b", "topic")
    (repository / "engine" / "new.py").touch()
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "topic")
    assert resolve("base", repository) == main


def test_base_is_the_last_commit_when_main_has_changes(repository: Path) -> None:
    (repository / "engine" / "new.py").touch()
    assert resolve("base", repository) == git(repository, "rev-parse", "HEAD")


def test_a_revision_that_does_not_exist_is_refused(repository: Path) -> None:
    with pytest.raises(MissingError, match="no such revision"):
        spec_of("rev:nothing", [], repository=repository)


def test_failed_build_leaves_nothing(repository: Path) -> None:
    (repository / "setup.py").write_text("raise SystemExit('no compiler')")
    git(repository, "commit", "--quiet", "--all", "--message", "bad")
    with pytest.raises(MissingError, match="no compiler"):
        spec_of("rev:HEAD", [], repository=repository)
    assert list(build.BUILDS.iterdir()) == []


def test_a_command_is_found_and_split() -> None:
    spec = spec_of(f"{sys.executable} -c 'a b'", [])
    assert spec.command == (sys.executable, "-c", "a b")


@pytest.mark.parametrize("option", ["Hash", "=4", ""])
def test_an_option_has_a_name_and_a_value(option: str) -> None:
    with pytest.raises(MissingError, match="NAME=VALUE"):
        spec_of(sys.executable, [option])
