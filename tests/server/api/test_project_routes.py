"""The routes of projects, over real sockets, with an engine that searches."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import chess
import chess.engine
import chess.pgn
import chess.polyglot
import pytest
from helpers.client_server import ENGINE
from helpers.project_api import SETTINGS, SMALL, Api
from helpers.support import TIMEOUT, Running, add_token, bearer, get, odd

from rookery_server.api import project_routes
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig, ProjectsConfig, ServerConfig
from rookery_server.projects import tree_build


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens"


@pytest.fixture
def config(tmp_path: Path, tokens: Path) -> Config:
    """Return a configuration with accounts, one of which may keep little."""
    add_token(tokens, "nobody")
    engines = EngineConfig("rookery", (ENGINE,)), EngineConfig("polite", odd("polite"))
    return Config(
        engines=engines,
        server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0, tokens=tokens),
        cache=CacheConfig(file=tmp_path / "projects.sqlite"),
        quotas=Quotas(named={"cid": {"projects": 1, "project_nodes": 10}}),
    )


class Accounts:
    """Clients of some accounts."""

    def __init__(self, app: Running, session: aiohttp.ClientSession, tokens: Path) -> None:
        url = f"http://127.0.0.1:{app.port}/v1/projects"
        self.ann, self.bob, self.cid = (
            Api(session, url, bearer(add_token(tokens, name))) for name in ("ann", "bob", "cid")
        )


@pytest.fixture
async def accounts(app: Running, tokens: Path) -> AsyncIterator[Accounts]:
    async with aiohttp.ClientSession() as session:
        yield Accounts(app, session, tokens)


@pytest.fixture
def ann(accounts: Accounts) -> Api:
    return accounts.ann


def value_for_mover(value: dict[str, int], *, is_white: bool) -> int:
    [(kind, number)] = value.items()
    assert kind == "cp"
    return number if is_white else -number


async def test_a_project_grows_to_its_budget_and_is_followed(ann: Api) -> None:
    project = await ann.create(name="Open", position={"moves": ["e4", "e5"]})
    assert (project["stage"], project["name"]) == ("active", "Open")
    assert project["position"]["moves"] == ["e2e4", "e7e5"]
    assert project["engines"] == [{"name": "rookery"}]
    grown = await ann.grown(project)
    assert (grown["stage"], grown["positions"]) == ("finished", 30)
    assert "30 positions" in grown["reason"]
    assert grown["cause"] == "positions"
    assert grown["nodes"] >= 30 * 400
    [listed] = (await ann.call("GET"))["projects"]
    assert listed["id"] == grown["id"]
    root = await ann.position(grown)
    assert root["fen"] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
    assert (root["kind"], root["size"], root.get("searching")) == ("searched", 30, None)
    values = [value_for_mover(each["value"], is_white=True) for each in root["moves"]]
    assert values == sorted(values, reverse=True)
    assert root["value"] == root["moves"][0]["value"]
    assert root["line"][0] == root["moves"][0]["move"]
    assert root["san"][0] == root["moves"][0]["san"]
    assert root["others"]["count"] + len(root["moves"]) == 29
    assert sum(each["size"] for each in root["moves"] if "size" in each) >= 29
    best = root["moves"][0]
    child = await ann.position(grown, moves=best["move"])
    assert (child["value"], child["size"]) == (best["value"], best["size"])
    by_fen = await ann.position(grown, fen=child["fen"])
    assert by_fen == child


async def test_a_long_poll_ends_at_a_change_and_at_its_time(ann: Api) -> None:
    project = await ann.create(budget={"positions": 1})
    project = await ann.grown(project)
    path = f"/{project['id']}"
    loop = asyncio.get_running_loop()
    begun = loop.time()
    same = await ann.call("GET", path, after=project["version"], wait=1)
    assert same == project
    assert 0.9 <= loop.time() - begun < TIMEOUT
    waiting = asyncio.create_task(ann.call("GET", path, after=project["version"]))
    await asyncio.sleep(0)
    await ann.call("PATCH", path, {"name": "other"})
    assert (await waiting)["name"] == "other"


async def test_a_long_poll_ends_at_each_of_two_changes_within_a_second(ann: Api) -> None:
    project = await ann.grown(await ann.create(budget={"positions": 2}))
    move = (await ann.position(project))["moves"][0]["move"]
    path = f"/{project['id']}"
    versions = [project["version"]]
    for action in ("exclude", "include"):
        waiting = asyncio.create_task(ann.call("GET", path, after=versions[-1]))
        await asyncio.sleep(0)
        await ann.steer(project, action=action, move=move)
        async with asyncio.timeout(TIMEOUT):
            versions.append((await waiting)["version"])
    assert len(set(versions)) == len(versions)


async def test_the_list_is_followed(ann: Api) -> None:
    first = await ann.grown(await ann.create(budget={"positions": 2}))
    listed = await ann.call("GET")
    [found] = listed["projects"]
    root = await ann.position(first)
    assert (found["best"], found["value"]) == (root["line"][0], root["value"])
    assert found["trend"] == root["trend"]
    assert await ann.call("GET", after=listed["version"], wait=1) == listed
    waiting = asyncio.create_task(ann.call("GET", after=listed["version"]))
    await asyncio.sleep(0)
    await ann.call("PATCH", f"/{first['id']}", {"name": "other"})
    renamed = await waiting
    assert [each["name"] for each in renamed["projects"]] == ["other"]
    waiting = asyncio.create_task(ann.call("GET", after=renamed["version"]))
    await asyncio.sleep(0)
    await ann.create(name="second")
    assert {each["name"] for each in (await waiting)["projects"]} == {"other", "second"}


async def test_a_project_is_changed_paused_and_resumed(ann: Api) -> None:
    project = await ann.create(budget={})
    path = f"/{project['id']}"
    paused = await ann.call("PATCH", path, {"stage": "paused", "name": "x"})
    assert (paused["stage"], paused["name"]) == ("paused", "x")
    settings = {**SETTINGS, "white": {"width": 60, "lines": 2, "limit": 1}}
    budget = {"positions": paused["positions"] + 5, "until": "2100-01-01T00:00:00Z"}
    changed = await ann.call("PATCH", path, {"settings": settings, "budget": budget})
    assert changed["settings"]["white"] == {"width": 60, "lines": 2, "limit": 1}
    assert changed["budget"]["until"] == "2100-01-01T00:00:00Z"
    grown = await ann.grown(await ann.call("PATCH", path, {"stage": "active"}))
    assert (grown["stage"], grown["positions"]) == ("finished", budget["positions"])
    assert (await ann.call("PATCH", path, {"stage": "paused"}, status=409))["detail"]
    await ann.call("DELETE", path, status=204)
    await ann.call("GET", path, status=404)
    assert (await ann.call("GET"))["projects"] == []


async def test_the_engines_of_a_project_are_changed(ann: Api) -> None:
    project = await ann.grown(await ann.create())
    path = f"/{project['id']}"
    other = {"name": "rookery", "options": {"Hash": "2"}}
    changed = await ann.call("PATCH", path, {"engines": [other]})
    assert changed["engines"] == [{"name": "rookery", "retired": True}, other]
    change = {"stage": "active", "budget": {"positions": 40}}
    await ann.grown(await ann.call("PATCH", path, change))
    lines = (await ann.export(project, "ndjson")).splitlines()
    searched = [each for each in map(json.loads, lines) if each["kind"] == "searched"]
    assert {each["engine"] for each in searched if each["number"] <= 28} == {0}
    assert {each["engine"] for each in searched if each["number"] > 30} == {1}
    back = await ann.call("PATCH", path, {"engines": [{"name": "rookery"}]})
    assert back["engines"] == [{"name": "rookery"}, other | {"retired": True}]
    assert back["settings"] == project["settings"]
    for engines, where in (
        ([], "$.engines"),
        ([{"name": "rookery", "options": {"Hash": "many"}}], "$.engines[0].options.Hash"),
    ):
        problem = await ann.call("PATCH", path, {"engines": engines}, status=422)
        assert problem["path"] == where
    await ann.call("PATCH", path, {"engines": [{"name": "none"}]}, status=404)


async def test_projects_belong_to_their_account(accounts: Accounts) -> None:
    ann, bob = accounts.ann, accounts.bob
    project = await ann.create(budget={"positions": 1})
    path = f"/{project['id']}"
    assert (await bob.call("GET"))["projects"] == []
    for method, rest, body in (
        ("GET", "", None), ("DELETE", "", None), ("PATCH", "", {"name": "mine"}),
        ("GET", "/position", None), ("GET", "/map", None), ("GET", "/changes", None),
        ("GET", "/export?format=pgn", None), ("POST", "/copy", {}),
        ("POST", "/steer", {"action": "add", "move": "e4"}),
        ("GET", "/query?action=queryall&board=8", None),
    ):  # fmt: skip
        await bob.call(method, path + rest, body, status=404)
    mine = await bob.create(budget={"positions": 1})
    await bob.call("POST", f"/{mine['id']}/merge", {"from": project["id"]}, status=404)
    assert (await ann.grown(project))["positions"] == 1


async def test_an_account_has_as_much_as_its_quota(accounts: Accounts) -> None:
    cid = accounts.cid
    project = await cid.create(budget={})
    listed = await cid.call("GET")
    assert (listed["most_projects"], listed["most_positions"]) == (1, 10)
    refused = await cid.call("POST", body=SMALL, status=413)
    assert refused["code"] == "quota-projects"
    grown = await cid.grown(project)
    assert (grown["stage"], grown["positions"]) == ("paused", 10)
    refused = await cid.call(
        "POST", f"/{project['id']}/steer",
        {"moves": ["h4", "h5", "g4", "g5", "a3"], "action": "add", "move": "a6"}, status=413,
    )  # fmt: skip
    assert refused["code"] == "quota-projects"
    assert (await cid.call("GET", f"/{project['id']}"))["positions"] == 10


# A game that goes on after its end.
BARE_FEN = "8/8/8/8/8/2k5/2P5/K7 b - - 0 1"
BARE_KINGS = f'[SetUp "1"]\n[FEN "{BARE_FEN}"]\n\n1... Kxc2 2. Ka2 *'
WRONG: tuple[tuple[dict[str, object], str], ...] = (
    ({"position": {"fen": "8/8"}}, "$.position.fen"),
    ({"position": {"moves": ["e4", "e4"]}}, "$.position.moves[1]"),
    ({"variant": "no"}, "$.position.variant"),
    ({"engines": [{"options": {"Nonsense": 1}}]}, "$.engines[0].options.Nonsense"),
    ({"settings": {"nodes": 0}}, "$.settings.nodes"),
    ({"settings": {"white": {"wide": 1}}}, "$.settings.white.wide"),
    ({"budget": {"until": "1969-01-01T00:00:00Z"}}, "$.budget.until"),
    ({"budget": {"until": "2030-01-01"}}, "$.budget.until"),
    ({"name": "a\nb"}, "$.name"),
    ({"pgn": "1. e5 *"}, "$.pgn"),
    ({"pgn": BARE_KINGS, "position": {"fen": BARE_FEN}}, "$.pgn"),
    ({"pgn": "1. d4 *", "position": {"moves": ["e4"]}}, "$.pgn"),
    ({"pgn": "Nf3 (Nh3) Nf6 (Nh6) Ng1 (a3) Ng8 (a6) " * 3000}, "$.pgn"),
)  # fmt: skip


async def test_what_is_wrong_is_said_with_its_place(ann: Api) -> None:
    for body, path in WRONG:
        problem = await ann.call("POST", body=body, status=422)
        assert (problem["path"], bool(problem["expected"])) == (path, True), problem
    assert (await ann.call("GET"))["projects"] == []


async def test_a_skeleton_is_searched_before_all_else(ann: Api) -> None:
    pgn = "1. e4 e5 2. f4 (2. h4 a5) exf4 3. Kf2 *"
    project = await ann.create(pgn=pgn, position={"moves": ["e4"]}, budget={"positions": 30})
    grown = await ann.grown(project)
    for moves in ("e5 f4 exf4 Kf2", "e5 h4 a5"):
        found = await ann.position(grown, moves=moves)
        assert found["kind"] == "searched", found
    root = await ann.position(grown)
    assert [each["move"] for each in root["moves"] if each.get("added")] in ([], ["e7e5"])


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


async def test_server_without_accounts_keeps_projects_only_for_its_own_machine(
    config: Config,
) -> None:
    open_to_all = replace(config, server=replace(config.server, tokens=None))
    async with Running(open_to_all) as app:
        status, text = await get(app, "/v1/projects")
        assert (status, json.loads(text)["projects"]) == (200, [])
        status, text = await get(app, "/v1/projects", X_Forwarded_For="10.1.2.3")
        assert (status, json.loads(text)["code"]) == (503, "projects-off")


async def test_a_server_keeps_no_projects_if_the_operator_wants_none(
    config: Config, tokens: Path
) -> None:
    closed = replace(config, projects=ProjectsConfig(enabled=False))
    async with Running(closed) as app, aiohttp.ClientSession() as session:
        api = Accounts(app, session, tokens).ann
        assert (await api.call("GET", status=503))["code"] == "projects-off"
