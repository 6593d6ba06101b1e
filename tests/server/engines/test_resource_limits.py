"""Limits of engines' processes, and a server that outlives one that wants more."""

import errno
import os
import resource
from pathlib import Path

import pytest
from helpers.serving import serving
from helpers.support import hear_until
from websockets.asyncio.client import connect

from rookery_protocol.errors import ConfigError
from rookery_server.config.engines import ResourceLimits, read_engine
from rookery_server.engines.child_process import apply_limits

MIB = 1 << 20


def test_default_is_to_stand_back() -> None:
    assert read_engine("own", {"command": "own"}).limits == ResourceLimits(nice=5, memory_mb=None)


def test_how_many_processes_there_may_be_is_read() -> None:
    assert read_engine("own", {"command": "own"}).processes is None
    assert read_engine("own", {"command": "own", "processes": 2}).processes == 2


@pytest.mark.parametrize(
    ("key", "value"),
    [("nice", -1), ("nice", 20), ("memory_mb", 1), ("memory_mb", "all"), ("processes", 0)],
)
def test_what_cannot_be_a_limit(key: str, value: object) -> None:
    with pytest.raises(ConfigError, match=rf"engines\.own\.{key} needs a whole number"):
        read_engine("own", {"command": "own", key: value})


def test_process_that_is_gone_needs_none() -> None:
    pid = os.spawnlp(os.P_NOWAIT, "true", "true")
    os.waitpid(pid, 0)
    apply_limits(ResourceLimits(memory_mb=100), pid)


def test_process_that_stands_back_further_is_left_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root could raise its priority; workers of Ray have 15."""

    def setpriority(which: int, who: int, priority: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "setpriority", setpriority)
    monkeypatch.setattr(os, "getpriority", lambda which, who: 15)
    apply_limits(ResourceLimits(nice=5), os.getpid())
    with pytest.raises(PermissionError):
        apply_limits(ResourceLimits(nice=16), os.getpid())


async def test_engine_is_held_to_them(tmp_path: Path) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text("[engines.sf]\ncommand = '/usr/games/stockfish'\nnice = 7\nmemory_mb = 400\n")
    async with serving("--config", str(path)) as server:
        url = f"ws://127.0.0.1:{server.port}/engines/sf"
        async with connect(url, proxy=None) as client:
            await client.send("isready")
            await hear_until(client, "readyok")
            engines = [pid for pid in server.engines() if name_of(pid) == "stockfish"]
            assert engines
            for pid in engines:
                assert os.getpriority(os.PRIO_PROCESS, pid) == 7
                assert resource.prlimit(pid, resource.RLIMIT_AS)[0] == 400 * MIB
            assert os.getpriority(os.PRIO_PROCESS, server.process.pid) == 0
            # More than it may have: the engine fails, the server says so and goes on.
            for line in ("setoption name Hash value 1024", "isready", "go depth 5"):
                await client.send(line)
            assert any("engine-died" in line for line in await hear_until(client, "bestmove"))
        async with connect(url, proxy=None) as client:
            await client.send("go depth 5")
            assert any("depth 5 " in line for line in await hear_until(client, "bestmove"))


def name_of(pid: int) -> str:
    """Return the name of a process's program."""
    return Path(f"/proc/{pid}/comm").read_text().strip()
