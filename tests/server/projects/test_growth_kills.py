"""Servers that are killed while they grow a project: it comes to the same tree all the same."""

import asyncio
import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.projecting import MUCH, new_project, tree_of
from helpers.serving import serving_database
from helpers.support import TIMEOUT, children

from rookery_server.access.account import LOCAL
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.stored_project import (
    ProjectBudget,
    ProjectEngine,
    ProjectSettings,
    StoredProject,
)

POSITIONS = 120
KILLS = 4
ONE_WORKER = "[jobs]\nworkers = 1\n"
SETTINGS = ProjectSettings((ProjectEngine("rookery"),), nodes=1000)


def put_project(url: str) -> StoredProject:
    """Store a project as a server does; any server at the database may grow it."""
    store = ProjectStore(url)
    budget = ProjectBudget(positions=POSITIONS)
    project = store.create(new_project(LOCAL, settings=SETTINGS, budget=budget), MUCH)
    store.close()
    return project


async def undisturbed_tree(folder: Path) -> list[tuple[object, ...]]:
    url = f"sqlite:///{folder / 'undisturbed.sqlite'}"
    project = put_project(url)
    async with serving_database(folder, url, "undisturbed", ONE_WORKER):
        done = await until_grown(url, project, 10 * POSITIONS)
    assert done.stage == "finished"
    return tree_of(url, project)


@pytest.mark.timeout(300)
async def test_server_and_engines_are_killed_again_and_again(url: str, tmp_path: Path) -> None:
    expected = await undisturbed_tree(tmp_path)
    chooser = random.Random(1)
    project = put_project(url)
    for number in range(KILLS):
        async with serving_database(tmp_path, url, "killed", ONE_WORKER) as process:
            await until_grown(url, project, POSITIONS * (2 * number + 1) // (2 * KILLS + 1))
            for engine in chooser.sample(children(process.pid), 1):
                with suppress(ProcessLookupError):
                    os.kill(engine, signal.SIGKILL)
            await until_grown(url, project, POSITIONS * (2 * number + 2) // (2 * KILLS + 1))
            process.kill()
            await process.wait()
    async with serving_database(tmp_path, url, "last", ONE_WORKER):
        done = await until_grown(url, project, 10 * POSITIONS)
    assert done.stage == "finished"
    assert numbered_alike(tree_of(url, project)) == numbered_alike(expected)


def numbered_alike(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Return rows without the number of their project."""
    return [row[1:] for row in rows]


async def until_grown(url: str, project: StoredProject, positions: int) -> StoredProject:
    """Wait until a tree has so many positions, or grows no more."""
    store = ProjectStore(url)
    try:
        async with asyncio.timeout(5 * TIMEOUT):
            while True:
                found = store.project_of(project.account.name, project.id)
                assert found
                if found.stage != "active" or found.positions >= positions:
                    return found
                await asyncio.sleep(0.05)
    finally:
        store.close()
