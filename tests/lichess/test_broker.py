"""The broker of the server, with our provider and with requesters, over HTTP."""

import asyncio
import errno
import os
import ssl
from dataclasses import replace
from pathlib import Path
from typing import cast

import aiohttp
import pytest
import trustme
from helpers.bridged import ENGINE
from helpers.brokered import OFFER, SECRET, Api, Around, config
from helpers.lichess_fake import work
from helpers.support import TIMEOUT, Running, add_token, until

from rookery_protocol.lichess_api import LichessJob, selector
from rookery_protocol.notices import Code
from rookery_server.config.addresses import network_list
from rookery_server.config.config import Config, Overrides, load
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import BrokerConfig, ConnectionConfig, TlsConfig
from rookery_server.lichess_broker import broker as broker_module
from rookery_server.lichess_broker import work_exchange as exchange_module
from rookery_server.lichess_broker.analysis_stream import AnalysisStream

# --- the site


async def test_engines_are_registered_shown_changed_and_deleted(place: Around) -> None:
    status, engine = await place.alice.call("POST", "", OFFER)
    assert status == 201
    assert isinstance(engine, dict)
    assert "providerSecret" not in engine
    assert engine["id"].startswith("eei_")
    assert engine["clientSecret"].startswith("ees_")
    assert engine["userId"] == "alice"
    path = f"/{engine['id']}"
    assert await place.alice.call("GET", path) == (200, engine)
    assert await place.alice.call("PUT", path, {**OFFER, "maxHash": 8}) == (
        200,
        {**engine, "maxHash": 8},
    )
    assert await place.alice.call("DELETE", path) == (200, {"ok": True})
    assert (await place.alice.call("GET", path))[0] == 404


async def test_what_could_not_be_written_has_not_happened(
    place: Around, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, engine = await place.alice.call("POST", "", OFFER)
    assert isinstance(engine, dict)

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        assert (await place.alice.call("DELETE", f"/{engine['id']}"))[0] == 500
        assert (await place.alice.call("POST", "", {**OFFER, "name": "Other"}))[0] == 500
    _, engines = await place.alice.call("GET")
    assert isinstance(engines, list)
    assert [each["name"] for each in engines] == ["rookery", "Engine"]
    assert not list(place.folder.glob(".broker.json.*"))


async def test_secret_from_when_nobody_was_asked_is_good_no_more(tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens.jsonl")
    settings = config(tmp_path)
    open_to_all = replace(settings, server=replace(settings.server, tokens=None))
    async with Running(open_to_all) as app, Api(app, "any") as nobody:
        _, registered = await nobody.call("POST", "", OFFER)
        assert isinstance(registered, dict)
        own = await nobody.engine("rookery")
        await (await nobody.analyse(own, movetime=None, depth=1)).all()
        await app.reconfigure(settings)
        for engine in (registered, own):
            body = {"clientSecret": engine["clientSecret"], "work": work(movetime=None, depth=1)}
            assert (await nobody.call("POST", f"/{engine['id']}/analyse", body))[0] == 404
        async with Api(app, token) as alice:
            await (await alice.analyse(await alice.engine("rookery"), movetime=None, depth=1)).all()


async def test_those_behind_a_proxy_are_told_apart(tmp_path: Path) -> None:
    """Over one connection, too: it counts for whom it asks."""
    token = add_token(tmp_path / "tokens.jsonl")
    settings = config(tmp_path)
    proxies = network_list("trusted_proxies", ["127.0.0.1"])
    settings = replace(settings, server=replace(settings.server, trusted_proxies=proxies))
    async with Running(settings) as app, Api(app, token) as alice:
        own = await alice.engine("rookery")
        body = {"clientSecret": own["clientSecret"], "work": work(movetime=86_400_000)}
        path = f"/api/external-engine/{own['id']}/analyse"
        for source in ("203.0.113.1", "203.0.113.2"):
            headers = {"X-Forwarded-For": source}
            async with alice.http.post(path, json=body, headers=headers) as response:
                assert response.status == 200
                found = (await app.admin_commands.run({"do": "sessions"}))["sessions"]
                assert isinstance(found, list)
                assert found[-1]["address"] == source


async def test_engines_are_their_owners(place: Around) -> None:
    _, engine = await place.alice.call("POST", "", OFFER)
    assert isinstance(engine, dict)
    for method, body in (("GET", None), ("PUT", OFFER), ("DELETE", None)):
        assert (await place.bob.call(method, f"/{engine['id']}", body))[0] == 404
    _, engines = await place.bob.call("GET")
    assert isinstance(engines, list)
    assert [each["name"] for each in engines] == ["rookery"]


async def test_without_a_good_token_nothing_is_said(place: Around) -> None:
    for token in ("", "rk_000000000000_x"):
        async with Api(place.app, token) as stranger:
            for method, offer in (("GET", None), ("POST", OFFER)):
                status, body = await stranger.call(method, "", offer)
                assert status == 401
                assert "unauthorized" in str(body)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({**OFFER, "name": "ab"}, "name needs 3 to 200 characters"),
        ({**OFFER, "maxThreads": 0}, "maxThreads needs a number from 1"),
        ([], "the body is a JSON object"),
        ({}, "a registration needs name"),
    ],
)
async def test_bad_registration_is_said(place: Around, body: object, text: str) -> None:
    status, answer = await place.alice.call("POST", "", body)
    assert status == 400
    assert text in str(answer)


