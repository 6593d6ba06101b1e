"""Signals at awkward times: while the server starts, and again while it ends."""

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from helpers.serving import SERVER, serving
from helpers.support import TIMEOUT, Lines, children, gone, odd

from rookery_server.process import FEWEST

PAUSE = 0.01  # s from one look, or one signal, to the next


@asynccontextmanager
async def starting(*command: str) -> AsyncIterator[Process]:
    """Run a server with this engine, and do not wait until it serves."""
    process = await asyncio.create_subprocess_exec(
        SERVER, "--port", "0", "--tcp-port", "0", "--engine", f"odd={' '.join(command)}",
        stdout=PIPE, stderr=PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(TIMEOUT):
            yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def handles(pid: int, number: signal.Signals) -> bool:
    """Return whether a process has a handler for a signal."""
    caught = Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0]
    return bool(int(caught, 16) >> (number - 1) & 1)


async def test_sighup_before_it_serves_is_harmless() -> None:
    async with starting(*odd("polite")) as process:
        while not handles(process.pid, signal.SIGHUP):  # Before that, Python itself is loaded.
            await asyncio.sleep(PAUSE)
        assert process.stdout
        hearing = asyncio.ensure_future(process.stdout.readuntil(b"Ctrl-C ends it.\n"))
        while not hearing.done():
            process.send_signal(signal.SIGHUP)
            await asyncio.sleep(PAUSE)
        assert b"offers: odd" in hearing.result()
        # What has changed since the configuration was read is not missed.
        assert process.stderr
        while b"the configuration was read again" not in await process.stderr.readline():
            pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_can_be_ended_while_its_engine_starts(number: signal.Signals) -> None:
    async with starting("sleep", "1000") as process:
        while not (engines := children(process.pid)):
            await asyncio.sleep(PAUSE)
        process.send_signal(number)
        _, errors = await process.communicate()
        assert process.returncode == 0, errors
        assert b"Traceback" not in errors
        for pid in engines:
            await gone(pid)


async def test_it_can_be_ended_while_it_reloads(tmp_path: Path) -> None:
    path = tmp_path / "rookery.toml"
    head = f"[server]\nport = 0\ntcp_port = 0\nstart_timeout = {10 * TIMEOUT}\n"
    path.write_text(f"{head}[engines.odd]\ncommand = {list(odd('polite'))}\n")
    process = await asyncio.create_subprocess_exec(
        SERVER, "--config", str(path), stdout=PIPE, stderr=PIPE
    )
    try:
        async with asyncio.timeout(TIMEOUT):
            assert process.stdout
            await process.stdout.readuntil(b"Ctrl-C ends it.\n")
            before = set(children(process.pid))
            path.write_text(f'{path.read_text()}[engines.slow]\ncommand = "sleep 1000"\n')
            process.send_signal(signal.SIGHUP)
            while not (fresh := set(children(process.pid)) - before):
                await asyncio.sleep(PAUSE)
            process.send_signal(signal.SIGTERM)
            _, errors = await process.communicate()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    assert process.returncode == 0, errors
    assert b"Traceback" not in errors
    for pid in fresh:
        await gone(pid)


async def test_told_to_end_again_and_again_it_ends_as_if_once() -> None:
    for _ in range(3):
        async with serving() as server:
            async with asyncio.timeout(TIMEOUT):
                while server.process.returncode is None:
                    with suppress(ProcessLookupError):  # Popen's own way would take its status.
                        os.kill(server.process.pid, signal.SIGTERM)
                    await asyncio.sleep(0.001)
            assert server.process.returncode == 0


async def test_search_has_a_bestmove_though_it_is_not_waited_for() -> None:
    async with serving(habit="mute") as server:
        client = Lines(*await asyncio.open_connection("127.0.0.1", server.tcp_port))
        client.say("position startpos", "go infinite", "isready")
        assert await client.hear() == "readyok"
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stdout
        async with asyncio.timeout(TIMEOUT):
            await server.process.stdout.readline()  # It is ending.
        server.process.send_signal(signal.SIGTERM)
        assert (await client.hear_until("bestmove "))[-1].startswith("bestmove ")
        assert "draining" in await client.hear()
        client.writer.close()


@pytest.mark.parametrize("descriptors", [8, FEWEST - 1])
async def test_too_few_descriptors_are_said_in_a_sentence(descriptors: int) -> None:
    limited = f"ulimit -n {descriptors}; exec {SERVER} --port 0 --tcp-port 0"
    process = await asyncio.create_subprocess_exec("sh", "-c", limited, stderr=PIPE)
    async with asyncio.timeout(TIMEOUT):
        _, errors = await process.communicate()
    assert process.returncode == 1
    assert errors.decode() == (
        f"rookery-server: a server needs {FEWEST} open files at least, and may have {descriptors};"
        " raise the limit (ulimit -n, LimitNOFILE=)\n"
    )


async def test_few_descriptors_are_enough_for_a_client() -> None:
    limited = f"ulimit -n {FEWEST}; exec {SERVER} --port 0 --tcp-port 0 --engine"
    process = await asyncio.create_subprocess_exec(
        "sh", "-c", f"{limited} 'odd={' '.join(odd('polite'))}'", stdout=PIPE, stderr=PIPE
    )
    assert process.stdout
    assert process.stderr
    try:
        async with asyncio.timeout(TIMEOUT):
            greeting = (await process.stdout.readuntil(b"Ctrl-C ends it.\n")).decode()
    except asyncio.IncompleteReadError:
        pytest.fail((await process.stderr.read()).decode())
    try:
        port = int(greeting.partition("nc 127.0.0.1 ")[2].split()[0])
        client = Lines(*await asyncio.open_connection("127.0.0.1", port))
        client.say("go depth 1")
        assert await client.hear() == "bestmove e2e4"
        client.writer.close()
    finally:
        os.kill(process.pid, signal.SIGTERM)
        await process.wait()
