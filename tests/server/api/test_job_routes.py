"""The routes of jobs, over real sockets, with a real engine."""

import asyncio
import json
import re
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from helpers.jobbing import fens
from helpers.support import TIMEOUT, Running, add_token, bearer, request_for, until
from jsonschema import Draft202012Validator

from rookery_server.api import job_routes
from rookery_server.api.openapi import openapi
from rookery_server.config.config import Config
from rookery_server.config.engines import own_engine, with_program
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig, JobsConfig
from rookery_server.transport import request_body

NODES = {"limits": {"nodes": 200}}
PGN = b'[Event "a"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n[Event "b"]\n\n1. d4 d5 *\n'
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
NDJSON = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
def config(config: Config, tmp_path: Path) -> Config:
    """Return a configuration with a real engine, and a database of its own."""
    cache = CacheConfig(file=tmp_path / "jobs.sqlite")
    return replace(config, engines=(with_program(own_engine()),), cache=cache)


class Api:
    """A client of the API."""

    def __init__(self, app: Running, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._url = f"http://127.0.0.1:{app.port}/v1/jobs"

    async def request(
        self, method: str, path: str = "", **fields: Any
    ) -> tuple[int, Any, dict[str, str]]:
        """Return the status, the document or the text, and the headers of an answer."""
        async with (
            asyncio.timeout(3 * TIMEOUT),
            self._session.request(method, self._url + path, **fields) as response,
        ):
            text = await response.text()
            is_json = response.content_type.endswith("json") and text
            is_lines = response.content_type == "application/x-ndjson"
            body = json.loads(text) if is_json and not is_lines else text
            return response.status, body, dict(response.headers)

    async def post(self, document: object, **fields: Any) -> dict[str, Any]:
        status, job, headers = await self.request("POST", json=document, **fields)
        assert status == 201, job
        assert headers["Location"] == f"/v1/jobs/{job['id']}"
        return dict(job)

    async def results(self, job: dict[str, Any], after: int = -1) -> list[dict[str, Any]]:
        path = f"/{job['id']}/results?after={after}&follow=true"
        status, text, _ = await self.request("GET", path)
        assert status == 200
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
async def api(app: Running) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(app, session)


async def test_document_of_positions_is_a_job(api: Api) -> None:
    positions = [{"fen": fen, "id": n} for n, fen in enumerate(fens(20))]
    job = await api.post({"positions": positions, "name": "mine", **NODES})
    assert (job["total"], job["name"], job["kind"], job["engine"]) == (
        20, "mine", "positions", "rookery",
    )  # fmt: skip
    results = await api.results(job)
    assert [each["id"] for each in results] == list(range(20))
    assert [each["index"] for each in await api.results(job, after=17)] == [18, 19]
    status, done, _ = await api.request("GET", f"/{job['id']}")
    assert (status, done["state"], done["done"], done["cost"]["nodes"] > 0) == (
        200, "finished", 20, True,
    )  # fmt: skip
    status, listed, _ = await api.request("GET")
    assert [each["id"] for each in listed["jobs"]] == [job["id"]]


@pytest.mark.parametrize(("kind", "body"), [
    ("application/x-ndjson", b'{"fen": "8/8/8/8/8/5k2/8/5K1R w - - 0 1"}\n\n{"moves": ["Nf3"]}'),
    ("text/plain", b"8/8/8/8/8/5k2/8/5K1R w - - 0 1\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n"),
])  # fmt: skip
async def test_lines_with_settings_in_the_query_are_a_job(api: Api, kind: str, body: bytes) -> None:
    path = "?nodes=200&lines=2&option.Hash=4&name=x&priority=3"
    status, job, _ = await api.request("POST", path, data=body, headers={"Content-Type": kind})
    assert status == 201, job
    assert (job["lines"], job["options"], job["priority"]) == (2, {"Hash": "4"}, 3)
    results = await api.results(job)
    assert [len(each["analysis"]["lines"]) for each in results] == [2, 2]


async def test_variant_of_the_query_is_that_of_lines_that_name_none(api: Api) -> None:
    lines = f'{{"fen": "{CHESS960}"}}\n{{"fen": "{CHESS960}", "variant": "standard"}}\n'
    path = "?nodes=50&variant=chess960"
    status, job, _ = await api.request("POST", path, data=lines, headers=NDJSON)
    assert status == 201, job
    good, bad = await api.results(job)
    assert good["analysis"]["fen"] == CHESS960
    assert "set `variant`" in bad["error"]["detail"]
    text = {"Content-Type": "text/plain"}
    status, job, _ = await api.request("POST", path, data=f"{CHESS960}\n", headers=text)
    assert (await api.results(job))[0]["analysis"]["fen"] == CHESS960


async def test_games_are_a_job(api: Api) -> None:
    headers = {"Content-Type": "application/x-chess-pgn"}
    status, job, _ = await api.request("POST", "?nodes=500", data=PGN, headers=headers)
    assert (status, job["kind"], job["total"]) == (201, "games", 2)
    results = await api.results(job)
    assert [each["game"]["status"] for each in results] == ["analysed", "analysed"]
    status, pgn, headers = await api.request("GET", f"/{job['id']}/annotated.pgn")
    assert (status, pgn.count("[Event "), pgn.count("[%eval") > 2) == (200, 2, True)
    assert headers["Content-Type"].startswith("application/x-chess-pgn")
    same = await api.post({"games": PGN.decode(), "limits": {"nodes": 500}})
    assert [each["game"]["positions"] for each in await api.results(same)] == [
        each["game"]["positions"] for each in results
    ]


async def test_games_that_the_disk_has_no_room_for_may_come_later(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Path("/dev/full")
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: full.open("wb+"))
    headers = {"Content-Type": "application/x-chess-pgn"}
    status, problem, headers = await api.request(
        "POST", "?nodes=200", data=1000 * PGN, headers=headers
    )
    assert (status, headers["Retry-After"]) == (503, "5")
    assert "send fewer at once, or later" in problem["detail"]


async def test_results_of_games_are_as_they_are_described(api: Api) -> None:
    pgn = PGN + b'[Event "c"]\n\n1. e4 e5 2. Ke3 *\n\n[Event "d"]\n[FEN "x"]\n\n1. e4 *\n'
    job = await api.post({"games": pgn.decode(), "limits": {"nodes": 50}, "lines": 2})
    results = await api.results(job)
    assert [each.get("game", {}).get("status") for each in results] == [
        "analysed", "analysed", "partly", None,
    ]  # fmt: skip
    validator = Draft202012Validator({**openapi(), "$ref": "#/components/schemas/JobResult"})
    for each in results:
        validator.validate(each)
    described = openapi()["components"]["schemas"]
    game = results[0]["game"]
    for name, record in (
        ("GameRecord", game),
        ("GamePosition", game["positions"][0]),
        ("GameLine", game["positions"][0]["lines"][0]),
    ):
        assert described[name]["properties"].keys() == record.keys()
        assert set(described[name]["required"]) == record.keys()
    _, annotated, _ = await api.request("GET", f"/{job['id']}/annotated.pgn")
    assert re.findall('Event "(.)"', annotated) == ["a", "b", "c", "d"]
    assert results[3]["error"]["detail"] in " ".join(annotated.split())


async def test_key_makes_one_job(api: Api) -> None:
    fields = {"headers": {"Idempotency-Key": "k"}}
    job = await api.post({"positions": [{}], **NODES}, **fields)
    status, same, _ = await api.request("POST", json={"positions": [{}], **NODES}, **fields)
    assert (status, same["id"]) == (200, job["id"])
    text = {"headers": {**NDJSON, "Idempotency-Key": "k"}}
    status, same, _ = await api.request("POST", "?nodes=200", data=b"{}\n", **text)
    assert (status, same["id"]) == (200, job["id"])
    for other, member in (
        ({"positions": [{}], "limits": {"nodes": 300}}, "limits"),
        ({"positions": [{"moves": ["e4"]}], **NODES}, "positions"),
        ({"games": PGN.decode(), **NODES}, "games"),
    ):
        status, problem, _ = await api.request("POST", json=other, **fields)
        assert status == 409
        assert f"job {job['id']}, whose `{member}` differ: use another" in problem["detail"]
    assert len((await api.request("GET"))[1]["jobs"]) == 1


def stages(folder: Path) -> list[str]:
    """Return the stages of all jobs of the database, if it is there."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'jobs.sqlite'}?mode=ro", uri=True)) as found:
            return [stage for (stage,) in found.execute("SELECT stage FROM jobs")]
    except sqlite3.OperationalError:
        return []


async def test_key_of_a_request_that_is_still_read_may_come_again(api: Api, tmp_path: Path) -> None:
    fields = {"headers": {**NDJSON, "Idempotency-Key": "k"}, "params": {"nodes": "200"}}
    rest = asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        yield b"{}\n"
        await rest.wait()
        yield b"{}\n"

    first = asyncio.create_task(api.request("POST", data=body(), **fields))
    await until(lambda: "loading" in stages(tmp_path))
    status, problem, headers = await api.request("POST", data=b"{}\n{}\n", **fields)
    assert (status, "still being read" in problem["detail"]) == (409, True)
    assert headers["Retry-After"] == "1"
    rest.set()
    status, job, _ = await first
    assert (status, job["total"]) == (201, 2)
    status, same, _ = await api.request("POST", data=b"{}\n{}\n", **fields)
    assert (status, same["id"]) == (200, job["id"])


async def test_job_is_paused_resumed_and_deleted(api: Api) -> None:
    job = await api.post({"positions": [{}], "limits": {"nodes": 10**12}})
    path = f"/{job['id']}"
    status, found, _ = await api.request("POST", f"{path}/pause")
    assert (status, found["state"]) == (200, "paused")
    status, found, _ = await api.request("POST", f"{path}/resume")
    assert (status, found["state"] in ("queued", "running")) == (200, True)
    assert (await api.request("DELETE", path))[0] == 204
    assert (await api.request("GET", path))[0] == 404


@pytest.mark.parametrize(("body", "status", "path", "text"), [
    (b"{", 400, None, "no JSON"),
    (b"\xff\xfe", 400, None, "no JSON"),
    (b"[" * 100_000, 400, None, "no JSON"),
    (b"[]", 422, "$", "an object"),
    (b"{}", 422, "$.limits", "missing"),
    (b'{"limits": {"nodes": 1}}', 422, "$", "one of positions and games"),
    (b'{"limits": {"nodes": 1}, "positions": []}', 422, "$.positions", "length"),
    (b'{"limits": {}, "positions": [{}]}', 422, "$.limits", "at least one of depth"),
    (b'{"limits": {"nodes": "many"}, "positions": [{}]}', 422, "$.limits.nodes", "a whole number"),
    (b'{"limits": {"nodes": 0}, "positions": [{}]}', 422, "$.limits.nodes", ">= 1"),
    (b'{"limits": {"nodes": 1}, "positions": [{"fen": 3}]}', 422, "$.positions[0].fen", "string"),
    (b'{"limits": {"nodes": 1}, "positions": [{}], "nodes": 3}', 422, "$.nodes", "no member"),
    (b'{"limits": {"nodes": 1}, "positions": [{}], "movetime": 3}', 422, "$.movetime", "`limits.m"),
    (b'{"limits": {"nodes": 1}, "positions": [{}], "multipv": 3}', 422, "$.multipv", "`lines`?"),
    (b'{"limits": {"nodes": 1}, "positions": [{"moves": "e4 e5"}]}', 422, "$.positions[0].moves",
     'an array of moves, as ["e4", "e5"]'),
    (b'{"limits": {"nodes": 1}, "positions": [{}], "name": "\\u0000"}', 422, "$.name", "control"),
])  # fmt: skip
async def test_document_that_is_not_as_it_should_be_is_told_where(
    api: Api, body: bytes, status: int, path: str | None, text: str
) -> None:
    headers = {"Content-Type": "application/json"}
    found, problem, fields = await api.request("POST", data=body, headers=headers)
    assert (found, problem.get("path")) == (status, path), problem
    assert text in problem["detail"]
    assert fields["Content-Type"] == "application/problem+json"
    assert (await api.request("GET"))[1]["jobs"] == []


@pytest.mark.parametrize(("query", "path"), [
    ("", "?"),
    ("?nodes=x", "?nodes"),
    ("?nodes=1&fish=2", "?fish"),
    ("?nodes=1&games=x", "?games"),
    ("?nodes=1&priority=100", "?priority"),
    ("?nodes=1&variant=checkers", "?variant"),
])  # fmt: skip
async def test_query_that_is_not_as_it_should_be_is_told_where(
    api: Api, query: str, path: str
) -> None:
    status, problem, _ = await api.request("POST", query, data=b"{}\n", headers=NDJSON)
    assert (status, problem["path"]) == (422, path), problem


async def test_line_that_is_not_as_it_should_be_is_named(api: Api) -> None:
    for line, status, text in (
        (b"{", 400, "line 2: the body is no JSON"),
        (b'{"x": 1}', 422, "line 2"),
    ):
        found, problem, _ = await api.request(
            "POST", "?nodes=1", data=b"{}\n" + line, headers=NDJSON
        )
        assert (found, text in problem["detail"]) == (status, True), problem
    found, problem, _ = await api.request(
        "POST", "?nodes=1", data=b"<html>", headers={"Content-Type": "application/x-chess-pgn"}
    )
    assert (found, "no PGN" in problem["detail"]) == (400, True)
    assert (await api.request("GET"))[1]["jobs"] == []


async def test_unknown_engine_option_kind_and_job_are_named(api: Api) -> None:
    document: dict[str, object] = {"positions": [{}], **NODES}
    status, problem, _ = await api.request("POST", json={**document, "engine": "fish"})
    assert (status, problem["code"]) == (404, "unknown-engine")
    for fault, code, path in (
        ({"options": {"Fish": 1}}, "unknown-option", "$.options.Fish"),
        ({"options": {"Hash": "many"}}, "bad-value", "$.options.Hash"),
        ({"options": {"MultiPV": 2}}, "option-refused", "$.options.MultiPV"),
    ):
        status, problem, _ = await api.request("POST", json={**document, **fault})
        assert (status, problem["code"], problem["path"]) == (422, code, path)
    query = "?nodes=1&option.Hash=many"
    status, problem, _ = await api.request("POST", query, data=b"{}\n", headers=NDJSON)
    assert (status, problem["path"]) == (422, "?option.Hash")
    assert problem["expected"].startswith("a whole number from ")
    status, problem, _ = await api.request("POST", data=b"x", headers={"Content-Type": "image/png"})
    assert (status, "image/png" in problem["detail"]) == (415, True)
    for path in ("/0", "/0/results", "/" + "x" * 500):
        assert (await api.request("GET", path))[0] == 404
    job = await api.post(document)
    for query in ("after=x", "after=-2", "after=9999999999999999999", "follow=maybe"):
        status, problem, _ = await api.request("GET", f"/{job['id']}/results?{query}")
        assert (status, problem["path"]) == (422, f"?{query.split('=')[0]}")
    assert (await api.request("GET", f"/{job['id']}/annotated.pgn"))[0] == 409
    await api.results(job)
    for word in ("pause", "resume"):
        status, problem, _ = await api.request("POST", f"/{job['id']}/{word}")
        assert (status, "is finished" in problem["detail"]) == (409, True)


async def test_too_much_is_refused_before_it_is_read(config: Config) -> None:
    quotas = Quotas.parse({"stored_mb": 1, "stored_positions": 50, "stored_jobs": 1}, {})
    async with Running(replace(config, quotas=quotas)) as app, aiohttp.ClientSession() as session:
        api = Api(app, session)
        document = {"positions": [{"fen": "x" * 100}] * 10_000, **NODES}
        status, problem, _ = await api.request("POST", json=document)
        assert (status, "send more as NDJSON" in problem["detail"]) == (413, True)
        text = {"Content-Type": "text/plain"}
        status, problem, _ = await api.request("POST", "?nodes=1", data=b"8/" * 2**20, headers=text)
        assert (status, problem["code"]) == (413, "quota-stored")
        sent = 0

        async def lines() -> AsyncIterator[bytes]:
            nonlocal sent
            for _ in range(10_000):
                sent += 1
                yield b'{"fen": "%b"}\n' % (b"x" * 190) * 100
                await asyncio.sleep(0)

        status = None
        try:
            status, problem, _ = await api.request("POST", "?nodes=1", data=lines(), headers=NDJSON)
            assert "1 MiB" in problem["detail"] or "positions" in problem["detail"]
        except aiohttp.ClientError:
            pass  # The connection was closed before all was sent.
        assert status in (413, None)
        assert sent < 1000
        assert (await api.request("GET"))[1]["jobs"] == []
        many = {"positions": [{}] * 51, **NODES}
        status, problem, _ = await api.request("POST", json=many)
        assert (status, problem["code"]) == (413, "quota-stored")
        assert "50 positions and games: delete a job" in problem["detail"]
        assert problem["type"] == "/docs#quota-stored"
        await api.post({"positions": [{}], **NODES})
        status, problem, _ = await api.request("POST", json={"positions": [{}], **NODES})
        assert (status, problem["code"]) == (413, "quota-jobs")
        assert "you have 1 jobs, and may have 1: delete one" in problem["detail"]


async def test_games_name_their_variant_themselves(api: Api) -> None:
    pgn = {"Content-Type": "application/x-chess-pgn"}
    path = "?nodes=1&variant=chess960"
    status, problem, _ = await api.request("POST", path, data=PGN, headers=pgn)
    assert (status, problem["path"], problem["expected"]) == (422, "?variant", "a tag `Variant`")


async def test_jobs_that_are_switched_off_have_a_code(config: Config) -> None:
    off = replace(config, jobs=JobsConfig(enabled=False))
    async with Running(off) as app, aiohttp.ClientSession() as session:
        status, problem, headers = await Api(app, session).request("GET")
        assert (status, problem["code"], "Retry-After" in headers) == (503, "jobs-off", False)


async def test_body_that_stalls_is_ended(
    app: Running, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_body, "PATIENCE", 0.2)

    async def lines() -> AsyncIterator[bytes]:
        yield b"{}\n"
        await asyncio.sleep(3600)

    status, problem, _ = await api.request("POST", "?nodes=1", data=lines(), headers=NDJSON)
    assert (status, "within" in problem["detail"]) == (408, True)
    assert (await api.request("GET"))[1]["jobs"] == []
    assert app.jobs


async def test_follower_that_goes_is_forgotten(app: Running, api: Api) -> None:
    job = await api.post({"positions": [{}], "limits": {"nodes": 10**12}})
    url = f"http://127.0.0.1:{app.port}/v1/jobs/{job['id']}/results?follow=true"
    assert app.jobs
    jobs = app.jobs
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        assert response.status == 200
        await until(lambda: jobs._followers)
    await until(lambda: not jobs._followers)
    assert (await api.request("DELETE", f"/{job['id']}"))[0] == 204


async def test_follower_is_left_when_its_token_is_revoked(config: Config, tokens: Path) -> None:
    anna = bearer(add_token(tokens, "anna"))
    config = replace(config, server=replace(config.server, tokens=tokens))
    async with Running(config) as app, aiohttp.ClientSession() as session:
        document = {"positions": [{}, {}], "limits": {"movetime": 1000}}
        status, job, _ = await Api(app, session).request("POST", json=document, headers=anna)
        assert status == 201
        url = f"http://127.0.0.1:{app.port}/v1/jobs/{job['id']}/results?follow=true"
        async with session.get(url, headers=anna) as response:
            assert response.status == 200
            tokens.write_text("")
            app.reload()
            with pytest.raises(aiohttp.ClientPayloadError):
                async with asyncio.timeout(TIMEOUT):
                    await response.text()


async def test_follower_that_does_not_read_is_left(
    app: Running, api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(job_routes, "READING_TIME", 0.1)
    job = await api.post({"positions": [{}], **NODES})
    assert app.jobs
    ended = False

    async def results(*_: object, **__: object) -> AsyncIterator[list[tuple[int, str]]]:
        nonlocal ended
        try:
            while True:
                yield [(0, "x" * 1_000_000)]
        finally:
            ended = True

    monkeypatch.setattr(app.jobs, "results", results)
    connections = app._connections._all
    before = set(connections)
    _, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(request_for(f"/v1/jobs/{job['id']}/results"))
    await until(lambda: ended and connections <= before)
    writer.close()
    assert "request has failed" not in caplog.text


async def test_nothing_of_another_account_can_be_seen(config: Config, tokens: Path) -> None:
    anna, bob = (bearer(add_token(tokens, name)) for name in ("anna", "bob"))
    config = replace(config, server=replace(config.server, tokens=tokens))
    async with Running(config) as app, aiohttp.ClientSession() as session:
        api = Api(app, session)
        document = {"positions": [{}], **NODES}
        status, job, _ = await api.request("POST", json=document, headers=anna)
        assert status == 201
        none = "0" * 32
        for method, path in (
            ("GET", ""), ("DELETE", ""), ("GET", "/results"), ("GET", "/annotated.pgn"),
            ("POST", "/pause"), ("POST", "/resume"),
        ):  # fmt: skip
            where = f"/{job['id']}{path}"
            answers = [
                await api.request(method, each, headers=bob) for each in (where, f"/{none}{path}")
            ]
            assert [status for status, _, _ in answers] == [404, 404], where
            told = [str(document) for _, document, _ in answers]
            assert told[0].replace(job["id"], none) == told[1]  # It tells nothing else.
            assert none in answers[1][1]["detail"]
        assert (await api.request("GET", headers=bob))[1]["jobs"] == []
        assert len((await api.request("GET", headers=anna))[1]["jobs"]) == 1
        assert (await api.request("GET"))[0] == 401
