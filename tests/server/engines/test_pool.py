"""Spare engines, with real processes."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from helpers.support import TIMEOUT, ends, gone, odd, program, until

from rookery_server.config.sections import Stock
from rookery_server.engines.pool import Pool
from rookery_server.engines.process_engine import LocalEngineHost, ProcessEngine
from rookery_server.engines.running_engine import (
    EngineListener,
    EngineSpec,
    RunningEngine,
)
from rookery_server.engines.starting_engine import MAX_ANSWER, StartLimiter


class Requester:
    """A session that wants an engine."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.engine: RunningEngine | None = None
        self.refusals: list[str] = []
        self.heard = b""
        self.ended: list[str] = []

    def ask(self) -> None:
        self.engine = self.pool.request(self, self.take)

    def take(self, engine: RunningEngine | None) -> None:
        if engine:
            self.engine = engine
        else:
            self.refusals.append(self.pool.trouble)

    def engine_said(self, piece: bytes) -> None:
        self.heard += piece

    def engine_ended(self, reason: str) -> None:
        self.engine = None
        self.ended.append(reason)


class Workshop:
    """Makes pools, and sees to it that nothing is left of them."""

    def __init__(self) -> None:
        self.engines = LocalEngineHost()
        self.started: list[ProcessEngine] = []
        self.pools: list[Pool] = []

    def pool(
        self, *command: str, size: int = 1, most: int = 0, patience: float = TIMEOUT, width: int = 8
    ) -> Pool:
        def start(listener: EngineListener) -> RunningEngine:
            engine = self.engines.start(EngineSpec("odd", command), listener)
            self.started.append(engine)
            return engine

        stock = Stock(size, max(size, most))
        self.pools.append(Pool("odd", start, stock, StartLimiter(width), patience=patience))
        return self.pools[-1]

    async def opened(
        self, *command: str, size: int = 1, most: int = 0, patience: float = TIMEOUT, width: int = 8
    ) -> Pool:
        command = command or odd("polite")
        pool = self.pool(*command, size=size, most=most, patience=patience, width=width)
        await pool.open()
        return pool


Shop = TypeVar("Shop", bound=Workshop)


def script(text: str) -> tuple[str, ...]:
    return (sys.executable, "-S", "-c", f"import sys, time\n{text}")


@pytest.fixture
async def workshop() -> AsyncIterator[Workshop]:
    async with used(Workshop()) as workshop:
        yield workshop


@pytest.fixture
async def places() -> AsyncIterator["Places"]:
    async with used(Places()) as places:
        yield places


@asynccontextmanager
async def used(workshop: Shop) -> AsyncIterator[Shop]:
    before = ends()
    await workshop.engines.open()
    yield workshop
    for pool in workshop.pools:
        pool.close()
    for engine in workshop.started:
        engine.end()
    async with asyncio.timeout(TIMEOUT):
        await workshop.engines.close()
    for engine in workshop.started:
        await gone(engine.pid)
    assert ends() <= before


async def test_spare_engine_is_taken_at_once_and_another_started(workshop: Workshop) -> None:
    pool = await workshop.opened()
    await until(lambda: pool.spares)
    asker = Requester(pool)
    asker.ask()
    assert asker.engine is workshop.started[0]
    await until(lambda: len(workshop.started) == 2)
    asker.engine.send_lines(b"isready\n")
    await until(lambda: asker.heard == b"readyok\n")
    await until(lambda: pool.spares)


async def test_several_who_ask_each_get_one_in_their_order(workshop: Workshop) -> None:
    pool = await workshop.opened(size=0)
    askers = [Requester(pool) for _ in range(5)]
    order: list[Requester] = []
    for asker in askers:
        asker.ask()
        assert asker.engine is None
    async with asyncio.timeout(TIMEOUT):
        while len(order) < 5:
            order += [each for each in askers if each.engine and each not in order]
            await asyncio.sleep(0)
    assert len({each.engine for each in askers}) == 5
    assert order == askers


async def test_engines_start_a_few_at_a_time(workshop: Workshop) -> None:
    pool = await workshop.opened(size=0, width=2)
    await until(lambda: workshop.started[0].asked_to_end)
    askers = [Requester(pool) for _ in range(7)]
    for asker in askers:
        asker.ask()
    most = 0
    async with asyncio.timeout(TIMEOUT):
        while not all(asker.engine for asker in askers):
            most = max(most, sum(not each.ready for each in pool._coming))
            await asyncio.sleep(0)
    assert most == 2
    assert len(workshop.started) == 8


