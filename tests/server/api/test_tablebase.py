"""`GET /v1/tablebase`, over real sockets and with small tables."""

import asyncio
import json
import logging
import shutil
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import chess
import pytest
from helpers.support import TIMEOUT, Running, get, odd

from rookery_protocol.errors import ServerError
from rookery_server.api import tablebase_routes
from rookery_server.api.tablebase_answer import tablebase_result
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import CacheConfig, TablebasesConfig
from rookery_server.tablebases.tables import Finding, SyzygyTables

TABLES = Path(__file__).parents[2] / "data" / "syzygy"
START = chess.STARTING_FEN


@pytest.fixture
def config(config: Config, tmp_path: Path) -> Config:
    return replace(
        config,
        engines=(EngineConfig("polite", odd("polite")),),
        cache=CacheConfig(file=tmp_path / "cache.sqlite"),
        tablebases=TablebasesConfig((str(TABLES),)),
    )


@pytest.fixture
async def client(app: Running) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{app.port}") as session:
        yield session


def probe(fen: str, folder: Path = TABLES) -> Any:
    return tablebase_result(chess.Board(fen), SyzygyTables([str(folder)]))


async def test_a_position_is_answered_and_the_page_is_told(client: aiohttp.ClientSession) -> None:
    async with client.get("/engines") as response:
        assert (await response.json())["tablebase"] == 4
    fen = "8/8/8/8/8/k7/7R/1K6 b - - 0 1"
    async with client.get("/v1/tablebase", params={"fen": fen, "moves": "Kb3"}) as response:
        found = await response.json()
    assert (found["category"], found["dtz"] > 0) == ("win", True)
    assert found["moves"][0]["category"] == "loss"
    assert "reason" not in found
    async with client.get("/v1/tablebase") as response:
        found = await response.json()
    assert (response.status, found["category"], found["moves"]) == (200, "unknown", [])
    assert found["reason"].startswith("a side may castle")
    for query, path in ({"fen": "x"}, "?fen"), ({"fen": fen, "moves": "e4"}, "?moves[0]"):
        async with client.get("/v1/tablebase", params=query) as response:
            assert (response.status, (await response.json())["path"]) == (422, path)


def test_the_shortest_win_is_first_and_the_longest_loss() -> None:
    mate = probe("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    assert (mate.moves[0].san, mate.moves[0].checkmate, mate.moves[0].dtz) == ("Rh8#", True, -1)
    distances = [-move.dtz for move in mate.moves if move.category == "loss"]
    assert distances == sorted(distances)
    lost = probe("8/8/8/8/8/k7/8/1K5r w - - 0 1")
    assert lost.category == "loss"
    distances = [move.dtz for move in lost.moves]
    assert distances == sorted(distances, reverse=True)


def test_moves_that_draw_are_told_from_moves_that_win() -> None:
    found = probe("4k3/4P3/8/8/8/8/8/3K4 w - - 0 1")
    assert {move.category for move in found.moves} == {"draw"}
    stale = probe("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1")
    assert (stale.stalemate, stale.category, stale.moves) == (True, "draw", [])
    bare = probe("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1")
    took = bare.moves[0]
    assert (took.san, took.insufficient_material, took.zeroing) == ("Kxe2", True, True)


@pytest.mark.parametrize(("clock", "category"), [(0, "win"), (50, "win"), (99, "cursed-win")])
def test_the_fifty_moves_so_far_count(clock: int, category: str) -> None:
    fen = f"8/8/8/8/4k3/8/7R/1K6 w - - {clock} 90"
    assert probe(fen).category == category
    dtz = probe(fen).dtz
    assert probe(f"8/8/8/8/4k3/8/7R/1K6 w - - {100 - dtz} 90").category == "syzygy-win"


def test_the_reason_of_an_unknown_position_is_told() -> None:
    assert probe(START.replace("KQkq", "-")).reason == (
        "the position has 32 men: the server's tablebases have up to 4"
    )
    assert "is missing or broken" in probe("8/8/8/8/4k3/8/6NR/1K6 w - - 0 1").reason


@pytest.mark.parametrize("cut", [0, 16, 80, 3408 - 64 * 20])
def test_a_broken_table_is_named_and_left_out(
    cut: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for path in TABLES.glob("KRvK.*"):
        shutil.copy(path, tmp_path)
    broken = tmp_path / "KRvK.rtbz"
    broken.write_bytes(broken.read_bytes()[:cut])
    with caplog.at_level(logging.WARNING):
        found = probe("8/8/8/8/4k3/8/7R/1K6 w - - 0 1", tmp_path)
    assert (found.category, found.dtz) == ("win", None)
    assert [each.getMessage().partition(" is broken")[0] for each in caplog.records] == [
        f"the tablebase {broken}"
    ]
    (tmp_path / "KRvK.rtbw").write_bytes(b"no table")
    assert probe("8/8/8/8/4k3/8/7R/1K6 w - - 0 1", tmp_path).category == "unknown"


def test_without_dtz_the_fifty_moves_are_not_known(tmp_path: Path) -> None:
    shutil.copy(TABLES / "KRvK.rtbw", tmp_path)
    assert probe("8/8/8/8/4k3/8/7R/1K6 w - - 7 9", tmp_path).category == "maybe-win"


async def test_requests_that_wait_are_bounded(
    app: Running, client: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_free, probe_table = threading.Event(), SyzygyTables.probe

    def slow(tables: SyzygyTables, board: chess.Board) -> Finding:
        is_free.wait(TIMEOUT)
        return probe_table(tables, board)

    async def request_position(number: int) -> int:
        fen = f"8/8/8/8/4k3/8/7R/1K6 w - - {number} 50"
        async with client.get("/v1/tablebase", params={"fen": fen}) as response:
            if response.status == 503:
                assert response.headers["Retry-After"] == "1"
                is_free.set()
            return response.status

    monkeypatch.setattr(SyzygyTables, "probe", slow)
    monkeypatch.setattr(tablebase_routes, "MOST_WAITING", 3)
    found = await asyncio.gather(*(request_position(number) for number in range(4)))
    assert sorted(found) == [200, 200, 200, 503]


async def test_a_server_without_tables_says_so(config: Config) -> None:
    async with Running(replace(config, tablebases=TablebasesConfig())) as app:
        status, text = await get(app, "/v1/tablebase")
        assert (status, "has no tablebases" in text) == (404, True)
        assert json.loads((await get(app, "/engines"))[1])["tablebase"] == 0


async def test_a_folder_that_is_missing_ends_the_start(config: Config) -> None:
    config = replace(config, tablebases=TablebasesConfig(("/no/such/folder",)))
    with pytest.raises(ServerError, match=r"^tablebases\.path: /no/such/folder: No such file"):
        async with Running(config):
            pass