async def test_registration_outlives_the_server(place: Around) -> None:
    _, engine = await place.alice.call("POST", "", OFFER)
    own = await place.alice.engine("rookery")
    async with Running(config(place.folder)) as app, Api(app, place.token) as alice:
        assert await alice.engine("Engine") == engine
        assert await alice.engine("rookery") == own


# --- providers and requesters


async def test_our_provider_works_for_our_broker(place: Around) -> None:
    async with place.provider("quick"):
        engine = await place.alice.engine("Engine quick")
        shown = await (await place.alice.analyse(engine, movetime=None, depth=5)).all()
        best = {"moves": ["e7e5", "g1f3"], "cp": -20, "depth": 1}  # Black's turn
        assert shown[-1] == {
            "time": 0,
            "depth": 1,
            "nodes": 20,
            "pvs": [best],
            "bestmove": "e7e5",
            "ponder": "g1f3",
        }
        again = await (await place.alice.analyse(engine, threads=64, hash=4096)).all()
        assert again[-1]["bestmove"] == "e7e5"
        heard = (place.folder / "quick").read_text()
        assert "Threads value 2\n" in heard  # no more than was registered
        assert "Hash value 64\n" in heard


async def test_engine_stops_when_the_requester_leaves(place: Around) -> None:
    async with place.provider("long"):
        engine = await place.alice.engine("Engine long")
        asked = await place.alice.analyse(engine)
        await asked.next()
        asked.leave()
        await asyncio.wait_for(place.until_heard("long", "stop"), 2.0)


async def test_provider_of_two_engines_serves_both(place: Around) -> None:
    async with place.provider("long", "quick"):
        long = await place.alice.analyse(await place.alice.engine("Engine long"))
        await long.next()
        quick = await place.alice.analyse(await place.alice.engine("Engine quick"))
        assert "bestmove" in (await quick.all())[-1]
        long.leave()


async def test_end_of_the_provider_ends_with_bestmove(place: Around) -> None:
    async with place.provider("long") as provider:
        asked = await place.alice.analyse(await place.alice.engine("Engine long"))
        await asked.next()
        provider.end()
        assert (await asked.all())[-1]["bestmove"] == "e7e5"


async def test_without_a_provider_work_is_unavailable(
    place: Around, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange_module, "TAKE_PATIENCE", 0.1)
    _, engine = await place.alice.call("POST", "", OFFER)
    assert isinstance(engine, dict)
    body = {"clientSecret": engine["clientSecret"], "work": work()}
    status, answer = await place.alice.call("POST", f"/{engine['id']}/analyse", body)
    assert (status, answer) == (503, {"error": "no provider has taken the work"})


async def test_silence_is_filled_with_signs_of_life(
    place: Around, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_module, "SILENCE", 0.1)
    async with place.provider("silent"):
        asked = await place.alice.analyse(await place.alice.engine("Engine silent"))
        assert await asked.next() == {"keepalive": True}
        asked.leave()


@pytest.mark.parametrize(
    ("secret", "fields", "status", "text"),
    [
        ("ees_wrong", {}, 404, "there is no such engine, or the secret is another"),
        (None, {}, 422, "clientSecret needs a text"),
        ("", {"depth": 3}, 422, "one of movetime, depth and nodes"),
        ("", {"multiPv": 9}, 422, "multiPv needs a number from 0 to 5"),
        ("", {"moves": ["e2e5"]}, 400, "move 1 cannot be played"),
        ("", {"variant": "atomic"}, 400, "plays chess"),
    ],
)
@pytest.mark.parametrize("whose", ["rookery", "Engine"])
async def test_bad_work_is_said(
    place: Around, whose: str, secret: str | None, fields: dict[str, object], status: int, text: str
) -> None:
    await place.alice.call("POST", "", OFFER)
    engine = await place.alice.engine(whose)
    shown = engine["clientSecret"] if secret == "" else secret
    body = {"clientSecret": shown, "work": work(**fields)}
    answer = await place.bob.call("POST", f"/{engine['id']}/analyse", body)
    assert answer[0] == status
    assert text in str(answer[1])


