"""Lines under pressure: floods, slow readers, engines with bad habits."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from helpers.support import TIMEOUT, Running, code_of, hear_until, numbered, until

from rookery_protocol.notices import Code
from rookery_server.actor.backpressure import MAX_UNREAD, MAX_WAITING
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import BudgetConfig, Quotas
from rookery_uci import MAX_LINE

FLOOD = 200_000  # lines that the flooding engine says


@pytest.fixture
def habits() -> tuple[str, ...]:
    return ("polite", "chatty", "flood", "long", "latin", "lazy", "stderr")


@pytest.mark.parametrize("habit", ["flood", "chatty"])
async def test_flood_arrives_whole_at_a_fast_reader(app: Running, habit: str) -> None:
    async with app.tcp() as client:
        client.say(f"rookery engine {habit}", "go")
        lines = await client.hear_until("bestmove")
    assert len(lines) == FLOOD + 1
    assert [line.split()[2] for line in lines[:-1]] == [str(depth) for depth in range(FLOOD)]


@pytest.mark.parametrize("habit", ["flood", "chatty"])
async def test_slow_reader_hears_the_newest_and_costs_little(app: Running, habit: str) -> None:
    """Row 244 for what is owed; `info` that nobody can read in time is not kept."""
    with socket.create_connection(("127.0.0.1", app.tcp_port)) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(client, f"rookery engine {habit}\ngo\nisready\n".encode())
        await until(lambda: app.sessions and app.sessions[0].ready.answered)
        assert 0 < app.waiting() < 200_000
        heard = b""
        async with asyncio.timeout(TIMEOUT):
            while not heard.endswith(b"readyok\n"):
                heard += await loop.sock_recv(client, 65536)
    lines = heard.decode().splitlines()
    assert lines[-2:] == ["bestmove e2e4", "readyok"]
    newest = {f"info depth {FLOOD - n} " for n in (1, 2, 3)}
    assert {line[: len("info depth 199999 ")] for line in lines[-5:-2]} == newest
    assert len(lines) < FLOOD


async def test_engine_that_dies_amid_its_chatter_is_replaced(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine chatty", "go")
        await client.hear_until("info depth 1000 ")
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGKILL)
        await client.hear_until("info string rookery engine-died")
        lines = await client.hear_until("bestmove")
    assert len(lines) == FLOOD + 1


async def test_flood_does_not_starve_others(app: Running) -> None:
    async with app.websocket("flood") as flooded, app.websocket("polite") as client:
        await flooded.send("go")
        answered = 0
        async with asyncio.timeout(TIMEOUT), asyncio.TaskGroup() as tasks:
            flood = tasks.create_task(hear_until(flooded, "bestmove"), name="flood")
            while not flood.done():
                await client.send("isready")
                assert await client.recv() == "readyok"
                answered += 1
    assert answered > 20


async def test_line_of_an_engine_that_is_too_long_is_left_out(app: Running) -> None:
    async with app.websocket("long") as client:
        await client.send("go")
        assert await hear_until(client, "bestmove") == ["bestmove e2e4"]


async def test_text_that_is_no_utf8_does_not_break_a_websocket(app: Running) -> None:
    async with app.websocket("latin", max_size=MAX_LINE) as client:
        await client.send("go")
        assert await hear_until(client, "bestmove") == ["info string caf\ufffd", "bestmove e2e4"]


async def test_engine_that_does_not_read_is_ended(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine lazy", "isready")
        moves = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 450
        client.say(*[moves] * 150)
        notice = (await client.hear_until("info string rookery engine-died"))[-1]
    assert "unread" in notice


async def test_stderr_goes_to_the_log(app: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        async with app.websocket("stderr") as client:
            await client.send("go")
            await hear_until(client, "bestmove")
            await until(lambda: "engine stderr: 'what a position'" in caplog.text)


async def test_lines_that_come_too_fast_are_taken_slowly_and_none_is_lost(config: Config) -> None:
    quotas = Quotas({"lines_per_second": 100, "lines_burst": 5})
    async with Running(replace(config, quotas=quotas)) as app, app.tcp() as client:
        for _ in range(4):  # what comes in one piece is heard in one piece
            client.say(*["isready"] * 10)
            await client.writer.drain()
        heard: list[str] = []
        while heard.count("readyok") < 40:
            heard.append(await client.hear())
    (notice,) = [line for line in heard if line != "readyok"]
    assert code_of(notice) is Code.QUOTA_LINES


SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8") * 250


async def test_moves_that_have_to_be_played_count_as_lines(config: Config) -> None:
    quotas = Quotas({"lines_per_second": 100, "lines_burst": 60})
    async with Running(replace(config, quotas=quotas)) as app, app.tcp() as client:
        for first in ("e2e4 e7e5", "d2d4 d7d5"):
            client.say(f"position startpos moves {first} {' '.join(SHUFFLE)}")
        await client.hear_until("info string rookery quota-lines")


async def test_game_that_is_sent_whole_with_every_move_is_no_flood(config: Config) -> None:
    quotas = Quotas({"lines_per_second": 0.01, "lines_burst": 20})
    async with Running(replace(config, quotas=quotas)) as app, app.tcp() as client:
        client.say(*(f"position startpos moves {' '.join(SHUFFLE[:n])}" for n in range(1, 17)))
        client.say("isready")
        assert await client.hear() == "readyok"


async def mute(app: Running, lines: bytes) -> socket.socket:
    """Return a client that says lines, and does not read."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    client.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(client, ("127.0.0.1", app.tcp_port))
    await loop.sock_sendall(client, lines)
    return client


