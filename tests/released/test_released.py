"""The released distributions, installed where nothing of the source is: `make dist-test`.

Not among the tests of `make test`: it compiles all anew and takes minutes.  `make dist` must have
been run; `DIST` names another folder with its results.
"""

import contextlib
import email
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import chess
import chess.engine
import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
DIST = Path(os.environ.get("DIST", ROOT / "dist"))
BIN = Path(sys.executable).parent
PACKAGES = {
    f"rookery_{name}" for name in ("analysis", "bridge", "engine", "protocol", "server", "uci")
}
IS_X86 = platform.machine() == "x86_64"
SHORT = ("bench", "16", "1", "6")
ROUNDS = 3  # of each build, one after the other
# The core without `cpu_dispatch.choose_build`: what runs on a processor without AVX2.
ORDINARY = (
    "-c",
    "import sys; from rookery_engine.shell import terminal; sys.exit(terminal.main(sys.argv[1:]))",
)
NO_COMPILER = {"CC": "/nonexistent/cc", "CXX": "/nonexistent/cc"}

pytestmark = pytest.mark.timeout(1800)


def run(*command: object, seconds: float = 300, **more: object) -> str:
    """Run a program away from the source; return what it says."""
    done = subprocess.run(
        [str(each) for each in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
        cwd="/",
        **more,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}"
    return done.stdout


def only(pattern: str) -> Path:
    found = sorted(DIST.glob(pattern))
    if len(found) != 1:
        pytest.fail(f"{DIST} has {len(found)} of {pattern}, and should have one: run `make dist`")
    return found[0]


@pytest.fixture(scope="module")
def wheel() -> Path:
    """Return the wheel of this Python and this machine."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return only(f"rookery_chess-*-{python}-{python}-*.whl")


@pytest.fixture(scope="module")
def sdist() -> Path:
    return only("rookery_chess-*.tar.gz")


@dataclass(frozen=True)
class Environment:
    """A Python with the package, and nothing else of ours."""

    folder: Path

    def program(self, name: str) -> Path:
        return self.folder / "bin" / name


def environment(folder: Path, *requirements: object, **variables: str) -> Environment:
    venv.create(folder, with_pip=True)
    made = Environment(folder)
    run(
        made.program("pip"), "install", "--quiet", "--disable-pip-version-check", *requirements,
        seconds=1500, env={**os.environ, **variables},
    )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("wheel") / "venv"
    return environment(folder, wheel, **NO_COMPILER)


@dataclass(frozen=True)
class Bench:
    """Return the signature and the speed that `bench` prints."""

    nodes: int
    speed: int

    @classmethod
    def of(cls, output: str) -> "Bench":
        [nodes] = re.findall(r"Nodes searched *: (\d+)", output)
        [speed] = re.findall(r"Nodes/second *: (\d+)", output)
        return cls(int(nodes), int(speed))


def names(file: Path) -> list[str]:
    """Return what is in a wheel or a source distribution, without its first folder."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as archive:
            return archive.namelist()
    with tarfile.open(file) as archive:
        return [each.name.partition("/")[2] for each in archive.getmembers() if each.isfile()]


def test_version_is_that_of_the_source(wheel: Path, sdist: Path) -> None:
    [text] = re.findall(
        r'^VERSION = "(.+?)"', (ROOT / "engine/rookery_engine/shell/loop.py").read_text(), re.M
    )
    assert sdist.name == f"rookery_chess-{text}.tar.gz"
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(
            archive.read(f"rookery_chess-{text}.dist-info/METADATA")
        )
    assert metadata["Version"] == text
    assert metadata["License-Expression"] == "GPL-3.0-or-later"


def test_wheel_has_what_runs_and_nothing_else(wheel: Path) -> None:
    found = names(wheel)
    tops = {name.split("/")[0] for name in found}
    assert {each for each in tops if not each.endswith(".dist-info")} == PACKAGES
    assert "rookery_server/web/index.html" in found, "the page was not built"
    assert any(re.fullmatch(r"rookery_engine/net/\w+\.network", name) for name in found)
    assert not [name for name in found if name.endswith((".c", ".pyx", ".o"))]
    modules, second = (
        {
            re.sub(below, "", name)
            for name in found
            if re.fullmatch(rf"rookery_engine/\w+{below}/[\w.-]+\.so", name)
        }
        for below in ("", "/x86_64_v3")
    )
    assert len(modules) > 30
    assert second == (modules if IS_X86 else set())


def test_source_has_all_that_a_build_needs(sdist: Path) -> None:
    found = set(names(sdist))
    folders = (f"{folder}/{name}" for folder in ("engine", "server", "bridge") for name in PACKAGES)
    tracked = run("git", "-C", ROOT, "ls-files", *folders).splitlines()
    assert {*tracked, "setup.py", "LICENSE", "CHANGELOG.md"} <= found
    assert "server/rookery_server/web/index.html" in found, "the page was not built"
    assert not [name for name in found if name.endswith((".c", ".so"))]


def test_index_would_take_both(wheel: Path, sdist: Path) -> None:
    run(BIN / "twine", "check", "--strict", wheel, sdist)
    run(
        BIN / "check-wheel-contents",
        "--toplevel",
        ",".join(sorted(PACKAGES)),
        wheel,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="auditwheel is for Linux")
def test_wheel_runs_on_other_linuxes(wheel: Path) -> None:
    """It wants nothing of this machine but the C library, of a named age."""
    assert re.search(r"-manylinux_2_\d+_\w+\.whl$", wheel.name)
    shown = run(BIN / "auditwheel", "show", wheel)
    tag = wheel.stem.rpartition("-")[2].split(".")[0]
    assert f'"{tag}"' in shown
    assert not [name for name in names(wheel) if ".libs/" in name]


def test_both_builds_search_the_same(installed: Environment) -> None:
    """The signature is that of this tree; the speeds are printed side by side."""
    here = Bench.of(run(BIN / "rookery-engine", "bench"))
    python, engine = installed.program("python"), installed.program("rookery-engine")
    commands = {"chosen": (engine,), "ordinary": (python, *ORDINARY)}
    benches = [
        (name, Bench.of(run(*command, "bench")))
        for _ in range(ROUNDS)
        for name, command in commands.items()
    ]
    best = {name: max(each.speed for other, each in benches if other == name) for name in commands}
    print(f"nodes/s, the best of {ROUNDS}: {best}")
    assert {each.nodes for _, each in benches} == {here.nodes}


@pytest.mark.skipif(not (IS_X86 and sys.platform == "linux"), reason="there is one build only")
@pytest.mark.parametrize(("processor", "fast"), [("Nehalem", False), ("Haswell", True)])
def test_older_processor_gets_what_it_can_run(
    installed: Environment, processor: str, *, fast: bool
) -> None:
    """An emulated one, which ends a program with a signal for what it does not know."""
    qemu = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
    if qemu is None:
        pytest.fail("qemu-x86_64-static is missing: `apt install qemu-user-static`")
    start = (qemu, "-cpu", processor, installed.program("python"), "-m", "rookery_engine")
    shown = run(*start, input="compiler\nquit\n")
    assert (" AVX2" in shown) is fast
    expected = Bench.of(run(installed.program("rookery-engine"), *SHORT))
    assert Bench.of(run(*start, *SHORT)).nodes == expected.nodes


@contextlib.contextmanager
def serving(installed: Environment) -> Iterator[int]:
    """Run the server as it is without any configuration; yield its port."""
    command = [installed.program("rookery-server"), "serve", "--port", "0", "--tcp-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as server:
        try:
            assert server.stdout
            [port] = next(
                filter(
                    None, (re.findall(r"http://127.0.0.1:(\d+)/", line) for line in server.stdout)
                )
            )
            yield int(port)
        finally:
            server.terminate()
            server.wait(30)


def test_server_and_bridge_work(installed: Environment) -> None:
    with serving(installed) as port:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
            assert "<script" in answer.read().decode()
        bridge = [str(installed.program("rookery-bridge")), "--no-fallback"]
        bridge.append(f"ws://127.0.0.1:{port}/engines/rookery")
        with chess.engine.SimpleEngine.popen_uci(bridge, timeout=60, cwd="/") as engine:
            move = engine.play(chess.Board(), chess.engine.Limit(nodes=1000)).move
    assert move in chess.Board().legal_moves


def test_source_builds_and_searches_the_same(
    sdist: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    built = environment(
        tmp_path_factory.mktemp("sdist") / "venv", "--no-binary=rookery-chess", sdist
    )
    engine = built.program("rookery-engine")
    assert (
        Bench.of(run(engine, "bench")).nodes == Bench.of(run(BIN / "rookery-engine", "bench")).nodes
    )


def test_bill_of_materials_names_all_of_them(wheel: Path, tmp_path: Path) -> None:
    """Check the licences of what is installed with the wheel or bundled into the page."""
    subprocess.run(
        [sys.executable, "tools/sbom.py", "wheel", wheel, tmp_path / "bom.json"],
        cwd=ROOT, check=True, timeout=300,
    )  # fmt: skip
    bom = json.loads((tmp_path / "bom.json").read_text())
    assert (
        bom["metadata"]["component"]["purl"] == f"pkg:pypi/rookery-chess@{version('rookery-chess')}"
    )
    found = {each["purl"].rpartition("@")[0] for each in bom["components"]}
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = email.message_from_bytes(archive.read(name))
    requirements = [Requirement(each) for each in metadata.get_all("Requires-Dist", [])]
    here = {"extra": ""}  # this system, and no extra
    wanted = [each for each in requirements if not each.marker or each.marker.evaluate(here)]
    assert len(wanted) > 3
    page = json.loads((ROOT / "server/web/package.json").read_text())["dependencies"]
    assert found >= {f"pkg:pypi/{each.name.lower()}" for each in wanted}
    assert found >= {f"pkg:npm/{each.replace('@', '%40')}" for each in page}


def test_wheels_are_planned_for_every_python_and_system() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    prefix = "Programming Language :: Python :: 3."
    pythons = [
        each.removeprefix(prefix) for each in project["classifiers"] if each.startswith(prefix)
    ]
    kinds = {
        "linux": ("manylinux_x86_64", "manylinux_aarch64"),
        "macos": ("macosx_x86_64", "macosx_arm64"),
        "windows": ("win_amd64", "win_arm64"),
    }
    for system, planned in kinds.items():
        shown = run(
            BIN / "cibuildwheel", ROOT, "--print-build-identifiers", "--platform", system,
            "--archs", "all",
        )  # fmt: skip
        assert set(shown.split()) == {
            f"cp3{python}-{kind}" for python in pythons for kind in planned
        }
