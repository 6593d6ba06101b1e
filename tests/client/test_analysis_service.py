"""The client of the analysis service with real servers and engines, on good and bad networks."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import aclosing
from hashlib import sha256
from pathlib import Path

import chess
import pytest
import trustme
from chess.engine import Limit, Mate, PovScore
from helpers.certificates import certificate
from helpers.client_server import engines
from helpers.proxy import Proxy
from helpers.support import TIMEOUT, Running, add_token, until

from rookery_bridge.client import (
    AnalysisClient,
    AnalysisPosition,
    ServiceError,
    SimpleAnalysisClient,
)
from rookery_server.config.config import Config
from rookery_server.config.sections import ServerConfig
from rookery_server.session.commands import SessionState

MATE = "r1bqkbnr/p1pp1ppp/1pn5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4"


def web(app: Running, port: int | None = None) -> str:
    return f"http://127.0.0.1:{port or app.port}"


@pytest.fixture
async def client(app: Running) -> AsyncIterator[AnalysisClient]:
    async with AnalysisClient(web(app), patience=3 * TIMEOUT) as made:
        yield made


async def test_engines_are_those_of_the_server(client: AnalysisClient) -> None:
    found = {engine.name: engine for engine in await client.engines()}
    assert found["rookery"].is_default
    assert "chess960" in found["stockfish"].variants
    (size,) = (option for option in found["rookery"].options if option.name == "Hash")
    assert size.type == "spin"
    assert size.max


@pytest.mark.parametrize("engine", ["rookery", "stockfish"])
async def test_mate_is_found(client: AnalysisClient, engine: str) -> None:
    result = await client.analyse(
        chess.Board(MATE), Limit(depth=8), lines=2, engine=engine, options={"Hash": 8}, san=True
    )
    assert result.engine == engine
    assert result.lines[0].san == ("Qxf7#",)
    assert result.score == PovScore(Mate(1), chess.WHITE)
    assert len(result.lines) == 2


async def test_limits_and_moves_to_consider(client: AnalysisClient) -> None:
    result = await client.analyse(chess.STARTING_FEN, movetime=50, search_moves=["Nh3", "a2a3"])
    assert result.best in ("g1h3", "a2a3")
    result = await client.analyse(MATE, mate=1)
    assert result.best == "f3f7"
    castling = chess.Board("4k3/8/8/8/8/8/8/4K2R w H - 0 1", chess960=True)
    moves = [chess.Move.from_uci("e1h1")]
    result = await client.analyse(castling, depth=4, search_moves=moves)
    assert result.move == moves[0]


async def test_fresh_search_knows_nothing_of_those_before(client: AnalysisClient) -> None:
    found = [
        await client.analyse(chess.STARTING_FEN, nodes=3000, fresh=fresh)
        for fresh in (True, False, True)
    ]
    assert [(each.depth, each.nodes, each.lines[0].pv) for each in found[::2]] == 2 * [
        (found[0].depth, found[0].nodes, found[0].lines[0].pv)
    ]


async def test_game_that_is_over_has_an_outcome(client: AnalysisClient) -> None:
    moves = ("f2f3", "e7e5", "g2g4", "d8h4")
    result = await client.analyse(AnalysisPosition(moves=moves, id=7), depth=3)
    assert (result.outcome, result.best, result.id) == ("checkmate", None, 7)


async def test_stream_reports_and_a_closed_one_ends_its_search(
    app: Running, client: AnalysisClient
) -> None:
    seen = []
    stream = client.analyse_stream(chess.Board(), movetime=3_600_000, interval=0.0)
    async with aclosing(stream):
        async for result in stream:
            seen.append(result)
            if len(seen) == 3:
                assert not result.final
                break
    await until(lambda: not is_searching(app))
    assert [each.final for each in seen] == [False] * 3


def is_searching(app: Running) -> bool:
    return any(session.state is SessionState.SEARCHING for session in app.sessions)


async def test_cancelled_call_ends_its_search(app: Running, client: AnalysisClient) -> None:
    call = asyncio.create_task(client.analyse(chess.Board(), movetime=3_600_000))
    await until(lambda: is_searching(app))
    call.cancel()
    await until(lambda: not is_searching(app))


@pytest.mark.parametrize(
    ("request_", "status", "code", "path"),
    [
        ({"engine": "deep-blue"}, 404, "unknown-engine", None),
        ({"options": {"Cores": 4}}, 422, "unknown-option", "$.options"),
        ({"options": {"Hash": "much"}}, 422, "bad-value", "$.options"),
        ({"search_moves": ["e7e5"]}, 422, None, "$.search_moves"),
        ({"lines": 100_000}, 422, None, "$.lines"),
        ({"nodes": 0}, 422, None, "$.limits.nodes"),
    ],
)
async def test_refusals_name_their_place(
    client: AnalysisClient, request_: dict[str, object], status: int, code: str | None, path: str
) -> None:
    with pytest.raises(ServiceError) as caught:
        await client.analyse(chess.Board(), depth=4, **request_)  # type: ignore[arg-type]
    error = caught.value
    assert error.status == status
    assert code is None or error.code == code
    assert (error.path or "").startswith(path or "")
    assert error.detail


async def test_illegal_positions_are_named(client: AnalysisClient) -> None:
    for position in (
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "this is no position",
        AnalysisPosition(moves=["e2e5"]),
    ):
        with pytest.raises(ServiceError) as caught:
            await client.analyse(position, depth=1)
        assert (caught.value.status, caught.value.code) == (422, "illegal-position")


@pytest.mark.parametrize("cut", ["reset", "end"])
async def test_search_goes_on_after_a_lost_connection(app: Running, cut: str) -> None:
    async with (
        Proxy(app.port or 0, seed=1) as proxy,
        AnalysisClient(web(app, proxy.port)) as client,
        asyncio.timeout(TIMEOUT),
    ):
        stream = client.analyse_stream(chess.Board(), movetime=1000, interval=0.0)
        assert not (await anext(stream)).final
        assert proxy.cut(cut)
        results = [result async for result in stream]
    assert results[-1].final
    assert results[-1].move in chess.Board().legal_moves


async def test_server_that_comes_back_is_asked_again(app: Running) -> None:
    async with (
        Proxy(app.port or 0, seed=1) as proxy,
        AnalysisClient(web(app, proxy.port)) as client,
    ):
        await client.engines()
        await proxy.refuse()
        asked = asyncio.create_task(client.analyse(MATE, depth=4))
        await asyncio.sleep(0.3)  # Some attempts are refused meanwhile.
        await proxy.accept()
        assert (await asyncio.wait_for(asked, TIMEOUT)).best == "f3f7"


async def test_blocking_client_does_the_same(app: Running) -> None:
    def use_client() -> None:
        with SimpleAnalysisClient(f"{web(app)}/engines/stockfish") as client:
            assert client.analyse(chess.Board(MATE), depth=4).engine == "stockfish"
            results = list(client.analyse_stream(MATE, depth=6, interval=0.0))
            assert results[-1].score == PovScore(Mate(1), chess.WHITE)
            with pytest.raises(ServiceError, match="unknown-engine"):
                client.analyse(MATE, depth=1, engine="none")

    await asyncio.wait_for(asyncio.to_thread(use_client), TIMEOUT)


# --- trust


@pytest.fixture
async def secure(tmp_path: Path) -> AsyncIterator[Running]:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    tls = certificate(tmp_path / "tls", authority, "127.0.0.1")
    tokens = tmp_path / "tokens"
    (tmp_path / "token").write_text(add_token(tokens))
    (tmp_path / "token").chmod(0o600)
    server = ServerConfig(port=0, tcp_port=0, tokens=tokens)
    async with Running(Config(engines(), server, tls=tls)) as running:
        yield running


async def test_authority_pin_and_token(secure: Running, tmp_path: Path) -> None:
    address = f"https://127.0.0.1:{secure.port}"
    pem = (tmp_path / "tls" / "certificate.pem").read_text()
    pin = sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()
    token = tmp_path / "token"
    for trust in ({"ca": tmp_path / "ca.pem"}, {"pin": pin}):
        async with AnalysisClient(address, token_file=token, **trust) as client:  # type: ignore[arg-type]
            assert await client.engines()
            assert (await client.analyse(MATE, depth=3)).best == "f3f7"
    for wrong, match in (({}, "not trusted"), ({"pin": "0" * 64}, "another SHA-256")):
        async with AnalysisClient(address, token_file=token, **wrong) as client:  # type: ignore[arg-type]
            with pytest.raises(ServiceError, match=match):
                await client.engines()
    async with AnalysisClient(address, pin=pin) as client:
        with pytest.raises(ServiceError, match="--token-file FILE"):
            await client.engines()
    async with AnalysisClient(address, pin=pin, token="rk_0123_wrong") as client:
        with pytest.raises(ServiceError) as caught:
            await client.engines()
    assert caught.value.code == "unauthorized"
    async with AnalysisClient(f"http://127.0.0.1:{secure.port}") as client:
        with pytest.raises(ServiceError):
            await client.engines()
