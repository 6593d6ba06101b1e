"""Constants of the engine's source: found, chosen, and written back."""

from pathlib import Path

import pytest
from bench.child import MissingError
from bench.match.build import ROOT
from bench.match.constant import Constant, apply, choose, constants, constants_of, rewritten
from bench.match.tunable import digest, setter

SOURCE = '''"""Ä module."""

import cython

MARGIN = cython.declare(cython.int, 60)  # Centipawns, ½ of which ...
BASE = cython.declare(cython.int, -80)
ROW = cython.declare(cython.int, 1 << 18)
TICK = cython.declare(i64, 900_000)
NAME: cython.int = 5


def fill():
    inside = cython.declare(cython.int, 7)


fill()
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Create an engine with two compiled modules and one plain module."""
    package = tmp_path / "engine" / "rookery_engine"
    package.mkdir(parents=True)
    (tmp_path / "setup.py").touch()
    for module in ("deep", "flat", "plain"):
        (package / f"{module}.py").write_text(SOURCE, encoding="utf-8")
        if module != "plain":
            (package / f"{module}.pxd").touch()
    return tmp_path


def test_constants_are_found_by_their_form() -> None:
    found = [(each.full_name, each.value) for each in constants_of("deep", SOURCE)]
    assert found == [("deep.MARGIN", 60), ("deep.BASE", -80)]


def test_only_compiled_modules_have_constants(root: Path) -> None:
    assert sorted(constants(root)) == ["deep.BASE", "deep.MARGIN", "flat.BASE", "flat.MARGIN"]


def test_our_engine_has_constants() -> None:
    known = constants(ROOT)
    assert known["history.BONUS_BASE"].value < 0
    assert len(known) > 50


def test_applying_changes_the_numbers_and_nothing_else(root: Path) -> None:
    apply(root, {"deep.MARGIN": -7, "deep.BASE": 12345})
    package = root / "engine" / "rookery_engine"
    expected = SOURCE.replace("int, 60", "int, -7").replace("int, -80", "int, 12345")
    assert (package / "deep.py").read_text(encoding="utf-8") == expected
    assert (package / "flat.py").read_text(encoding="utf-8") == SOURCE


def test_a_number_behind_letters_of_more_bytes_is_replaced() -> None:
    source = 'Ä = cython.declare(cython.int, 16)  # "ß"\n'
    (constant,) = constants_of("deep", source)
    assert rewritten(source, {constant: 8}) == source.replace("16", "8")


def test_an_unknown_constant_is_refused_with_those_of_the_same_name() -> None:
    known = {"deep.MARGIN": Constant("deep", "MARGIN", 1, 1, 0, 1)}
    with pytest.raises(MissingError, match=r"no constant 'flat.MARGIN'; there is deep.MARGIN"):
        choose(known, ["flat.MARGIN"])
    with pytest.raises(MissingError, match=r"no constant 'NULL'; `tune --list`"):
        choose(known, ["NULL"])


def test_a_setter_sets_all_constants_and_makes_tables_again() -> None:
    assert setter("deep", SOURCE).splitlines() == [
        "",
        "",
        "def set_constants(values):",
        "    global MARGIN, BASE",
        '    MARGIN = values.get("MARGIN", MARGIN)',
        '    BASE = values.get("BASE", BASE)',
        "    fill()",
    ]
    assert setter("deep", "import cython\n") == ""


def test_another_source_is_another_build(root: Path) -> None:
    before = digest(root)
    (root / "engine" / "rookery_engine" / "deep.so").touch()  # a product
    assert digest(root) == before
    apply(root, {"deep.MARGIN": 61})
    assert digest(root) != before


def test_another_way_to_compile_is_another_build(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest(root)
    monkeypatch.setenv("ROOKERY_CFLAGS", "-O1")
    assert digest(root) != before
