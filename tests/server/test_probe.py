"""Asking an engine for its options."""

import asyncio
import sys
from collections.abc import AsyncIterator

import pytest
from support import odd

from rookery_server.errors import ServerError
from rookery_server.offer import Answer
from rookery_server.probe import probe
from rookery_server.process import Reaper

SILENT = ("sleep", "1000")
TALKER = (sys.executable, "-S", "-c", "while True: print('x' * 10_000)")


@pytest.fixture
async def reaper() -> AsyncIterator[Reaper]:
    reaper = Reaper(asyncio.get_running_loop())
    yield reaper
    async with asyncio.timeout(10):  # it leaves no process behind
        await reaper.wait_until_none()
    reaper.close()


async def ask(command: tuple[str, ...], reaper: Reaper, patience: float = 10.0) -> Answer:
    return await probe(command, reaper, patience=patience, stderr=2)


@pytest.mark.parametrize("habit", ["polite", "deaf", "parent"])
async def test_engine_is_asked_and_ended(reaper: Reaper, habit: str) -> None:
    assert (await ask(odd(habit), reaper)).ids == ("id name Odd",)


@pytest.mark.parametrize(("command", "patience", "error"), [
    (("sh", "-c", "exit 3"), 10.0, "it does not answer uci: it exited with status 3"),
    (("/no/such/program",), 10.0, "it does not answer uci: it exited with status 127"),
    (SILENT, 0.05, "it does not answer uci within 0.05 s"),
    (TALKER, 10.0, "it says too much before uciok"),
])  # fmt: skip
async def test_engine_that_does_not_answer_is_an_error(
    reaper: Reaper, command: tuple[str, ...], patience: float, error: str
) -> None:
    with pytest.raises(ServerError) as caught:
        await ask(command, reaper, patience)
    assert str(caught.value) == error
