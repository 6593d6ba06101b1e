"""Lines that begin with `rookery`: what cannot be done is not passed over in silence."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from helpers.peers import CONFIG, TRANSPORTS, Peer, code_in, peer, running
from helpers.support import Running, numbered

from rookery_protocol.notices import Code
from rookery_server.config.engines import EngineConfig


@pytest.fixture
async def app() -> AsyncIterator[Running]:
    engines = (EngineConfig("numbered", numbered()), EngineConfig("other", numbered()))
    async with running(replace(CONFIG, engines=engines)) as app:
        yield app


@pytest.fixture(params=TRANSPORTS)
async def client(request: pytest.FixtureRequest, app: Running) -> AsyncIterator[Peer]:
    async with peer(app, request.param) as client:
        yield client


async def test_engine_is_named_in_the_first_line_only(client: Peer) -> None:
    """Or another one would search than was asked for, and nobody would know."""
    await client.ready()
    await client.say("rookery engine other", "rookery engine numbered", "isready")
    notice, _ = await client.until("readyok")
    assert code_in([notice]) is Code.BAD_COMMAND
    assert "'numbered'" in notice


@pytest.mark.parametrize("line", ["rookery", " rookery session new", "rookery\tsession new"])
async def test_line_that_is_hardly_for_the_server_is_refused(client: Peer, line: str) -> None:
    await client.ready()
    await client.say(line, "isready")
    notice, _ = await client.until("readyok")
    assert code_in([notice]) is Code.BAD_COMMAND
    await client.say("rookery session new")
    assert " heard 3 " in await client.hear()  # as the client counts, by how the line begins


async def test_first_line_over_tcp_may_have_any_white_space(app: Running) -> None:
    async with peer(app) as client:
        await client.say("\trookery  engine other\tsession new ")
        assert (await client.hear()).startswith("rookery session ")
        assert [actor.engine_name for actor in app.host.actors] == ["other"]


async def test_nobody_counts_lines_of_a_session_that_nobody_comes_back_to(client: Peer) -> None:
    await client.say("isready")
    assert await client.hear() == "readyok"
    await client.say("rookery heard 0")
    assert code_in([await client.hear()]) is Code.BAD_COMMAND
    await client.say("rookery session new", "rookery heard 0")
    assert await client.until("rookery heard 1")


async def test_session_is_not_come_back_to_over_its_own_connection(client: Peer) -> None:
    await client.say("rookery session new")
    pass_ = (await client.hear()).split()[2]
    await client.say(f"rookery session {pass_} heard 0", "isready")
    notice, _ = await client.until("readyok")
    assert code_in([notice]) is Code.BAD_COMMAND


async def test_who_comes_back_or_watches_may_name_any_engine(app: Running) -> None:
    async with peer(app, "websocket") as owner, peer(app, "websocket") as guest:
        await owner.say("rookery session new")
        pass_ = (await owner.hear()).split()[2]
        name = await owner.open()
        await guest.say(f"rookery engine other room watch {name}")
        await guest.until("rookery room watching")
        async with peer(app, "websocket") as again:
            await again.say(f"rookery engine other session {pass_} heard 0")
            assert (await again.hear()).startswith("rookery session ")
