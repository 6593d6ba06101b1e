"""The bridge as one file: it runs where there is a Python and nothing else of ours."""

import asyncio
import shutil
import subprocess
import sys
import zipfile
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from helpers.support import TIMEOUT, Running

ROOT = Path(__file__).parents[2]
# The Python that the virtual environment was made with, which has none of its packages.
PYTHON = str(Path(sys.base_prefix) / "bin" / "python3")


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Build it as `make zipapp` does, and leave it alone in a folder."""
    file = tmp_path_factory.mktemp("single") / "rookery-bridge.pyz"
    command = [sys.executable, "tools/single.py", str(file)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    yield file
    shutil.rmtree(file.parent)


async def run(single: Path, *arguments: str, said: str = "") -> tuple[int | None, str, str]:
    program = await asyncio.create_subprocess_exec(
        *(PYTHON, "-I", str(single), *arguments),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=single.parent,
        env={"HOME": str(single.parent)},
    )
    async with asyncio.timeout(TIMEOUT):
        out, err = await program.communicate(said.encode())
    return program.returncode, out.decode(), err.decode()


def test_nothing_compiled_is_in_it(single: Path) -> None:
    with zipfile.ZipFile(single) as archive:
        names = archive.namelist()
    assert not [name for name in names if name.endswith((".so", ".pyd", ".c", ".pyc", ".network"))]
    assert not [name for name in names if name.startswith("rookery_engine/s")]
    assert "rookery_bridge/__main__.py" in names
    # Those of the other systems, too.
    assert {f"truststore/{name}.py" for name in ("__init__", "_windows", "_macos")} <= set(names)


async def test_its_libraries_can_be_loaded(single: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(single)!r}); import chess, truststore, websockets"
    program = await asyncio.create_subprocess_exec(PYTHON, "-I", "-c", code, stderr=PIPE)
    async with asyncio.timeout(TIMEOUT):
        assert await program.communicate() == (None, b"")
    assert program.returncode == 0


async def test_it_says_its_version(single: Path) -> None:
    status, out, errors = await run(single, "--version")
    assert (status, errors) == (0, "")
    assert out.startswith("rookery ")


async def test_it_says_what_it_has_not(single: Path) -> None:
    status, out, errors = await run(single, "analyse", "http://127.0.0.1:1", "x.pgn")
    assert (status, out) == (2, "")
    assert "analyse needs aiohttp, which 'pip install rookery-chess' brings along" in errors


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
async def test_it_is_the_engine(single: Path, app: Running, transport: str) -> None:
    address = f"tcp://127.0.0.1:{app.tcp_port}/polite"
    if transport == "websocket":
        address = f"ws://127.0.0.1:{app.port}/engines/polite"
    status, out, errors = await run(single, address, said="uci\nisready\ngo depth 1\nquit\n")
    assert (status, errors) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "id name Odd"
    assert lines[-2:] == ["readyok", "bestmove e2e4"]


async def test_it_knows_the_rules(single: Path) -> None:
    """There is a legal move though no engine is left, of this machine or another."""
    said = "position startpos moves e2e4\ngo wtime 1000 btime 1000\nisready\n"
    options = ("--fallback", "/nowhere/engine")
    program = await asyncio.create_subprocess_exec(
        *(PYTHON, "-I", str(single), "tcp://127.0.0.1:1", *options), stdin=PIPE, stdout=PIPE
    )
    assert program.stdin
    assert program.stdout
    program.stdin.write(said.encode())
    line = b"."
    async with asyncio.timeout(TIMEOUT):
        while line and not line.startswith(b"bestmove"):
            line = await program.stdout.readline()
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(line.decode().split()[1]) in board.legal_moves
    program.stdin.close()
    await program.wait()


async def test_its_launchers_start_it(single: Path, app: Running) -> None:
    from rookery_protocol.invitation import Invitation

    assert app.port
    link = str(Invitation("ws", "127.0.0.1", app.port, "polite"))
    status, out, errors = await run(single, "pair", said=link)
    assert (status, errors) == (0, "")
    launcher = single.parent / "rookery-engines" / "polite-127.0.0.1"
    assert str(launcher) in out
    text = launcher.read_text()
    assert f"exec {PYTHON} {single} --paired" in text.replace(str(Path(PYTHON).resolve()), PYTHON)
    program = await asyncio.create_subprocess_exec(launcher, stdin=PIPE, stdout=PIPE, env={})
    async with asyncio.timeout(TIMEOUT):
        assert (await program.communicate(b"isready\n"))[0] == b"readyok\n"
