"""The routes of projects, over real sockets, with an engine that searches."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from helpers.project_api import SETTINGS, SMALL, Accounts, Api, config_with_accounts
from helpers.support import TIMEOUT, Running, get

from rookery_server.config.config import Config
from rookery_server.config.sections import ProjectsConfig


@pytest.fixture
def config(tmp_path: Path, tokens: Path) -> Config:
    return config_with_accounts(tmp_path, tokens)


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
    # A search of the root that went much further than the child's keeps its own value.
    assert child["size"] == best["size"]
    assert child["value"] == child["moves"][0]["value"]
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
    assert 0 in {each["engine"] for each in searched if each["number"] <= 28}
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
