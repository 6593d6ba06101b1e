"""The build of the core that runs: the second one only where the processor has what it takes."""

import sys
from pathlib import Path

import pytest

import rookery_engine
from rookery_engine import core, nnue, search, syzygy
from rookery_engine.core import processor
from rookery_engine.shell import cpu_dispatch

PACKAGES = (core, nnue, search, syzygy)
# The features of x86-64-v3 that x86-64 lacks, as Linux names them.
FLAGS = {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which the package seems to be."""
    for package in (rookery_engine, *PACKAGES):
        folder = tmp_path.joinpath(*package.__name__.split(".")[1:])
        folder.mkdir(exist_ok=True)
        monkeypatch.setattr(package, "__path__", [str(folder)])
    return tmp_path


def searched_folders() -> list[list[str]]:
    """Return the folders in which Python looks for the modules of each package."""
    return [list(package.__path__) for package in PACKAGES]


@pytest.mark.parametrize("has", [True, False])
def test_second_build_runs_only_where_it_can(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, has: bool
) -> None:
    before = searched_folders()
    (home / "core" / cpu_dispatch.FOLDER).mkdir()
    monkeypatch.setattr(processor, "has_v3", lambda: has)
    cpu_dispatch.choose_build()
    assert searched_folders() == [
        [f"{path}/{cpu_dispatch.FOLDER}"] * has + [path] for [path] in before
    ]


@pytest.mark.usefixtures("home")
def test_build_for_this_machine_has_no_second(monkeypatch: pytest.MonkeyPatch) -> None:
    before = searched_folders()
    monkeypatch.setattr(processor, "has_v3", lambda: True)
    cpu_dispatch.choose_build()
    assert searched_folders() == before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it in a file")
def test_processor_is_seen_as_the_system_sees_it() -> None:
    with Path("/proc/cpuinfo").open() as lines:
        flags = next((line.split() for line in lines if line.startswith("flags")), [])
    assert processor.has_v3() is FLAGS.issubset(flags)
