"""The growth of projects by real engines in this process."""

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import chess
import msgspec
import pytest
from helpers.growth_world import GrowthWorld, open_growth
from helpers.job_world import ListeningClient, config_of
from helpers.jobbing import file_url
from helpers.projecting import new_project
from helpers.support import DATA, TIMEOUT, until

from rookery_protocol.errors import RefusedError
from rookery_server.access.account import LOCAL
from rookery_server.background import database_trouble
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quotas
from rookery_server.database import database
from rookery_server.growth.node import OTHERS, Kind, Node
from rookery_server.growth.value import TABLE
from rookery_server.projects import project_builds, project_service, tree_builder
from rookery_server.projects.stored_project import (
    NewProject,
    ProjectBudget,
    ProjectEngine,
    ProjectRoot,
    ProjectSettings,
    SideRules,
)
from rookery_server.tablebases.tables import SyzygyTables

ROOKERY = ProjectEngine("rookery")
FEW = ProjectSettings((ROOKERY,), nodes=300, white=SideRules(lines=3), black=SideRules(lines=2))
ENDLESS = ProjectSettings((ROOKERY,), nodes=10**11)
JUDGING = ProjectSettings((ProjectEngine("judging"),), nodes=100)
A4, A3 = (
    "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR",
    "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR",
)
KNIGHTS = (
    "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/R1BQKBNR",
    "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR",
)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[GrowthWorld]:
    async with open_growth(file_url(tmp_path)) as world:
        yield world


def judging(*habits: str) -> Config:
    """Return a server whose engine is quick and has habits at some positions."""
    command = (sys.executable, str(DATA / "judging_engine.py"), *habits)
    return config_of(engines=(EngineConfig("judging", command),))


def project_of(
    settings: ProjectSettings = FEW, positions: int | None = None, **fields: object
) -> NewProject:
    return new_project(
        LOCAL, settings=settings, budget=ProjectBudget(positions=positions), **fields
    )  # type: ignore[arg-type]


async def test_tree_grows_to_its_budget(url: str) -> None:
    async with open_growth(url) as world:
        project = await world.service.create(project_of(positions=30))
        done = await world.until_grown(project, 1000)
        assert done.stage == "finished"
        assert done.reason == "it has the 30 positions that it was to have"
        nodes = await world.nodes(project)
        assert done.positions == len(nodes) == 30
        assert all(each.kind is not Kind.UNSEARCHED for each in nodes)
        assert done.nodes >= sum(each.nodes for each in nodes) > 0
        # Those that were searched once have so many lines, and the others.
        assert min(len(each.candidates) for each in nodes if each.is_white) == 4
        assert min(len(each.candidates) for each in nodes if not each.is_white) == 3
        await until(lambda: not world.manager.actors)  # No engine is kept for nothing.
        assert world.service.counts.leaves == done.leaves


async def test_moves_that_no_search_has_listed_are_searched_by_themselves(
    world: GrowthWorld,
) -> None:
    rook = "7k/8/8/8/8/8/7P/R6K w - - 0 1"
    settings = replace_lines(FEW, 2)
    project = await world.service.create(project_of(settings, positions=60, fen=rook))
    done = await world.until_grown(project, 1000)
    nodes = await world.nodes(project)
    assert done.leaves > len(nodes)
    others = [each for each in nodes if len(each.candidates) > 3]
    assert others
    for each in others:
        board = chess.Board(f"{each.key} 0 1")
        moves = [candidate.move for candidate in each.candidates if candidate.move != OTHERS]
        assert len(set(moves)) == len(moves)
        assert set(moves) <= {move.uci() for move in board.legal_moves}


LINES = (("e2e4", "e7e5"), ("e2e4", "c7c5"), ("d2d4",))


