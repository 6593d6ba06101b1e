"""The lock files of the image: each distribution is chosen in advance, file by file."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "docker" / "lock"
DOCUMENT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = {"server.txt": ("postgres", "broker"), "ray.txt": ("postgres", "broker", "ray")}


def locked(name: str) -> dict[str, str]:
    """Return the versions in a lock; each has to have the hash of at least one file."""
    entries = re.split(r"^(?=[A-Za-z])", (LOCK / name).read_text(encoding="utf-8"), flags=re.M)
    versions: dict[str, str] = {}
    for entry in entries[1:]:
        assert "--hash=sha256:" in entry, entry
        found = re.match(r"([\w.-]+)==([^\s;]+)", entry)
        assert found, entry
        versions[canonicalize_name(found[1])] = found[2]
    return versions


def wanted(name: str) -> list[str]:
    """Return what pyproject.toml wants of a lock."""
    if name == "build.txt":
        return list(DOCUMENT["build-system"]["requires"])
    project = DOCUMENT["project"]
    extras = (project["optional-dependencies"][extra] for extra in EXTRAS[name])
    return [*project["dependencies"], *(each for extra in extras for each in extra)]


@pytest.mark.parametrize("name", ["build.txt", *EXTRAS])
def test_lock_has_what_pyproject_wants(name: str) -> None:
    versions = locked(name)
    requirements = [Requirement(text) for text in wanted(name)]
    # The image is Linux.
    requirements = [each for each in requirements if not each.marker or each.marker.evaluate()]
    assert len(requirements) > 1
    for requirement in requirements:
        version = versions.get(canonicalize_name(requirement.name))
        assert version, f"{requirement.name} is not in docker/lock/{name}: run `make lock`"
        assert requirement.specifier.contains(version), (
            f"{requirement} and {version}: run `make lock`"
        )


def test_machines_of_a_cluster_have_what_the_server_has() -> None:
    server, ray = locked("server.txt"), locked("ray.txt")
    assert {name: ray.get(name) for name in server} == server


def test_image_takes_nothing_that_is_not_locked() -> None:
    text = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    installs = re.findall(r"pip (?:install|wheel) [^&\n]*", text)
    assert len(installs) == 6
    assert all(
        any(option in each for option in ("--require-hashes", "--no-index", "--no-build-isolation"))
        for each in installs
    )
