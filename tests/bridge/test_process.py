"""The engine of this machine as a process: it ends, and nothing of it is waited for in vain."""

import asyncio
import os
import signal
from contextlib import suppress

import pytest
from helpers.support import TIMEOUT, ends, gone, odd, until

from rookery_bridge import engine_process
from rookery_bridge.engine_process import LocalEngine


class Local:
    """An engine that runs, what it has said, and why it is lost."""

    def __init__(self, habit: str) -> None:
        self.heard = b""
        self.reason = ""
        self.engine = LocalEngine(odd(habit), self._hear, self._lose)
        self.engine.send_lines([b"uci"])
        self.task = asyncio.create_task(self.engine.run(), name="run engine")

    def _hear(self, piece: bytes) -> None:
        self.heard += piece

    def _lose(self, reason: str) -> None:
        self.reason = reason

    @property
    def pid(self) -> int:
        process = self.engine._process
        assert process
        return process.pid

    async def end(self) -> None:
        self.task.cancel()
        async with asyncio.timeout(TIMEOUT):
            with suppress(asyncio.CancelledError):
                await self.task


@pytest.mark.parametrize("habit", ["polite", "flood", "deaf"])
async def test_engine_ends_whatever_it_still_says(habit: str) -> None:
    """Row 141: one that is writing fills its pipe, and hears nothing until that is read."""
    open_before = ends()
    local = Local(habit)
    await until(lambda: b"uciok" in local.heard)
    local.engine.send_lines([b"go"])
    await until(lambda: b"info depth" in local.heard or b"bestmove" in local.heard)
    pid = local.pid
    await local.end()
    await gone(pid)
    await until(lambda: ends() == open_before)
    assert not local.reason


async def test_child_that_holds_the_pipes_of_an_engine_is_not_waited_for() -> None:
    """As where the command is a script that starts the engine, and does not wait for it."""
    open_before = ends()
    local = Local("parent")
    await until(lambda: b"uciok" in local.heard)
    child = int(local.heard.split(b"info string child ")[1].split()[0])
    try:
        pid = local.pid
        await local.end()
        await gone(pid)
        await until(lambda: ends() == open_before)
    finally:
        os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize(
    ("habit", "reason"), [("dies", "has ended with status 3"), ("hush", "has closed its output")]
)
async def test_engine_that_says_nothing_any_more_is_lost(habit: str, reason: str) -> None:
    local = Local(habit)
    local.engine.send_lines([b"go"])
    await until(lambda: local.reason)
    assert local.reason.endswith(reason)
    async with asyncio.timeout(TIMEOUT):
        await local.task
    await gone(local.pid)


async def test_engine_opens_no_window_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only there processes have such flags, which is what Python says elsewhere."""
    monkeypatch.setattr(engine_process, "_NO_WINDOW", 0x08000000)
    with pytest.raises(ValueError, match="creationflags"):
        await LocalEngine(odd("polite"), bytes, str).run()