@pytest.mark.parametrize("most", [1, 100])
async def test_lines_of_a_project_are_added_in_portions(
    url: str, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    for module in (project_builds, project_service):
        monkeypatch.setattr(module, "MOST_MOVES", most)
    async with open_growth(url, workers=0) as world:
        project = await world.service.create(project_of(), LINES, TIMEOUT)
        assert (await world.project(project)).positions == 5
        more = (("e2e4", "e7e6"), ("d2d4",))
        assert await world.service.add_lines(project, more, TIMEOUT)
        found = await world.project(project)
        assert (found.positions, found.stage) == (6, "active")


async def test_a_project_whose_lines_are_too_many_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_builds, "MOST_MOVES", 1)
    config = config_of(quotas=Quotas({"project_nodes": 4}))
    async with open_growth(file_url(tmp_path), config, workers=0) as world:
        with pytest.raises(RefusedError, match="5 positions"):
            await world.service.create(project_of(), LINES, TIMEOUT)
        assert await world.service.projects_of(LOCAL) == []


async def test_a_merge_that_is_refused_while_the_workers_learn_of_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_builder, "POLL", 0.01)
    config = config_of(quotas=Quotas({"project_nodes": 10}))
    async with open_growth(file_url(tmp_path), config, workers=0) as world:
        one = await world.service.create(project_of(), [["e2e4", "e7e5", "g1f3"]], TIMEOUT)
        other = await world.service.create(project_of(), [["d2d4", "d7d5", "g1f3"]], TIMEOUT)

        async def learn_late() -> None:
            while (await world.project(one)).stage == "building":
                pass

        monkeypatch.setattr(world.service._upkeep, "learn_works", learn_late)
        with pytest.raises(RefusedError, match="positions"):
            await world.service.merge(one, other, TIMEOUT)


async def test_a_search_ends_at_its_time(world: GrowthWorld) -> None:
    settings = msgspec.structs.replace(ENDLESS, movetime=20)
    project = await world.service.create(project_of(settings, positions=5))
    done = await world.until_grown(project, 1000)
    assert (done.stage, done.positions) == ("finished", 5)


async def test_a_leaf_in_the_tablebases_is_a_fact_and_not_searched(url: str) -> None:
    rooks = "8/8/8/4k3/3r3R/8/4K3/R7 w - - 0 1"
    project = project_of(replace_lines(FEW, 20), positions=40, fen=rooks)
    async with open_growth(url, tables=SyzygyTables([str(DATA / "syzygy")])) as world:
        stored = await world.service.create(project)
        done = await world.until_grown(stored, 1000)
        nodes = await world.nodes(stored)
    assert done.stage == "finished"
    facts = [each for each in nodes if each.kind is Kind.TABLEBASE]
    assert facts
    tables = SyzygyTables([str(DATA / "syzygy")])
    for each in facts:
        category = tables.probe(chess.Board(f"{each.key} 0 1")).category
        assert each.own == {"win": TABLE, "loss": -TABLE, "draw": 0}[category], each
        assert (each.nodes, each.is_proven) == (0, True)
    tables.close()
    searched = [each for each in nodes if each.kind is Kind.SEARCHED]
    assert all(chess.popcount(chess.Board(f"{each.key} 0 1").occupied) > 4 for each in searched)


def replace_lines(settings: ProjectSettings, lines: int) -> ProjectSettings:
    side = SideRules(lines=lines)
    return msgspec.structs.replace(settings, white=side, black=side)


@pytest.mark.timeout(180)
async def test_growth_that_is_cut_off_again_and_again_comes_to_the_same_tree(
    tmp_path: Path,
) -> None:
    size = 60
    undisturbed = await tree_of_run(file_url(tmp_path / "one"), size)
    url = file_url(tmp_path / "other")
    async with open_growth(url) as world:
        project = await world.service.create(project_of(positions=size))
        await world.until_grown(project, 8)
        os.kill(world.engines()[0], signal.SIGKILL)
        await world.until_grown(project, 16)
        await world.service.pause(project)
        await until(lambda: not world.manager.actors)
        assert (await world.project(project)).stage == "paused"
        await world.service.resume(project, LOCAL)
        await world.until_grown(project, 24)
    for leaves in (32, 40, 1000):
        async with open_growth(url) as world:
            found = await world.until_grown(project, leaves)
    assert found.stage == "finished"
    async with open_growth(url) as world:
        assert await world.nodes(project) == undisturbed


