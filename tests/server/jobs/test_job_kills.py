"""Servers that are killed while they work at a job: each position has one answer all the same."""

import asyncio
import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.jobbing import fens, items_of, new_job, put_job, timeless
from helpers.serving import serving_database
from helpers.support import TIMEOUT, children

from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.stored_job import StoredJob
from rookery_uci import Limits

NODES = Limits(nodes=2000)
COUNT = 500
KILLS = 4


def answers(url: str, job: StoredJob) -> list[str]:
    store = JobStore(url)
    found: list[str] = []
    while page := store.results(job.number, len(found) - 1):
        found += [text for _, text in page]
    store.close()
    return found


def done(url: str, job: StoredJob) -> int:
    store = JobStore(url)
    found = store.job_of(job.account.name, job.id)
    store.close()
    assert found
    return found.done


async def until_done(url: str, job: StoredJob, count: int) -> None:
    async with asyncio.timeout(5 * TIMEOUT):
        while done(url, job) < count:
            await asyncio.sleep(0.05)


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, list[object]]:
    """Return the answers of a run that was not disturbed, once there was one."""
    return {}


async def run_undisturbed(folder: Path, url: str, known: dict[str, list[object]]) -> list[object]:
    if "answers" not in known:
        job = put_job(url, items_of(fens(COUNT)), new_job(limits=NODES))
        async with serving_database(folder, url, "undisturbed"):
            await until_done(url, job, COUNT)
        known["answers"] = list(map(timeless, answers(url, job)))
    return known["answers"]


@pytest.mark.timeout(300)
async def test_server_and_engines_are_killed_again_and_again(
    url: str, tmp_path: Path, undisturbed: dict[str, list[object]]
) -> None:
    expected = await run_undisturbed(tmp_path, url, undisturbed)
    chooser = random.Random(1)
    job = put_job(url, items_of(fens(COUNT)), new_job(limits=NODES))
    for number in range(KILLS):
        async with serving_database(tmp_path, url, "killed") as process:
            await until_done(url, job, COUNT * (2 * number + 1) // (2 * KILLS + 1))
            for engine in chooser.sample(children(process.pid), 1):
                with suppress(ProcessLookupError):
                    os.kill(engine, signal.SIGKILL)
            await until_done(url, job, COUNT * (2 * number + 2) // (2 * KILLS + 1))
            process.kill()
            await process.wait()
    async with serving_database(tmp_path, url, "last"):
        await until_done(url, job, COUNT)
    found = answers(url, job)
    assert len(found) == COUNT
    assert list(map(timeless, found)) == expected


@pytest.mark.timeout(300)
async def test_one_of_two_servers_is_killed(
    postgres_url: str, tmp_path: Path, undisturbed: dict[str, list[object]]
) -> None:
    expected = await run_undisturbed(tmp_path, postgres_url, undisturbed)
    job = put_job(postgres_url, items_of(fens(COUNT)), new_job(limits=NODES))
    async with (
        serving_database(tmp_path, postgres_url, "one") as one,
        serving_database(tmp_path, postgres_url, "other"),
    ):
        await until_done(postgres_url, job, COUNT // 4)
        one.kill()
        await until_done(postgres_url, job, COUNT)
    assert list(map(timeless, answers(postgres_url, job))) == expected
