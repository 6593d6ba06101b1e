"""Control of a session that others watch: handed over, used, given back."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.peers import CONFIG, SERVER, TRANSPORTS, Peer, code_in, peer, room_lines, running
from helpers.returning import Returning
from helpers.support import Lines, Running, add_token, until

from rookery_protocol.notices import Code
from rookery_server.cache.cache_query import CacheQuery
from rookery_server.cache.cache_service import Reply
from rookery_server.config.resources import Quotas


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    async with running() as app:
        yield app


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_control_is_handed_over_and_taken_back(app: Running, transport: str) -> None:
    async with (
        peer(app) as owner,
        peer(app, transport) as guest,
        peer(app) as other,
    ):
        name = await owner.open()
        await guest.watch(name)
        await other.watch(name)
        await owner.say("rookery room hand 1")
        assert (await owner.until("rookery room offer"))[-1] == "rookery room offer 1"
        assert (await guest.until("rookery room offer"))[-1] == "rookery room offer 1"
        await guest.say("rookery room accept")
        for each in (owner, guest, other):
            assert (await each.until("rookery room control"))[-1] == "rookery room control 1"
        await owner.say("go nodes 1")
        assert code_in(await owner.until("info string")) is Code.ROOM_HANDED_OVER
        await guest.say("position startpos moves e2e4", "go nodes 5 infinite", "isready", "stop")
        heard = await guest.until("bestmove")
        assert heard.count("readyok") == 1
        for each in (owner, other):
            lines = [line for line in await each.until("bestmove") if "info" not in line]
            assert lines == [
                "rookery room said position startpos moves e2e4",
                "rookery room said go infinite nodes 5",
                "rookery room said stop",
                "bestmove n5",
            ]
        assert await owner.ready() == ["readyok"]
        await owner.say("rookery room take")
        for each in (owner, guest, other):
            assert (await each.until("rookery room control"))[-1] == "rookery room control owner"
        await guest.say("go nodes 2")
        assert code_in(await guest.until("info string")) is Code.ROOM_READ_ONLY
        await owner.say("go nodes 6")
        for each in (owner, guest, other):
            assert (await each.until("bestmove"))[-1] == "bestmove n6"


async def test_none_takes_control_that_was_not_offered(app: Running) -> None:
    async with peer(app) as owner, peer(app) as watcher:
        await watcher.watch(await owner.open())
        await watcher.say("rookery room accept")
        assert code_in(await watcher.until("info string")) is Code.ROOM_REFUSED
        await owner.say("rookery room hand 7")
        assert code_in(await owner.until("info string")) is Code.ROOM_REFUSED
        await owner.say("rookery room hand 1")
        await watcher.until("rookery room offer")
        await watcher.say("rookery room decline")
        assert (await owner.until("rookery room decline"))[-1] == "rookery room decline 1"
        await watcher.say("rookery room accept")
        assert code_in(await watcher.until("info string")) is Code.ROOM_REFUSED
        assert await owner.ready() == ["readyok"]


async def hand_over(owner: Peer, guest: Peer) -> None:
    await owner.say("rookery room hand 1")
    await guest.until("rookery room offer")
    await guest.say("rookery room accept")
    await owner.until("rookery room control 1")
    await guest.until("rookery room control 1")


@pytest.mark.parametrize("how", ["return", "quit", "vanish", "close"])
async def test_control_is_given_back_and_so_is_the_search(app: Running, how: str) -> None:
    """All who watch look at it; whose it is now may stop it."""
    async with peer(app) as owner:
        name = await owner.open()
        async with peer(app) as guest:
            await guest.watch(name)
            await hand_over(owner, guest)
            await guest.say("go nodes 5 infinite")
            await owner.until("info depth")
            if how == "return":
                await guest.say("rookery room return")
            elif how == "quit":
                await guest.say("quit")
            elif how == "close":
                await owner.say("rookery room close")
            else:
                assert isinstance(guest.connection, Lines)
                guest.connection.writer.transport.abort()
            await owner.until("rookery room control owner")
            await owner.say("go nodes 6", "isready")
            assert "bestmove" not in " ".join(await owner.until("readyok"))
            await owner.say("stop")
            assert (await owner.until("bestmove"))[-1] == "bestmove n5"
            assert (await owner.until("bestmove"))[-1] == "bestmove n6"


async def test_answers_go_to_the_party_that_has_asked(app: Running) -> None:
    """An `isready` behind `stop` waits with it, while control goes on."""
    async with peer(app) as owner, peer(app) as guest:
        await guest.watch(await owner.open())
        await hand_over(owner, guest)
        await guest.say("isready")
        await owner.say("rookery room take")
        assert "readyok" in await guest.until("readyok")
        heard = await owner.until("rookery room control owner")
        assert "readyok" not in heard
        assert await owner.ready() == ["readyok"]


async def test_room_that_is_opened_anew_knows_who_has_asked(app: Running) -> None:
    async with peer(app) as owner, peer(app) as guest, peer(app) as late:
        await owner.ready()
        [pid] = await app.one_engine()
        await guest.watch(await owner.open())
        await hand_over(owner, guest)
        os.kill(pid, signal.SIGSTOP)
        await guest.say("isready")
        (actor,) = app.host.actors
        await until(lambda: actor.session.unanswered == 1)
        await owner.say("rookery room close")
        await late.watch(await owner.open())
        os.kill(pid, signal.SIGCONT)
        await owner.say("go nodes 3")
        assert "readyok" not in await owner.until("bestmove")
        assert "readyok" not in await late.until("bestmove")


async def test_guest_spends_what_is_the_owners(tmp_path: Path) -> None:
    """It has nothing of its own: its searches and lines count for the session's account."""
    tokens = tmp_path / "tokens"
    anna, bob = add_token(tokens, "anna"), add_token(tokens, "bob")
    quotas = Quotas({}, {"anna": {"threads": 2}, "bob": {"sessions": 1, "threads": 1}})
    config = replace(CONFIG, server=replace(SERVER, tokens=tokens), quotas=quotas)
    async with (
        running(config) as app,
        peer(app, token=anna) as owner,
        peer(app, "websocket", token=bob) as own,
        AsyncExitStack() as stack,
    ):
        await own.ready()
        name = await owner.open()
        # bob has all the sessions that he may have, and may watch all the same.
        guest = await stack.enter_async_context(peer(app, token=bob))
        await guest.watch(name)
        await hand_over(owner, guest)
        await guest.say("uci")
        assert any("Threads" in line and "max 2" in line for line in await guest.until("uciok"))
        await guest.say("go nodes 5")
        assert (await guest.until("bestmove"))[-1] == "bestmove n5"
        (actor,) = [actor for actor in app.host.actors if actor.account.name == "anna"]
        assert actor.totals.searches == 1
        await owner.say("rookery room list")
        assert room_lines(await owner.until("rookery room watching"))[-2:] == [
            "watcher 1 bob", "watching 1"
        ]  # fmt: skip


