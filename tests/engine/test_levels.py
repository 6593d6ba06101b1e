"""The build of the core that runs: the second one only where the processor has what it takes."""

import sys
from pathlib import Path

import pytest

import rookery_engine
from rookery_engine import levels, processor

# What x86-64-v3 has and x86-64 has not, as Linux names it.
FLAGS = {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which the package seems to be."""
    monkeypatch.setattr(rookery_engine, "__path__", [str(tmp_path)])
    return tmp_path


@pytest.mark.parametrize("has", [True, False])
def test_second_build_runs_only_where_it_can(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, has: bool
) -> None:
    second = home / levels.FOLDER
    second.mkdir()
    monkeypatch.setattr(processor, "has_v3", lambda: has)
    levels.choose()
    assert list(rookery_engine.__path__) == [str(second)] * has + [str(home)]


def test_build_for_this_machine_has_no_second(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "has_v3", lambda: True)
    levels.choose()
    assert list(rookery_engine.__path__) == [str(home)]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it in a file")
def test_processor_is_seen_as_the_system_sees_it() -> None:
    with Path("/proc/cpuinfo").open() as lines:
        flags = next((line.split() for line in lines if line.startswith("flags")), [])
    assert processor.has_v3() is FLAGS.issubset(flags)
