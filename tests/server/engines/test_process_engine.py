"""An engine that says one short line after the other is left alone for a moment."""

import asyncio
import os
import select
from collections.abc import AsyncIterator, Iterator

import pytest
from helpers.support import TIMEOUT, odd, until

from rookery_server.config.engines import ResourceLimits
from rookery_server.engines.process_engine import (
    AHEAD,
    PAGE,
    LocalEngineHost,
    ProcessEngine,
    StdinWriter,
)
from rookery_server.engines.running_engine import EngineSpec


class Recorder:
    """A listener that records."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.reason = ""

    def engine_said(self, piece: bytes) -> None:
        self.pieces.append(piece)

    def engine_ended(self, reason: str) -> None:
        self.reason = reason

    @property
    def heard(self) -> bytes:
        return b"".join(self.pieces)


@pytest.fixture
async def engines(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LocalEngineHost]:
    # On a busy machine no line comes a millisecond after the one before.
    monkeypatch.setattr("rookery_server.engines.running_engine.STEADY", TIMEOUT)
    monkeypatch.setattr("rookery_server.engines.running_engine.QUIT_PATIENCE", TIMEOUT)
    engines = LocalEngineHost()
    await engines.open()
    yield engines
    async with asyncio.timeout(TIMEOUT):
        await engines.close()


def start(engines: LocalEngineHost, habit: str) -> tuple[ProcessEngine, Recorder]:
    hearer = Recorder()
    return engines.start(EngineSpec(habit, odd(habit)), hearer), hearer


STEADY = b"".join(b"info depth %d\n" % depth for depth in range(400)) + b"bestmove e2e4\n"


async def test_lines_that_come_steadily_are_heard_together_and_in_order(
    engines: LocalEngineHost,
) -> None:
    engine, hearer = start(engines, "steady")
    engine.send_lines(b"go\n")
    await until(lambda: b"bestmove" in hearer.heard)
    assert hearer.heard == STEADY
    assert len(hearer.pieces) < 300
    engine.end()


async def test_who_tells_an_engine_something_hears_it_at_once(engines: LocalEngineHost) -> None:
    engine, hearer = start(engines, "steady")
    engine.send_lines(b"go\n")
    await until(lambda: engine._nap)
    engine.send_lines(b"isready\n")
    assert not engine._nap
    await until(lambda: b"readyok" in hearer.heard)
    assert hearer.heard == STEADY + b"readyok\n"
    engine.end()


@pytest.mark.parametrize("way", ["end", "kill", "pause and end"])
async def test_engine_that_is_left_alone_can_be_ended(engines: LocalEngineHost, way: str) -> None:
    engine, hearer = start(engines, "steady")
    engine.send_lines(b"go\n")
    await until(lambda: engine._nap)
    if way == "pause and end":
        engine.pause()
        assert not engine._nap
    engine.kill() if way == "kill" else engine.end()
    await until(lambda: hearer.reason)
    assert STEADY.startswith(hearer.heard)
    assert way == "kill" or hearer.heard == STEADY


async def test_a_pause_ends_only_when_it_is_said(engines: LocalEngineHost) -> None:
    engine, hearer = start(engines, "steady")
    engine.send_lines(b"go\n")
    await until(lambda: engine._nap)
    engine.pause()
    engine.send_lines(b"isready\n")
    before = hearer.heard
    await asyncio.sleep(0.1)  # Nothing is to come, and that takes a while to see.
    assert hearer.heard == before
    engine.resume()
    await until(lambda: hearer.heard.endswith(b"readyok\n"))
    engine.end()


class Deadly(Recorder):
    """A listener that kills the engine at the first piece, and waits for the next at each."""

    engine: ProcessEngine

    def engine_said(self, piece: bytes) -> None:
        super().engine_said(piece)
        self.engine.kill()
        select.select([self.engine._stdout], [], [])


async def test_what_an_engine_leaves_behind_is_not_heard_for_ever(engines: LocalEngineHost) -> None:
    hearer = Deadly()
    program = "setsid sh -c 'yes | head -c 50000000'"
    hearer.engine = engines.start(EngineSpec("odd", ("/bin/sh", "-c", f"{program} & wait")), hearer)
    await until(lambda: bool(hearer.reason))
    assert len(hearer.heard) < 50_000_000


class Failing(Recorder):
    """A listener that fails at each piece."""

    def engine_said(self, piece: bytes) -> None:
        super().engine_said(piece)
        raise RuntimeError


@pytest.mark.parametrize("last_words", ["", "; exit 3"])
async def test_engine_is_ended_where_an_error_of_ours_has_lost_what_it_said(
    engines: LocalEngineHost, last_words: str
) -> None:
    hearer = Failing()
    command = ("/bin/sh", "-c", f"echo bestmove e2e4{last_words or '; read line'}")
    engines.start(EngineSpec("odd", command), hearer)
    await until(lambda: bool(hearer.reason))
    assert hearer.heard == b"bestmove e2e4\n"
    assert hearer.reason == "what it said led to an error of the server"


async def test_end_that_goes_wrong_hides_no_other(
    engines: LocalEngineHost, caplog: pytest.LogCaptureFixture
) -> None:
    class Breaks(Recorder):
        def engine_ended(self, reason: str) -> None:
            super().engine_ended(reason)
            raise RuntimeError("it has an error")

    hearers = [Breaks(), Breaks(), Recorder()]
    processes = [engines.start(EngineSpec("polite", odd("polite")), each) for each in hearers]
    for process in processes:
        process.kill()
    await until(lambda: all(each.reason for each in hearers))
    assert caplog.text.count("the end of engine") == 2


async def test_engine_that_cannot_be_held_to_its_limits_does_not_run(
    engines: LocalEngineHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = []

    def refuse(limits: ResourceLimits, pid: int) -> None:
        pids.append(pid)
        raise PermissionError("not by you")

    monkeypatch.setattr("rookery_server.engines.child_process.apply_limits", refuse)
    with pytest.raises(PermissionError):
        engines.start(EngineSpec("polite", odd("polite")), Recorder())
    with pytest.raises(ProcessLookupError):  # It is not even a zombie.
        os.kill(pids[0], 0)


LINE = b"setoption name Hash value 16\n"


class Pipe:
    """Both ends of a pipe."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        self.writer = StdinWriter(self.writing, asyncio.get_running_loop())

    def read(self, most: int = 1 << 16) -> bytes:
        try:
            return os.read(self.reading, most)
        except BlockingIOError:
            return b""


