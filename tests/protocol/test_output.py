"""Streams that are full, closed or read by nobody: what is said then, and with which status."""

import asyncio
import os
import signal
import subprocess
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from helpers.serving import SERVER
from helpers.support import TIMEOUT, Lines, add_token, children, fill, odd

from rookery_server.__main__ import INTERRUPTED, READER_GONE
from rookery_server.access.token_file import TokenFile

PAUSE = 0.01  # s from one look to the next
SYSTEM_CALL = Path("/proc/self/syscall")
READS_STDIN = ("0 0x0 ", "63 0x0 ")  # the call of x86-64 and of AArch64, and its descriptor
FULL = "cannot write to stdout: No space left on device"
CLOSED = "cannot write to stdout: Bad file descriptor"


def run(line: str, folder: Path, **variables: str) -> tuple[int, str, str]:
    """Run a command as a shell does; return its status, and what it says."""
    done = subprocess.run(
        ["bash", "-c", f"exec {SERVER} {line}"],
        cwd=folder, env=os.environ | variables, capture_output=True, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode()


@asynccontextmanager
async def begun(line: str, folder: Path, **streams: int) -> AsyncIterator[Process]:
    """Begin a command as a shell does."""
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", f"exec {SERVER} {line}", cwd=folder, **streams
    )
    try:
        async with asyncio.timeout(TIMEOUT):
            yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


ENGINE = f"--engine 'odd={' '.join(odd('polite'))}'"


@pytest.mark.parametrize("closed", [">/dev/full", ">&-", "<&- >&-", "<&-"])
async def test_server_serves_though_nobody_hears_it(tmp_path: Path, closed: str) -> None:
    place = tmp_path / "socket"
    (tmp_path / "rookery.toml").write_text(f"[control]\nsocket = {str(place)!r}\n")
    line = f"--config rookery.toml --port 0 --tcp-port 0 {ENGINE} {closed}"
    async with begun(line, tmp_path, stdout=PIPE, stderr=PIPE) as process:
        while not place.exists():
            assert process.returncode is None
            await asyncio.sleep(PAUSE)
        while run(f"sessions list --socket {place}", tmp_path)[0]:
            await asyncio.sleep(PAUSE)
        process.send_signal(signal.SIGTERM)
        _, errors = await process.communicate()
    assert process.returncode == 0, errors
    assert b"Traceback" not in errors


