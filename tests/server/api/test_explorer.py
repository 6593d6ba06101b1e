"""`GET /v1/explorer`, over real sockets, with a file that the command has made."""

import io
import json
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import chess
import chess.pgn
import pytest
from helpers.polyglot import book_of
from helpers.support import Running, get, odd

from rookery_protocol.errors import ConfigError, ServerError
from rookery_server.__main__ import run
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import CacheConfig, ExplorerConfig
from rookery_server.explorer import build as builder
from rookery_server.explorer.build import BuildOptions, build
from rookery_server.explorer.game_file import GameFile
from rookery_server.explorer.packing import key_of, pack_move, unpack_move
from rookery_server.explorer.polyglot_book import PolyglotBook

GAMES = """\
[Event "Club \\"A\\""]
[Date "2001.02.03"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2400"]

1. d4 {a comment (with a bracket} d5 $1 (1... Nf6 2. c4 (2. Nf3)) 2. c4! e6 1-0

[Date "2010.??.??"]
[White "Cid"]
[Black "Dan"]
[Result "0-1"]
[WhiteElo "2100"]

1. c4 d5 2. d4 e6 0-1

[White "Eve"]
[Black "Fay"]
[Result "1/2-1/2"]

1. d4 Sf6 2. Sf3 1/2-1/2

[White "Gus"]
[Black "Hal"]
[Result "*"]

1. a3 *

[White "Ida"]
[Black "Jan"]
[Result "1-0"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]

1. O-O 1-0

[White "Kim"]
[Black "Lea"]
[Result "1-0"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 1-0
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    (folder / "games.pgn").write_text(GAMES, encoding="utf-8")
    arguments = ["games", "build", str(folder / "games.pgn"), "-o", str(folder / "games.sqlite")]
    assert run([*arguments, "--processes", "2"]) == 0
    return folder / "games.sqlite"


@pytest.fixture
def config(config: Config, file: Path, tmp_path: Path) -> Config:
    return replace(
        config,
        engines=(EngineConfig("polite", odd("polite")),),
        cache=CacheConfig(file=tmp_path / "cache.sqlite"),
        explorer=ExplorerConfig(file, "our club"),
    )


@pytest.fixture
async def client(app: Running) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{app.port}") as session:
        yield session


def played(file: Path, moves: str) -> dict[str, int]:
    """Return the moves after some others, each with the number of its games."""
    board = chess.Board()
    for san in moves.split():
        board.push_san(san)
    return {
        board.san(unpack_move(each.move)): each.games for each in GameFile(file).entry(board).moves
    }


async def test_a_position_has_moves_and_games(client: aiohttp.ClientSession) -> None:
    async with client.get("/engines") as response:
        assert (await response.json())["explorer"] == "our club"
    async with client.get("/v1/explorer", params={"moves": "d4"}) as response:
        found: dict[str, Any] = await response.json()
    assert (found["name"], found["white"], found["draws"], found["black"]) == ("our club", 1, 1, 0)
    assert found["moves"][0] == {
        "uci": "d7d5", "san": "d5", "white": 1, "draws": 0, "black": 0,
        "average_rating": 2450, "last_year": 2001,
    }  # fmt: skip
    assert [each["white"] for each in found["games"]] == ["Ann", "Eve"]
    async with client.get(f"/v1/explorer/games/{found['games'][0]['id']}") as response:
        assert response.content_type == "application/x-chess-pgn"
        game = chess.pgn.read_game(io.StringIO(await response.text()))
    assert game
    assert (game.headers["Event"], game.headers["WhiteElo"]) == (r"Club \"A\"", "2500")
    assert [each.uci() for each in game.mainline_moves()] == ["d2d4", "d7d5", "c2c4", "e7e6"]
    for path in ("/v1/explorer/games/999", "/v1/explorer/games/x", f"/v1/explorer/games/{9**30}"):
        async with client.get(path) as response:
            assert response.status == 404
    async with client.get("/v1/explorer", params={"fen": "x"}) as response:
        assert response.status == 422


def test_positions_are_found_however_they_were_reached(file: Path) -> None:
    assert played(file, "d4 d5 c4") == played(file, "c4 d5 d4") == {"e6": 2}
    assert played(file, "") == {"d4": 2, "Nf3": 1, "c4": 1}
    assert played(file, "d4 Nf6") == {"Nf3": 1}, "a game in German"
    assert played(file, "h4") == {}


def test_a_position_that_is_repeated_counts_once(file: Path) -> None:
    assert played(file, "Nf3 Nf6 Ng1 Ng8") == {"d4": 2, "Nf3": 1, "c4": 1}


def test_filters_leave_out_games_and_plies(file: Path, tmp_path: Path) -> None:
    source, target = [str(file.with_name("games.pgn"))], tmp_path / "few.sqlite"
    done = build(source, target, BuildOptions(plies=2, least_elo=2300))
    assert (done.read, done.kept, done.share) == (6, 1, 1.0)
    assert played(target, "d4") == {"d5": 1}
    assert played(target, "d4 d5") == {}
    [game] = GameFile(target).games([1])
    assert "2. c4 e6" in game.pgn(), "all of a game is kept"


def test_a_build_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, source = tmp_path / "games.sqlite", tmp_path / "games.pgn"
    source.write_text(GAMES, encoding="utf-8")
    target.write_text("before")

    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(builder, "add_positions", interrupt)
    with pytest.raises(KeyboardInterrupt):
        build([str(source)], target, BuildOptions())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.pgn", "games.sqlite"]
    assert target.read_text() == "before"
    with pytest.raises(ConfigError):
        build([str(tmp_path / "none.pgn")], target, BuildOptions())


@pytest.mark.parametrize("content", [b"", b"no database at all" * 99])
def test_another_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    with pytest.raises(ServerError, match="cannot read"):
        GameFile(path)
    path.write_bytes(content)
    with pytest.raises(ServerError, match=r"explorer\.file"):
        GameFile(path)


async def test_a_broken_file_is_an_error_and_no_more(
    config: Config, file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "broken.sqlite"
    path.write_bytes(file.read_bytes())
    with sqlite3.connect(path) as database:
        database.execute("UPDATE positions SET entry = x'ff'")
    database.close()
    async with Running(replace(config, explorer=ExplorerConfig(path))) as app:
        assert (await get(app, "/v1/explorer"))[0] == 503


async def test_a_book_of_polyglot_has_weights_and_no_games(config: Config, tmp_path: Path) -> None:
    path, start = tmp_path / "book.bin", chess.Board()
    castling = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    illegal, deleted = (start, "e2e5", 9), (start, "c2c4", 0)
    path.write_bytes(
        book_of((start, "d2d4", 1), (start, "e2e4", 3), illegal, deleted, (castling, "e1h1", 1))
    )
    async with Running(replace(config, explorer=ExplorerConfig(path))) as app:
        assert '"explorer":"book"' in (await get(app, "/engines"))[1].replace(" ", "")
        found = json.loads((await get(app, "/v1/explorer"))[1])
        assert (found["kind"], found["games"]) == ("book", [])
        assert [(each["san"], each["weight"]) for each in found["moves"]] == [("e4", 3), ("d4", 1)]
        fen = castling.fen().replace(" ", "%20")
        found = json.loads((await get(app, f"/v1/explorer?fen={fen}"))[1])
        assert [each["san"] for each in found["moves"]] == ["O-O"]
        assert json.loads((await get(app, "/v1/explorer?moves=a2a3"))[1])["moves"] == []
        assert (await get(app, "/v1/explorer/games/1"))[0] == 404


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "cannot read"),
        (b"", "0 bytes; entries of 16 bytes were expected"),
        (b"x" * 17, "17 bytes; entries of 16 bytes were expected"),
        (b"y" * 16 + b"x" * 16, "entries sorted by their keys were expected"),
    ],
)
def test_a_broken_book_is_refused(content: bytes | None, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "book.bin"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ServerError, match=expected):
        PolyglotBook(path)


async def test_a_server_without_games_says_so(config: Config) -> None:
    async with Running(replace(config, explorer=ExplorerConfig())) as app:
        status, text = await get(app, "/v1/explorer")
    assert (status, "has no games" in text) == (404, True)


def test_moves_and_positions_are_packed() -> None:
    for fen in ("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", chess.STARTING_FEN):
        board = chess.Board(fen)
        assert [unpack_move(pack_move(each)) for each in board.legal_moves] == list(
            board.legal_moves
        )
    keys = {
        key_of(chess.Board(f"4k3/8/8/8/3pP3/8/8/R3K2R {rest} 0 1"))
        for rest in ("b KQ e3", "b KQ -", "w KQ -", "b K -", "b Q -")
    }
    assert len(keys) == 5
    double = chess.Board()
    double.push_san("e4")
    assert key_of(double) == key_of(chess.Board(double.fen()))
