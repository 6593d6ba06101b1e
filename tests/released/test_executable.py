"""The programs that need no Python, here and where there is none: `make dist-test`.

`BARE` names the root folder of a system without Python; else debootstrap makes one, as root.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import chess
import pytest
from bench.served import serving

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.setup import launcher

ROOT = Path(__file__).parents[2]
MIRROR = "http://deb.debian.org/debian"
CHROOT = "/usr/sbin/chroot"
PATIENCE = 60.0  # s

pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("executable")
    subprocess.run([sys.executable, "tools/executable.py", folder], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def executable(made: Path) -> Path:
    return made / "rookery-bridge"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the root folder of a system that has no Python."""
    if named := os.environ.get("BARE"):
        yield Path(named)
        return
    if os.geteuid() != 0:
        pytest.skip("only root can run a program in another root folder")
    program = shutil.which("debootstrap") or pytest.fail("debootstrap is missing: apt install it")
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([program, "--variant=minbase", "bookworm", folder, MIRROR], check=True)
    yield folder
    shutil.rmtree(folder)


def try_out(executable: Path, *options: object) -> None:
    subprocess.run(
        [sys.executable, "tools/try_executable.py", executable, *options], cwd=ROOT, check=True
    )


def test_licence_is_in_it(executable: Path) -> None:
    """Its list of what is in it is at its end, not compressed."""
    end = executable.read_bytes()[-(1 << 16) :]
    for name in (b"rookery_chess-", b"chess-", b"websockets-"):
        assert name in end
    assert b"LICENSE" in end


def test_launcher_that_is_it_is_known_again(executable: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(executable, tmp_path / "lc0.exe"))
    assert not launcher.is_other(copy)
    with copy.open("ab") as file:
        file.write(bytes(20_000))  # as a signature comes behind it
    assert not launcher.is_other(copy)
    copy.write_bytes(executable.read_bytes()[:100_000])
    assert launcher.is_other(copy)


def test_guest_plays_with_it(executable: Path) -> None:
    try_out(executable)


def test_guest_plays_with_it_at_the_stand_in(executable: Path) -> None:
    """The server that it is tried with on Windows."""
    try_out(executable, "--stand-in")


def test_guest_without_python_plays_with_it(executable: Path, bare: Path) -> None:
    assert not list(bare.glob("usr/bin/python*"))
    try_out(executable, "--chroot", bare)


async def test_machine_without_python_joins_with_it(made: Path, bare: Path, tmp_path: Path) -> None:
    (bare / "opt").mkdir(exist_ok=True)
    for program in (made / "rookery-join", Path("/usr/games/stockfish")):
        shutil.copy(program, bare / "opt")
    join = ["/opt/rookery-join", "--engine", "sf=/opt/stockfish", "--name", "bare"]
    async with serving(tmp_path, "joined") as server:
        join.append(f"ws://127.0.0.1:{server.port}")
        machine = await asyncio.create_subprocess_exec(CHROOT, bare, *join, env={})
        try:
            async with aiohttp.ClientSession() as session, asyncio.timeout(PATIENCE):
                while "sf@local" not in await offered(session, server.url):
                    assert machine.returncode is None
                    await asyncio.sleep(0.1)
            async with AnalysisClient(server.url) as client, asyncio.timeout(PATIENCE):
                assert (await client.analyse(chess.Board(), nodes=1000, engine="sf@local")).lines
        finally:
            machine.terminate()
            assert await asyncio.wait_for(machine.wait(), PATIENCE) == 0


async def offered(session: aiohttp.ClientSession, url: str) -> list[str]:
    async with session.get(f"{url}/engines") as response:
        return list((await response.json())["engines"])
