"""A server that takes its time to answer, or never does: how long the bridge waits for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from helpers.hostile import WELCOME, Hear, Say, speaking
from helpers.support import TIMEOUT

from rookery_bridge import bridge
from rookery_bridge.bridge import Bridge
from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_protocol.address import Address
from rookery_protocol.tls_trust import Trust


class Gui:
    """Speaks with a bridge of this process, and keeps all that it has heard."""

    def __init__(self, address: str, *, must_reach: bool) -> None:
        self._heard = b""
        self._has_heard = asyncio.Event()
        self.bridge = Bridge(
            *(Address.parse(address), Trust(), self._receive, BridgeOptions()),
            must_reach=must_reach,
        )

    def _receive(self, piece: bytes) -> None:
        self._heard += piece
        self._has_heard.set()

    async def until(self, text: bytes) -> bytes:
        """Return all that it has heard, when that has a text in it."""
        while text not in self._heard:
            self._has_heard.clear()
            await self._has_heard.wait()
        return self._heard


@asynccontextmanager
async def bridged(address: str, *, must_reach: bool = True) -> AsyncIterator[Gui]:
    """Run a bridge; the GUI quits at the end of the block."""
    gui = Gui(address, must_reach=must_reach)
    running = asyncio.create_task(gui.bridge.run())
    try:
        async with asyncio.timeout(TIMEOUT):
            yield gui
            gui.bridge.receive_line(b"quit")
            await running
    finally:
        running.cancel()


async def test_way_back_that_is_slow_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "RETURN_TIMEOUT", 0.1)
    connections = 0

    async def answer(say: Say, hear: Hear) -> None:
        nonlocal connections
        connections += 1
        await hear()
        if connections > 1:
            await asyncio.sleep(0.3)
        await say(WELCOME)
        while connections > 1 and await hear() != "quit":
            pass

    async with speaking(answer, tcp=True) as address, bridged(address) as gui:
        await gui.until(b"connected again")


@pytest.mark.parametrize("is_early", [True, False])
async def test_quit_does_not_wait_for_what_only_accepts_the_connection(
    monkeypatch: pytest.MonkeyPatch, *, is_early: bool
) -> None:
    monkeypatch.setattr(bridge, "FIRST_TIMEOUT", 2 * TIMEOUT)
    monkeypatch.setattr(bridge, "QUIT_TIMEOUT", 0.3)
    is_connected = asyncio.Event()

    async def never_answer(say: Say, hear: Hear) -> None:
        while await hear():
            is_connected.set()

    async with speaking(never_answer, tcp=True) as address, bridged(address, must_reach=False):
        if not is_early:
            await is_connected.wait()


async def test_fallback_begins_where_the_connection_is_only_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Row 3: a GUI that hears no `uciok` for 5 s ends the engine."""
    monkeypatch.setattr(bridge, "QUIT_TIMEOUT", 0.3)

    async def never_answer(say: Say, hear: Hear) -> None:
        while await hear():
            pass

    async with (
        speaking(never_answer, tcp=True) as address,
        bridged(address, must_reach=False) as gui,
    ):
        gui.bridge.receive_line(b"uci")
        heard = await gui.until(b"uciok")
    assert b"is not reached within 2 s yet" in heard