async def test_engines_that_were_taken_together_are_kept_ready_together(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = await workshop.opened(most=4)
    askers = [Requester(pool) for _ in range(6)]
    for asker in askers:
        asker.ask()
    await until(lambda: all(asker.engine for asker in askers))
    await until(lambda: pool.spares == 4)
    monkeypatch.setattr("rookery_server.engines.pacing.MEMORY", 0.0)  # and it is quiet
    await until(lambda: pool.wanted == 1)
    pool.adjust()
    assert pool.spares == 1


async def test_engine_after_one_that_was_late_has_more_time(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery_server.engines.pacing.LONGEST_WAIT", 0.01)
    pool = await workshop.opened(*script("time.sleep(1000)"), patience=0.05)
    troubles = [pool.trouble]
    async with asyncio.timeout(TIMEOUT):
        while len(troubles) < 4:
            await asyncio.sleep(0.001)
            if len(workshop.started) > len(troubles):
                troubles.append("")
            troubles[-1] = pool.trouble
    assert "it does not say uciok within 0.2 s" in troubles


class Places(Workshop):
    """Has engines that have not come yet, as far as anybody knows."""

    def pool(self, *command: str, **more: Any) -> Pool:
        pool = super().pool(*command, **more)
        start = pool._start

        def start_elsewhere(listener: EngineListener) -> RunningEngine:
            engine = start(listener)
            self.started[-1].has_started = False
            return engine

        pool._start = start_elsewhere
        return pool


async def test_engine_that_has_no_place_yet_is_not_late(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery_server.engines.starting_engine.PLACES", 1 << 20)
    pool = await places.opened(patience=0.001)  # A process takes longer to start.
    await until(lambda: pool.spares)
    assert len(places.started) == 1
    assert not pool.trouble


async def test_engine_that_finds_no_place_is_given_up(places: Places) -> None:
    pool = await places.opened(*script("time.sleep(1000)"), patience=0.02)
    assert pool.trouble == "it has found no place within 0.06 s"


async def test_who_asks_no_more_gets_none_and_leaves_none(workshop: Workshop) -> None:
    pool = await workshop.opened()
    await until(lambda: pool.spares)
    askers = [Requester(pool) for _ in range(3)]
    for asker in askers:
        asker.ask()
    for asker in askers[1:]:
        pool.cancel_request(asker)
    await until(lambda: pool.spares)
    await until(lambda: sum(not engine.asked_to_end for engine in workshop.started) == 2)
    assert [bool(asker.engine) for asker in askers] == [True, False, False]


async def test_engine_that_dies_at_the_start_is_told_of(workshop: Workshop) -> None:
    pool = await workshop.opened(*script("sys.exit(7)"))
    assert pool.answer is None
    assert pool.trouble == "it exited with status 7"
    asker = Requester(pool)
    asker.ask()
    await until(lambda: asker.refusals)
    assert asker.refusals == ["it exited with status 7"]


async def test_program_that_is_missing_is_told_of_but_not_at_once(workshop: Workshop) -> None:
    """A session that is refused at once would ask again before its first request is done."""
    pool = workshop.pool("/no/such/program")
    pool._start = _missing
    await pool.open()
    asker = Requester(pool)
    asker.ask()
    assert not asker.refusals
    await until(lambda: asker.refusals)


def _missing(_: EngineListener) -> RunningEngine:
    raise FileNotFoundError(2, "No such file or directory")


async def test_engine_that_never_answers_is_killed(workshop: Workshop) -> None:
    pool = await workshop.opened(*script("time.sleep(1000)"), patience=0.3)
    assert pool.trouble == "it does not say uciok within 0.3 s"


async def test_engine_that_is_never_ready_is_killed(workshop: Workshop) -> None:
    pool = await workshop.opened(
        *script("print('uciok', flush=True); time.sleep(1000)"), patience=0.3
    )
    assert pool.answer
    await until(lambda: pool.trouble)
    assert pool.trouble == "it does not say readyok within 0.3 s"


async def test_engine_that_says_too_much_is_killed(workshop: Workshop) -> None:
    pool = await workshop.opened(*script("while True: print('info string ' + 'x' * 60000)"))
    assert pool.trouble == "it says too much before uciok"


async def test_name_of_an_engine_steers_no_terminal(workshop: Workshop) -> None:
    """It comes so into the answer to `uci`, the page and the cache."""
    says = r"print('id name \x1b]0;pwn\x07Odd \x9b31m\nuciok', flush=True)"
    pool = await workshop.opened(*script(f"{says}; sys.stdin.read()"))
    assert pool.answer
    assert [str(each) for each in pool.answer.ids] == ["id name ]0;pwnOdd 31m"]


async def test_flood_before_readyok_is_not_kept(workshop: Workshop) -> None:
    flood = "print('uciok')\nfor _ in range(100): print('x' * 60000)\nprint('readyok', flush=True)"
    pool = await workshop.opened(*script(f"{flood}\nsys.stdin.read()"))
    await until(lambda: pool.spares)
    assert all(len(getattr(each, "_received", b"")) < MAX_ANSWER for each in pool._coming)


async def test_failed_engine_is_tried_again(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery_server.engines.pacing.LONGEST_WAIT", 0.05)
    pool = await workshop.opened(*script("sys.exit(7)"))
    await until(lambda: len(workshop.started) >= 3)
    assert pool.answer is None


async def test_failure_that_goes_on_is_logged_once_and_said_to_be_over(
    workshop: Workshop, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """It is the operator's to mend, and no bug of ours."""
    monkeypatch.setattr("rookery_server.engines.pacing.LONGEST_WAIT", 0.05)
    caplog.set_level(logging.INFO)
    engine = program(tmp_path / "engine", "false")
    pool = await workshop.opened(str(engine))
    await until(lambda: len(workshop.started) >= 4)
    program(engine, *odd("polite"))
    await until(lambda: pool.spares)
    told = [each for each in caplog.records if each.name == "rookery_server.engines.pool"]
    assert [each.levelname for each in told] == ["WARNING", "INFO"]
    assert told[1].getMessage() == f"engine {pool.name} can be had again"


async def test_closing_ends_those_that_are_coming_and_refuses_who_asks(workshop: Workshop) -> None:
    pool = workshop.pool(*odd("polite"))
    opening = asyncio.create_task(pool.open(), name="open")
    await asyncio.sleep(0)
    early, late = Requester(pool), Requester(pool)
    early.ask()
    pool.close()
    late.ask()
    async with asyncio.timeout(TIMEOUT):
        await opening
    for engine in workshop.started:
        await gone(engine.pid)
    await until(lambda: late.refusals and early.refusals)
    assert (early.engine, late.engine) == (None, None)


async def test_engine_that_is_gone_is_never_spoken_to_or_signalled(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its descriptors and its pid may be another's by then."""
    pool = await workshop.opened()
    await until(lambda: pool.spares)
    asker = Requester(pool)
    asker.ask()
    engine = asker.engine
    assert engine
    engine.kill()
    await until(lambda: asker.ended)
    signalled: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda pid, _: signalled.append(pid))
    monkeypatch.setattr(os, "write", lambda fd, data: pytest.fail(f"wrote {data!r} to {fd}"))
    for act in (engine.end, engine.kill, engine.pause, engine.resume):
        act()
    engine.send_lines(b"go\n")
    engine.kill("it is dead")
    assert engine.cpu_seconds() >= engine.cpu_seconds() == 0.0
    await asyncio.sleep(0.05)
    monkeypatch.undo()
    assert signalled == []


def freeze(engines: list[ProcessEngine]) -> list[int]:
    """Stop engines where they are; return their processes."""
    pids = [engine.pid for engine in engines]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    return pids


async def test_no_session_gets_a_doubted_engine_that_does_not_answer(workshop: Workshop) -> None:
    pool = await workshop.opened(size=2)
    await until(lambda: pool.spares == 2)
    frozen = freeze(workshop.started)
    pool.check_spares()
    askers = [Requester(pool) for _ in range(2)]
    for asker in askers:
        asker.ask()
        assert asker.engine is None
    await until(lambda: all(asker.engine for asker in askers))
    assert not {asker.engine.label for asker in askers if asker.engine} & set(map(str, frozen))


async def test_doubted_engine_that_does_not_answer_is_replaced(workshop: Workshop) -> None:
    pool = await workshop.opened(size=2)
    await until(lambda: pool.spares == 2)
    frozen = freeze(workshop.started[:1])
    pool.patience = 0.05
    pool.check_spares()
    pool.patience = TIMEOUT
    await gone(frozen[0])
    await until(lambda: pool.spares == 2)
    assert not pool.trouble


async def test_doubted_engine_that_answers_is_spare_again(workshop: Workshop) -> None:
    pool = await workshop.opened()
    await until(lambda: pool.spares)
    pool.check_spares()
    asker = Requester(pool)
    assert not pool.spares
    await until(lambda: pool.spares)
    asker.ask()
    assert asker.engine is workshop.started[0]
    assert asker.heard == b""


async def test_spare_engines_are_asked_now_and_again(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = await workshop.opened()
    await until(lambda: pool.spares)
    pool.adjust()
    assert pool.spares
    with monkeypatch.context() as soon:
        soon.setattr("rookery_server.engines.pool.CHECK_EVERY", 0.0)
        pool.adjust()
    assert not pool.spares
    await until(lambda: pool.spares)
    assert len(workshop.started) == 1


# --- the wait after a failure
