"""Clients that want to be asked whether they are there, and those of which nobody knows."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from helpers.listening import Connection
from helpers.peers import CONFIG, TRANSPORTS, Peer, code_in, peer, running, watched_by
from helpers.support import DATA, Running, empty, until

from rookery_protocol.notices import Close, Code
from rookery_server.actor.actor import SessionActor
from rookery_server.config.resources import Quota, Quotas
from rookery_server.session.client_channel import (
    LONGEST_INTERVAL,
    SHORTEST_INTERVAL,
    ClientChannel,
)

ASK = "rookery alive 1"


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    async with running() as app:
        yield app


@pytest.fixture(params=TRANSPORTS)
async def client(request: pytest.FixtureRequest, app: Running) -> AsyncIterator[Peer]:
    async with peer(app, request.param) as client:
        yield client


def only(app: Running) -> SessionActor:
    (actor,) = app.host.actors
    return actor


@asynccontextmanager
async def asked(app: Running, *lines: str) -> AsyncIterator[int]:
    """Run a client of its own process; yield its number."""
    script = str(DATA / "asked_client.py")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-S", script, str(app.tcp_port)), *lines
    )
    try:
        yield process.pid
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


# --- the rule


def test_client_that_answers_is_asked_again_and_one_that_does_not_is_gone() -> None:
    client = Connection()
    channel, question = ClientChannel(client), b"rookery alive 20\n"
    channel.ask_every(20, 100.0)
    assert channel.check_liveness(119.9)
    channel.is_heard = True
    assert client.told == question
    assert channel.check_liveness(120.0)
    assert client.told == question * 2
    assert channel.check_liveness(139.9)
    assert not channel.check_liveness(140.0)


def test_questions_are_neither_too_often_nor_too_seldom() -> None:
    channel = ClientChannel(Connection())
    for asked, told in ((10**9, LONGEST_INTERVAL), (-1, SHORTEST_INTERVAL)):
        channel.ask_every(asked, 0.0)
        assert channel.asks_every == told


# --- over both transports


async def test_client_that_answers_goes_on(client: Peer) -> None:
    await client.say(ASK)
    for _ in range(3):
        assert await client.hear() == ASK
        await client.say(ASK)
    await client.ready()


async def test_any_line_is_an_answer(client: Peer) -> None:
    await client.say(ASK)
    for _ in range(3):
        assert await client.hear() == ASK
        assert await client.ready() == ["readyok"]


async def test_answer_is_not_answered(client: Peer) -> None:
    """Else two programs would speak to each other for ever."""
    await client.say(ASK, ASK, "rookery alive 9999999", "rookery alive 3600", "isready")
    assert await client.until("readyok") == [ASK, "rookery alive 3600", "readyok"]


async def test_client_that_does_not_answer_is_told_and_dropped(app: Running, client: Peer) -> None:
    await client.say("go nodes 7 infinite")
    await client.until("info")
    await client.say(ASK)
    heard = await client.end()
    assert ASK in heard
    assert code_in(heard) is Code.NO_ANSWER
    assert client.close_code in (None, Close.IDLE)
    await empty(app)


async def test_client_that_wants_no_more_questions_is_not_asked(app: Running, client: Peer) -> None:
    await client.say(ASK, "rookery alive 0")
    assert [await client.hear(), await client.hear()] == [ASK, "rookery alive 0"]
    assert (ear := only(app).flow.channel)
    assert ear.asks_every == 0


async def test_first_line_can_ask_for_it(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine numbered session new alive 1")
        assert ASK in [await client.hear(), await client.hear()]


async def test_client_that_watches_is_asked_too(app: Running, client: Peer) -> None:
    async with peer(app) as owner:
        name = await owner.open()
        await client.watch(name)
        await client.say(ASK)
        assert ASK in await client.until(ASK)
        await client.say(ASK)
        heard = await client.end()
        assert code_in(heard) is Code.NO_ANSWER
        await watched_by(app, 0)


# --- programs that stand still


async def test_client_that_stands_still_is_left_and_its_session_waits(app: Running) -> None:
    """Its kernel acknowledges all that it is told."""
    async with asked(app, "rookery session new alive 1", "go nodes 7 infinite") as pid:
        await until(lambda: app.host.actors and only(app).flow.engine)
        await until(lambda: (ear := only(app).flow.channel) and ear.asks_every)
        os.kill(pid, signal.SIGSTOP)
        await until(lambda: only(app).client is None)
        assert only(app).flow.engine  # It searches on, as after a cut.


async def test_client_that_stands_still_and_cannot_return_leaves_nothing(app: Running) -> None:
    async with asked(app, "rookery alive 1", "go nodes 7 infinite") as pid:
        await until(lambda: app.host.actors and only(app).flow.engine)
        await until(lambda: (ear := only(app).flow.channel) and ear.asks_every)
        os.kill(pid, signal.SIGSTOP)
        await empty(app)


# --- those that nobody asks


@asynccontextmanager
async def freeing(seconds: float) -> AsyncIterator[Running]:
    config = replace(CONFIG, quotas=Quotas({"free_after": seconds}))
    async with running(config) as app:
        yield app


async def test_engine_of_a_silent_client_is_freed_and_its_session_goes_on() -> None:
    async with freeing(0.2) as app, peer(app) as client:
        await client.say("setoption name MultiPV value 2", "position startpos moves e2e4")
        await client.ready()
        (pid,) = app.engine_pids()
        await until(
            lambda: not only(app).flow.engine and not app.host.scheduler._slots.get(only(app))
        )
        await client.say("go nodes 1")
        assert (await client.until("bestmove"))[-1].startswith("bestmove")
        assert app.engine_pids() != [pid]
        commands = only(app).session.setup.commands()
        assert str(commands[-1]) == "position startpos moves e2e4"


async def test_engine_that_searches_is_not_freed() -> None:
    async with freeing(0.1) as app, peer(app) as client:
        await client.say("go nodes 7 infinite")
        await client.until("info")
        engine = only(app).flow.engine
        only(app).tick(asyncio.get_running_loop().time() + 100.0)
        assert only(app).flow.engine is engine


@pytest.mark.parametrize(("transport", "question"), [("websocket", ""), ("tcp", ASK)])
async def test_client_that_shows_that_it_is_there_keeps_its_engine(
    transport: str, question: str
) -> None:
    """A GUI whose owner thinks for an hour does not lose its hash table."""
    async with freeing(2.0) as app, peer(app, transport) as client:
        await client.ready()
        engine = only(app).flow.engine
        assert engine
        if question:
            await client.say(question)
            for _ in range(4):  # 3 s
                assert await client.hear() == question
                await client.say(question)
        else:  # It is asked by pings.
            only(app).tick(asyncio.get_running_loop().time() + 100.0)
        assert only(app).flow.engine is engine


def test_client_is_given_minutes() -> None:
    assert Quota().free_after == 600.0
