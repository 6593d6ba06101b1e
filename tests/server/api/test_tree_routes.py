"""The routes of the trees of projects, over real sockets, with an engine that searches."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import chess.polyglot
import pytest
from helpers.client_server import ENGINE
from helpers.project_api import Api, config_with_accounts
from helpers.support import TIMEOUT

from rookery_server.api import project_routes
from rookery_server.config.config import Config
from rookery_server.projects import tree_build


@pytest.fixture
def config(tmp_path: Path, tokens: Path) -> Config:
    return config_with_accounts(tmp_path, tokens)


async def test_a_game_is_added_to_a_tree(ann: Api) -> None:
    project = await ann.create(position={"moves": ["e4"]}, budget={"positions": 2})
    grown = await ann.grown(project)
    path = f"/{grown['id']}/import"
    game = {"pgn": "1. e4 a5 2. Na3 (2. h4 h5) a4 *"}
    changed = await ann.call("POST", path, game)
    assert changed["positions"] >= grown["positions"] + 4
    for moves in ("a5 Na3 a4", "a5 h4 h5"):
        assert (await ann.position(grown, moves=moves))["kind"] == "unsearched"
    again = await ann.call("POST", path, game)
    assert again["positions"] == changed["positions"]
    other = await ann.call("POST", path, {"pgn": "1. d4 *"}, status=422)
    assert (other["path"], bool(other["expected"])) == ("$.pgn", True)
    await ann.call("POST", path, {}, status=422)


async def test_moves_are_excluded_pinned_and_added(ann: Api) -> None:
    grown = await ann.grown(await ann.create())
    root = await ann.position(grown)
    best, second = (each["move"] for each in root["moves"][:2])
    after = await ann.steer(grown, action="exclude", move=best)
    assert after["moves"][-1] | {"excluded": True} == after["moves"][-1]
    assert (after["moves"][-1]["move"], after["line"][0]) == (best, second)
    assert after["value"] == after["moves"][0]["value"]
    included = await ann.steer(grown, action="include", move=best)
    values = [each["value"] for each in included["history"]]
    assert values[-3:] == [root["value"], after["value"], root["value"]]
    assert included | {"turned": 0, "history": []} == root | {"turned": 0, "history": []}
    last = root["moves"][-1]
    pinned = await ann.steer(grown, action="pin", move=last["san"])
    assert (pinned["line"][0], pinned["value"]) == (last["move"], last["value"])
    assert (await ann.steer(grown, action="unpin", move=last["move"]))["line"][0] == best
    added = await ann.steer(grown, action="add", move="a2a4", moves=[])
    [new] = [each for each in added["moves"] if each["move"] == "a2a4"]
    assert new["added"]
    await ann.steer(grown, action="add", moves=["h4", "h5"], move="g4")
    found = await ann.position(grown, moves="h4 h5 g4")
    assert found["kind"] == "unsearched"
    closed = await ann.steer(grown, action="exclude", move="*")
    assert closed["others"]["excluded"]
    wrong = await ann.call(
        "POST", f"/{grown['id']}/steer", {"action": "exclude", "move": "e2e5"}, status=422
    )
    assert wrong["path"] == "$.move"
    await ann.call("POST", f"/{grown['id']}/steer", {"action": "pin"}, status=422)
    unknown = {"action": "pin", "move": "Kd1", "fen": "8/8/8/8/8/2k5/8/2K5 w - - 0 1"}
    await ann.call("POST", f"/{grown['id']}/steer", unknown, status=404)


async def test_a_position_is_searched_deeper(ann: Api) -> None:
    grown = await ann.grown(await ann.create(budget={"positions": 5}))
    root = await ann.position(grown)
    waiting = await ann.steer(grown, action="deepen", nodes=5 * root["nodes"])
    assert waiting["searching"]
    again = {"action": "deepen", "nodes": 1}
    await ann.call("POST", f"/{grown['id']}/steer", again, status=409)
    path = f"/{grown['id']}"
    await ann.call("PATCH", path, {"stage": "active", "budget": {"positions": 6}})
    grown = await ann.grown(await ann.call("GET", path))
    deeper = await ann.position(grown)
    assert deeper["nodes"] >= 5 * root["nodes"]
    assert not deeper.get("searching")


async def test_a_repetition_is_told_where_the_game_is_known(ann: Api) -> None:
    project = await ann.create(
        position={"fen": "7k/8/8/8/8/8/R7/K7 w - - 0 1"},
        settings={"nodes": 200, "white": {"lines": 20}, "black": {"lines": 20}},
        budget={"positions": 40},
    )
    grown = await ann.grown(project)
    way = "Kb1 Kg8 Ka1"
    await ann.steer(grown, action="add", moves=way.split(), move="Kh8")
    found = await ann.position(grown, moves=way)
    [back] = [each for each in found["moves"] if each["move"] == "g8h8"]
    assert back["repetition"]
    alone = await ann.position(grown, fen=found["fen"])
    [back] = [each for each in alone["moves"] if each["move"] == "g8h8"]
    assert not back.get("repetition")


async def test_changes_and_the_map_show_the_largest_subtrees(ann: Api) -> None:
    grown = await ann.grown(await ann.create())
    changes = await ann.call("GET", f"/{grown['id']}/changes")
    sizes = [each["size"] for each in changes["changes"]]
    assert sizes == sorted(sizes, reverse=True)
    assert changes["size"] == 30
    root = await ann.position(grown)
    assert changes["changes"][0]["moves"] == []
    assert changes["changes"][0]["best"] == root["line"][0]
    assert (await ann.call("GET", f"/{grown['id']}/changes", after=30))["changes"] == []
    shown = await ann.call("GET", f"/{grown['id']}/map", nodes=12)

    def count(node: dict[str, Any]) -> int:
        return 1 + sum(map(count, node.get("nodes", ())))

    assert count(shown["root"]) == 12
    assert shown["root"]["size"] == 30
    assert shown["newest"] == shown["root"]["newest"] == 30
    assert shown["root"]["grown"] == 30
    heights = [each.get("height", 0) for each in root["moves"] if each.get("size")]
    assert shown["root"]["height"] == root["height"] == 1 + max(heights)
    assert 30 in [each.get("grown") for each in root["moves"]]
    move = shown["root"]["nodes"][0]
    assert move["move"] in [each["move"] for each in root["moves"]]
    assert chess.Board().parse_san(move["san"]).uci() == move["move"]


async def test_questions_are_answered_as_chessdb_does(ann: Api) -> None:
    grown = await ann.grown(await ann.create())
    path = f"/{grown['id']}/query"
    root = await ann.position(grown)

    async def query(action: str, board: str) -> str:
        status, content = await ann.request("GET", path, action=action, board=board)
        assert status == 200
        return content.decode()

    moves = (await query("queryall", chess.STARTING_FEN)).split("|")
    first = dict(each.split(":") for each in moves[0].split(","))
    assert first["move"] == root["line"][0]
    assert int(first["score"]) == root["value"]["cp"]
    assert first["rank"] == "2"
    assert len(moves) == len(root["moves"])
    line = await query("querypv", chess.STARTING_FEN)
    assert (
        line == f"score:{root['value']['cp']},depth:{len(root['line'])},pv:{'|'.join(root['line'])}"
    )
    assert await query("queryall", "8/8/8/8/8/2k5/8/2K5 w - - 0 1") == "unknown"
    assert await query("queryall", "nonsense") == "invalid board"
    await ann.call("GET", path, action="store", board="8", status=422)


async def test_a_tree_is_exported_as_lines(ann: Api) -> None:
    grown = await ann.grown(await ann.create())
    lines = (await ann.export(grown, "ndjson")).splitlines()
    nodes = [json.loads(line) for line in lines]
    assert [each["number"] for each in nodes] == list(range(1, 31))
    root = await ann.position(grown)
    assert nodes[0]["value"] == root["value"]
    by_number = {each["number"]: each for each in nodes}
    for each in nodes:
        board = chess.Board(each["fen"])
        for move in each["moves"]:
            if child := move.get("child"):
                board.push_uci(move["move"])
                assert board.epd() == chess.Board(by_number[child]["fen"]).epd()
                board.pop()
    few = (await ann.export(grown, "ndjson", plies=1)).splitlines()
    assert len(few) == sum(each["rank"] <= 1 for each in nodes)


async def test_a_tree_is_exported_as_pgn_that_python_chess_reads(ann: Api) -> None:
    project = await ann.create(name='The "best"', position={"moves": ["e4", "c5"]})
    grown = await ann.grown(project)
    text = (await ann.export(grown, "pgn")).decode()
    game = chess.pgn.read_game(io.StringIO(text))
    assert game
    assert not game.errors
    assert game.headers["Event"] == r"The \"best\""  # as it stands there
    root = await ann.position(grown)
    line = [move.uci() for move in game.mainline_moves()]
    assert line[:2] == ["e2e4", "c7c5"]
    assert line[2:] == root["line"][: len(line) - 2]
    start = game.variations[0].variations[0]
    value = start.eval()
    assert value
    assert value.white().score() == root["value"]["cp"]
    written = {each.move.uci(): each.eval() for each in start.variations}
    for each in root["moves"]:
        if each["move"] in written:
            found = written[each["move"]]
            assert found
            assert found.white().score() == each["value"]["cp"]
    assert len(written) > 1

    def count(node: chess.pgn.GameNode) -> int:
        return sum(1 + count(each) for each in node.variations)

    few = chess.pgn.read_game(io.StringIO((await ann.export(grown, "pgn", nodes=4)).decode()))
    assert few
    assert count(few) < count(game)
    flat = chess.pgn.read_game(io.StringIO((await ann.export(grown, "pgn", plies=1)).decode()))
    assert flat
    assert max(node.ply() for node in flat.mainline()) == 3


async def test_a_tree_is_exported_as_a_book(ann: Api, tmp_path: Path) -> None:
    grown = await ann.grown(await ann.create())
    file = tmp_path / "book.bin"
    file.write_bytes(await ann.export(grown, "polyglot"))
    root = await ann.position(grown)
    with chess.polyglot.open_reader(file) as reader:
        entries = list(reader.find_all(chess.Board()))
        assert entries[0].move.uci() == root["line"][0]
        assert entries[0].weight == 65_535
        weights = [each.weight for each in entries]
        assert weights == sorted(weights, reverse=True)
        keys = [each.key for each in reader]
        assert keys == sorted(keys)
    some = tmp_path / "some.bin"
    some.write_bytes(await ann.export(grown, "polyglot", visits=2))
    assert 0 < some.stat().st_size < file.stat().st_size


async def test_engine_plays_a_game_with_the_book_of_a_project(ann: Api, tmp_path: Path) -> None:
    file = tmp_path / "book.bin"
    file.write_bytes(await ann.export(await ann.grown(await ann.create()), "polyglot"))
    _, engine = await chess.engine.popen_uci(ENGINE)
    board, from_book = chess.Board(), 0
    try:
        await engine.configure({"OwnBook": True, "BookFile": str(file)})
        with chess.polyglot.open_reader(file) as reader:
            while board.ply() < 16:
                known = {each.move for each in reader.find_all(board)}
                played = await engine.play(board, chess.engine.Limit(nodes=1000), game="one")
                assert played.move
                if known:
                    assert played.move in known
                    from_book += 1
                board.push(played.move)
    finally:
        await engine.quit()
    assert 0 < from_book < board.ply()


async def test_trees_are_merged_and_copied(ann: Api) -> None:
    one = await ann.grown(await ann.create(budget={"positions": 12}))
    other = await ann.grown(await ann.create(position={"moves": ["e4"]}, budget={"positions": 10}))
    path = f"/{one['id']}"
    if (await ann.position(one, moves="e4"))["kind"] == "unknown":
        await ann.call("POST", f"{path}/merge", {"from": other["id"]}, status=409)
        await ann.steer(one, action="add", moves=["e4"], move="a6")
    merged = await ann.call("POST", f"{path}/merge", {"from": other["id"]})
    assert merged["positions"] > one["positions"]
    theirs, ours = await ann.position(other), await ann.position(one, moves="e4")
    assert ours["size"] >= 9
    assert {each["move"] for each in theirs["moves"]} <= {each["move"] for each in ours["moves"]}
    copied = await ann.call(
        "POST", f"{path}/copy", {"moves": ["e4"], "name": "King's pawn"}, status=201
    )
    assert (copied["name"], copied["stage"]) == ("King's pawn", "paused")
    root = await ann.position(copied)
    for each in ours["moves"]:
        each.pop("grown", None)  # a copy has grown at no time
    assert root["moves"] == ours["moves"]
    assert (root["rank"], root["value"]) == (0, ours["value"])
    await ann.call("POST", f"{path}/merge", {"from": one["id"]}, status=422)
    await ann.call("POST", f"{path}/copy", {"moves": ["h4", "h5"]}, status=404)


async def test_a_tree_that_takes_longer_is_built_after_the_answer(
    ann: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_routes, "PATIENCE", 0.0)
    monkeypatch.setattr(tree_build, "NODES", 1)
    one = await ann.grown(await ann.create(budget={"positions": 12}))
    path = f"/{one['id']}"
    other = await ann.grown(await ann.create(budget={"positions": 10}))
    project = await ann.call("POST", f"{path}/merge", {"from": other["id"]}, status=202)
    assert project["stage"] == "building"
    assert project["building"]["done"] <= project["building"]["total"]
    assert project["positions"] == one["positions"]
    await ann.call("PATCH", path, {"stage": "active"}, status=409)
    async with asyncio.timeout(2 * TIMEOUT):
        while project["stage"] == "building":
            project = await ann.call("GET", path, after=project["version"], wait=5)
    assert project["stage"] == "finished"
    assert "building" not in project
    assert project["positions"] >= one["positions"]


async def test_a_new_project_has_its_root_at_once(ann: Api) -> None:
    one = {"lines": 1}
    project = await ann.create(engines=[{"name": "polite"}], settings={"white": one, "black": one})
    path = f"/{project['id']}"
    await ann.call("PATCH", path, {"stage": "paused"})
    assert (await ann.position(project))["fen"] == chess.STARTING_FEN
    assert (await ann.call("GET", f"{path}/map"))["root"]["number"] == 1
    assert (await ann.call("GET", f"{path}/changes"))["changes"] == []
    for kind in ("pgn", "polyglot", "ndjson"):
        await ann.export(project, kind)
    assert (await ann.call("GET", path))["stage"] == "paused"
