"""The rules that every host of engines keeps: on this machine, and on nodes of a Ray cluster."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from helpers.support import TIMEOUT, ends, gone, odd, until

from rookery_server.cluster.engine_actor import StartOrder
from rookery_server.cluster.node_listener import NodeListener
from rookery_server.cluster.ray_host import RayEngineHost
from rookery_server.config.engines import ResourceLimits
from rookery_server.config.sections import RayConfig
from rookery_server.engines import running_engine
from rookery_server.engines.engine_build import Build, stamps_of
from rookery_server.engines.process_engine import LocalEngineHost
from rookery_server.engines.running_engine import (
    EngineHost,
    EngineListener,
    EngineSpec,
    RunningEngine,
)
from rookery_server.engines.socket_engine import SocketEngine

pytestmark = pytest.mark.asyncio(loop_scope="module")

FLOOD = 200_000  # lines of odd_engine's
LONG = 60.0  # s


class Actors:
    """The actors of a cluster, in processes of this machine: all of it but Ray."""

    def __init__(self) -> None:
        self._node_listener = NodeListener()
        self._processes: list[subprocess.Popen[bytes]] = []

    async def open(self) -> None:
        await self._node_listener.open("127.0.0.1", 0)

    def start(self, spec: EngineSpec, listener: EngineListener) -> SocketEngine:
        engine = SocketEngine(
            spec.words, listener, name=spec.name, on_gone=self._node_listener.expect_no_more
        )
        order = StartOrder(
            number=0,
            command=spec.command,
            words=spec.words,
            limits=spec.limits,
            threads=1,
            memory=16 << 20,
            host="127.0.0.1",
            port=self._node_listener.port,
            token=self._node_listener.expect(engine),
        )
        serve = "import sys; from rookery_server.cluster.engine_actor import EngineActor;"
        command = (
            sys.executable,
            "-c",
            f"{serve} EngineActor().run_engine(sys.argv[1])",
            str(order),
        )
        self._processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        return engine

    async def close(self) -> None:
        await self._node_listener.close()
        for each in self._processes:
            each.wait(TIMEOUT)


class RecordingListener:
    """Hears one engine."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.ends: list[str] = []
        self.engine: RunningEngine

    def engine_said(self, piece: bytes) -> None:
        assert piece.endswith(b"\n")
        assert not self.ends
        self.heard += piece

    def engine_ended(self, reason: str) -> None:
        self.ends.append(reason)

    @property
    def lines(self) -> list[str]:
        return self.heard.decode().split("\n")[:-1]

    async def until(self, condition: Callable[[], object]) -> None:
        try:
            await until(condition, LONG)
        except TimeoutError:
            pytest.fail(f"{bytes(self.heard[-500:])!r}, {self.ends}, {self.engine.label}")

    async def until_said(self, line: str) -> None:
        await self.until(lambda: line.encode() + b"\n" in self.heard)

    async def until_ended(self) -> str:
        """Wait until it has; see that it is told once only, and leaves no process."""
        await self.until(lambda: self.ends)
        label = self.engine.label.split()[0]
        if label.isdigit():
            await gone(int(label))
        await asyncio.sleep(0)
        (reason,) = self.ends
        assert not self.engine.is_healthy
        return reason


class Workshop:
    """Starts engines of one host."""

    def __init__(self, kind: str, host: EngineHost) -> None:
        self.kind = kind
        self.host = host
        self.listeners: list[RecordingListener] = []

    def start(self, *command: str, **more: object) -> RecordingListener:
        listener = RecordingListener()
        listener.engine = self.host.start(EngineSpec("odd", command, **more), listener)  # type: ignore[arg-type]
        self.listeners.append(listener)
        return listener

    def script(self, text: str, **more: object) -> RecordingListener:
        return self.start(sys.executable, "-S", "-c", f"import os, sys, time\n{text}", **more)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["local", "actors", "ray"])
