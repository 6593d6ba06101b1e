"""A bridge over TCP that stands still, and one that only has nothing to say."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from helpers.bridged import Gui
from helpers.support import Running, numbered, until

from rookery_protocol import hello
from rookery_protocol.notices import Code
from rookery_server.actor.actor import SessionActor
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import ServerConfig

# As the program, but it wants to be asked every second.
OFTEN = (
    "import sys; from rookery_bridge.session import conversation; conversation.ALIVE = 1;"
    "from rookery_bridge.__main__ import main; sys.exit(main())"
)


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5)
    config = Config((EngineConfig("numbered", numbered()),), server)
    # It says where it is every 15 s by itself, which is not what is tried here.
    async with Running(replace(config, quotas=Quotas({"free_after": 2.5}))) as app:
        yield app


@asynccontextmanager
async def bridge(app: Running) -> AsyncIterator[Gui]:
    address = f"tcp://127.0.0.1:{app.tcp_port}/numbered"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", OFTEN, address, "--no-fallback"), stdin=PIPE, stdout=PIPE
    )
    try:
        yield Gui(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def only(app: Running) -> SessionActor:
    (actor,) = app.host.actors
    return actor


async def test_session_of_a_bridge_that_stands_still_waits_for_it(app: Running) -> None:
    async with bridge(app) as gui:
        gui.say("go nodes 7 infinite")
        await gui.until("info")
        actor = only(app)
        assert gui.bridge.pid
        os.kill(gui.bridge.pid, signal.SIGSTOP)
        await until(lambda: actor.client is None)
        os.kill(gui.bridge.pid, signal.SIGCONT)
        gui.say("stop")
        assert (await gui.until("bestmove"))[-1] == "bestmove n7"
        assert only(app) is actor


async def test_bridge_of_a_silent_gui_keeps_its_engine(app: Running) -> None:
    async with bridge(app) as gui:
        await gui.drain()
        actor = only(app)
        engine = actor.flow.engine
        assert engine
        pulse = actor.flow.channel
        assert pulse
        questions: set[float] = set()

        def was_asked_often() -> bool:
            questions.add(pulse.asked_at)
            return len(questions) > 4

        await until(was_asked_often)
        assert actor.flow.engine is engine


async def test_server_that_does_not_know_the_question_does_as_well(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a server is older than the bridge; the GUI hears nothing of it."""
    for keys in ("_KEYS", "_TOLD"):
        known = getattr(hello, keys)
        monkeypatch.setattr(hello, keys, tuple(key for key in known if key != "alive"))
    async with bridge(app) as gui:
        gui.say("go nodes 7")
        await gui.until("bestmove")
        await gui.drain()
        assert only(app).session.notices == {Code.BAD_COMMAND: 1}
        assert not [line for line in gui.heard if "bad-command" in line]