async def tree_of_run(url: str, size: int) -> list[Node]:
    async with open_growth(url) as world:
        project = await world.service.create(project_of(positions=size))
        await world.until_grown(project, 1000)
        return await world.nodes(project)


async def test_paused_project_keeps_its_engine_no_longer(world: GrowthWorld) -> None:
    project = await world.service.create(project_of(ENDLESS))
    await until(world.engines)
    await world.service.pause(project)
    await until(lambda: not world.manager.actors)
    assert (await world.project(project)).held == 0
    await world.service.resume(project, LOCAL)
    await until(world.engines)
    await world.service.delete(project)
    await until(lambda: not world.manager.actors)
    assert await world.service.project_of(LOCAL, project.id) is None


async def test_long_search_gives_way_to_a_client_that_waits(tmp_path: Path) -> None:
    config = config_of()
    config = replace(config, budget=replace(config.budget, threads=1))
    async with open_growth(file_url(tmp_path), config) as world:
        project = await world.service.create(project_of(ENDLESS))
        await until(world.engines)
        client = ListeningClient()
        actor = world.manager.open("rookery", client, LOCAL)
        actor.client_said(b"go depth 1")
        await until(lambda: b"bestmove" in client.heard)
        actor.client_said(b"quit")
        await until(world.engines)  # Of the project again, at the same leaf.
        assert (await world.project(project)).positions == 1


async def test_server_that_ends_frees_what_it_has_begun(tmp_path: Path) -> None:
    url = file_url(tmp_path)
    async with open_growth(url) as world:
        project = await world.service.create(project_of(ENDLESS))
        await until(world.engines)
        assert (await world.project(project)).held > 0
    async with open_growth(url, workers=0) as world:
        assert (await world.project(project)).held == 0


async def test_two_workers_take_both_engines_of_a_project_and_different_leaves(
    tmp_path: Path,
) -> None:
    engines = ProjectEngine("rookery", (("Hash", "4"),)), ProjectEngine("rookery")
    settings = ProjectSettings(engines, nodes=2000)
    config = config_of(quotas=Quotas({"threads": 2}))
    async with open_growth(file_url(tmp_path), config, workers=2) as world:
        project = await world.service.create(project_of(settings, positions=60))
        done = await world.until_grown(project, 1000)
        assert done.stage == "finished"
        nodes = await world.nodes(project)
        assert {each.engine for each in nodes if each.kind is Kind.SEARCHED} == {0, 1}
        assert done.leaves == world.service.counts.leaves


async def test_leaf_at_which_engines_die_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_growth(file_url(tmp_path), judging(f"dies:{A4}")) as world:
        project = await world.service.create(project_of(JUDGING, positions=12))
        done = await world.until_grown(project, 1000)
        assert done.stage == "finished"
        nodes = await world.nodes(project)
        failed = [each for each in nodes if each.kind is Kind.FAILED]
        assert [each.key.split()[0] for each in failed] == [A4]
        assert world.service.counts.failed == 1
        assert f"node {failed[0].number} is not searched again: " in caplog.text


@pytest.mark.parametrize(
    ("habit", "why"), [("dies", "it exited with status 3"), ("mute", "it says no score")]
)
async def test_project_fails_of_which_leaf_after_leaf_fails(
    tmp_path: Path, habit: str, why: str
) -> None:
    places = ",".join((A4, A3, *KNIGHTS))
    async with open_growth(file_url(tmp_path), judging(f"{habit}:{places}")) as world:
        project = await world.service.create(project_of(JUDGING, positions=50))
        done = await world.until_grown(project, 1000)
        assert (done.stage, done.cause) == ("failed", "engine")
        assert done.reason
        assert done.reason.startswith("3 searches in a row have failed: ")
        assert why in done.reason
        await until(lambda: not world.manager.actors)


