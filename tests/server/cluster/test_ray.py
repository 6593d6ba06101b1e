"""Engines of a Ray cluster, and sessions with them."""

import asyncio
import dataclasses
import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bench.child import free_port
from bench.cluster import Cluster
from helpers.job_world import World
from helpers.jobbing import fens, items_of, new_job, timeless
from helpers.support import TIMEOUT, Lines, Running, odd, until

from rookery_protocol.errors import ConfigError
from rookery_server.cluster import node_listener as door_module
from rookery_server.cluster.engine_actor import StartOrder
from rookery_server.cluster.node_listener import NodeListener
from rookery_server.config import sections
from rookery_server.config.config import Config, from_toml
from rookery_server.config.engines import EngineConfig, ResourceLimits, own_engine, with_program
from rookery_server.config.resources import Size
from rookery_server.config.sections import CacheConfig, JobsConfig, RayConfig, ServerConfig
from rookery_server.engines.running_engine import NULL_LISTENER
from rookery_server.engines.socket_engine import EVENT_MARK, EngineEvent, SocketEngine
from rookery_uci import Limits

FAR = EngineConfig("far", odd("polite"), threads=1, hash_mb=64, ray=True)
NEAR = EngineConfig("near", odd("polite"))
SERVER = ServerConfig(port=0, tcp_port=0, drain_timeout=1.0)
HEAD = {"address": "127.0.0.1:6379", "token": "token", "listen": "127.0.0.1"}

# --- what is said between the processes

NEWS = [
    (b'{"label":"12 at b"}', EngineEvent(label="12 at b")),
    (b'{"files":["ab","",null]}', EngineEvent(files=("ab", "", None))),
    (b'{"cpu":1.5,"memory_mb":20}', EngineEvent(cpu=1.5, memory_mb=20)),
    (b'{"complaint":"what a position"}', EngineEvent(complaint="what a position")),
    (b'{"ended":"it exited with status 0"}', EngineEvent(ended="it exited with status 0")),
]


@pytest.mark.parametrize(("text", "news"), NEWS)
def test_news_are_read_as_they_are_written(text: bytes, news: EngineEvent) -> None:
    assert bytes(news) == EVENT_MARK + text + b"\n"
    assert EngineEvent.parse(EVENT_MARK + text + b"\n") == news


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"3", b"caf\xe9", b"[" * 100_000])
def test_what_is_no_news_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match="an engine's event needs"):
        EngineEvent.parse(EVENT_MARK + text)


def test_what_is_of_the_wrong_kind_in_news_is_left_out() -> None:
    text = b'{"label":1,"files":"x","cpu":-1,"memory_mb":true,"ended":null,"more":1}'
    assert EngineEvent.parse(text) == EngineEvent()


def test_order_is_read_as_it_is_written() -> None:
    order = StartOrder(3, ("a", "b"), ("a", "b", "c"), ResourceLimits(5), 2, 64 << 20, "h", 1, "t")
    assert StartOrder.parse(str(order)) == order


# --- the configuration


def test_engine_of_a_cluster_is_let_have_what_is_set_aside_for_it() -> None:
    engine = {"command": "stockfish", "ray": True}
    config = from_toml({"ray": HEAD, "engines": {"a": engine, "b": engine | {"threads": 4}}})
    assert config.ray == RayConfig("127.0.0.1:6379", Path("token"), "127.0.0.1")
    assert [each.most for each in config.engines] == [Size(1, 256), Size(4, 256)]


