"""`rookery-bridge projects`, against a server with an engine, and what it refuses by itself."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pytest
from helpers.client_server import ENGINE
from helpers.support import TIMEOUT, Running

from rookery_bridge.program import run
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import CacheConfig, ServerConfig


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    config = Config(
        engines=(EngineConfig("rookery", (ENGINE,)),),
        server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0),
        cache=CacheConfig(file=tmp_path / "projects.sqlite"),
    )
    async with Running(config) as running:
        yield running


async def command(server: Running, *arguments: object) -> int:
    words = ["projects", f"http://127.0.0.1:{server.port}", *map(str, arguments)]
    return await asyncio.wait_for(asyncio.to_thread(run, words), TIMEOUT)


async def test_a_project_is_created_followed_exported_and_deleted(
    server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skeleton = tmp_path / "skeleton.pgn"
    skeleton.write_text("1. e4 e5 2. f4 *")
    options = ("--name", "Gambit", "--moves", "e4 e5", "--pgn", skeleton, "--positions", 12)
    growth = (
        "--nodes",
        300,
        "--movetime",
        60000,
        "--lines",
        3,
        "--lines-black",
        2,
        "--width",
        40,
        "--limit-white",
        2,
    )
    assert await command(server, "create", *options, *growth, "--json") == 0
    created = json.loads(capsys.readouterr().out)
    assert created["settings"] == {
        "nodes": 300,
        "movetime": 60000,
        "white": {"width": 40, "lines": 3, "limit": 2},
        "black": {"width": 40, "lines": 2, "limit": None},
    }
    beginning = created["id"][:8]
    async with asyncio.timeout(5 * TIMEOUT):
        while created["stage"] == "active":
            assert await command(server, "show", beginning, "--json") == 0
            created = json.loads(capsys.readouterr().out)
    assert (created["stage"], created["positions"]) == ("finished", 12)
    assert await command(server) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["ID", "STAGE", "POSITIONS", "SEARCHING", "NAME"]
    assert row.split() == [created["id"], "finished", "12", "0", "Gambit"]
    assert await command(server, "show", beginning) == 0
    assert "e2e4 e7e5" in capsys.readouterr().out
    assert await command(server, "export", beginning) == 0
    game = chess.pgn.read_game(io.StringIO(capsys.readouterr().out))
    assert game
    assert [move.uci() for move in game.mainline_moves()][:2] == ["e2e4", "e7e5"]
    book = tmp_path / "book.bin"
    assert await command(server, "export", beginning, "--format", "polyglot", "-o", book) == 0
    board = chess.Board()
    board.push_san("e4")
    board.push_san("e5")
    with chess.polyglot.open_reader(book) as reader:
        assert list(reader.find_all(board))
    file = tmp_path / "tree.jsonl"
    bounds = ("--plies", 1, "--visits", 1)
    assert (
        await command(server, "export", beginning, "--format", "ndjson", *bounds, "-o", file) == 0
    )
    nodes = [json.loads(line) for line in file.read_text().splitlines()]
    assert {each["rank"] for each in nodes} == {0, 1}
    assert await command(server, "pause", beginning) == 1
    assert "cannot be paused" in capsys.readouterr().err
    assert await command(server, "delete", beginning) == 0
    assert capsys.readouterr().out.startswith("deleted ")
    assert await command(server) == 0
    assert capsys.readouterr().out == "no projects\n"


async def test_a_project_is_changed(server: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert await command(server, "create", "--positions", 1, "--json") == 0
    id_ = json.loads(capsys.readouterr().out)["id"]
    change = ("--name", "Other", "--engine", "rookery", "--engine", "rookery")
    assert await command(server, "change", id_[:8], *change, "--json") == 0
    changed = json.loads(capsys.readouterr().out)
    assert (changed["name"], len(changed["engines"])) == ("Other", 2)
    assert await command(server, "change", id_) == 2
    assert "needs --name TEXT or --engine NAME" in capsys.readouterr().err


async def test_a_project_is_paused_and_resumed(
    server: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await command(server, "create", "--nodes", 300, "--json") == 0
    id_ = json.loads(capsys.readouterr().out)["id"]
    for action, stage in (("pause", "paused"), ("resume", "active"), ("pause", "paused")):
        assert await command(server, action, id_) == 0
        assert f"stage     {stage}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "match"),
    [
        (("show",), 2, "needs the id of a project"),
        (("throw", "a1"), 2, "invalid choice"),
        (("export", "a1", "--format", "polyglot"), 2, "a Polyglot book goes into a file"),
        (("create", "--width", "0"), 2, "--width"),
        (("create", "--pgn", "/no/such/file"), 1, "/no/such/file: No such file"),
        (("create", "--moves", "e4 e4"), 1, "$.position.moves[1]"),
        (("show", "none"), 1, "no project has an id that begins with 'none'"),
    ],
)
async def test_what_cannot_be_meant_is_said(
    server: Running,
    arguments: tuple[str, ...],
    status: int,
    match: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert await command(server, *arguments) == status
    assert match in capsys.readouterr().err