@pytest.fixture
async def talkative(config: Config) -> AsyncIterator[Running]:
    """Return a server whose engine has 1 KB of options."""
    engine = EngineConfig("stockfish", ("/usr/games/stockfish",))
    async with Running(replace(config, engines=(engine,))) as app:
        yield app


async def test_client_is_not_read_until_it_reads_its_answers(
    talkative: Running,
) -> None:
    count = 5000
    client = await mute(talkative, b"uci\n" * count)
    await until(lambda: talkative.waiting() > MAX_WAITING)
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(client, b"isready\n")
    heard, last = 0, b""
    async with asyncio.timeout(TIMEOUT):
        while not last.endswith(b"readyok\n"):
            piece = await loop.sock_recv(client, 65536)
            heard += (last[-5:] + piece).count(b"uciok\n")
            last = piece
    assert heard == count
    client.close()


async def test_client_that_never_reads_the_answers_is_dropped(
    talkative: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What has been read from the socket already is heard even by who hears no more.
    monkeypatch.setattr("rookery_server.actor.backpressure.MAX_WAITING", MAX_UNREAD)
    client = await mute(talkative, b"uci\n" * 40000)
    most = 0
    async with asyncio.timeout(TIMEOUT), talkative.tcp() as other:
        while talkative.host.totals.notices[Code.TOO_SLOW] == 0:
            most = max(most, talkative.waiting())
            other.say("isready")
            assert await other.hear() == "readyok"
    assert most < 2 * MAX_UNREAD
    client.close()


async def test_lines_for_the_server_itself_count_too(config: Config) -> None:
    quotas = Quotas({"lines_per_second": 1, "lines_burst": 20})
    async with Running(replace(config, quotas=quotas)) as app, app.tcp() as client:
        client.say("rookery session new", *["rookery heard 0"] * 40)
        await client.hear_until("info string rookery quota-lines")


async def test_message_that_is_binary_is_so_to_its_end(app: Running) -> None:
    async with app.websocket("polite") as client:
        await client.send([b"is", b"read", b"y"])  # in three frames
        await client.send([b"x", b"quit"])
        await client.send(["is", "ready"])
        heard = await hear_until(client, "readyok")
    assert [code_of(line) for line in heard[:-1]] == [Code.NOT_A_LINE] * 2


@pytest.fixture
async def patient(config: Config) -> AsyncIterator[Running]:
    """Return a server whose engine tells searches apart, and where they may take 0.3 s."""
    engine = EngineConfig("numbered", numbered())
    quotas = Quotas({"longest_search": 0.3})
    async with Running(replace(config, engines=(engine,), quotas=quotas)) as app:
        yield app


async def test_search_behind_one_that_takes_too_long_has_its_own_time(patient: Running) -> None:
    async with patient.tcp() as client:
        client.say("go nodes 7 infinite", "position startpos moves d2d4", "go nodes 6")
        heard = await client.hear_until("bestmove n7")
        assert Code.QUOTA_SEARCH in [code_of(line) for line in heard if "rookery" in line]
        heard = await client.hear_until("bestmove n6")
    assert sum("nodes 6 " in line for line in heard) == 6  # all that it has to say


async def test_session_that_is_ended_has_all_its_answers(patient: Running) -> None:
    async with patient.tcp() as client:
        client.say("go nodes 7 infinite")
        await client.hear_until("info depth")
        (actor,) = patient.host.actors
        [pid] = await patient.one_engine()
        os.kill(pid, signal.SIGSTOP)
        client.say("stop", "isready", "position startpos moves d2d4", "go nodes 8", "isready")
        client.say("go nodes 9 infinite", "isready")
        await until(lambda: actor.session.unanswered == 3)
        actor.dismiss("enough")
        heard = [
            line for line in await client.hear_until("nothing") if not line.startswith("info depth")
        ]
    *lines, notice, end = heard
    answers = [line for line in lines if not line.startswith("info string")]
    assert [line.split()[0] for line in answers] == ["bestmove", "readyok"] * 3
    # The first search had found a move; those behind it never began.
    notices = [code_of(line) for line in lines if line.startswith("info string")]
    assert notices == [Code.NO_SEARCH] * 2
    assert (code_of(notice), end) == (Code.UNAUTHORIZED, "")


async def test_session_that_is_ended_while_it_waits_for_an_engine_has_all_its_answers(
    config: Config,
) -> None:
    engine = EngineConfig("numbered", numbered())
    config = replace(config, engines=(engine,), budget=BudgetConfig(threads=1))
    async with Running(config) as app, app.tcp() as first, app.tcp() as client:
        first.say("go nodes 7 infinite")
        await first.hear_until("info depth")
        client.say("go nodes 8", "go nodes 9", "isready")
        await client.hear_until("readyok")
        (actor,) = [each for each in app.host.actors if each.flow.engine is None]
        actor.dismiss("enough")
        heard = await client.hear_until("nothing")
    assert [line.split()[0] for line in heard[:-2]] == ["info", "bestmove"] * 2
    assert [code_of(line) for line in heard[:-2:2]] == [Code.NO_SEARCH] * 2
    assert code_of(heard[-2]) is Code.UNAUTHORIZED
