"""The client of the analysis service against answers as the API has them, and against others."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp.web
import chess
import pytest
from chess.engine import Cp, Limit, Mate, PovScore
from helpers.fake_service import (
    FEN,
    FINAL,
    JOB,
    LINE,
    FakeService,
    document,
    hang_up,
    lines,
    plain,
    problem,
)
from helpers.support import TIMEOUT

from rookery_bridge.client import (
    AnalysisClient,
    AnalysisPosition,
    ServiceError,
    SimpleAnalysisClient,
    service_connection,
)
from rookery_protocol.address import AddressError
from rookery_protocol.tls_trust import TrustError

ENGINES = "GET /v1/engines"
ANALYSE = "POST /v1/analyse"


@pytest.fixture
async def service() -> AsyncIterator[FakeService]:
    async with FakeService() as running:
        running.script(ENGINES, document({"engines": []}))
        yield running


@pytest.fixture
async def client(service: FakeService) -> AsyncIterator[AnalysisClient]:
    async with AnalysisClient(service.address, token="rk_a_b", patience=2.0) as made:
        yield made


# --- answers


async def test_engines(service: FakeService, client: AnalysisClient) -> None:
    option = {"name": "Hash", "type": "spin", "default": "16", "min": 1, "max": 64, "news": 1}
    engine = {"name": "sf", "title": "Stockfish", "is_default": True, "options": [option]}
    service.script(ENGINES, document({"engines": [{**engine, "variants": ["standard"]}]}))
    (found,) = await client.engines()
    assert (found.name, found.title, found.is_default) == ("sf", "Stockfish", True)
    assert found.options[0].max == 64
    assert service.seen[0].headers["Authorization"] == "Bearer rk_a_b"
    assert "rk_" not in json.dumps(service.seen[0].query) + service.seen[0].path


async def test_analysis_is_the_last_of_what_is_found(
    service: FakeService, client: AnalysisClient
) -> None:
    first = {**FINAL, "final": False, "lines": [{**LINE, "depth": 1}]}
    service.script(ANALYSE, lines(first, FINAL))
    result = await client.analyse(FEN, nodes=900, lines=2, options={"Hash": 8}, engine="sf")
    assert result.move == chess.Move.from_uci("e2e4")
    assert result.score == PovScore(Cp(31), chess.WHITE)
    assert result.lines[0].depth == 8
    assert result.lines[0].chances
    assert result.lines[0].chances.white().draws == 850
    sent = json.loads(service.seen[0].body)
    assert sent["limits"] == {"nodes": 900}
    assert (sent["lines"], sent["options"], sent["engine"]) == (2, {"Hash": 8}, "sf")
    assert service.seen[0].headers["Accept"] == "application/x-ndjson"

    found = [each.lines[0].depth async for each in client.analyse_stream(FEN, depth=8)]
    assert found == [1, 8]


async def test_mates_and_positions_without_lines(
    service: FakeService, client: AnalysisClient
) -> None:
    service.script(
        ANALYSE, lines({**FINAL, "lines": [{"mate": -3, "pv": ["e2e4"], "san": ["e4"]}]})
    )
    assert (await client.analyse(FEN, depth=1)).score == PovScore(Mate(-3), chess.WHITE)
    over = {"fen": FEN, "engine": "rookery", "final": True, "outcome": "stalemate"}
    service.script(ANALYSE, lines(over))
    result = await client.analyse(FEN, depth=1)
    assert (result.move, result.score, result.outcome) == (None, None, "stalemate")


async def test_boards_are_sent_with_their_moves(
    service: FakeService, client: AnalysisClient
) -> None:
    service.script(ANALYSE, lines(FINAL))
    board = chess.Board()
    board.push_san("e4")
    await client.analyse(board, Limit(time=0.25))
    sent = json.loads(service.seen[-1].body)
    assert "fen" not in sent
    assert sent["moves"] == ["e2e4"]
    assert sent["limits"] == {"movetime": 250}

    board.push(chess.Move.null())
    board.push_san("Nc3")
    await client.analyse(board, depth=3)
    sent = json.loads(service.seen[-1].body)
    assert sent["moves"] == ["b1c3"]
    assert chess.Board(sent["fen"]).piece_at(chess.E4)

    castling = chess.Board("4k3/8/8/8/8/8/8/4K2R w H - 0 1", chess960=True)
    await client.analyse(castling, mate=3, search_moves=[chess.Move.from_uci("e1h1")])
    sent = json.loads(service.seen[-1].body)
    assert sent["variant"] == "chess960"
    assert sent["search_moves"] == ["e1h1"]

    written = AnalysisPosition(moves="e4 e5")
    assert written.document() == {"moves": ["e4", "e5"]}

    long = chess.Board()
    for _ in range(600):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            long.push_uci(move)
    await client.analyse(AnalysisPosition.of(long), depth=1)
    assert len(json.loads(service.seen[-1].body)["moves"]) == 1024


async def test_engine_of_the_address_is_the_default(service: FakeService) -> None:
    service.script(ANALYSE, lines(FINAL))
    async with AnalysisClient(f"{service.address}/engines/sf") as client:
        await client.analyse(FEN, depth=1)
        await client.analyse(FEN, depth=1, engine="other")
    assert [json.loads(each.body)["engine"] for each in service.seen] == ["sf", "other"]


async def test_evaluations(service: FakeService, client: AnalysisClient) -> None:
    kept = {**FINAL, "cached": "2026-11-25T22:00:00Z"}
    service.script("GET /v1/evaluations", document({"fen": FEN, "evaluations": [kept]}))
    (found,) = await client.evaluations(chess.Board(FEN.replace("w", "b")), lines=2)
    assert found.cached
    asked = service.seen[0].query
    assert asked == {"fen": FEN.replace("w", "b"), "variant": "standard", "lines": "2"}


# --- errors


async def test_problem_documents_are_errors(service: FakeService, client: AnalysisClient) -> None:
    said = {"path": "$.limits.nodes", "expected": "a number from 1 on"}
    service.script(ANALYSE, problem(422, "bad-command", "0 is too small", **said))
    with pytest.raises(ServiceError) as caught:
        await client.analyse(FEN, nodes=1)
    error = caught.value
    assert (error.status, error.code) == (422, "bad-command")
    assert (error.detail, error.path) == ("0 is too small", "$.limits.nodes")
    text = "bad-command: 0 is too small (at $.limits.nodes); expected a number from 1 on"
    assert str(error) == text
    assert len(service.seen) == 1


async def test_problem_within_a_stream_is_an_error(
    service: FakeService, client: AnalysisClient
) -> None:
    failed = {
        "type": "/docs#x",
        "title": "No",
        "status": 500,
        "detail": "gone",
        "code": "engine-died",
    }
    service.script(ANALYSE, lines({**FINAL, "final": False}, failed))
    with pytest.raises(ServiceError, match="engine-died: gone"):
        await client.analyse(FEN, nodes=1)


async def test_busy_server_is_asked_again_when_it_says(
    service: FakeService, client: AnalysisClient
) -> None:
    service.script(
        ENGINES, problem(503, "queue-full", "wait", wait="1"), plain(502), document({"engines": []})
    )
    began = time.monotonic()
    assert await client.engines() == []
    assert time.monotonic() - began >= 1.0
    assert len(service.seen) == 3


async def test_waits_beyond_the_patience_are_the_callers(
    service: FakeService, client: AnalysisClient
) -> None:
    service.script(ENGINES, problem(429, "quota-cpu", "used up", wait="900"))
    with pytest.raises(ServiceError, match="quota-cpu") as caught:
        await client.engines()
    assert caught.value.wait == 900
    assert len(service.seen) == 1


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (plain(404, "no"), "no analysis service"),
        (plain(302, Location="https://elsewhere.example/"), "leads elsewhere"),
        (plain(200, "<html>"), "no JSON"),
        (document([]), "no list"),
        (document({"engines": [{"title": "x"}]}), r"\$.engines\[0\] has no 'name'"),
        (document({"engines": [{"name": 3}]}), "is no str"),
        (plain(200, "[" * 100_000), "no JSON"),
        (plain(200, "x" * (17 << 20)), "more than"),
    ],
)
async def test_what_is_no_answer_is_said(
    service: FakeService, client: AnalysisClient, answer: object, match: str
) -> None:
    service.script(ENGINES, answer)  # type: ignore[arg-type]
    with pytest.raises(ServiceError, match=match):
        await asyncio.wait_for(client.engines(), TIMEOUT)
    assert len(service.seen) == 1


async def test_missing_token_is_said(service: FakeService) -> None:
    service.script(ENGINES, problem(401, "unauthorized", "no"))
    async with AnalysisClient(service.address) as client:
        with pytest.raises(ServiceError, match="--token-file FILE") as caught:
            await client.engines()
    assert caught.value.code == "unauthorized"


async def test_server_that_was_never_there_is_said_at_once() -> None:
    async with AnalysisClient("http://127.0.0.1:1") as client:
        began = time.monotonic()
        with pytest.raises(ServiceError, match="refused") as caught:
            await client.engines()
    assert time.monotonic() - began < 5
    assert caught.value.status is None


async def test_port_that_wants_tls_is_guessed(service: FakeService) -> None:
    service.script(ENGINES, hang_up)
    async with AnalysisClient(service.address, patience=0.5) as client:
        with pytest.raises(ServiceError, match="does that port want TLS, https://"):
            await client.engines()


@pytest.mark.parametrize(
    "address", ["tcp://host:1/x", "host:80", "https://host?token=rk_a", "https://a:b@host"]
)
def test_addresses_of_no_server_are_refused(address: str) -> None:
    with pytest.raises(AddressError) as caught:
        AnalysisClient(address)
    assert "rk_a" not in str(caught.value)


def test_token_is_not_sent_in_clear_text() -> None:
    with pytest.raises(TrustError, match="unencrypted"):
        AnalysisClient("http://host.example", token="rk_a_b")
    AnalysisClient("http://host.example", token="rk_a_b", insecure=True)
    AnalysisClient("https://host.example", token="rk_a_b")


@pytest.mark.parametrize(
    ("limits", "named"),
    [(None, {}), (Limit(), {}), (Limit(white_clock=1), {}), (Limit(nodes=1), {"nodes": 1})],
)
async def test_searches_need_one_end(limits: Limit | None, named: dict[str, int]) -> None:
    async with AnalysisClient("http://127.0.0.1:1") as client:
        with pytest.raises(ValueError, match=r"a search needs|has no clocks|given twice"):
            await client.analyse(FEN, limits, **named)  # type: ignore[arg-type]


async def test_answer_that_does_not_end_is_given_up(
    service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drip(request: aiohttp.web.Request) -> aiohttp.web.StreamResponse:
        response = aiohttp.web.StreamResponse(status=500)
        await response.prepare(request)
        while True:
            await response.write(b" ")
            await asyncio.sleep(0.01)

    monkeypatch.setattr(service_connection, "_BODY_TIMEOUT", 0.2)
    service.script(ENGINES, drip)
    async with AnalysisClient(service.address, patience=0.1) as client:
        with pytest.raises(ServiceError, match="not ended its answer"):
            await asyncio.wait_for(client.engines(), TIMEOUT)


# --- lost connections


async def test_search_is_asked_for_again(service: FakeService, client: AnalysisClient) -> None:
    partial = {**FINAL, "final": False}
    service.script(ANALYSE, lines(partial, cut=True), hang_up, lines(partial), lines(FINAL))
    assert (await client.analyse(FEN, nodes=1)).final
    assert len(service.seen) == 4


async def test_server_that_stays_away_ends_a_call(service: FakeService) -> None:
    service.script(ANALYSE, hang_up)
    async with AnalysisClient(service.address, patience=0.5) as client:
        await client.engines()
        with pytest.raises(ServiceError, match="lost"):
            await asyncio.wait_for(client.analyse(FEN, nodes=1), TIMEOUT)


# --- jobs


async def test_job_is_made_of_a_generator(service: FakeService, client: AnalysisClient) -> None:
    service.script("POST /v1/jobs", hang_up, problem(503, "draining", "soon"), document(JOB, 201))
    positions = (AnalysisPosition(FEN, id=number) for number in range(3))
    await client.engines()
    job = await client.jobs.create(
        positions=positions, nodes=200, lines=2, options={"Hash": 16, "Ponder": False},
        name="mine", priority=-1,
    )  # fmt: skip
    assert (job.id, job.total, job.limits.nodes, job.cost.time) == ("a1", 3, 200, 4)
    sent = service.seen[1:]
    assert len(sent) == 3
    assert len({each.headers["Idempotency-Key"] for each in sent}) == 1
    assert len({each.body for each in sent}) == 1
    assert [json.loads(each)["id"] for each in sent[0].body.splitlines()] == [0, 1, 2]
    assert sent[0].query == {
        "nodes": "200", "lines": "2", "option.Hash": "16", "option.Ponder": "false",
        "name": "mine", "priority": "-1",
    }  # fmt: skip
    assert sent[0].headers["Content-Type"] == "application/x-ndjson"


async def test_job_whose_first_request_is_still_read_is_asked_for_again(
    service: FakeService, client: AnalysisClient
) -> None:
    still = problem(409, "", "the request with this key is still being read", wait="1")
    service.script("POST /v1/jobs", still, document(JOB, 200))
    assert (await client.jobs.create(positions=[FEN], nodes=1)).id == "a1"
    service.script("POST /v1/jobs", problem(409, "", "the key was used for another job"))
    with pytest.raises(ServiceError) as caught:
        await client.jobs.create(positions=[FEN], nodes=1)
    assert caught.value.status == 409


async def test_job_is_made_of_games(
    service: FakeService, client: AnalysisClient, tmp_path: Path
) -> None:
    service.script("POST /v1/jobs", document(JOB, 201))
    file = tmp_path / "games.pgn"
    file.write_bytes(b"1. e4 *\n\xff")
    for games in (file, "1. e4 *"):
        await client.jobs.create(Limit(depth=3), games=games)
    assert [each.body for each in service.seen] == [b"1. e4 *\n\xff", b"1. e4 *"]
    assert service.seen[0].headers["Content-Type"] == "application/x-chess-pgn"
    assert service.seen[0].query == {"depth": "3"}


@pytest.mark.parametrize("content", [{}, {"positions": [FEN], "games": ""}, {"positions": []}])
async def test_jobs_need_content(client: AnalysisClient, content: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a job has"):
        await client.jobs.create(nodes=1, **content)  # type: ignore[arg-type]


async def test_jobs_are_shown_and_changed(service: FakeService, client: AnalysisClient) -> None:
    service.script("GET /v1/jobs", document({"jobs": [JOB]}))
    service.script("GET /v1/jobs/a1", document(JOB), document({**JOB, "state": "finished"}))
    service.script("POST /v1/jobs/a1/pause", document({**JOB, "state": "paused"}))
    service.script("POST /v1/jobs/a1/resume", plain(204))
    service.script("DELETE /v1/jobs/a1", plain(204))
    (job,) = await client.jobs.list()
    assert (await client.jobs.pause(job)).state == "paused"
    assert [each.state async for each in client.jobs.watch("a1", 0.01)] == ["running", "finished"]
    assert (await client.jobs.resume(job)).state == "finished"
    await client.jobs.delete("a1")
    with pytest.raises(ServiceError) as caught:
        await client.jobs.get("a/../b")
    assert caught.value.status == 404


def result(index: int) -> dict[str, object]:
    return {"index": index, "id": index, "analysis": FINAL}


async def test_results_go_on_behind_a_lost_connection(
    service: FakeService, client: AnalysisClient
) -> None:
    service.script(
        "GET /v1/jobs/a1/results",
        lines(result(0), cut=True),
        hang_up,
        lines(result(1), b"\n"),
        lines({"index": 2, "error": {"code": "illegal-position", "detail": "no king"}}),
    )
    service.script("GET /v1/jobs/a1", document(JOB))
    found = [each async for each in client.jobs.results("a1", follow=True)]
    assert [each.index for each in found] == [0, 1, 2]
    assert found[0].analysis
    assert found[0].analysis.best == "e2e4"
    assert found[2].error
    assert found[2].error.detail == "no king"
    asked = [each.query for each in service.seen if each.path.endswith("results")]
    assert [each.get("after") for each in asked] == [None, "0", "0", "1"]


async def test_results_that_are_there_do_not_wait(
    service: FakeService, client: AnalysisClient
) -> None:
    service.script("GET /v1/jobs/a1/results", lines(result(1)))
    assert [each.index async for each in client.jobs.results("a1", after=0)] == [1]
    assert service.seen[0].query == {"after": "0"}


async def test_games_come_whole(
    service: FakeService, client: AnalysisClient, tmp_path: Path
) -> None:
    service.script(
        "GET /v1/jobs/a1/annotated.pgn",
        lines(b"1. e4", cut=True),
        plain(200, "1. e4 {[%eval 1]} *"),
    )
    await client.engines()
    with (tmp_path / "out.pgn").open("wb") as file:
        await client.jobs.save_annotated_pgn("a1", file)
    assert (tmp_path / "out.pgn").read_text() == "1. e4 {[%eval 1]} *"
    assert await client.jobs.annotated_pgn("a1") == "1. e4 {[%eval 1]} *"


# --- without asyncio


async def test_blocking_client(service: FakeService) -> None:
    service.script(ANALYSE, lines({**FINAL, "final": False}, FINAL))
    service.script("POST /v1/jobs", document(JOB, 201))
    service.script("GET /v1/jobs/a1/results", lines(result(0), result(1), result(2)))
    service.script("GET /v1/jobs/a1", document({**JOB, "state": "finished"}))

    def use_client() -> None:
        with SimpleAnalysisClient(service.address) as client:
            assert client.engines() == []
            assert client.analyse(chess.Board(), Limit(depth=3)).best == "e2e4"
            for found in client.analyse_stream(FEN, depth=3):
                assert not found.final
                break
            job = client.jobs.create(positions=[FEN], nodes=1)
            found_all = client.jobs.results(job, follow=True)
            assert [each.index for each in found_all] == [0, 1, 2]
            with pytest.raises(ServiceError):
                client.jobs.get("none")
        client.close()

    await asyncio.wait_for(asyncio.to_thread(use_client), TIMEOUT)
