"""Whole sessions through the bridge, line by line: what the GUI and the engine hear."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from helpers.bridged import Gui, bridge
from helpers.proxy import Proxy
from helpers.stage import Puppets, Script, transcripts
from helpers.support import DATA, Running

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig


class Screen:
    """The GUI's end of a bridge."""

    def __init__(self, gui: Gui) -> None:
        self._gui = gui

    async def say(self, line: str) -> None:
        self._gui.say(line)

    async def hear(self) -> str:
        return await self._gui.hear() or "(end)"

    async def undergo(self, event: str) -> None:
        assert event == "close"
        assert self._gui.bridge.stdin
        self._gui.bridge.stdin.close()


class Network:
    """The network between bridge and server; it says nothing."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    async def say(self, line: str) -> None:
        raise NotImplementedError(line)

    async def hear(self) -> str:
        raise NotImplementedError

    async def undergo(self, event: str) -> None:
        if event == "refuse":
            await self._proxy.refuse()
        elif event == "accept":
            await self._proxy.accept()
        else:
            assert self._proxy.cut(event) == 1


@pytest.fixture
async def engines(tmp_path: Path) -> AsyncIterator[Puppets]:
    async with Puppets(tmp_path / "puppets") as puppets:
        yield puppets


@pytest.fixture
async def app(engines: Puppets) -> AsyncIterator[Running]:
    command = (sys.executable, "-S", str(DATA / "puppet_engine.py"), str(engines.path))
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5)
    async with Running(Config((EngineConfig("puppet", command),), server)) as running:
        yield running


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
@pytest.mark.parametrize("path", transcripts("bridge"), ids=lambda path: path.stem)
async def test_session_goes_as_written(
    path: Path, transport: str, app: Running, engines: Puppets
) -> None:
    port = app.tcp_port if transport == "tcp" else app.port
    assert port
    async with Proxy(port, seed=1) as proxy:
        address = {
            "tcp": f"tcp://127.0.0.1:{proxy.port}/puppet",
            "websocket": f"ws://127.0.0.1:{proxy.port}/engines/puppet",
        }[transport]
        async with bridge(address, "--no-fallback", "--no-clock-correction") as gui:
            parties = {"gui": Screen(gui), "network": Network(proxy), "engine": engines}
            await Script(path).play(**parties)
