"""A server that is killed in the middle of an import: the next one adds the rest of the game."""

import asyncio
from itertools import islice
from pathlib import Path

import aiohttp
import chess
import chess.pgn
import pytest
from bench.served import Server
from helpers.projecting import MUCH, build, new_project
from helpers.support import TIMEOUT

from rookery_server.access.account import LOCAL
from rookery_server.api.project_routes import skeleton_lines
from rookery_server.growth.node import Node
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import ProjectStage, StoredProject


def game_of_all_moves(first: int) -> str:
    """Return a game with so many first moves, and all answers to them, and to those."""
    game = chess.pgn.Game()
    for move in islice(game.board().legal_moves, first):
        for answer in add_all(game.add_variation(move)):
            add_all(answer)
    return str(game)


def add_all(node: chess.pgn.GameNode) -> list[chess.pgn.ChildNode]:
    return [node.add_variation(move) for move in node.board().legal_moves]


def put_paused_project(store: ProjectStore) -> StoredProject:
    project = store.create(new_project(LOCAL), MUCH)
    store.change_stage(project.number, [ProjectStage.ACTIVE], ProjectStage.PAUSED)
    return project


def now(store: ProjectStore, project: StoredProject) -> StoredProject:
    found = store.project_of(project.account.name, project.id)
    assert found
    return found


def nodes_of(store: ProjectStore, project: StoredProject) -> list[Node]:
    return store.read_tree(project.number, lambda tree: tree.nodes_behind(0, 100_000))


async def until_added(store: ProjectStore, project: StoredProject, part: float) -> StoredProject:
    """Wait until a part of an import is done."""
    async with asyncio.timeout(5 * TIMEOUT):
        while True:
            found = now(store, project)
            if found.build and found.build.done > part * found.build.total:
                return found
            await asyncio.sleep(0.02)


async def until_built(store: ProjectStore, project: StoredProject) -> StoredProject:
    async with asyncio.timeout(5 * TIMEOUT):
        while (found := now(store, project)).stage is ProjectStage.BUILDING:
            await asyncio.sleep(0.05)
    return found


@pytest.mark.timeout(300)
async def test_a_server_is_killed_in_the_middle_of_an_import(url: str, tmp_path: Path) -> None:
    pgn = game_of_all_moves(3)
    store = ProjectStore(url)
    whole, killed = put_paused_project(store), put_paused_project(store)
    assert store.builds.begin_import(whole.number, skeleton_lines(pgn, whole.root))
    whole = build(store, whole)
    server = Server(tmp_path, "killed", 1, url)
    try:
        await server.start()
        async with aiohttp.ClientSession(server.url) as session:
            path = f"/v1/projects/{killed.id}/import"
            asking = asyncio.create_task(session.post(path, json={"pgn": pgn}))
            for part in (0, 0.4):
                before = await until_added(store, killed, part)
                await server.end(kill=True)
                after = now(store, killed)
                assert before.build
                assert after.build
                assert before.build.done <= after.build.done < after.build.total
                await server.start()
            with pytest.raises(aiohttp.ClientError):
                await asking
        found = await until_built(store, killed)
        assert (found.stage, found.positions) == (ProjectStage.PAUSED, whole.positions)
        assert nodes_of(store, killed) == nodes_of(store, whole)
    finally:
        await server.end(kill=True)
        store.close()
