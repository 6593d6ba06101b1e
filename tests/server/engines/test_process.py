"""An engine that says one short line after the other is left alone for a moment."""

import asyncio
import os
import select
from collections.abc import AsyncIterator

import pytest
from helpers.support import TIMEOUT, odd, until

from rookery_server.config.engines import ResourceLimits
from rookery_server.engines.process_engine import LocalEngineHost, ProcessEngine
from rookery_server.engines.running_engine import EngineSpec


class Hearer:
    """Who hears an engine."""

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
    monkeypatch.setattr("rookery_server.engines.stdout_reader.STEADY", TIMEOUT)
    monkeypatch.setattr("rookery_server.engines.process_engine.QUIT_PATIENCE", TIMEOUT)
    engines = LocalEngineHost()
    await engines.open()
    yield engines
    async with asyncio.timeout(TIMEOUT):
        await engines.close()


def start(engines: LocalEngineHost, habit: str) -> tuple[ProcessEngine, Hearer]:
    hearer = Hearer()
    return engines.start(EngineSpec(habit, odd(habit)), hearer), hearer


STEADY = b"".join(b"info depth %d\n" % depth for depth in range(400)) + b"bestmove e2e4\n"


async def test_lines_that_come_steadily_are_heard_together_and_in_order(
    engines: LocalEngineHost,
) -> None:
    engine, hearer = start(engines, "steady")
    engine.tell(b"go\n")
    await until(lambda: b"bestmove" in hearer.heard)
    assert hearer.heard == STEADY
    assert len(hearer.pieces) < 300
    engine.end()


async def test_who_tells_an_engine_something_hears_it_at_once(engines: LocalEngineHost) -> None:
    engine, hearer = start(engines, "steady")
    engine.tell(b"go\n")
    await until(lambda: engine.is_left_alone)
    engine.tell(b"isready\n")
    assert not engine.is_left_alone
    await until(lambda: b"readyok" in hearer.heard)
    assert hearer.heard == STEADY + b"readyok\n"
    engine.end()


@pytest.mark.parametrize("way", ["end", "kill", "pause and end"])
async def test_engine_that_is_left_alone_can_be_ended(engines: LocalEngineHost, way: str) -> None:
    engine, hearer = start(engines, "steady")
    engine.tell(b"go\n")
    await until(lambda: engine.is_left_alone)
    if way == "pause and end":
        engine.pause()
        assert not engine.is_left_alone
    engine.kill() if way == "kill" else engine.end()
    await until(lambda: hearer.reason)
    assert STEADY.startswith(hearer.heard)
    assert way == "kill" or hearer.heard == STEADY


async def test_a_pause_ends_only_when_it_is_said(engines: LocalEngineHost) -> None:
    engine, hearer = start(engines, "steady")
    engine.tell(b"go\n")
    await until(lambda: engine.is_left_alone)
    engine.pause()
    engine.tell(b"isready\n")
    before = hearer.heard
    await asyncio.sleep(0.1)  # Nothing is to come, and that takes a while to see.
    assert hearer.heard == before
    engine.resume()
    await until(lambda: hearer.heard.endswith(b"readyok\n"))
    engine.end()


class Deadly(Hearer):
    """Who kills an engine at its first piece, and takes as long for each as there is no other."""

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


class Failing(Hearer):
    """Who fails at each piece."""

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
    class Breaks(Hearer):
        def engine_ended(self, reason: str) -> None:
            super().engine_ended(reason)
            raise RuntimeError("it has an error")

    hearers = [Breaks(), Breaks(), Hearer()]
    processes = [engines.start(EngineSpec("polite", odd("polite")), each) for each in hearers]
    for process in processes:
        process.kill()
    await until(lambda: all(each.reason for each in hearers))
    assert caplog.text.count("the end of engine") == 2


async def test_engine_that_cannot_be_held_to_its_limits_does_not_run(
    engines: LocalEngineHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = []

    def refuse(self: ResourceLimits, pid: int) -> None:
        pids.append(pid)
        raise PermissionError("not by you")

    monkeypatch.setattr(ResourceLimits, "hold", refuse)
    with pytest.raises(PermissionError):
        engines.start(EngineSpec("polite", odd("polite")), Hearer())
    with pytest.raises(ProcessLookupError):  # It is not even a zombie.
        os.kill(pids[0], 0)