async def test_the_cpu_time_of_searches_is_that_of_the_engine_and_not_what_it_says(
    tmp_path: Path,
) -> None:
    async with open_growth(file_url(tmp_path), judging()) as world:  # It says no time.
        project = await world.service.create(project_of(JUDGING, positions=100))
        done = await world.until_grown(project, 1000)
        await until(lambda: not world.manager.actors)
        used = world.manager.totals.ended.cpu_seconds
        assert 0.02 < done.spent / 1000 <= used + 0.01


async def test_engine_that_an_account_may_not_have_is_refused(world: GrowthWorld) -> None:
    with pytest.raises(RefusedError, match="none"):
        await world.service.create(project_of(ProjectSettings((ProjectEngine("none"),))))


async def test_project_fails_whose_engine_is_gone_or_plays_other_rules(tmp_path: Path) -> None:
    url = file_url(tmp_path)
    async with open_growth(url, judging(), workers=1) as world:
        atomic = ProjectRoot(chess.STARTING_FEN, variant="atomic")
        other = replace(project_of(JUDGING), root=atomic)
        project = await world.service.create(other)
        done = await world.until_grown(project, 1000)
        assert (done.stage, done.cause) == ("failed", "engine")
        assert done.reason == "Judging does not play 'atomic'"
        project = await world.service.create(project_of(JUDGING))
        await world.until_grown(project, 3)
    async with open_growth(url) as world:
        done = await world.until_grown(project, 10**6)
        assert done.stage == "failed"
        assert "unknown-engine" in (done.reason or "")


async def test_chess960_is_searched_by_its_rules(world: GrowthWorld) -> None:
    fen = "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w KQkq - 0 1"
    new = replace(project_of(positions=12), root=ProjectRoot(fen, chess960=True))
    done = await world.until_grown(await world.service.create(new), 1000)
    assert done.stage == "finished"
    assert done.positions == 12


async def test_database_that_fails_is_tried_again_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database_trouble, "RETRY", 0.1)
    monkeypatch.setattr(database, "_PATIENCE", 0.1)
    undisturbed = await tree_of_run(file_url(tmp_path / "one"), 30)
    async with open_growth(file_url(tmp_path)) as world:
        project = await world.service.create(project_of(positions=30))
        await world.until_grown(project, 5)
        with closing(sqlite3.connect(tmp_path / "cache.sqlite")) as other:
            other.execute("BEGIN IMMEDIATE")
            await until(lambda: "projects have no database" in caplog.text)
        await world.until_grown(project, 1000)
        assert await world.nodes(project) == undisturbed


async def test_error_of_the_server_puts_a_project_off_and_frees_its_leaf(
    world: GrowthWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("rookery_server.projects.leaf_batch.read_finding", lambda *_: 1 // 0)
        project = await world.service.create(project_of(positions=5))
        await until(lambda: f"an error of the server at project {project.id}" in caplog.text)
    async with asyncio.timeout(30):
        assert (await world.until_grown(project, 1000)).stage == "finished"


async def test_budgets_of_nodes_and_of_time_end_a_project(world: GrowthWorld) -> None:
    for budget, reason in (
        (ProjectBudget(nodes=5000), "it has searched the 5000 nodes"),
        (ProjectBudget(until=1), "its time is over"),
        (ProjectBudget(stable=4), "its best move has been the same for"),
    ):
        project = await world.service.create(new_project(LOCAL, settings=FEW, budget=budget))
        done = await world.until_grown(project, 1000)
        assert done.stage == "finished"
        assert (done.reason or "").startswith(reason)
