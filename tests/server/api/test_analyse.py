"""`POST /v1/analyse` and `GET /v1/engines`, over real sockets and with real engines."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from helpers.support import TIMEOUT, Running, add_token, bearer, until

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.api import search_sessions
from rookery_server.config.config import Config
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig

NDJSON = {"Accept": "application/x-ndjson"}
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
ENDLESS = {"movetime": 600_000}

Client = aiohttp.ClientSession


async def post(client: Client, **document: Any) -> tuple[int, dict[str, Any]]:
    async with client.post("/v1/analyse", json=document) as response:
        return response.status, await response.json(content_type=None)


async def searched(client: Client, **document: Any) -> dict[str, Any]:
    status, found = await post(client, **document)
    assert status == 200, found
    return found


async def test_engines_have_options_and_variants(client: Client) -> None:
    async with client.get("/v1/engines") as response:
        found = (await response.json())["engines"]
    assert [each["name"] for each in found][:2] == ["rookery", "stockfish"]
    assert [each["is_default"] for each in found] == [True, *[False] * (len(found) - 1)]
    assert found[1]["title"].startswith("Stockfish")
    assert found[1]["variants"] == ["standard", "chess960"]
    assert found[2]["variants"] == ["standard", "crazyhouse"]
    options = {each["name"]: each for each in found[1]["options"]}
    assert options["Hash"]["type"] == "spin"
    assert options["Hash"]["max"] >= options["Hash"]["min"] == 1
    assert not {"MultiPV", "UCI_Chess960"} & options.keys()


async def test_an_answer_has_lines_best_first(client: Client) -> None:
    found = await searched(
        client, moves=["e4", "e7e5", "Nf3"], limits={"depth": 6}, lines=2, san=True, id=7
    )
    assert found["id"] == 7
    assert found["final"]
    assert found["fen"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b")
    assert len(found["lines"]) == 2
    assert found["best"] == found["lines"][0]["pv"][0]
    assert len(found["lines"][0]["san"]) == len(found["lines"][0]["pv"])
    assert found["depth"] >= 6


@pytest.mark.parametrize("engine", ["rookery", "stockfish"])
async def test_scores_are_whites(client: Client, engine: str) -> None:
    white = await searched(client, fen=MATE, limits={"depth": 5}, engine=engine)
    assert white["lines"][0]["mate"] == 1
    black = MATE.translate(str.maketrans("RKrkp", "rkRKP", "")).split()[0]
    turned = "/".join(reversed(black.replace("P", "P").split("/")))
    found = await searched(client, fen=f"{turned} b - - 0 1", limits={"depth": 5}, engine=engine)
    assert found["lines"][0]["mate"] == -1


async def test_a_game_that_is_over_is_answered_by_the_rules(client: Client, app: Running) -> None:
    found = await searched(client, moves=["f3", "e5", "g4", "Qh4"], limits={"depth": 30})
    assert found["outcome"] == "checkmate"
    assert "best" not in found
    assert not app.host.actors
    stalemate = await searched(client, fen="7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", limits=ENDLESS)
    assert stalemate["outcome"] == "stalemate"


async def test_chess960_and_variants(client: Client) -> None:
    found = await searched(
        client, fen=CHESS960, variant="chess960", limits={"depth": 4}, engine="stockfish"
    )
    assert found["best"]
    found = await searched(client, variant="crazyhouse", limits={"depth": 1}, engine="variants")
    assert found["final"]


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K e3 0 1", "en passant square 'e3' is read as -"),
        ("4k2r/8/8/8/8/8/8/4K3 w Kk - 0 1", "castling 'Kk' is read as k"),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w HAha - 1 3", "'HAha' is read as KQkq"),
    ],
)
async def test_a_fen_that_was_mended_has_a_notice(client: Client, fen: str, text: str) -> None:
    found = await searched(client, fen=fen, limits={"depth": 1})
    (notice,) = found["notices"]
    assert notice.startswith("position-mended: ")
    assert notice.endswith(text)
    some = [each["pv"][0] for each in found.get("lines", [])]
    assert (await searched(client, fen=fen, moves=some, limits={"depth": 1}))["notices"] == [notice]
    async with client.get("/v1/evaluations", params={"fen": fen}) as response:
        assert (await response.json())["notices"] == [notice]


async def test_only_the_moves_that_are_named_are_considered(client: Client) -> None:
    found = await searched(client, limits={"depth": 5}, search_moves=["a3", "h2h3"])
    assert found["best"] in ("a2a3", "h2h3")


@pytest.mark.parametrize(
    ("document", "status", "code", "path"),
    [
        ({"moves": ["e4", "e4"]}, 422, "illegal-position", "$.moves[1]"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, 422, "illegal-position", "$.fen"),
        ({"fen": "nothing"}, 422, "illegal-position", "$.fen"),
        ({"fen": CHESS960}, 422, "illegal-position", "$.fen"),
        ({"fen": CHESS960.replace("HFhf", "KQkq")}, 422, "illegal-position", "$.fen"),
        ({"fen": "startpos"}, 422, "illegal-position", "$.fen"),
        ({"variant": "shogi"}, 422, "bad-value", "$.variant"),
        ({"variant": "crazyhouse"}, 422, "bad-value", "$.variant"),
        ({"search_moves": ["e2e5"]}, 422, "illegal-position", "$.search_moves[0]"),
        ({"options": {"Hsh": 1}}, 422, "unknown-option", "$.options.Hsh"),
        ({"options": {"Hash": "x"}}, 422, "bad-value", "$.options.Hash"),
        ({"options": {"Hash": 10**9}}, 422, "option-clamped", "$.options.Hash"),
        ({"options": {"multipv": 2}}, 422, "option-refused", "$.options.multipv"),
        ({"options": {"Hash\nquit": 2}}, 422, "bad-value", "$.options.Hash?quit"),
        ({"options": {"Hash": "1\nquit"}}, 422, "bad-value", "$.options.Hash"),
        ({"options": {"EvalFile": "/etc/passwd"}}, 422, "option-refused", "$.options.EvalFile"),
        ({"engine": "deep-thought"}, 404, "unknown-engine", None),
        ({"engine": "deep-thought@anna"}, 404, "engine-away", None),
    ],
)
async def test_what_is_wrong_is_named(
    client: Client, document: dict[str, Any], status: int, code: str, path: str | None
) -> None:
    given = {"limits": {"nodes": 100}, "engine": "stockfish"} | document
    answered, problem = await post(client, **given)
    assert (answered, problem["code"], problem.get("path")) == (status, code, path)
    assert problem["status"] == status
    assert problem["detail"]


@pytest.mark.parametrize(
    ("document", "hint"),
    [
        ({"fen": "startpos moves e2e4"}, "leave `fen` out"),
        ({"fen": f"{MATE} moves a1a8"}, "put them into `moves`"),
        ({"moves": "e4 e5"}, 'an array of moves, as ["e4", "e5"]'),
        ({"multipv": 3}, "did you mean `lines`?"),
        ({"options": {"MultiPV": 3}}, "`lines`"),
        ({"depth": 3}, "did you mean `limits.depth`?"),
    ],
)
async def test_a_word_of_uci_is_told_its_member(
    client: Client, document: dict[str, Any], hint: str
) -> None:
    status, problem = await post(client, **{"limits": {"nodes": 100}} | document)
    assert (status, hint in problem["detail"]) == (422, True), problem


async def test_a_wrong_path_is_told_where_the_right_ones_are(client: Client) -> None:
    for path in ("/v1", "/v1/", "/v1/analyze"):
        async with client.get(path) as response:
            assert response.status == 404
            problem = await response.json(content_type=None)
        assert f"there is no {path}: /v1/openapi.json" in problem["detail"]


async def test_the_type_of_a_problem_is_a_page(client: Client) -> None:
    _, problem = await post(client, fen="nothing", limits={"depth": 1})
    path, _, anchor = problem["type"].partition("#")
    async with client.get(path) as response:
        assert (response.status, response.content_type) == (200, "text/html")
        assert f'<dt id="{anchor}">' in await response.text()


async def test_other_types_are_refused(client: Client) -> None:
    async with client.post("/v1/analyse", data="<a/>", headers={"Content-Type": "text/xml"}) as r:
        assert r.status == 415
        assert (await r.json(content_type=None))["expected"] == "application/json"


async def test_a_stream_tells_what_is_found_meanwhile(client: Client) -> None:
    document = {"fen": KIWIPETE, "limits": {"movetime": 800}, "interval": 50}
    async with client.post("/v1/analyse", json=document, headers=NDJSON) as response:
        assert response.content_type == "application/x-ndjson"
        lines = [json.loads(line) async for line in response.content]
    assert len(lines) > 2
    assert [each["final"] for each in lines] == [*[False] * (len(lines) - 1), True]
    depths = [each["depth"] for each in lines]
    assert depths == sorted(depths)


async def test_a_client_that_goes_ends_its_search(client: Client, app: Running) -> None:
    for headers in ({}, NDJSON):
        task = asyncio.create_task(
            client.post("/v1/analyse", json={"limits": ENDLESS}, headers=headers).__aenter__()
        )
        await until(lambda: app.analyses.sessions.counts[0] == 1)
        await until(app.engine_pids)
        if task.done():
            (await task).close()
        else:
            task.cancel()
        await until(lambda: not app.host.actors)


async def test_a_session_serves_the_next_request(client: Client, app: Running) -> None:
    await searched(client, limits={"nodes": 50})
    pids = app.engine_pids()
    for lines in (1, 3, 1):
        found = await searched(client, limits={"nodes": 500}, lines=lines)
        assert len(found["lines"]) == lines
    assert app.engine_pids() == pids
    await searched(client, limits={"nodes": 50}, options={"Hash": 1})
    assert app.engine_pids() != pids


async def test_a_fresh_search_knows_nothing_of_the_one_before(client: Client, app: Running) -> None:
    asked: dict[str, Any] = {"fen": KIWIPETE, "limits": {"depth": 8}, "fresh": True}
    first, again = [await searched(client, **asked) for _ in range(2)]
    assert (again["nodes"], again["lines"]) == (first["nodes"], first["lines"])
    other = await searched(client, **asked | {"fresh": False})
    assert other["nodes"] != first["nodes"]
    assert len(app.host.actors) == 1


async def test_a_kept_session_counts_for_nothing(client: Client, app: Running) -> None:
    await searched(client, limits={"nodes": 50})
    (actor,) = app.host.actors
    assert not actor.usage.sessions
    assert actor.may_park(app.host._loop.time())


async def test_a_kept_session_ends_after_a_while(
    client: Client, app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_sessions, "KEPT", 0.05)
    await searched(client, limits={"nodes": 50})
    await until(lambda: not app.host.actors)
    assert app.analyses.sessions.counts == (0, 0)


async def test_an_engine_that_dies_is_an_error(client: Client) -> None:
    status, problem = await post(client, engine="dies", limits={"depth": 3})
    assert status == 503
    assert problem["code"] == "no-search"
    assert "engine-died" in problem["detail"]


class TestAccounts:
    """Requests of several accounts."""

    @pytest.fixture
    def closed(self, closed: Config) -> Config:
        server = replace(closed.server, watch_without_token=True)
        return replace(closed, server=server, quotas=Quotas(everybody={"sessions": 2}))

    @pytest.fixture
    async def anna(self, server: Running, token: str) -> AsyncIterator[Client]:
        url = f"http://127.0.0.1:{server.port}"
        async with aiohttp.ClientSession(url, headers=bearer(token)) as session:
            yield session

    async def test_no_account_gets_the_session_of_another(
        self, server: Running, anna: Client, tokens: Path
    ) -> None:
        await searched(anna, limits={"nodes": 50})
        (first,) = server.host.actors
        headers = bearer(add_token(tokens, "bert"))
        server.reload()
        url = f"http://127.0.0.1:{server.port}"
        async with aiohttp.ClientSession(url, headers=headers) as bert:
            await searched(bert, limits={"nodes": 50})
        assert {actor.account.name for actor in server.host.actors if actor is not first} == {
            "bert"
        }

    async def test_more_requests_than_sessions_wait_for_their_turn(
        self, server: Running, anna: Client
    ) -> None:
        found = await asyncio.gather(*(searched(anna, limits={"nodes": 2000}) for _ in range(12)))
        assert all(each["final"] for each in found)
        assert len(server.host.actors) <= 2

    async def test_turn_of_a_request_that_is_refused_is_the_next_ones(
        self, server: Running, anna: Client, token: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        policy, calls = server._policy, 0
        admit = policy.admit_session

        def admit_but_the_third(*arguments: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == 3:
                raise RefusedError(Code.TOO_MANY_STARTS, "too many")
            admit(*arguments)

        sessions = server.analyses.sessions
        async with server.websocket("rookery", additional_headers=bearer(token)):
            first = asyncio.create_task(post(anna, limits={"nodes": 10**12}))
            await until(lambda: sessions.counts[0] == 1)
            monkeypatch.setattr(policy, "admit_session", admit_but_the_third)
            others = [asyncio.create_task(post(anna, limits={"nodes": 50})) for _ in range(2)]
            await until(lambda: [len(each) for each in sessions._waiting.values()] == [2])
            first.cancel()
            async with asyncio.timeout(TIMEOUT):
                answers = [await each for each in others]
        assert sorted(status for status, _ in answers) == [200, 429]

    async def test_sessions_elsewhere_leave_none_for_requests(
        self, server: Running, anna: Client, token: str
    ) -> None:
        async with (
            server.websocket("rookery", additional_headers=bearer(token)),
            server.websocket("rookery", additional_headers=bearer(token)),
        ):
            status, problem = await post(anna, limits={"nodes": 50})
        assert (status, problem["code"]) == (429, "quota-sessions")

    async def test_a_token_is_wanted(self, server: Running) -> None:
        url = f"http://127.0.0.1:{server.port}"
        async with aiohttp.ClientSession(url) as nobody:
            status, problem = await post(nobody, limits={"nodes": 50})
            assert (status, problem["code"]) == (401, "unauthorized")
            assert "send 'Authorization: Bearer TOKEN'" in problem["detail"]
            async with nobody.get("/v1/openapi.json") as response:
                assert response.status == 200


class TestCache:
    """Answers out of the cache of the server."""

    @pytest.fixture
    def config(self, config: Config, tmp_path: Path) -> Config:
        cache = CacheConfig(file=tmp_path / "cache", least_depth=2, least_seconds=0.0, patience=5.0)
        return replace(config, cache=cache)

    async def test_what_is_known_is_not_searched_again(self, client: Client, app: Running) -> None:
        first = await searched(client, fen=KIWIPETE, limits={"depth": 7})
        assert "cached" not in first

        async def searched_again() -> dict[str, Any]:
            return await searched(client, fen=KIWIPETE, limits={"depth": 7})

        while "cached" not in (again := await searched_again()):
            await asyncio.sleep(0)
        assert again["cached"].endswith("Z")
        assert again["best"] == first["best"]
        assert "cached" not in await searched(client, fen=KIWIPETE, limits={"depth": 7}, fresh=True)
        deeper = await searched(client, fen=KIWIPETE, limits={"depth": 8})
        assert "cached" not in deeper

    async def test_evaluations_are_what_is_known(self, client: Client) -> None:
        await searched(client, moves=["e4"], limits={"depth": 7}, engine="stockfish")

        async def evaluations(query: str) -> list[dict[str, Any]]:
            async with client.get(f"/v1/evaluations?{query}") as response:
                assert response.status == 200, await response.text()
                return list((await response.json())["evaluations"])

        while not (found := await evaluations("moves=e2e4")):
            await asyncio.sleep(0)
        assert found[0]["engine"] == "stockfish"
        assert found[0]["depth"] >= 7
        assert found[0]["lines"][0]["pv"]
        assert found[0]["cached"]
        assert await evaluations("moves=d4") == []
        assert await evaluations("moves=e4&engine=rookery") == []