@pytest.mark.parametrize(
    ("body", "headers", "status", "text"),
    [
        (b"[" * 60_000, {}, 422, "the body is no JSON"),
        (b"9" * 60_000, {}, 422, "the body is no JSON"),
        (b"{}", {"Content-Type": "application/json; charset=x"}, 422, "JSON in UTF-8"),
        (b"a" * 60_000, {"Content-Type": "application/json; charset=punycode"}, 422, "in UTF-8"),
        (b'{"providerSecret": "\\ud800"}', {}, 422, "the body is no JSON"),
        (b"no gzip", {"Content-Encoding": "gzip"}, 415, "without Content-Encoding"),
        (b" " * 70_000, {}, 413, "Too Large"),
    ],
)
async def test_hostile_body_is_refused_and_is_no_error_of_the_server(
    place: Around,
    caplog: pytest.LogCaptureFixture,
    body: bytes,
    headers: dict[str, str],
    status: int,
    text: str,
) -> None:
    engine = await place.alice.engine("rookery")
    path = f"/api/external-engine/{engine['id']}/analyse"
    async with place.bob.http.post(path, data=body, headers=headers) as response:
        assert response.status == status
        assert text in str(await response.json())
    assert "Error handling request" not in caplog.text


async def test_work_that_nobody_waits_for_any_more_is_not_offered_again() -> None:
    """Its requester leaves in the moment in which the provider who was to have it does."""
    exchange = exchange_module.WorkExchange()
    channel = exchange_module.AnalysisChannel(cast(AnalysisStream, None))
    taking = asyncio.ensure_future(exchange.wait_for_work("selector"))
    await asyncio.sleep(0)
    exchange._offer("selector", exchange_module.OfferedWork(cast(LichessJob, None), channel))
    channel.abandon()
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    assert not exchange._offered


@pytest.mark.parametrize(
    ("upload", "status", "found"),
    [
        (b"info depth 1 score cp 1 pv e7e5\nbestmove c7c5\n", 200, "c7c5"),
        (b"info depth 1 score cp 1 pv e7e5\n", 200, "e7e5"),  # Lichess's own provider says none.
        (b"info depth 1 score cp 1 pv e7e5", 200, "e7e5"),
        (b"", 200, None),
        (b"info depth 1 score cp 1 pv e7e5\nbestmove\n", 200, "e7e5"),
        (b"readyok\nCopyright of somebody\nbestmove e7e5\n", 200, "e7e5"),
        (b"info depth 1 score cp 1 pv e7e5\ninfo wdl 1 2 3\nbestmove c7c5\n", 400, "e7e5"),
        (b"bestmove e7e5", 200, "e7e5"),
        (b"info depth 1 score cp 1 pv e7e5\nbestmove e2e4\n", 400, "e7e5"),
        (b"info depth 1 score cp 1 pv e2e4\nbestmove x\n", 400, None),
        (b"info depth 1 score cp 1 pv e7e5\nbestmove (none)\n", 200, "(none)"),
        (b"x" * 70_000, 400, None),
    ],
)
async def test_uploads_are_checked_and_taken_once(
    place: Around, upload: bytes, status: int, found: str | None
) -> None:
    _, engine = await place.alice.call("POST", "", OFFER)
    assert isinstance(engine, dict)
    asking = asyncio.ensure_future(place.alice.analyse(engine))
    code, job = await place.bob.call("POST", "/work", {"providerSecret": SECRET})
    assert code == 200
    assert isinstance(job, dict)
    assert job["engine"] == engine
    assert job["work"]["moves"] == ["e2e4"]
    path = f"/api/external-engine/work/{job['id']}"
    for expected in (status, 404):
        async with place.bob.http.post(path, data=upload) as response:
            assert response.status == expected
    shown = await (await asking).all()
    assert [each.get("bestmove") for each in shown[-1:]] == ([found] if shown else [])
    assert shown or not found


