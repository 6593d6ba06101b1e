"""The server's own engines, offered by its broker."""

import asyncio
from dataclasses import replace
from pathlib import Path

from helpers.brokered import OFFER, Api, Around, config
from helpers.lichess_fake import work
from helpers.support import TIMEOUT, Running, add_token, until

from rookery_server.access.token_file import TokenFile
from rookery_server.config.resources import BudgetConfig
from rookery_server.session.commands import SessionState


async def test_own_engine_needs_no_provider(place: Around) -> None:
    engine = await place.bob.engine("rookery")
    assert engine["id"] == "eei_rookery.rookery"
    fields = {"movetime": None, "depth": 6, "multiPv": 2, "moves": []}
    shown = await (await place.bob.analyse(engine, **fields)).all()
    pvs = shown[-1]["pvs"]
    assert isinstance(pvs, list)
    assert len(pvs) == 2
    assert shown[-1]["depth"] == 6
    assert shown[-1]["bestmove"] == pvs[0]["moves"][0]
    await until(lambda: not place.app.sessions)


async def test_search_that_is_refused_says_why(tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens.jsonl", "bob")
    settings = replace(config(tmp_path), budget=BudgetConfig(threads=1, waiting=0))
    async with Running(settings) as app, Api(app, token) as bob:
        engine = await bob.engine("rookery")
        asked = await bob.analyse(engine)
        await asked.next()
        path = f"/{engine['id']}/analyse"
        body = {"clientSecret": engine["clientSecret"], "work": work(movetime=None, depth=6)}
        status, answer = await bob.call("POST", path, body)
        assert (status, "wait" in str(answer)) == (503, True), answer
        asked.leave()


async def test_own_engine_stops_when_the_requester_leaves(place: Around) -> None:
    asked = await place.bob.analyse(await place.bob.engine("rookery"))
    await asked.next()
    (actor,) = place.app.host.actors
    assert actor.account.name == "bob"  # whose session it is, and whose quota it takes
    assert actor.session.state is SessionState.SEARCHING
    asked.leave()
    await until(lambda: not place.app.sessions, 5.0)


async def test_revoked_token_is_the_end_of_its_secrets(place: Around) -> None:
    await place.alice.call("POST", "", OFFER)
    engines = [await place.alice.engine("rookery"), await place.alice.engine("Engine")]
    record = place.token.split("_")[1]
    TokenFile(place.folder / "tokens.jsonl").change(lambda ring: ring.without(record))
    place.app.reload()
    for engine in engines:
        body = {"clientSecret": engine["clientSecret"], "work": work()}
        status, _ = await place.bob.call("POST", f"/{engine['id']}/analyse", body)
        assert status == 404


async def test_own_engines_may_be_left_out(tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens.jsonl")
    async with (
        Running(config(tmp_path, engines=False)) as app,
        Api(app, token) as alice,
    ):
        assert await alice.call("GET") == (200, [])


async def test_shutdown_ends_searches_with_bestmove(tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens.jsonl")
    app = Running(config(tmp_path))
    await app.__aenter__()
    async with Api(app, token) as alice:
        asked = await alice.analyse(await alice.engine("rookery"))
        await asked.next()
        closing = asyncio.ensure_future(app.__aexit__())
        assert "bestmove" in (await asked.all())[-1]
        await asyncio.wait_for(closing, TIMEOUT)