@pytest.fixture
async def pipe() -> Iterator[Pipe]:
    result = Pipe()
    yield result
    result.writer.close()
    os.close(result.reading)
    os.close(result.writing)


async def test_what_is_said_now_and_then_goes_through_at_once(pipe: Pipe) -> None:
    for _ in range(1000):
        pipe.writer.write_lines(LINE)
        assert pipe.writer.unsent == 0
        assert pipe.read() == LINE


async def test_line_of_any_length_goes_through_at_once(pipe: Pipe) -> None:
    line = b"position startpos moves" + b" e2e4" * 700 + b"\n"
    assert AHEAD < len(line) < PAGE
    pipe.writer.write_lines(line)
    assert pipe.read() == line


async def test_engine_that_does_not_read_gets_little(pipe: Pipe) -> None:
    for _ in range(1000):
        pipe.writer.write_lines(LINE)
    await asyncio.sleep(0)
    taken, left = pipe.writer.backlog()
    assert (taken, left) == (0, 1000 * len(LINE))
    assert left - pipe.writer.unsent <= AHEAD
    assert pipe.read(10) == LINE[:10]
    assert pipe.writer.backlog() == (10, left - 10)


async def test_all_comes_in_order_and_whole_lines_at_a_time(pipe: Pipe) -> None:
    lines = [b"%d\n" % number * (number % 7) for number in range(1000)]
    lines.append(b"x" * 3 * PAGE + b"\n")  # more than the pipe holds
    whole, heard = b"".join(lines), b""
    for line in lines:
        pipe.writer.write_lines(line)
    taken: list[int] = []
    pipe.writer.call_when_sent(lambda: taken.append(len(heard)))
    async with asyncio.timeout(20):
        while len(heard) < len(whole):
            heard += pipe.read()
            assert heard.endswith(b"\n") or len(heard) > len(whole) - 3 * PAGE - 2
            await asyncio.sleep(0)
    assert heard == whole
    assert len(taken) == 1
    assert pipe.writer.backlog() == (len(whole), 0)


async def test_slow_engine_gets_a_line_at_a_time(pipe: Pipe) -> None:
    """The bytes that it has read then show how far it is."""
    for _ in range(200):
        pipe.writer.write_lines(LINE)
    pieces = []
    for _ in range(20):
        await until(lambda: pipe.writer.backlog().left > pipe.writer.unsent)
        pieces.append(len(pipe.read()))
        await asyncio.sleep(0.015)
    assert pieces[0] <= AHEAD
    assert pieces[-1] <= 2 * len(LINE)


async def test_last_lines_are_written_before_the_end(pipe: Pipe) -> None:
    ended: list[bool] = []
    for _ in range(100):
        pipe.writer.write_lines(LINE)
    pipe.writer.call_at_end(lambda: ended.append(True))
    heard = b""
    while not ended:
        heard += pipe.read()
        await asyncio.sleep(0)
    assert heard + pipe.read() == 100 * LINE


async def test_closed_one_takes_nothing(pipe: Pipe) -> None:
    for _ in range(100):
        pipe.writer.write_lines(LINE)
    pipe.writer.close()
    await asyncio.sleep(0)
    left = pipe.writer.unsent
    pipe.writer.write_lines(LINE)
    assert pipe.writer.unsent == left
