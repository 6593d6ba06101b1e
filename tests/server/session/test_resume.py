"""Sessions that outlive their connections, over both transports."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.detached import CONFIG, SERVER, begin, returning, until_detached
from helpers.peers import peer, running
from helpers.proxy import Proxy
from helpers.returning import Returning
from helpers.support import (
    TIMEOUT,
    Lines,
    Running,
    add_token,
    closing,
    code_of,
    empty,
    until,
)  # fmt: skip
from websockets.frames import Frame, Opcode

from rookery_protocol.hello import Hello
from rookery_protocol.notices import Close, Code
from rookery_server.config.resources import BudgetConfig, Quotas
from rookery_server.config.sections import SessionsConfig
from rookery_server.session.commands import SEARCHING


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    async with running(CONFIG) as app:
        yield app


async def refused(client: Lines, text: str, heard: int = 0) -> Code:
    """Try to come back; return why that cannot be."""
    client.say(f"rookery session {text} heard {heard}")
    code = code_of(await client.hear())
    assert await client.hear() == ""
    return code


@pytest.mark.parametrize("transport", ["tcp", "websocket"])
async def test_session_of_an_engine_that_is_offered_no_more_is_come_back_to_by_its_name(
    app: Running, transport: str
) -> None:
    async with app.tcp() as client:
        client.say("rookery engine numbered session new", "go nodes 7 infinite")
        hello = Hello.parse((await client.hear()).encode())
        assert hello
        await client.hear_until("info depth")
        client.writer.transport.abort()
    await until_detached(app)
    await app.reconfigure(replace(CONFIG, engines=CONFIG.engines[1:]))
    async with app.tcp() as client:
        client.say("rookery engine numbered", "isready")
        assert code_of(await client.hear()) is Code.UNKNOWN_ENGINE
        assert await client.hear() == ""
    async with app.tcp() as client:
        client.say("rookery engine numbered session new")
        assert code_of(await client.hear()) is Code.UNKNOWN_ENGINE
    async with peer(app, transport, engine="numbered") as back:
        if transport == "tcp":
            await back.say(f"rookery engine numbered session {hello.session} heard 0")
        else:
            await back.say(f"rookery session {hello.session} heard 0")
        await back.say("stop")
        assert "bestmove n7" in await back.until("bestmove")
        await back.say("quit")
        await back.end()
    async with app.tcp() as client:
        client.say("rookery engine numbered")
        assert code_of(await client.hear()) is Code.UNKNOWN_ENGINE


@pytest.mark.parametrize(("first", "second"), [("tcp", "websocket"), ("websocket", "tcp")])
async def test_search_goes_on_over_the_other_transport(
    app: Running, first: str, second: str
) -> None:
    client = returning(app, first)
    await client.connect()
    await client.say("isready", "go nodes 7 infinite")
    await client.until(1)
    pids = await app.one_engine()
    client.lose()
    await until_detached(app)
    client.transport = second
    await client.say("stop", "isready")
    await client.until(3)
    assert client.answers == ["readyok", "bestmove n7", "readyok"]
    assert app.engine_pids() == pids


async def test_bestmove_said_meanwhile_is_heard_once(app: Running) -> None:
    client = returning(app)
    await client.connect()
    await client.say("go nodes 3")
    await until(lambda: app.host.actors)
    (actor,) = app.host.actors
    await until(lambda: actor.session.state is SEARCHING)
    client.lose()
    await until(lambda: actor.flow.replay and actor.flow.replay.count)
    await client.until(1)
    await client.say("isready")
    await client.until(2)
    assert client.answers == ["bestmove n3", "readyok"]


async def test_taken_over_connection_is_closed_and_not_heard(app: Running) -> None:
    async with app.websocket("numbered") as old, app.tcp() as new:
        await old.send("rookery session new")
        hello = Hello.parse(str(await old.recv()).encode())
        assert hello
        new.say(f"rookery session {hello.session} heard 0")
        assert (await new.hear()).startswith("rookery session ")
        # Not by `send`, which the library refuses if it has seen the close already.
        old.transport.write(Frame(Opcode.TEXT, b"go nodes 1").serialize(mask=True))
        _, code = await closing(old)
        assert code == Close.TAKEN_OVER
        new.say("isready")
        assert await new.hear() == "readyok"
        new.say("rookery heard 1")
        assert await new.hear() == "rookery heard 1"  # and not 2


async def test_connection_that_does_not_read_does_not_when_it_takes_over_either(
    app: Running,
) -> None:
    """Its transport says so once only: what is said waits, and the engine does not."""
    async with app.tcp() as old, app.tcp() as new:
        hello = await begin(old, "isready")
        assert await old.hear() == "readyok"
        (actor,) = app.host.actors
        new.say("rookery cache off")  # begins a session
        assert await new.hear() == "rookery cache off"
        (newcomer,) = app.host.actors - {actor}
        client = newcomer.client
        assert client
        newcomer.client_paused()  # as its transport does
        new.say(f"rookery session {hello.session} heard 1", "go nodes 5")
        await until(lambda: actor.totals.searches == 1)
        assert actor.flow.channel
        assert actor.flow.channel.outbox.size > 0
        assert client.relay is actor
        actor.client_resumed()
        assert (await new.hear()).startswith("rookery session ")
        assert (await new.hear_until("bestmove"))[-1] == "bestmove n5"


async def test_half_open_connection_is_taken_over(app: Running) -> None:
    assert app.tcp_port
    async with Proxy(app.tcp_port, seed=1) as proxy:
        client = Returning({"tcp": proxy.port})
        await client.connect()
        await client.say("go nodes 5 infinite")
        await app.one_engine()
        proxy.cut("silence")
        await client.say("stop", "isready")
        await client.until(2)
        assert client.answers == ["bestmove n5", "readyok"]
        assert len(app.host.actors) == 1


async def test_end_of_input_within_a_line_is_a_lost_connection(app: Running) -> None:
    """A dying machine ends connections in order, and the line goes on when it is back."""
    async with app.tcp() as client:
        hello = await begin(client)
        client.writer.write(b"go nodes 12")
        client.writer.write_eof()
        await until_detached(app)
    async with app.tcp() as client:
        client.say(f"rookery session {hello.session} heard 0", "go nodes 123")
        assert " heard 0 " in await client.hear()
        assert (await client.hear_until("bestmove"))[-1] == "bestmove n123"


async def test_end_of_input_within_the_pass_does_no_harm(app: Running) -> None:
    """The rest of the line might open the session, and the end of input end it."""
    async with app.tcp() as client:
        hello = await begin(client)
    await until_detached(app)
    async with app.tcp() as client:
        client.writer.write(f"rookery session {hello.session} heard 1".encode())
        client.writer.write_eof()
        assert await client.hear() == ""
    async with app.tcp() as client:
        client.say(f"rookery session {hello.session} heard 0", "isready")
        assert (await client.hear_until("readyok"))[-1] == "readyok"


async def test_grace_expires() -> None:
    config = replace(CONFIG, sessions=SessionsConfig(grace=0.2))
    async with running(config) as app:
        async with app.tcp() as client:
            hello = await begin(client, "go nodes 1 infinite")
            (pid,) = await app.one_engine()
        await empty(app)
        assert not Path(f"/proc/{pid}").exists()
        async with app.tcp() as client:
            assert hello.session
            assert await refused(client, hello.session) is Code.UNKNOWN_SESSION


async def test_quit_cannot_be_come_back_from(app: Running) -> None:
    async with app.tcp() as client:
        hello = await begin(client, "isready")
        await client.hear_until("readyok")
        client.say("quit")
        assert await client.hear() == ""
    async with app.tcp() as client:
        assert hello.session
        assert await refused(client, hello.session) is Code.UNKNOWN_SESSION
    await empty(app)


async def test_pass_of_another_account_is_no_good(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    anna, ben = add_token(path, "anna"), add_token(path, "ben")
    async with running(replace(CONFIG, server=replace(SERVER, tokens=path))) as app:
        async with app.tcp() as client:
            client.say(f"rookery token {anna} session new")
            hello = Hello.parse((await client.hear()).encode())
            assert hello
        for token, good in ((ben, False), (anna, True)):
            async with app.tcp() as client:
                client.say(f"rookery token {token} session {hello.session} heard 0")
                answer = await client.hear()
                assert answer.startswith("rookery session ") is good


async def test_none_comes_back_to_a_server_that_drains() -> None:
    async with Running(CONFIG) as app:
        async with app.tcp() as client:
            hello = await begin(client, "go nodes 9 infinite")
            (pid,) = await app.one_engine()
        await until_detached(app)
        new = Lines(*await asyncio.open_connection("127.0.0.1", app.tcp_port))
        new.say("isready")
        assert await new.hear() == "readyok"
        draining = asyncio.create_task(app.host.__aexit__(), name="drain")
        await asyncio.sleep(0)
        new.say(f"rookery session {hello.session} heard 0")
        with suppress(ConnectionResetError):
            while line := await new.hear():
                assert code_of(line) is Code.DRAINING
        async with asyncio.timeout(TIMEOUT):
            await draining
        assert not Path(f"/proc/{pid}").exists()
        app.host.__aexit__ = _nothing  # type: ignore[method-assign]  # it has been done
        new.writer.close()


async def _nothing(*_: object) -> None:
    pass


async def test_engine_that_is_killed_while_nobody_is_there_is_replaced(app: Running) -> None:
    client = returning(app)
    await client.connect()
    await client.say("setoption name Hash value 32", "go nodes 8 infinite")
    (pid,) = await app.one_engine()
    client.lose()
    await until_detached(app)
    os.kill(pid, signal.SIGKILL)
    await until(lambda: app.engine_pids() not in ([], [pid]))
    await client.say("stop", "isready")
    await client.until(2)
    assert client.answers == ["bestmove n8", "readyok"]
    assert Code.ENGINE_DIED in [notice.code for notice in client.notices]


async def test_engine_that_is_killed_while_idle_leaves_its_slot() -> None:
    config = replace(CONFIG, budget=BudgetConfig(threads=1))
    async with running(config) as app, app.tcp() as first, app.tcp() as second:
        first.say("isready")
        await first.hear()
        (pid,) = await app.one_engine()
        os.kill(pid, signal.SIGKILL)
        assert code_of(await first.hear()) is Code.ENGINE_DIED
        second.say("go nodes 1")
        assert (await second.hear_until("bestmove"))[-1] == "bestmove n1"


async def test_gap_is_told(app: Running) -> None:
    """Lines that are owed and not acknowledged for 256 KiB."""
    async with app.tcp() as client:
        hello = await begin(client)
        for _ in range(40):
            client.say(*["uci"] * 100, "isready")
            await client.hear_until("readyok")
    async with app.tcp() as client:
        client.say(f"rookery session {hello.session} heard 0")
        assert (await client.hear()).startswith("rookery session ")
        assert code_of(await client.hear()) is Code.GAP
        client.say("go nodes 3")
        assert (await client.hear_until("bestmove"))[-1] == "bestmove n3"


async def test_none_has_heard_more_than_was_said(app: Running) -> None:
    async with app.tcp() as client:
        hello = await begin(client, "isready")
        assert await client.hear() == "readyok"
    assert hello.session
    async with app.tcp() as client:
        assert await refused(client, hello.session, heard=99) is Code.BAD_COMMAND
    async with app.tcp() as client:
        client.say(f"rookery session {hello.session} heard 0")
        assert await client.hear_until("readyok")


async def test_flood_that_nobody_hears_costs_little(app: Running) -> None:
    async with app.tcp() as client:
        client.say("rookery engine flood session new", "go")
        hello = Hello.parse((await client.hear()).encode())
        assert hello
    (actor,) = app.host.actors
    async with asyncio.timeout(TIMEOUT):
        while not (actor.flow.replay and actor.flow.replay.count):
            assert not actor.flow.replay or actor.flow.replay.size <= 1 << 19
            await asyncio.sleep(0.01)
    async with app.tcp() as client:
        client.say(f"rookery session {hello.session} heard 0")
        lines = await client.hear_until("bestmove")
        assert len(lines) < 10


# --- who makes room


async def test_what_else_a_client_asks_is_of_the_session_that_it_comes_back_to(
    app: Running,
) -> None:
    async with app.tcp() as client:
        hello = await begin(client)
    await until_detached(app)
    async with app.tcp() as client:
        client.say(f"rookery session {hello.session} heard 0 cache off work batch room open")
        assert (await client.hear()).startswith("rookery session ")
        assert await client.hear() == "rookery cache off"
        assert (await client.hear()).startswith("rookery room open ")
        (actor,) = app.host.actors
        assert actor.is_batch
        assert not actor.wants_cache


async def test_connection_with_a_session_of_its_own_keeps_it(app: Running) -> None:
    """The lines that it is owed there would be lost with it."""
    async with app.tcp() as client:
        hello = await begin(client)
    await until_detached(app)
    async with app.tcp() as other:
        other.say("go nodes 4 infinite", f"rookery session {hello.session} heard 0")
        assert code_of((await other.hear_until("info string"))[-1]) is Code.BAD_COMMAND
        other.say("stop")
        assert (await other.hear_until("bestmove"))[-1] == "bestmove n4"


async def test_return_to_no_session_is_refused_though_no_other_may_be_had() -> None:
    quotas = Quotas({"sessions": 1})
    async with running(replace(CONFIG, quotas=quotas)) as app, app.tcp() as first:
        first.say("isready")
        assert await first.hear() == "readyok"
        async with app.tcp() as client:
            assert await refused(client, "gone.gone") is Code.UNKNOWN_SESSION
        async with app.tcp() as client:
            client.say("isready")
            assert code_of(await client.hear()) is Code.QUOTA_SESSIONS


@pytest.mark.parametrize(
    "line",
    [
        "rookery engine numbered heard 3",
        "rookery session new heard 3",
        "rookery session new grace 5",
        "rookery engine numbered engine numbered",
    ],
)
async def test_first_line_that_makes_no_sense_begins_nothing(app: Running, line: str) -> None:
    async with app.tcp() as client:
        client.say(line)
        assert code_of(await client.hear()) is Code.BAD_COMMAND
        assert await client.hear() == ""
    assert not app.host.actors