@pytest.mark.parametrize("answers", [True, False])
async def test_guest_is_answered_though_the_owner_does_not_read(
    app: Running, *, answers: bool
) -> None:
    """Nor does the engine wait for it when the cache has been asked, and answers or not."""
    loop, keeper = asyncio.get_running_loop(), app.host.keeper
    assert keeper

    def look_up(query: CacheQuery, reply: Reply) -> bool:
        if answers:
            loop.call_soon(reply, b"")
        return True

    keeper.look_up = look_up  # type: ignore[method-assign]
    async with peer(app) as owner, peer(app) as guest:
        await guest.watch(await owner.open())
        await hand_over(owner, guest)
        await guest.ready()
        (actor,) = app.host.actors
        actor.client_paused()  # as its transport does
        engine = actor.flow.engine
        assert engine
        assert engine.paused
        await until(lambda: not engine.paused)
        await guest.say("go nodes 9000001")
        assert (await guest.until("bestmove"))[-1] == "bestmove n9000001"
        actor.client_resumed()
        assert (await owner.until("bestmove"))[-1] == "bestmove n9000001"


async def test_owner_that_comes_back_hears_nothing_again_of_what_a_guest_has_done(
    app: Running,
) -> None:
    assert app.tcp_port
    owner = Returning({"tcp": app.tcp_port, "websocket": app.port})
    await owner.connect()
    assert owner._link
    await owner._link.send("rookery room open")
    while not (line := await owner.hear()).startswith("rookery room open"):
        pass
    async with peer(app) as guest:
        await guest.watch(line.split()[-1])
        await owner._link.send("rookery room hand 1")
        await guest.until("rookery room offer")
        await guest.say("rookery room accept", "position startpos moves e2e4", "go nodes 8")
        await owner.until(1)
        await owner._link.send("rookery room take")
        await guest.until("rookery room control owner")
        owner.lose()
        await owner.say("go nodes 9")
        await owner.until(2)
        owner.lose()
        await owner.say("isready")
        await owner.until(3)
        await owner.say("quit")
    assert owner.answers == ["bestmove n8", "bestmove n9", "readyok"]
    assert owner.notices == []