@pytest.mark.parametrize(("document", "message"), [
    ({"engines": {"a": {"command": "x", "ray": True}}}, r"engines.a.ray needs a table \[ray\]"),
    ({"ray": HEAD | {"address": "head"}}, "ray.address needs HOST:PORT of the head"),
    ({"ray": HEAD | {"port": -1}}, "ray.port needs a port"),
    ({"ray": {"address": "h:1"}}, "ray.token is missing"),
    ({"ray": HEAD | {"adress": "h:1"}}, "unknown key ray.adress: did you mean 'address'"),
    ({"engines": {"a": {"command": "x", "threads": 0}}}, "a.threads needs a whole number from 1"),
])  # fmt: skip
def test_what_is_wrong_is_said(document: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_toml(document)


def test_cluster_needs_its_token_and_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = RayConfig("h:1", tmp_path / "token", "127.0.0.1")
    monkeypatch.setattr(sections, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"needs Ray: pip install 'rookery-chess\[ray\]'"):
        config.check_usable()
    monkeypatch.setattr(sections, "find_spec", lambda _: "there")
    with pytest.raises(ConfigError, match=r"ray.token: cannot read .*: No such file"):
        config.check_usable()
    config.token.touch()
    with pytest.raises(ConfigError, match="is empty"):
        config.check_usable()


# --- the listener


@pytest.fixture
async def listener() -> AsyncIterator[NodeListener]:
    listener = NodeListener()
    await listener.open("127.0.0.1", 0)
    yield listener
    await listener.close()


async def knock(
    listener: NodeListener, greeting: bytes
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
    writer.write(greeting)
    return reader, writer


async def is_turned_away(listener: NodeListener, greeting: bytes) -> bool:
    reader, writer = await knock(listener, greeting)
    async with asyncio.timeout(TIMEOUT):
        try:
            heard = await reader.read()
        except ConnectionResetError:
            heard = b""
    writer.close()
    return heard == b""


@pytest.mark.parametrize("greeting", [b"\n", b"GET / HTTP/1.1\n", b"x" * 300, b"%b other\n"])
async def test_stranger_is_turned_away(listener: NodeListener, greeting: bytes) -> None:
    engine = SocketEngine(("x",), NULL_LISTENER, name="x")
    token = listener.expect(engine).encode()
    greeting = greeting.replace(b"%b", token)
    assert await is_turned_away(listener, greeting)
    assert not engine.has_started


async def test_silent_crowd_keeps_no_engine_out(
    listener: NodeListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door_module, "_MAX_PENDING", 8)
    silent = [
        await asyncio.open_connection("127.0.0.1", listener.port, local_addr=(source, 0))
        for source in ("127.0.0.2", "127.0.0.3")
        for _ in range(6)
    ]
    engine = SocketEngine(("x",), NULL_LISTENER, name="x", on_gone=listener.expect_no_more)
    engine.send_lines(b"uci\n")
    reader, writer = await knock(listener, listener.expect(engine).encode() + b" lines\n")
    async with asyncio.timeout(TIMEOUT):
        assert await reader.readline() == b"uci\n"
    assert len(listener.pending) <= 8
    engine.kill()
    for _, each in (*silent, (reader, writer)):
        each.close()


async def test_token_opens_once_and_not_for_an_engine_that_is_gone(listener: NodeListener) -> None:
    engine = SocketEngine(("x",), NULL_LISTENER, name="x", on_gone=listener.expect_no_more)
    greeting = listener.expect(engine).encode() + b" lines\n"
    engine.send_lines(b"uci\n")
    reader, writer = await knock(listener, greeting)
    async with asyncio.timeout(TIMEOUT):
        assert await reader.readline() == b"uci\n"
    assert await is_turned_away(listener, greeting)
    engine.kill()
    await until(lambda: engine.is_gone)
    assert await is_turned_away(listener, greeting.replace(b"lines", b"events"))
    writer.close()


async def test_silent_guest_is_sent_away(
    listener: NodeListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery_server.cluster.node_listener._GREETING", 0.1)
    assert await is_turned_away(listener, b"")


# --- sessions


async def saying(server: Running, *lines: str) -> Lines:
    client = Lines(*await asyncio.open_connection("127.0.0.1", server.tcp_port))
    client.say("rookery engine far", *lines)
    return client


async def test_server_whose_cluster_is_not_there_serves_its_other_engines(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("x" * 64)
    ray = RayConfig(f"127.0.0.1:{free_port()}", tmp_path / "token", "127.0.0.1")
    async with asyncio.timeout(TIMEOUT), Running(Config((NEAR, FAR), SERVER, ray=ray)) as server:
        assert "cannot be joined" in server.host.fleet.trouble("far")
        assert "refused" in server.host.fleet.trouble("far")
        async with server.tcp() as client:
            client.say("isready")
            assert await client.hear() == "readyok"
        client = await saying(server, "isready")
        assert "engine-failed" in await client.hear()
        client.writer.close()


async def test_server_does_not_start_where_it_cannot_listen_for_nodes(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ray = RayConfig("127.0.0.1:1", tmp_path, "127.0.0.1", taken.getsockname()[1])
        with pytest.raises(ConfigError, match=r"ray.listen: cannot listen on 127.0.0.1 port"):
            async with Running(Config((NEAR, FAR), SERVER, ray=ray)):
                pass


@pytest.fixture
async def far(cluster: Cluster) -> AsyncIterator[Running]:
    ray = RayConfig(cluster.address, cluster.token, "127.0.0.1")
    server = dataclasses.replace(SERVER, start_timeout=60.0)
    engine = dataclasses.replace(FAR, command=odd("chatty"))
    async with Running(Config((engine,), server, ray=ray)) as running:
        yield running


async def pid_of(server: Running) -> int:
    """Wait until the first session has an engine that has told its number; return that."""
    async with asyncio.timeout(60):
        while True:
            labels = [each.flow.engine.label for each in server.host.actors if each.flow.engine]
            if labels and labels[0].split()[0].isdigit():
                return int(labels[0].split()[0])
            await asyncio.sleep(0.01)


def actor_of(engine: int) -> int:
    """Return the process that has started an engine."""
    fields = Path(f"/proc/{engine}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1])


async def test_session_goes_on_when_its_place_is_lost(far: Running) -> None:
    client = await saying(far, "isready", "go infinite")
    assert await client.hear() == "readyok"
    engine = await pid_of(far)
    os.kill(actor_of(engine), signal.SIGKILL)
    assert "engine-died" in await client.hear()
    async with asyncio.timeout(60):
        while await pid_of(far) == engine:
            await asyncio.sleep(0.01)
    client.say("stop")
    assert (await client.hear_until("bestmove"))[-1] == "bestmove a2a3"
    client.say("quit")
    assert await client.hear() == ""


async def test_job_goes_on_when_its_place_is_lost(cluster: Cluster, tmp_path: Path) -> None:
    near = with_program(own_engine())
    engine = dataclasses.replace(near, name="far", threads=1, hash_mb=64, ray=True)
    config = Config(
        (near, engine),
        dataclasses.replace(SERVER, start_timeout=60.0),
        ray=RayConfig(cluster.address, cluster.token, "127.0.0.1"),
        cache=CacheConfig(file=tmp_path / "jobs"),
        jobs=JobsConfig(workers=1),
    )
    async with Running(config) as server:
        assert server.jobs
        world = World(server.host, server.jobs, server.work_runner)
        items, limits = items_of(fens(60)), Limits(nodes=20_000)
        job = await world.post(items, new_job(limits=limits, engine="far"))
        actor = actor_of(await pid_of(server))
        await until(lambda: world.service.counts.results > 0, 60.0)
        os.kill(actor, signal.SIGKILL)
        assert world.service.counts.results < len(items)
        answers = await world.answers(job)
        here = await world.answers(await world.post(items, new_job(limits=limits)))
    expected = [text.replace('"rookery"', '"far"') for text in here]
    assert list(map(timeless, answers)) == list(map(timeless, expected))
