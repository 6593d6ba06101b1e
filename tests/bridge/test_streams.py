"""Streams that are full, closed or read by nobody, and Ctrl-C: what is said, with which status."""

import asyncio
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.child import free_port
from helpers.support import TIMEOUT, Running

from rookery_bridge.__main__ import INTERRUPTED, READER_GONE
from rookery_protocol.invitation import Invitation

BRIDGE = str(Path(sys.executable).with_name("rookery-bridge"))
PAUSE = 0.01  # s from one look to the next
SYSTEM_CALL = Path("/proc/self/syscall")
READS_STDIN = ("0 0x0 ", "63 0x0 ")  # the call of x86-64 and of AArch64, and its descriptor
FULL = "rookery-bridge: cannot write to stdout: No space left on device\n"
CLOSED = "rookery-bridge: cannot write to stdout: Bad file descriptor\n"
NONE = "no remote engines are set up"


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "chatty")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}


def run(line: str, home: dict[str, str], stdout: int = PIPE) -> tuple[int, str, str]:
    """Run a command as a shell does; return its status, and what it says."""
    done = subprocess.run(
        ["bash", "-c", f"exec {BRIDGE} {line}"],
        env=home, stdout=stdout, stderr=PIPE, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def unheard(line: str, home: dict[str, str]) -> tuple[int, str, str]:
    """Run a command whose reader has left."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return run(line, home, writing)
    finally:
        os.close(writing)


def test_what_is_said_to_a_full_disk_is_an_error_and_to_nobody_is_none(
    home: dict[str, str],
) -> None:
    for command in ("list", f"doctor tcp://127.0.0.1:{free_port()}"):
        assert run(f"{command} >/dev/full", home) == (1, "", FULL)
        assert run(f"{command} >&-", home) == (1, "", CLOSED)
        assert run(f"{command} <&- >&- 2>&-", home) == (1, "", "")
        assert unheard(command, home) == (READER_GONE, "", "")
    assert unheard("--help", home) == (0, "", "")


def test_errors_that_cannot_be_said_change_no_status(home: dict[str, str]) -> None:
    nowhere = f"tcp://127.0.0.1:{free_port()}"
    for stream in ("2>/dev/full", "2>&-"):
        assert run(f"doctor {stream}", home)[0] == 2
        status, out, _ = run(f"{nowhere} {stream}", home)
        assert status == 1
        assert out.startswith(f"info string rookery-bridge: cannot reach {nowhere}: ")


async def test_engine_without_stdin_or_stdout_ends(app: Running, home: dict[str, str]) -> None:
    """Their descriptors are not those of its connections."""
    for line in ("<&-", ">&- </dev/null"):
        address = f"tcp://127.0.0.1:{app.tcp_port}/polite"
        assert await asyncio.to_thread(run, f"{address} {line}", home) == (0, "", "")


async def test_engines_are_set_up_though_nobody_hears_of_it(
    app: Running, home: dict[str, str], tmp_path: Path
) -> None:
    assert app.port
    for number, (tell, expected) in enumerate(_deaf()):
        folder = tmp_path / str(number)
        folder.mkdir()
        link = Invitation("ws", "127.0.0.1", app.port, None)
        heard = await asyncio.to_thread(tell, f"pair '{link}'", home | {"HOME": str(folder)})
        assert heard[0] == expected
        assert "Traceback" not in heard[2]
        launchers = {path.name for path in (folder / "rookery-engines").iterdir()}
        assert {"polite-127.0.0.1", "chatty-127.0.0.1"} <= launchers


def _deaf() -> list[tuple[Callable[[str, dict[str, str]], tuple[int, str, str]], int]]:
    return [(unheard, READER_GONE), (lambda line, home: run(f"{line} >/dev/full", home), 1)]


@pytest.mark.skipif(not SYSTEM_CALL.exists(), reason="it cannot be seen what it waits for")
async def test_ctrl_c_is_heard_while_the_link_is_waited_for(home: dict[str, str]) -> None:
    program = await asyncio.create_subprocess_exec(
        BRIDGE, "pair", stdin=PIPE, stdout=PIPE, stderr=PIPE, env=home
    )
    call = Path(f"/proc/{program.pid}/{SYSTEM_CALL.name}")
    async with asyncio.timeout(TIMEOUT):
        while not call.read_text().startswith(READS_STDIN):
            await asyncio.sleep(PAUSE)
        program.send_signal(signal.SIGINT)
        _, errors = await program.communicate()
    assert (program.returncode, errors) == (INTERRUPTED, b"")


async def test_ctrl_c_is_heard_while_the_program_is_loaded(
    home: dict[str, str], tmp_path: Path
) -> None:
    """`asyncio` is what takes longest, so here it takes for ever."""
    (tmp_path / "asyncio.py").write_text("print('loaded', flush=True)\ninput()\n")
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "rookery_bridge", "doctor"),
        stdin=PIPE, stdout=PIPE, stderr=PIPE, env=home | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert program.stdout
    async with asyncio.timeout(TIMEOUT):
        assert await program.stdout.readline() == b"loaded\n"
        program.send_signal(signal.SIGINT)
        _, errors = await program.communicate()
    assert (program.returncode, errors) == (INTERRUPTED, b"")


async def test_ctrl_c_is_heard_while_the_doctor_waits(home: dict[str, str]) -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        program = await asyncio.create_subprocess_exec(
            BRIDGE, "doctor", f"tcp://127.0.0.1:{port}", stdout=PIPE, stderr=PIPE, env=home
        )
        assert program.stdout
        async with asyncio.timeout(TIMEOUT):
            while b"port" not in await program.stdout.readline():
                pass
            program.send_signal(signal.SIGINT)
            _, errors = await program.communicate()
    assert (program.returncode, errors) == (INTERRUPTED, b"")