async def test_server_serves_and_ends_though_who_hears_it_has_stopped(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    line = f"--port 0 --tcp-port 0 {ENGINE}"
    async with begun(line, tmp_path, stdout=writing, stderr=writing) as process:
        greeting = b""
        while b"Ctrl-C ends it.\n" not in greeting:
            greeting += await asyncio.to_thread(os.read, reading, 65536)
        fill(writing)
        port = int(greeting.decode().partition("nc 127.0.0.1 ")[2].split()[0])
        for _ in range(2):
            client = Lines(*await asyncio.open_connection("127.0.0.1", port))
            client.say("isready")
            assert await client.hear() == "readyok"
            process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
    for each in (reading, writing):
        os.close(each)


async def test_server_ends_well_though_its_errors_are_closed(tmp_path: Path) -> None:
    line = f"--port 0 --tcp-port 0 {ENGINE} 2>&-"
    async with begun(line, tmp_path, stdout=PIPE) as process:
        assert process.stdout
        await process.stdout.readuntil(b"Ctrl-C ends it.\n")
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


async def test_server_whose_reader_has_left_hears_a_second_sigterm(tmp_path: Path) -> None:
    deaf = f"--engine 'odd={' '.join(odd('deaf'))}'"
    (tmp_path / "rookery.toml").write_text("[server]\ndrain_timeout = 1000\n")
    line = f"--config rookery.toml --port 0 --tcp-port 0 {deaf}"
    async with begun(line, tmp_path, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdout
        assert process.stderr
        greeting = (await process.stdout.readuntil(b"Ctrl-C ends it.\n")).decode()
        port = int(greeting.partition("nc 127.0.0.1 ")[2].split()[0])
        process.stdout._transport.close()  # type: ignore[attr-defined]  # there is no other way
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"go infinite\nisready\n")
        assert await reader.readline() == b"readyok\n"
        process.send_signal(signal.SIGTERM)
        while b"draining" not in (line_said := await process.stderr.readline()):
            assert line_said
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        writer.close()


@pytest.mark.parametrize("role", ["member", "host"])
@pytest.mark.parametrize(("stream", "why"), [(">/dev/full", FULL), (">&-", CLOSED)])
def test_a_token_that_nobody_has_seen_is_taken_back(
    tmp_path: Path, stream: str, why: str, role: str
) -> None:
    add_token(tmp_path / "tokens", "other")
    (tmp_path / "rookery.toml").write_text("[server]\ntokens = 'tokens'\n")
    for command in ("token add bob --file tokens", "invite --name bob --config rookery.toml"):
        status, _, said = run(f"{command} --role {role} {stream}", tmp_path)
        assert status == 1
        assert f"rookery-server: {why}, so token " in said
        assert "Traceback" not in said
        assert [each.name for each in TokenFile(tmp_path / "tokens").read()] == ["other"]


def test_what_is_said_to_a_full_disk_is_an_error_and_to_nobody_is_none(tmp_path: Path) -> None:
    add_token(tmp_path / "tokens")
    for command in ("token list --file tokens", f"check {ENGINE}"):
        home = {"XDG_STATE_HOME": str(tmp_path)}
        status, _, said = run(f"{command} >/dev/full", tmp_path, **home)
        assert (status, said) == (1, f"rookery-server: {FULL}\n")
        reading, writing = os.pipe()
        os.close(reading)
        alone = subprocess.run(
            ["bash", "-c", f"exec {SERVER} {command}"],
            cwd=tmp_path, env=os.environ | home, stdout=writing, stderr=PIPE,
            timeout=TIMEOUT, check=False,
        )  # fmt: skip
        os.close(writing)
        assert (alone.returncode, alone.stderr) == (READER_GONE, b"")


def test_errors_that_cannot_be_said_change_no_status(tmp_path: Path) -> None:
    assert run("token list --file none 2>/dev/full", tmp_path)[0] == 2
    assert run("token list --file none 2>&-", tmp_path)[0] == 2


def test_letters_that_an_encoding_lacks_are_question_marks(tmp_path: Path) -> None:
    status, said, errors = run(
        f"check --engine 'odd={' '.join(odd('polite'))} Жук'", tmp_path, PYTHONIOENCODING="latin-1"
    )
    assert (status, errors) == (0, "")
    assert said.endswith(" ???\n")


@pytest.mark.parametrize("command", ["check --engine odd='sleep 1000'", "analyse games.pgn"])
async def test_ctrl_c_is_no_traceback(tmp_path: Path, command: str) -> None:
    (tmp_path / "games.pgn").write_text("1. e4 *\n")
    more = "-o out.pgn --depth 1 --engine 'sleep 1000'" if command.startswith("analyse") else ""
    async with begun(f"{command} {more}", tmp_path, stdout=PIPE, stderr=PIPE) as process:
        while not children(process.pid):
            assert process.returncode is None
            await asyncio.sleep(PAUSE)
        process.send_signal(signal.SIGINT)
        _, errors = await process.communicate()
    assert process.returncode == INTERRUPTED
    assert b"Traceback" not in errors


@pytest.mark.skipif(not SYSTEM_CALL.exists(), reason="it cannot be seen what it waits for")
async def test_ctrl_c_is_heard_while_the_link_is_waited_for(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    async with begun("join -", tmp_path, stdin=reading, stdout=PIPE, stderr=PIPE) as process:
        call = Path(f"/proc/{process.pid}/{SYSTEM_CALL.name}")
        while not call.read_text().startswith(READS_STDIN):
            await asyncio.sleep(PAUSE)
        process.send_signal(signal.SIGINT)
        _, errors = await process.communicate()
    os.close(reading)
    os.close(writing)
    assert (process.returncode, errors) == (INTERRUPTED, b"")