async def workshop(request: pytest.FixtureRequest) -> AsyncIterator[Workshop]:
    hosts: list[EngineHost] = [local := LocalEngineHost()]
    if request.param == "actors":
        hosts.append(Actors())
    if request.param == "ray":
        cluster = request.getfixturevalue("cluster")
        hosts.append(RayEngineHost(RayConfig(cluster.address, cluster.token, "127.0.0.1"), local))
    before = ends()
    for host in hosts:
        await host.open()
    workshop = Workshop(request.param, hosts[-1])
    yield workshop
    for listener in workshop.listeners:
        listener.engine.end()
        await listener.until_ended()
    async with asyncio.timeout(TIMEOUT):
        for host in reversed(hosts):
            await host.close()
    await until(lambda: ends() <= before)  # Closed connections are forgotten in the next turn.


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let engines take their time to quit, however busy the machine is; or say how long."""

    def be_patient(seconds: float) -> None:
        monkeypatch.setattr(running_engine, "QUIT_PATIENCE", seconds)

    be_patient(LONG)
    return be_patient


async def test_what_it_is_told_at_once_is_answered_in_order(workshop: Workshop) -> None:
    listener = workshop.start(*odd("polite"))
    listener.engine.send_lines(b"uci\n")
    for _ in range(1000):
        listener.engine.send_lines(b"isready\n")
    listener.engine.send_lines(b"go\n")
    await listener.until_said("bestmove e2e4")
    assert listener.lines == ["id name Odd", "uciok", *["readyok"] * 1000, "bestmove e2e4"]
    assert listener.engine.is_healthy
    assert not listener.engine.asked_to_end
    listener.engine.end()
    assert listener.engine.asked_to_end
    assert await listener.until_ended() == "it exited with status 0"


async def test_last_words_are_heard_before_the_end(workshop: Workshop) -> None:
    listener = workshop.script(
        "for i in range(20_000): print(i)\nprint('cut', end=''); sys.exit(3)"
    )
    assert await listener.until_ended() == "it exited with status 3"
    assert listener.lines == [str(number) for number in range(20_000)]
    assert not listener.engine.asked_to_end


async def test_one_that_dies_unheeding_what_it_was_told_has_last_words(workshop: Workshop) -> None:
    listener = workshop.script("print('x' * 100_000)\nprint('over', flush=True); os._exit(4)")
    for _ in range(100):
        listener.engine.send_lines(b"isready\n")
    assert await listener.until_ended() == "it exited with status 4"
    assert listener.lines == ["over"]  # The first is too long for a line.


async def test_killed_one_ends_at_once(workshop: Workshop) -> None:
    listener = workshop.start(*odd("deaf"))
    listener.engine.send_lines(b"isready\n")
    await listener.until_said("readyok")
    listener.engine.kill()
    listener.engine.kill()
    listener.engine.send_lines(b"isready\n")
    assert listener.ends == []  # Never before `kill` returns.
    await listener.until_ended()


async def test_complaint_is_the_reason(workshop: Workshop) -> None:
    listener = workshop.start(*odd("polite"))
    listener.engine.kill("it is odd")
    assert await listener.until_ended() == "it is odd"


@pytest.mark.parametrize(("number", "name"), [(9, "SIGKILL"), (40, "signal 40")])
async def test_one_that_is_killed_says_by_what(workshop: Workshop, number: int, name: str) -> None:
    listener = workshop.script(f"print('ready', flush=True); os.kill(os.getpid(), {number})")
    assert name in await listener.until_ended()
    assert listener.lines == ["ready"]


async def test_one_that_ignores_quit_is_made_to_go(
    workshop: Workshop, patience: Callable[[float], None]
) -> None:
    patience(0.2)
    listener = workshop.start(*odd("deaf"))
    listener.engine.send_lines(b"isready\n")
    await listener.until_said("readyok")
    listener.engine.end()
    listener.engine.end()
    await listener.until_ended()


async def test_what_it_has_started_goes_with_it(
    workshop: Workshop, patience: Callable[[float], None]
) -> None:
    patience(0.2)
    listener = workshop.start(*odd("parent"))
    await listener.until(lambda: listener.lines)
    child = int(listener.lines[0].split()[-1])
    listener.engine.end()
    await listener.until_ended()
    await gone(child)


async def test_one_that_does_not_read_is_ended(workshop: Workshop) -> None:
    listener = workshop.script("time.sleep(1000)")
    for _ in range(1000):
        listener.engine.send_lines(b"position startpos\n" * 3000)
        await asyncio.sleep(0.001)
        if not listener.engine.is_healthy:
            break
    assert "bytes unread" in await listener.until_ended()


async def test_what_is_no_utf_8_or_too_long_harms_nothing(workshop: Workshop) -> None:
    listener = workshop.script(
        "out = sys.stdout.buffer\n"
        r"out.write(b'caf\xe9\n' + b'x' * 3_000_000 + b'\nbell\a\r\nnext\n'); out.flush()"
        "\ntime.sleep(1000)"
    )
    await listener.until_said("next")
    assert listener.lines[0] == "caf\ufffd"
    assert (
        listener.lines[-2:] == ["bell\a", "next"]
        if listener.lines[-2]
        else listener.lines[-3] == "bell\a"
    )
    assert len(listener.heard) < 100
    listener.engine.kill()
    await listener.until_ended()


@pytest.mark.parametrize("habit", ["flood", "chatty"])
async def test_flood_waits_while_it_is_not_read_and_loses_nothing(
    workshop: Workshop, habit: str
) -> None:
    listener = workshop.start(*odd(habit))
    listener.engine.send_lines(b"go\n")
    await listener.until(lambda: listener.heard)
    listener.engine.pause()
    assert listener.engine.paused
    before = len(listener.heard)
    await asyncio.sleep(0.3)
    assert len(listener.heard) == before
    listener.engine.resume()
    await listener.until_said("bestmove e2e4")
    lines = listener.lines
    assert len(lines) == FLOOD + 1
    assert [int(line.split()[2]) for line in lines[:-1]] == list(range(FLOOD))
    listener.engine.kill()
    await listener.until_ended()


async def test_one_that_is_looked_away_from_is_heard_when_it_is_told_something(
    workshop: Workshop,
) -> None:
    listener = workshop.start(*odd("polite"))
    listener.engine.send_lines(b"isready\n")
    await listener.until_said("readyok")
    listener.engine.pause_for(LONG)
    listener.engine.send_lines(b"uci\n")
    await listener.until_said("uciok")
    listener.engine.pause_for(0.05)
    await until(lambda: not listener.engine.paused)
    listener.engine.send_lines(b"go\n")
    listener.engine.pause_for(0.05)
    await listener.until_said("bestmove e2e4")
    assert not listener.engine.paused
    listener.engine.end()
    await listener.until_ended()


async def test_one_that_has_ended_by_itself_is_not_lost(workshop: Workshop) -> None:
    listener = workshop.script("print('ready', flush=True); sys.exit(3)")
    await listener.until_ended()
    assert listener.engine.has_started
    assert not listener.engine.is_lost
    assert await listener.engine.known_files() == listener.engine.files


async def test_end_is_heard_although_it_was_paused(workshop: Workshop) -> None:
    listener = workshop.script(
        "for i in range(20_000): print('info depth', i, flush=i == 0)\n"
        "sys.stdout.flush(); print(sys.stdin.readline())"
    )
    await listener.until(lambda: listener.heard)
    listener.engine.pause()
    listener.engine.end()
    assert not listener.engine.paused
    assert await listener.until_ended() == "it exited with status 0"
    assert listener.lines[-2:] == ["quit", ""]
    assert len(listener.lines) == 20_002


async def test_another_hears_what_comes_after_it_was_handed_on(workshop: Workshop) -> None:
    first = workshop.start(*odd("polite"))
    first.engine.send_lines(b"isready\n")
    await first.until_said("readyok")
    first.engine.pause()
    second = RecordingListener()
    second.engine = first.engine
    first.engine.set_listener(second)
    first.engine.send_lines(b"uci\n")
    await second.until_said("uciok")
    assert first.lines == ["readyok"]
    first.engine.end()
    await second.until_ended()
    assert first.ends == []
    workshop.listeners.remove(first)


async def test_program_that_is_not_there_ends_with_a_reason(workshop: Workshop) -> None:
    try:
        listener = workshop.start("/no/such/program")
    except OSError:  # where `setpriv` does not stand between
        return
    assert await listener.until_ended() == "it exited with status 127"
    assert listener.lines == []


async def test_one_that_is_ended_before_it_has_come_ends_once(
    workshop: Workshop, patience: Callable[[float], None]
) -> None:
    patience(0.2)
    listener = workshop.start(*odd("polite"))
    listener.engine.end()
    await listener.until_ended()


async def test_what_it_uses_is_known(workshop: Workshop) -> None:
    listener = workshop.script("while True: pass")
    await listener.until(lambda: (listener.engine.cpu_total() or 0) > 0.3)
    first, second = listener.engine.cpu_seconds(), listener.engine.cpu_seconds()
    assert first > 0.3
    assert second < first
    assert listener.engine.memory_mb() > 0
    listener.engine.kill()
    await listener.until_ended()
    assert (listener.engine.cpu_total() or 0) >= first + second  # It counts, however it has ended.
    assert listener.engine.memory_mb() == 0


async def test_its_complaints_go_to_the_log(
    workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    listener = workshop.start(*odd("stderr"))
    listener.engine.send_lines(b"go\n")
    await listener.until(lambda: "what a position" in caplog.text)
    listener.engine.end()
    await listener.until_ended()


async def test_it_is_known_by_what_is_in_its_files(workshop: Workshop, tmp_path: Path) -> None:
    beside = tmp_path / "network"
    beside.write_bytes(b"123")
    words = (*odd("polite"), str(beside), "/no/such/file")
    expected = Build("Odd", words, stamps_of(words)).digest()
    listener = workshop.start(*odd("polite"), beside=words[-2:])
    assert listener.engine.words == words
    listener.engine.send_lines(b"isready\n")
    await listener.until_said("readyok")
    await listener.until(lambda: Build("Odd", words, listener.engine.files).digest())
    assert Build("Odd", words, listener.engine.files).digest() == expected
    listener.engine.end()
    await listener.until_ended()
    beside.write_bytes(b"456")
    other = workshop.start(*odd("polite"), beside=words[-2:])
    await other.until(lambda: Build("Odd", words, other.engine.files).digest())
    assert Build("Odd", words, other.engine.files).digest() != expected


async def test_it_is_held_to_its_limits_and_knows_no_secrets(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOKERY_TOKEN", "secret")
    listener = workshop.script(
        "import resource\n"
        "time.sleep(0.2)\n"
        "print(os.nice(0), resource.getrlimit(resource.RLIMIT_AS)[0] >> 20,"
        " [name for name in os.environ if name in ('ROOKERY_TOKEN', 'RAY_AUTH_TOKEN')])",
        limits=ResourceLimits(nice=7, memory_mb=512),
    )
    await listener.until_ended()
    assert listener.lines == ["7 512 []"]
