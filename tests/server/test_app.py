"""The whole server in this process, spoken to over real sockets."""

import asyncio
import os
import signal
import socket
from dataclasses import replace

import pytest
from bench.endure.frame import BINARY, frame
from helpers.support import (
    STUBBORN,
    TIMEOUT,
    Running,
    children,
    closing,
    code_of,
    ends,
    gone,
    hear_until,
    odd,
    request_for,
    until,
)
from websockets.exceptions import InvalidStatus

from rookery_protocol.errors import ServerError
from rookery_protocol.notices import Close, Code
from rookery_server.actor.actor import SessionActor
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig, Forced, Policy
from rookery_server.config.sections import MetricsConfig


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "dies", "stderr", "variants")


async def http(app: Running, target: str, **headers: str) -> str:
    """Ask for a page; return the whole answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(request_for(target, host=f"127.0.0.1:{app.port}", **headers))
    async with asyncio.timeout(TIMEOUT):
        answer = (await reader.read()).decode()
    writer.close()
    return answer


# --- WebSocket


async def test_each_line_is_one_message(app: Running) -> None:
    async with app.websocket("polite") as client:
        await client.send("uci")
        assert await hear_until(client, "uciok") == ["id name Odd", "uciok"]
        await client.send("go")
        assert await hear_until(client, "bestmove") == ["bestmove e2e4"]


async def test_line_ending_in_a_message_is_forgiven(app: Running) -> None:
    async with app.websocket("polite") as client:
        await client.send("isready\r\n")
        assert await hear_until(client, "readyok") == ["readyok"]


async def test_fragments_are_one_line(app: Running) -> None:
    async with app.websocket("polite") as client:
        await client.send(["is", "rea", "dy"])
        assert await hear_until(client, "readyok") == ["readyok"]


async def test_binary_message_is_refused_and_the_session_goes_on(app: Running) -> None:
    async with app.websocket("polite") as client:
        await client.send(b"isready")
        assert code_of(str(await client.recv())) is Code.NOT_A_LINE
        await client.send("isready")
        assert await hear_until(client, "readyok") == ["readyok"]


async def test_text_within_a_binary_message_is_no_line(app: Running) -> None:
    async with app.websocket("polite") as client:
        client.transport.write(frame(b"half", BINARY, last=False))
        assert code_of(str(await client.recv())) is Code.NOT_A_LINE
        client.transport.write(frame(b"isready"))
        assert await closing(client) == ([], 1002)


async def test_error_in_one_session_keeps_nothing_from_the_others(
    app: Running, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(actor: SessionActor) -> None:
        seen.append(actor)
        raise ValueError("a bug")

    seen: list[SessionActor] = []
    async with app.websocket("polite") as first, app.websocket("polite") as second:
        for client in (first, second):
            await client.send("isready")
            await hear_until(client, "readyok")
        app.host.each(fail)
    assert len(seen) == 2
    assert caplog.text.count("an error of the server") == 2


async def test_frame_of_an_impossible_length_ends_its_connection_only(app: Running) -> None:
    async with app.websocket("polite") as client, app.tcp() as other:
        client.transport.write(b"\x81\xff" + ((1 << 64) - 14).to_bytes(8, "big") + b"mask")
        _, code = await closing(client)
        assert code in (1002, 1006, 1009)
        other.say("isready")
        assert await other.hear() == "readyok"


async def test_subprotocol_is_taken_if_offered(app: Running) -> None:
    async with app.websocket("polite", subprotocols=["uci"]) as client:
        assert client.subprotocol == "uci"
    async with app.websocket("polite") as client:
        assert client.subprotocol is None
    async with app.websocket("polite", subprotocols=["chess"]) as client:
        assert client.subprotocol is None


async def test_quit_closes_with_done(app: Running) -> None:
    async with app.websocket("polite") as client:
        await client.send("quit")
        assert await closing(client) == ([], Close.DONE)


async def test_what_came_before_a_line_that_is_too_long_is_heard(app: Running) -> None:
    async with app.websocket("polite") as client:
        await client.send("isready")
        await hear_until(client, "readyok")
        for text in (b"go infinite", b"x" * 70000):
            client.protocol.send_text(text)
        client.send_data()  # both at once
        lines, code = await closing(client)
    assert code == Close.TOO_BIG
    assert [line.split()[0] for line in lines].count("bestmove") == 1
    assert code_of(lines[-1]) is Code.LINE_TOO_LONG


@pytest.mark.parametrize("parts", [1, 2])
async def test_line_that_is_too_long_closes(app: Running, parts: int) -> None:
    async with app.websocket("polite") as client:
        await client.send("go infinite")
        await client.send("isready")
        await hear_until(client, "readyok")
        await client.send(["go " + "x" * (70000 // parts)] * parts)
        lines, code = await closing(client)
        assert code == Close.TOO_BIG
        assert [line.split()[0] for line in lines[-2:]] == ["bestmove", "info"]
        assert code_of(lines[-1]) is Code.LINE_TOO_LONG


async def test_unknown_engine(app: Running) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await app.websocket("nobody")
    assert caught.value.response.status_code == 404
    assert b"unknown-engine: there is no engine 'nobody'; there are: " in caught.value.response.body


async def test_engine_that_is_not_there(app: Running) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await app.websocket("missing")
    assert caught.value.response.status_code == 503
    assert b"engine-failed: engine missing cannot be used: " in caught.value.response.body


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "http://localhost@evil.example",
    ],
)
async def test_strange_web_pages_are_refused(app: Running, origin: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        await app.websocket("polite", origin=origin)
    assert caught.value.response.status_code == 403
    assert app.engine_pids() == []


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1"])
async def test_pages_of_this_machine_are_welcome(app: Running, origin: str) -> None:
    async with app.websocket("polite", origin=origin) as client:
        await client.send("isready")
        await hear_until(client, "readyok")


# --- TCP


async def test_first_engine_is_the_default(app: Running) -> None:
    async with app.tcp() as client:
        client.say("uci")
        assert await client.hear_until("uciok") == ["id name Odd", "uciok"]


async def test_hello_names_the_engine(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine stderr", "isready")
        assert await client.hear() == "readyok"
        assert [actor.engine_name for actor in app.host.actors] == ["stderr"]


async def test_unknown_engine_over_tcp(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine nobody")
        assert code_of(await client.hear()) is Code.UNKNOWN_ENGINE
        assert await client.hear() == ""


async def test_bytes_in_any_division(app: Running) -> None:
    """Row 28."""
    async with app.tcp() as client:
        for byte in b"uci\r\nisready\r":
            client.writer.write(bytes([byte]))
            await client.writer.drain()
            await asyncio.sleep(0)
        assert (await client.hear_until("readyok"))[-1] == "readyok"


async def test_end_of_input_is_answered_first(app: Running) -> None:
    """Row 240, and what was asked before it."""
    async with app.tcp() as client:
        client.say("uci")
        client.writer.write(b"isready")
        client.writer.write_eof()
        assert await client.hear_until("readyok") == ["id name Odd", "uciok", "readyok"]
        assert await client.hear() == ""


async def test_line_that_is_too_long_over_tcp(app: Running) -> None:
    async with app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        client.say("go " + "x" * 70000)
        assert code_of(await client.hear()) is Code.LINE_TOO_LONG
        assert await client.hear() == ""


# --- HTTP


async def test_health(app: Running) -> None:
    answer = await http(app, "/healthz")
    assert answer.startswith("HTTP/1.1 200 ")
    assert answer.endswith("\r\n\r\nok\n")


async def test_page_says_how_to_connect(app: Running) -> None:
    answer = await http(app, "/connect")
    assert answer.startswith("HTTP/1.1 200 ")
    assert f"rookery-bridge ws://127.0.0.1:{app.port}/engines/polite" in answer
    assert f"nc 127.0.0.1 {app.tcp_port}" in answer
    assert "Content-Security-Policy: default-src 'none'" in answer


@pytest.mark.parametrize("target", ["/nothing", "/../etc/passwd", "/engines/", "/engines/a/b"])
async def test_other_targets_are_not_found(app: Running, target: str) -> None:
    assert (await http(app, target)).startswith("HTTP/1.1 404 ")


# --- what an engine is told


async def test_variant_is_played_by_its_rules(app: Running) -> None:
    drop = "position startpos moves e2e4 d7d5 e4d5 d8d5 P@e4"
    async with app.tcp() as client:
        client.say("rookery engine variants", drop, "go")
        for _ in range(2):  # for the position, and for the `go`
            assert code_of(await client.hear()) is Code.ILLEGAL_POSITION
        assert await client.hear() == "bestmove 0000"
        client.say("setoption name UCI_Variant value crazyhouse", drop, "go")
        assert await client.hear() == f"info string heard {drop}"


async def test_what_the_operator_sets_is_heard_before_the_client(config: Config) -> None:
    policy = Policy(options=(Forced("uci_variant", "crazyhouse"),))
    engine = EngineConfig("forced", odd("variants"), policy)
    async with Running(Config((engine,), config.server)) as app, app.tcp() as client:
        client.say("go")
        heard = "info string heard setoption name UCI_Variant value crazyhouse"
        assert await client.hear() == heard


# --- ends


async def test_engine_ends_with_its_client(app: Running) -> None:
    """Rows 241, 246, with a search under way and the connection cut."""
    async with app.websocket("polite") as client:
        await client.send("go infinite")
        (pid,) = await app.one_engine()
        client.transport.abort()
    await gone(pid)
    assert app.engine_pids() == []


@pytest.mark.parametrize("stops", [False, True])
async def test_killed_engine_is_replaced(app: Running, stops: bool) -> None:
    """The client is told, and still has one bestmove for its go."""
    async with app.websocket("polite") as client:
        await client.send("go infinite")
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGSTOP if stops else signal.SIGKILL)
        if stops:
            await client.send("stop")
            await client.send("isready")
        notice = await hear_until(client, "info string rookery")
        assert code_of(notice[-1]) is Code.ENGINE_DIED
        assert "it did not stop" in notice[-1] if stops else "SIGKILL" in notice[-1]
        if not stops:
            assert await app.one_engine() != [pid]
            await client.send("stop")
            await client.send("isready")
        lines = await hear_until(client, "readyok")
        assert len([line for line in lines if line.startswith("bestmove ")]) == 1
    await gone(pid)


async def test_search_of_a_killed_engine_is_counted_like_any_other(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine polite", "go infinite")
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGKILL)
        await client.hear_until("info string rookery engine-died")
        client.say("stop")
        await client.hear_until("bestmove")
        (actor,) = app.host.actors
        await until(lambda: actor.totals.searches > 0)
        assert sum(app.host.totals.durations) == actor.totals.searches


async def test_engine_that_always_dies_is_given_up(app: Running) -> None:
    async with app.websocket("dies") as client:
        await client.send("go")
        lines, code = await closing(client)
    codes = [code_of(line) for line in lines if line.startswith("info")]
    assert codes == [*[Code.ENGINE_DIED] * 3, Code.NO_SEARCH, Code.ENGINE_DIED]
    assert "status 3" in lines[-1]
    assert [line for line in lines if line.startswith("bestmove")] == ["bestmove a2a3"]
    assert code == Close.ENGINE_GONE


async def test_isready_that_is_never_answered(config: Config) -> None:
    """The engine is taken for dead, and another one answers."""
    sessions = replace(config.sessions, ready_timeout=0.3)
    async with Running(replace(config, sessions=sessions)) as app, app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGSTOP)
        client.say("isready")
        assert "it did not answer isready" in await client.hear()
        assert await client.hear() == "readyok"


async def test_when_all_engines_hang_no_client_gets_another_that_does(config: Config) -> None:
    sessions = replace(config.sessions, ready_timeout=0.5, warm=3)
    polite = replace(config, sessions=sessions, engines=(EngineConfig("polite", odd("polite")),))
    others = set(children(os.getpid()))
    async with Running(polite) as app, app.tcp() as idle, app.tcp() as searching:
        idle.say("isready")
        assert await idle.hear() == "readyok"
        searching.say("go infinite", "isready")
        assert await searching.hear() == "readyok"
        await until(lambda: app.host.fleet.spares()["polite"] == 3)
        for pid in set(children(os.getpid())) - others:
            os.kill(pid, signal.SIGSTOP)
        idle.say("isready")
        searching.say("stop", "isready")
        heard = [await client.hear_until("readyok") for client in (idle, searching)]
    for lines in heard:
        assert lines[-1] == "readyok"
        assert sum("engine-died" in line for line in lines) == 1, lines
    assert [sum(line.startswith("bestmove") for line in lines) for lines in heard] == [0, 1]


async def test_engine_that_is_slow_to_answer_its_first_isready_is_not_taken_for_dead(
    config: Config,
) -> None:
    """It takes longer than the server takes from one look at its sessions to the next."""
    slow = replace(config, engines=(EngineConfig("slow", odd("slow")),))
    async with Running(slow) as app, app.tcp() as client:
        client.say("isready")
        assert await client.hear() == "readyok"


@pytest.fixture
def stubborn(config: Config) -> Config:
    return replace(config, engines=tuple(EngineConfig(habit, odd(habit)) for habit in STUBBORN))


async def test_deaf_engine_is_ended_for_certain(stubborn: Config) -> None:
    async with Running(stubborn) as app:
        async with app.websocket("deaf") as client:
            await client.send("isready")
            await client.recv()
            (pid,) = app.engine_pids()
        await gone(pid)


async def test_what_an_engine_started_ends_with_it(stubborn: Config) -> None:
    async with Running(stubborn) as app:
        async with app.websocket("parent") as client:
            await client.send("isready")
            await hear_until(client, "readyok")
            (pid,) = app.engine_pids()
            (child,) = children(pid)
        await gone(pid)
        await gone(child)


async def test_no_descriptor_is_left(config: Config) -> None:
    sessions = replace(config.sessions, warm_most=1)  # those taken together are kept ready
    async with Running(replace(config, sessions=sessions)) as app:
        before = ends()
        for _ in range(20):
            async with app.websocket("polite") as client:
                await client.send("isready")
                await hear_until(client, "readyok")
            async with app.tcp() as lines:
                lines.say("isready")
                await lines.hear()
        await until(lambda: not app.engine_pids() and ends() <= before)


async def test_drain_says_why_and_gives_the_bestmove(config: Config) -> None:
    async with Running(config) as app:
        client = await app.websocket("polite")
        await client.send("go infinite")
        await client.send("isready")
        await hear_until(client, "readyok")
        (pid,) = await app.one_engine()
    lines, code = await closing(client)
    assert code_of(lines[0]) is Code.DRAINING  # so that the move is not taken for the answer
    assert lines[1] == "bestmove a2a3"
    assert code_of(lines[2]) is Code.DRAINING
    assert code == Close.RESTART
    await gone(pid)


async def test_port_in_use_is_an_error(app: Running, config: Config) -> None:
    with pytest.raises(ServerError, match=r"cannot listen on 127\.0\.0\.1.*; choose other ports"):
        async with Running(Config((), replace(config.server, port=app.port))):
            pass


async def test_nothing_listens_after_an_error(app: Running, config: Config) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = replace(config.server, port=port, tcp_port=0)
    with pytest.raises(ServerError, match="choose other ports"):
        async with Running(Config((), server, metrics=MetricsConfig(port=app.port))):
            pass
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid"])
async def test_address_of_nobody_is_an_error(config: Config, host: str) -> None:
    """192.0.2.0/24 is for documentation."""
    with pytest.raises(ServerError, match=r"; give an address of this machine with --host"):
        async with Running(Config((), replace(config.server, host=host))):
            pass
    metrics = MetricsConfig(port=0, host=host)
    with pytest.raises(ServerError, match=f"on {host}: .*; give an address .* as metrics.host"):
        async with Running(replace(config, engines=(), metrics=metrics)):
            pass
