"""A client that is far ahead of its engine: it waits, nothing is lost, and nobody is replaced."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from helpers.client_server import STOCKFISH
from helpers.peers import TRANSPORTS, Peer, peer
from helpers.support import Lines, Running, code_of, odd, until
from websockets.frames import Frame, Opcode

from rookery_protocol.notices import Code
from rookery_server.actor.backpressure import MAX_AHEAD
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig, own_engine, with_program
from rookery_server.config.sections import ServerConfig, SessionsConfig
from rookery_server.engines.process_engine import PAGE
from rookery_server.rooms import broadcaster
from rookery_server.transport.input_queue import PIECE
from rookery_server.transport.websocket import WebSocketClient

READY = 3.0  # s that an engine has: what is asked of `plods` takes longer
LINES = 200  # of `setoption`, 20 ms each
POSITION = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 20
FLOOD = [line for n in range(LINES) for line in (f"setoption name Contempt value {n}", POSITION)]
SERVER = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    assert STOCKFISH, "these tests need stockfish: apt install stockfish"
    engines = (
        EngineConfig("plods", odd("plods")),
        EngineConfig("lazy", odd("lazy")),
        EngineConfig("stockfish", (STOCKFISH,)),
        replace(with_program(own_engine()), name="rookery"),
    )
    sessions = SessionsConfig(ready_timeout=READY, stop_timeout=READY)
    async with Running(Config(engines, SERVER, sessions=sessions)) as running:
        yield running


def reset(client: Peer) -> None:
    """Cut a connection with an RST, as a machine does whose program was killed."""
    connection = client.connection
    transport = (
        connection.writer.transport if isinstance(connection, Lines) else connection.transport
    )
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


async def longest_wait(app: Running) -> int:
    """Return the most bytes that wait for an engine, as seen again and again, for ever."""
    most = 0
    try:
        while True:
            engines = [actor.flow.engine for actor in app.host.actors if actor.flow.engine]
            most = max([most, *(engine.unsent for engine in engines)])
            await asyncio.sleep(0.005)
    except asyncio.CancelledError:
        return most


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_engine_hears_all_of_a_flood_in_order(app: Running, transport: str) -> None:
    watcher = asyncio.create_task(longest_wait(app))
    async with peer(app, transport, engine="plods") as client:
        await client.ready()
        (engine,) = await app.one_engine()
        await client.say(*FLOOD)
        await client.say("isready", "go depth 1")
        assert await client.until("readyok") == ["readyok"]
        said = await client.until("bestmove")
        assert app.engine_pids() == [engine]
    watcher.cancel()
    assert said[0].split()[3:] == [str(n) for n in range(LINES)]
    assert MAX_AHEAD < await watcher < MAX_AHEAD + 4 * PIECE


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_guest_with_control_waits_for_the_engine_too(
    app: Running, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest is held back for what it says too fast, as well, and that ends first."""
    monkeypatch.setattr(broadcaster, "_LINES_PER_SECOND", 1000.0)
    monkeypatch.setattr(broadcaster, "_LINES_BURST", 1)
    async with (
        peer(app, engine="plods") as owner,
        peer(app, transport, engine="plods") as guest,
    ):
        await guest.watch(await owner.open())
        await owner.say("rookery room hand 1")
        await guest.until("rookery room offer")
        await guest.say("rookery room accept")
        await guest.until("rookery room control 1")
        await guest.ready()
        (engine,) = await app.one_engine()
        watcher = asyncio.create_task(longest_wait(app))
        await guest.say(*FLOOD)
        assert (await guest.ready())[-1] == "readyok"
        assert app.engine_pids() == [engine]
    watcher.cancel()
    assert MAX_AHEAD < await watcher < MAX_AHEAD + 4 * PIECE


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_stop_comes_through_when_its_turn_is(app: Running, transport: str) -> None:
    async with peer(app, transport, engine="plods") as client:
        await client.ready()
        await client.say(*FLOOD)
        await client.say("go infinite", "stop", "isready")
        assert await client.until("readyok") == ["bestmove a2a3", "readyok"]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("engine", ["stockfish", "rookery"])
async def test_real_engine_is_not_replaced_for_being_slow(
    app: Running, engine: str, transport: str
) -> None:
    """Each value has the engine make its table anew, which takes milliseconds."""
    async with peer(app, transport, engine=engine) as client:
        await client.ready()
        engines = await app.one_engine()
        await client.say(*(f"setoption name Hash value {16 + n % 2}" for n in range(2 * LINES)))
        lines = await client.ready()
        assert [line for line in lines if "rookery" in line] == []
        await client.say("go depth 1")
        await client.until("bestmove")
        assert app.engine_pids() == engines


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_engine_that_hangs_with_a_full_pipe_is_replaced(app: Running, transport: str) -> None:
    async with peer(app, transport, engine="lazy") as client:
        await client.ready()
        (engine,) = await app.one_engine()
        await client.say(*[POSITION] * 40)
        (notice,) = await client.until("info string rookery")
        assert code_of(notice) is Code.ENGINE_DIED
        assert "unread" in notice
        assert (await client.ready())[-1] == "readyok"
        assert app.engine_pids() != [engine]


async def test_client_that_is_not_heard_is_not_taken_for_dead(app: Running) -> None:
    """Its answers to pings wait with the rest of what it says."""
    async with peer(app, "websocket", engine="plods") as client:
        await client.ready()
        (actor,) = app.host.actors
        connection = actor.client
        assert isinstance(connection, WebSocketClient)
        connection._ping()
        connection.hold_input("a test")
        connection._ping()
        connection._ping()
        connection.release_input("a test")
        connection._ping()
        await until(lambda: connection.latency)
        assert await client.ready() == ["readyok"]


COUNT = 500  # of what takes longer than a turn


async def test_client_that_says_more_than_is_heard_is_not_taken_for_dead(app: Running) -> None:
    """Its answers to pings come behind that."""
    async with peer(app, "websocket", engine="plods") as client:
        await client.ready()
        (actor,) = app.host.actors
        connection = actor.client
        assert isinstance(connection, WebSocketClient)
        connection._ping()
        connection.data_received(Frame(Opcode.TEXT, b"isready").serialize(mask=True) * COUNT)
        connection._ping()
        connection._ping()
        for _ in range(COUNT):
            await client.until("readyok")


async def test_pipe_holds_little(app: Running) -> None:
    async with peer(app, engine="lazy") as client:
        await client.ready()
        (actor,) = app.host.actors
        await client.say(*["position startpos"] * 1000)
        await until(lambda: actor.flow.client_waits)
        assert actor.flow.engine
        assert actor.flow.engine.backlog().left - actor.flow.engine.unsent < PAGE


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_client_that_leaves_while_it_is_not_heard_is_missed(
    app: Running, transport: str
) -> None:
    async with peer(app, transport, engine="plods") as client:
        await client.ready()
        (actor,) = app.host.actors
        saying = asyncio.create_task(client.say(*FLOOD * 10))  # for 40 s
        await until(lambda: actor.flow.client_waits)
        saying.cancel()
        reset(client)
        await until(lambda: not app.host.actors)
        assert actor.totals.engine_deaths == 0