async def test_poll_without_work_is_empty(place: Around, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = exchange_module.WorkExchange.wait_for_work
    monkeypatch.setattr(
        exchange_module.WorkExchange,
        "wait_for_work",
        lambda self, selector: wait(self, selector, 0.05),
    )
    answer = await place.alice.call("POST", "/work", {"providerSecret": "another"})
    assert answer == (204, None)
    assert (await place.alice.call("POST", "/work", {}))[0] == 400


# --- floods


async def read_all(port: int | None, said: bytes) -> bytes:
    """Say something, and return all that comes until the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said)
    try:
        return await asyncio.wait_for(reader.read(), TIMEOUT)
    finally:
        writer.close()


async def test_request_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    add_token(tmp_path / "tokens.jsonl")
    settings = config(tmp_path)
    settings = replace(settings, server=replace(settings.server, handshake_timeout=0.2))
    async with Running(settings) as app:
        for said in (b"", b"GET /api/external-engine HTTP/1.1\r\nHost: x"):
            assert await read_all(app.broker_port, said) == b""
        assert app._policy.refusals[Code.TOO_SLOW] == 2


async def test_connections_are_counted_and_the_oldest_stranger_makes_room(tmp_path: Path) -> None:
    token = add_token(tmp_path / "tokens.jsonl")
    limits = ConnectionConfig(unauthenticated=2, network_share=1.0)
    settings = replace(config(tmp_path), connections=limits)
    poll = {"providerSecret": SECRET}  # of nobody
    async with Running(settings) as app, Api(app, token) as alice:
        assert (await alice.call("GET"))[0] == 200  # and is known, and so does not count
        assert app._broker
        waiting = app._broker._exchange._takers
        found_by = selector(SECRET)
        polls = []
        for _ in range(3):  # The first takes the connection that is known.
            polls.append(asyncio.ensure_future(alice.call("POST", "/work", poll)))
            await until(lambda: len(waiting.get(found_by, ())) == len(polls))
        # A poll with a secret of nobody's is a stranger's; the first of those makes room.
        one_more = asyncio.ensure_future(alice.call("POST", "/work", poll))
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await asyncio.wait_for(polls[1], TIMEOUT)
        async with Api(app, token) as another:
            assert (await another.call("GET"))[0] == 200
        silent = asyncio.ensure_future(read_all(app.broker_port, b""))
        await until(lambda: app._policy.evictor.evicted >= 2)
        silent.cancel()
        for task in (*polls, one_more):
            task.cancel()


# --- web pages


async def test_pages_that_are_listed_may_use_it(tmp_path: Path) -> None:
    page = "https://club.example"
    token = add_token(tmp_path / "tokens.jsonl")
    settings = config(tmp_path)
    settings = replace(settings, server=replace(settings.server, origins=(page,)))
    allowed = "Access-Control-Allow-Origin"
    async with Running(settings) as app, Api(app, token) as alice:
        path = "/api/external-engine"
        for method in ("OPTIONS", "GET"):
            async with alice.http.request(method, path, headers={"Origin": page}) as response:
                assert response.status == (204 if method == "OPTIONS" else 200)
                assert response.headers[allowed] == page
            other = {"Origin": "https://evil.example"}
            async with alice.http.request(method, path, headers=other) as response:
                assert allowed not in response.headers
        assert response.status == 403
        async with alice.http.options(path, headers={"Host": "evil.example"}) as response:
            assert response.status == 421


async def test_tls_is_the_servers(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_and_cert_chain_pem.write_to_path(tmp_path / "all.pem")
    context = ssl.create_default_context()
    authority.configure_trust(context)
    token = add_token(tmp_path / "tokens.jsonl")
    tls = TlsConfig(tmp_path / "all.pem", tmp_path / "all.pem", None)
    async with Running(replace(config(tmp_path), tls=tls)) as app:
        headers = {"Authorization": f"Bearer {token}"}
        url = f"https://127.0.0.1:{app.broker_port}/api/external-engine"
        async with (
            aiohttp.ClientSession(headers=headers) as http,
            http.get(url, ssl=context) as response,
        ):
            assert [each["name"] for each in await response.json()] == ["rookery"]


async def test_engines_of_a_new_configuration_are_offered(place: Around) -> None:
    settings = config(place.folder)
    second = EngineConfig("second", (ENGINE,))
    await place.app.reconfigure(replace(settings, engines=(*settings.engines, second)))
    engine = await place.bob.engine("second")
    shown = await (await place.bob.analyse(engine, movetime=None, depth=4)).all()
    assert "bestmove" in shown[-1]


# --- the configuration


def test_config_has_a_broker(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(
        f"[engines.rookery]\ncommand = [{ENGINE!r}]\n"
        '[broker]\nport = 8082\nfile = "engines.json"\nengines = false\n'
    )
    read = load(file, Overrides())
    assert read.broker == BrokerConfig(8082, tmp_path / "engines.json", engines=False)
    assert Config(()).broker.port is None
