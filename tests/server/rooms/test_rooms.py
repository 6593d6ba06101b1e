"""Sessions that others watch, over both transports, with engines and connections that are real."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.peers import (
    CONFIG,
    FLOOD,
    SERVER,
    TRANSPORTS,
    code_in,
    peer,
    room_lines,
    running,
    watched_by,
)
from helpers.returning import Returning
from helpers.support import TIMEOUT, Running, add_token, code_of, until
from websockets.exceptions import InvalidStatus

from rookery_protocol.hello import Hello, RoomLine, RoomWord
from rookery_protocol.notices import Close, Code
from rookery_server.access.token_file import TokenFile
from rookery_server.config.resources import Quotas
from rookery_server.http.admin_socket import AdminSocket
from rookery_server.http.health import Metrics
from rookery_server.rooms import broadcaster
from rookery_server.session.commands import SessionState


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    async with running() as app:
        yield app


# --- one search, and who watches it


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_client_that_comes_late_hears_where_things_stand_and_then_what_the_owner_does(
    app: Running, transport: str
) -> None:
    async with peer(app, transport) as owner, peer(app, transport) as late:
        await owner.say("setoption name Hash value 32", "position startpos moves e2e4")
        await owner.say("go nodes 7 infinite")
        await owner.until("info depth 2")
        told = await late.watch(await owner.open())
        assert told[:2] == ["rookery room watch 1", "id name Numbered"]
        assert "option name Hash type spin default 16 min 1 max 4096" in told
        assert "uciok" not in told
        assert [line for line in room_lines(told) if line != "watch 1"] == [
            "said setoption name Hash value 32",
            "said position startpos moves e2e4",
            "said go infinite nodes 7",
            "control owner",
            "watching 1",
        ]
        (info,) = [line for line in told if line.startswith("info ")]
        assert info.endswith("pv e2e4 e7e5")
        await owner.say("stop", "position startpos", "go nodes 8")
        assert (await owner.until("bestmove n8")).count("bestmove n7") == 1
        heard = await late.until("bestmove n8")
        assert [line for line in heard if not line.startswith("info ")] == [
            "rookery room said stop",
            "bestmove n7",
            "rookery room said position startpos",
            "rookery room said go nodes 8",
            "bestmove n8",
        ]


async def test_what_is_held_back_is_said_when_it_takes_effect(app: Running) -> None:
    async with peer(app) as owner, peer(app) as watcher:
        await watcher.watch(await owner.open())
        await owner.say("go nodes 7 infinite")
        # A search that still waits for its engine would end at `stop` without one.
        await until(lambda: app.sessions[0].state is SessionState.SEARCHING)
        await owner.say("position startpos moves d2d4", "go nodes 1")
        await owner.say("position fen nonsense", "stop")
        heard = [line for line in await watcher.until("bestmove n1") if "info" not in line]
        assert heard == [
            "rookery room said go infinite nodes 7",
            "rookery room said stop",
            "bestmove n7",
            "rookery room said position startpos moves d2d4",
            "rookery room said go nodes 1",
            "rookery room said stop",  # It ends the searches behind it, too.
            "bestmove n1",
        ]


async def test_owner_hears_nothing_else_than_it_did(app: Running) -> None:
    async with peer(app) as owner, peer(app) as watcher:
        await watcher.watch(await owner.open())
        assert await owner.until("rookery room watching 1")
        await owner.say("position startpos", "go nodes 3", "isready")
        heard = [line for line in await owner.until("bestmove") if not line.startswith("info ")]
        assert heard == ["readyok", "bestmove n3"]


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_client_that_watches_is_answered_but_says_nothing_to_the_engine(
    app: Running, transport: str
) -> None:
    async with peer(app) as owner, peer(app, transport) as watcher:
        await watcher.watch(await owner.open())
        await owner.say("go nodes 7 infinite")
        await watcher.until("info depth")
        await watcher.say("uci")
        assert "id name Numbered" in await watcher.until("uciok")
        await watcher.ready()
        for line in ("stop", "go depth 1", "position startpos", "setoption name Hash value 1", "x"):
            await watcher.say(line)
            assert code_in(await watcher.until("info string")) is Code.ROOM_READ_ONLY
        await watcher.say("quit")
        await watcher.end()
        assert watcher.close_code in (None, Close.DONE)
        await owner.say("stop")
        heard = await owner.until("bestmove")
        assert not any(line.startswith("info string") for line in heard)
        assert heard[-1] == "bestmove n7"


HOSTILE = [
    "rookery", "rookery room", "rookery room watch", "rookery room watch x", "rookery room close",
    "rookery room accept", "rookery room return", "rookery room hand 1", "rookery room take",
    "rookery room decline", "rookery room open", "rookery room said go", "rookery room x",
    "rookery session new", "rookery session a.b heard 0", "rookery heard 99", "rookery engine x",
    "joho quit0", "\x01", "é", "go " * 1000, "position startpos moves " + "e2e4 " * 1000,
]  # fmt: skip


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_owner_does_not_notice_what_a_hostile_one_says(app: Running, transport: str) -> None:
    async with peer(app) as owner, peer(app, transport) as hostile:
        await hostile.watch(await owner.open())
        await owner.until("rookery room watching 1")
        for line in HOSTILE:
            await hostile.say(line)
            await hostile.ready()
        assert await owner.ready() == ["readyok"]
        await hostile.say("x" * 70_000)
        heard = await hostile.end()
        assert Code.LINE_TOO_LONG in map(code_of, heard[-1:]) or transport == "websocket"
        await owner.until("rookery room watching 0")
        assert await owner.ready() == ["readyok"]


async def test_flood_reaches_many_and_its_owner_whole(app: Running) -> None:
    """Twenty watch; one of them does not read, which costs little and is noticed by nobody."""
    async with peer(app, engine="flood") as owner, asyncio.TaskGroup() as tasks:
        name = await owner.open()
        deaf = socket.create_connection(("127.0.0.1", app.tcp_port or 0))
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(deaf, f"rookery room watch {name}\n".encode())

        async def look_on(transport: str) -> list[str]:
            async with peer(app, transport) as watcher:
                await watcher.watch(name)
                ready.release()
                return await watcher.until("bestmove")

        ready = asyncio.Semaphore(0)
        watching = [tasks.create_task(look_on(TRANSPORTS[n % 2])) for n in range(19)]
        for _ in watching:
            await ready.acquire()
        await watched_by(app, 20)
        await owner.say("go")
        heard = await owner.until("bestmove")
        flood = [line.split()[2] for line in heard if line.startswith("info depth")]
        assert flood == [str(depth) for depth in range(FLOOD)]
        newest = {f"info depth {FLOOD - n}" for n in (1, 2, 3)}
        for task in watching:
            lines = await task
            assert {" ".join(line.split()[:3]) for line in lines[-4:-1]} == newest
            assert len(lines) < FLOOD
        assert (await owner.ready())[-1] == "readyok"
        assert all(each._channel.outbox.size <= 1 << 17 for each in app.host.rooms.spectators())
        deaf.close()


async def test_client_that_has_fallen_behind_hears_where_things_stand(app: Running) -> None:
    async with peer(app) as owner:
        name = await owner.open()
        deaf = socket.create_connection(("127.0.0.1", app.tcp_port or 0))
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(deaf, f"rookery room watch {name}\n".encode())
        await watched_by(app, 1)
        (spectator,) = app.host.rooms.spectators()
        moves = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 400
        async with asyncio.timeout(TIMEOUT):
            while not spectator._is_behind:
                await owner.say(*[moves] * 20)
                await owner.ready()
        assert spectator._channel.outbox.size == 0
        await owner.say("position startpos moves h2h4", "go nodes 5")
        await owner.until("bestmove")
        heard = b""
        async with asyncio.timeout(TIMEOUT):
            while not heard.endswith(b"rookery room watching 1\n") or b"n5" not in heard:
                heard += await loop.sock_recv(deaf, 65536)
        stand = heard.decode().splitlines()[-5:]
        assert stand[0].startswith("rookery room said go nodes 5") or stand[0].startswith("info")
        assert stand[-3:] == [
            "bestmove n5", "rookery room control owner", "rookery room watching 1"
        ]  # fmt: skip
        assert b"\nrookery room said position startpos moves h2h4\n" in heard
        deaf.close()


async def test_client_that_does_not_read_when_it_begins_to_watch_has_to_make_room_too(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcaster, "STALLED", 0.1)
    async with peer(app) as owner, peer(app) as deaf:
        name = await owner.open()
        await deaf.say("rookery cache off")
        await deaf.until("rookery cache off")
        (newcomer,) = [actor for actor in app.host.actors if app.host.rooms.of(actor) is None]
        newcomer.client_paused()  # as its transport does, and only once
        await deaf.say(f"rookery room watch {name}")
        assert code_in(await deaf.end()) is Code.ROOM_TOO_SLOW


async def test_client_that_does_not_read_has_to_make_room(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcaster, "STALLED", 0.1)
    async with peer(app) as owner:
        name = await owner.open()
        with socket.create_connection(("127.0.0.1", app.tcp_port or 0)) as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.sendall(f"rookery room watch {name}\n".encode())
            await watched_by(app, 1)
            moves = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 400
            async with asyncio.timeout(TIMEOUT):
                while app.host.rooms.spectators():
                    await owner.say(*[moves] * 20)
                    await owner.ready()


async def test_engine_that_dies_is_told_to_all(app: Running) -> None:
    async with peer(app, engine="dies") as owner, peer(app) as watcher:
        await watcher.watch(await owner.open())
        await owner.say("go movetime 1000")
        codes = [code_of(line) for line in await watcher.until("bestmove", "info string rookery")
                 if line.startswith("info string")]  # fmt: skip
        assert Code.ENGINE_DIED in codes
        heard = await watcher.end()
        assert code_in(heard) is Code.ROOM_CLOSED
        assert Code.ENGINE_DIED in map(code_of, heard[-2:-1])


# --- the end of it


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_closed_room_lets_nobody_in(app: Running, transport: str) -> None:
    async with (
        peer(app) as owner,
        peer(app, transport) as watcher,
        peer(app, transport) as late,
    ):
        name = await owner.open()
        assert await owner.open() == name
        await watcher.watch(name)
        await owner.say("rookery room close")
        assert code_in(await watcher.end()) is Code.ROOM_CLOSED
        assert watcher.close_code in (None, Close.ROOM)
        await owner.until("rookery room close")
        await late.say(f"rookery room watch {name}")
        assert code_in(await late.end()) is Code.UNKNOWN_ROOM
        assert late.close_code in (None, Close.ROOM)
        assert await owner.ready() == ["readyok"]
        assert await owner.open() != name


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_room_ends_with_its_session(app: Running, transport: str) -> None:
    async with peer(app) as owner, peer(app, transport) as watcher:
        await watcher.watch(await owner.open())
        await owner.say("go nodes 3")
        await owner.until("bestmove")
        await owner.say("quit")
        heard = await watcher.end()
        assert "bestmove n3" in heard
        assert code_in(heard) is Code.ROOM_CLOSED
        assert watcher.close_code in (None, Close.ROOM)


async def test_server_that_shuts_down_tells_all() -> None:
    async with AsyncExitStack() as stack:
        async with Running(CONFIG) as app:
            owner = await stack.enter_async_context(peer(app, "websocket"))
            watcher = await stack.enter_async_context(peer(app, "websocket"))
            await watcher.watch(await owner.open())
        assert code_in(await watcher.end()) is Code.DRAINING
        assert watcher.close_code == Close.RESTART


# --- owners that are cut off


async def test_room_outlives_the_connection_of_its_owner(app: Running) -> None:
    assert app.tcp_port
    owner = Returning({"tcp": app.tcp_port, "websocket": app.port})
    await owner.connect()
    assert owner._link
    await owner._link.send("rookery room open")
    line = ""
    while not line.startswith("rookery room open"):
        line = await owner.hear()
    name = line.split()[-1]
    async with peer(app) as guest, peer(app) as watcher:
        await guest.watch(name)
        await watcher.watch(name)
        await owner.say("go nodes 7 infinite")
        await watcher.until("info depth")
        await owner._link.send("rookery room hand 1")
        await guest.until("rookery room offer")
        owner.lose()
        await until(lambda: not any(actor.client for actor in app.host.actors))
        # Control goes on without it; what the guest says is none of its lines.
        await guest.say("rookery room accept", "stop", "isready", "go nodes 8")
        assert (await watcher.until("bestmove n8")).count("bestmove n7") == 1
        owner.transport = "websocket"
        await owner.until(2)
        assert owner.answers == ["bestmove n7", "bestmove n8"]
        heard = []
        while not heard or not heard[-1].startswith("rookery room watching"):
            heard.append(await owner.hear())
        assert room_lines(heard) == [f"open {name}", "control 1", "watching 2"]
        await owner.say("isready")
        await owner.until(3)
        assert owner._link
        await owner._link.send("rookery room take")
        await guest.until("rookery room control owner")
        await owner.say("go nodes 9")
        await owner.until(4)
        await owner.say("quit")
        assert owner.answers == ["bestmove n7", "bestmove n8", "readyok", "bestmove n9"]
        assert owner.notices == []
        for each in (guest, watcher):
            assert code_in(await each.end()) is Code.ROOM_CLOSED


async def test_room_ends_when_its_owner_does_not_come_back() -> None:
    config = replace(CONFIG, sessions=replace(CONFIG.sessions, grace=0.1))
    async with running(config) as app, peer(app) as watcher:
        async with peer(app) as owner:
            await owner.say("rookery session new")
            await watcher.watch(await owner.open())
        assert code_in(await watcher.end()) is Code.ROOM_CLOSED


# --- how many, and who


async def test_account_has_so_many_rooms(app: Running) -> None:
    config = replace(CONFIG, quotas=Quotas({"rooms": 1}))
    async with running(config) as app, peer(app) as first, peer(app) as second:
        await first.open()
        await second.say("rookery room open")
        assert code_in(await second.until("info string")) is Code.QUOTA_ROOMS
        assert await second.ready() == ["readyok"]
        await first.say("rookery room close")
        await first.until("rookery room close")
        assert await second.open()


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_room_has_so_many_places(transport: str) -> None:
    config = replace(CONFIG, quotas=Quotas({"spectators": 1}))
    async with (
        running(config) as app,
        peer(app) as owner,
        peer(app, transport) as second,
        peer(app, transport) as third,
    ):
        name = await owner.open()
        async with peer(app) as first:
            await first.watch(name)
            await second.say(f"rookery room watch {name}")
            assert code_in(await second.end()) is Code.ROOM_FULL
        await watched_by(app, 0)
        assert await third.watch(name)


async def test_connection_watches_or_has_a_session(app: Running) -> None:
    async with peer(app) as owner, peer(app) as other:
        name = await owner.open()
        await other.ready()
        for client in (owner, other):
            await client.say(f"rookery room watch {name}")
            assert code_in(await client.until("info string")) is Code.ROOM_REFUSED
            await client.say("rookery room accept")
            assert code_in(await client.until("info string")) is Code.ROOM_REFUSED
        await other.say("rookery room take")
        assert code_in(await other.until("info string")) is Code.ROOM_REFUSED
        assert await other.ready() == ["readyok"]


async def test_client_that_watches_needs_a_token_of_its_own(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    token, bob = add_token(tokens), add_token(tokens, "bob")
    config = replace(CONFIG, server=replace(SERVER, tokens=tokens))
    async with running(config) as app, peer(app, token=token) as owner, app.tcp() as stranger:
        name = await owner.open()
        stranger.say(f"rookery room watch {name}")
        assert code_of(await stranger.hear()) is Code.UNAUTHORIZED
        with pytest.raises(InvalidStatus):
            await app.websocket("numbered")
        async with app.tcp() as friend:
            friend.say(str(Hello(token=bob, room=RoomLine(RoomWord.WATCH, name))))
            assert await friend.hear() == "rookery room watch 1"
            await friend.hear_until("rookery room watching")
            TokenFile(tokens).change(lambda ring: ring.without("bob"))
            assert code_of((await friend.hear_until("info string"))[-1]) is Code.UNAUTHORIZED


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_operator_may_let_strangers_watch_and_do_no_more(
    tmp_path: Path, transport: str
) -> None:
    tokens = tmp_path / "tokens"
    token = add_token(tokens)
    server = replace(SERVER, tokens=tokens, watch_without_token=True)
    async with running(replace(CONFIG, server=server)) as app:
        if transport == "websocket":
            with pytest.raises(InvalidStatus):  # There is nothing to watch.
                await app.websocket("numbered")
        async with (
            peer(app, token=token) as owner,
            AsyncExitStack() as stack,
        ):
            name = await owner.open()
            strangers = [await stack.enter_async_context(peer(app, transport)) for _ in range(3)]
            stranger, other, third = strangers
            await stranger.watch(name)
            await owner.say("rookery room hand 1")
            assert code_in(await owner.until("info string")) is Code.ROOM_REFUSED
            await other.say("isready")
            assert code_in(await other.end()) is Code.UNAUTHORIZED
            await third.say("rookery session new")
            assert code_in(await third.end()) is Code.UNAUTHORIZED
            assert await owner.ready() == ["readyok"]


# --- the operator


async def test_operator_sees_who_watches(app: Running, tmp_path: Path) -> None:
    path = tmp_path / "control"
    async with AdminSocket(path, app.admin_commands), peer(app) as owner, peer(app) as watcher:
        await owner.ready()

        async def listed() -> dict[str, object]:
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(b'{"do": "sessions"}\n')
            answer = json.loads(await reader.readline())
            writer.close()
            (session,) = answer["sessions"]
            return dict(session)

        assert (await listed())["watching"] is None
        await watcher.watch(await owner.open())
        session = await listed()
        assert (session["watching"], session["control"]) == (1, "owner")
        (spectator,) = session["spectators"]  # type: ignore[misc]  # a list
        assert (spectator["id"], spectator["account"]) == ("1", "local")
        text = Metrics(app.host, app._policy).text()
        assert "rookery_rooms 1.0" in text
        assert "rookery_spectators 1.0" in text
