"""The claims of a server at leaves, and the end of a project that cannot go on."""

import asyncio
from pathlib import Path

from helpers.jobbing import file_url
from helpers.projecting import MUCH, new_project

from rookery_server.projects.growing_projects import GrowthCounts
from rookery_server.projects.growth_claims import GrowthClaims
from rookery_server.projects.project_store import ProjectStore
from rookery_server.projects.project_thread import ProjectThread
from rookery_server.projects.stored_project import StoredProject


async def test_followers_are_told_of_a_failure_whose_worker_is_stopped(tmp_path: Path) -> None:
    told: list[StoredProject] = []
    store = ProjectThread(file_url(tmp_path))
    claims = GrowthClaims(store, GrowthCounts(), quota_of=lambda _: MUCH, changed=told.append)
    project = await store.run(ProjectStore.create, new_project(), MUCH)
    failing = asyncio.create_task(claims.fail(project, "no engine"))
    await asyncio.sleep(0)  # It has asked for the end in the database.
    failing.cancel()
    await asyncio.wait({failing})
    assert told == [project]
    found = await store.run(ProjectStore.project_of, project.account.name, project.id)
    assert found
    assert found.stage == "failed"
    await store.close()
