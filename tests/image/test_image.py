"""The image itself, built and run: `make container-test`, with docker or podman.

Not among the tests of `make test`: it wants a container engine, and minutes.  `CONTAINER` names the
engine's program, `IMAGE` an image that is there already and is not built again.
"""

import asyncio
import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine
import pytest
from bench.child import free_port
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from rookery_protocol.notices import Close

ROOT = Path(__file__).parents[2]
BRIDGE = Path(sys.executable).with_name("rookery-bridge")
BUILD_TIME = 1800.0  # s
UP_TIME = 60.0  # s
LIMITS = ("--cpus", "1", "--memory", "512m")
# What docker/README.md tells everybody to say.
HARDENED = shlex.split("--read-only --tmpfs /tmp --cap-drop all --security-opt no-new-privileges")

FETCH = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}/').read().decode())"

pytestmark = pytest.mark.timeout(BUILD_TIME)


def container(*arguments: str, seconds: float = 60.0) -> str:
    """Run the container engine; its output, both kinds."""
    done = subprocess.run(
        [program(), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}"
    return done.stdout


def program() -> str:
    """Return the container engine's program."""
    if given := os.environ.get("CONTAINER"):
        return given
    for name in ("docker", "podman"):
        if found := shutil.which(name):
            return found
    pytest.fail("neither docker nor podman is there: install one, or name it in CONTAINER")


@dataclass(frozen=True)
class Running:
    """A container in which the server runs."""

    name: str
    port: int
    token: str

    @property
    def url(self) -> str:
        """Return the address of our engine."""
        return f"ws://127.0.0.1:{self.port}/engines/rookery"

    def state(self) -> dict[str, object]:
        """Return what the container engine knows of it."""
        state = json.loads(container("inspect", self.name))[0]["State"]
        assert isinstance(state, dict)
        return state


@pytest.fixture(scope="session")
def image() -> str:
    if given := os.environ.get("IMAGE"):
        return given
    name = "localhost/rookery:test"
    container(
        "build", "-t", name, "-f", str(ROOT / "docker" / "Dockerfile"), str(ROOT),
        seconds=BUILD_TIME,
    )  # fmt: skip
    return name


@pytest.fixture
def running(image: str, tmp_path: Path) -> Iterator[Running]:
    """Run the server in a container, with the limits and the hardening of the README."""
    name, port, tcp_port = f"rookery-test-{uuid.uuid4().hex[:8]}", free_port(), free_port()
    configuration = tmp_path / "rookery.toml"
    text = (ROOT / "docker" / "rookery.toml").read_text()
    configuration.write_text(text.replace("8080", str(port)).replace("8081", str(tcp_port)))
    configuration.chmod(0o644)
    published = [f"--publish=127.0.0.1:{each}:{each}" for each in (port, tcp_port)]
    mount = f"{configuration}:/etc/rookery/rookery.toml:ro"
    container("run", "-d", "--name", name, *published, "-v", mount, *HARDENED, *LIMITS, image)
    try:
        until = time.monotonic() + UP_TIME
        while not (token := token_in(container("logs", name))) or not is_up(name):
            assert time.monotonic() < until, container("logs", name)
            time.sleep(0.2)
        yield Running(name, port, token)
    finally:
        with contextlib.suppress(AssertionError):
            container("rm", "-f", "-v", name)


def token_in(log: str) -> str | None:
    """Return the token that the first start shows once."""
    return next((word for word in log.split() if word.startswith("rk_")), None)


def is_up(name: str) -> bool:
    """Tell whether the server says of itself that it serves."""
    command = [program(), "exec", name, "rookery-entrypoint", "health"]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


def test_image_is_healthy_and_has_no_compiler(image: str, running: Running) -> None:
    healthcheck = json.loads(container("inspect", image))[0]
    assert "health" in str(healthcheck)
    assert container("exec", running.name, "rookery-entrypoint", "health", "--ready") == "ready\n"
    assert container("exec", running.name, "id", "-u").strip() == "10001"
    for tool in ("gcc", "cc", "node", "pip"):
        command = [program(), "exec", running.name, "sh", "-c", f"command -v {tool}"]
        found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert found.stdout.strip() in ("", "/usr/local/bin/pip"), found.stdout


def test_page_is_in_it(running: Running) -> None:
    """The one that Node.js made, not the plain one that stands in for it."""
    page = container("exec", running.name, "python", "-c", FETCH.format(port=running.port))
    assert "<script" in page


async def test_analysis_within_the_limits(running: Running) -> None:
    headers = {"Authorization": f"Bearer {running.token}"}
    async with asyncio.timeout(UP_TIME):
        async with connect(running.url, additional_headers=headers, proxy=None) as socket:
            await socket.send("uci")
            options = [line async for line in until(socket, "uciok")]
            await socket.send("go depth 10")
            lines = [line async for line in until(socket, "bestmove")]
    [threads] = [line for line in options if line.startswith("option name Threads ")]
    assert threads.endswith("max 1"), "--cpus 1"
    [memory] = [line for line in options if line.startswith("option name Hash ")]
    assert int(memory.rsplit(" ", 1)[1]) <= 256, "half of --memory 512m"
    assert any(" depth 10 " in line for line in lines)


async def until(socket: ClientConnection, last: str) -> AsyncIterator[str]:
    """Yield what is heard up to a line that starts so."""
    async for message in socket:
        line = str(message)
        yield line
        if line.startswith(last):
            return


def test_game_over_the_bridge(running: Running) -> None:
    with chess.engine.SimpleEngine.popen_uci(
        [str(BRIDGE), "--no-fallback", running.url],
        timeout=UP_TIME,
        env={**os.environ, "ROOKERY_TOKEN": running.token},
    ) as engine:
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 120:
            move = engine.play(board, chess.engine.Limit(nodes=2000)).move
            assert move is not None
            assert board.is_legal(move)
            board.push(move)


async def test_stop_during_a_search(running: Running) -> None:
    headers = {"Authorization": f"Bearer {running.token}"}
    heard: list[str] = []
    async with asyncio.timeout(UP_TIME):
        async with connect(running.url, additional_headers=headers, proxy=None) as socket:
            await socket.send("go infinite")
            await anext(aiter(socket))
            stopping = asyncio.create_task(
                asyncio.to_thread(container, "stop", "-t", "20", running.name)
            )
            with contextlib.suppress(ConnectionClosed):
                async for line in socket:
                    heard.append(str(line))
            await stopping
    assert sum(line.startswith("bestmove") for line in heard) == 1
    assert socket.close_code == Close.RESTART
    assert running.state()["ExitCode"] == 0


def test_size(image: str) -> None:
    """Return the size of what is ours beside Python's image; README.md names it."""
    output = container("run", "--rm", "--entrypoint", "du", image, "-sm", "/opt/rookery")
    ours = output.splitlines()[-1].split()[0]
    whole = json.loads(container("image", "inspect", image))[0]["Size"]
    print(f"/opt/rookery {ours} MB, the image {whole / 1e6:.0f} MB")
    assert int(ours) < 100
