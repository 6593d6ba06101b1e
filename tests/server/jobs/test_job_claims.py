"""The claims of a server at jobs, and the end of a job that can never be done."""

import asyncio
from pathlib import Path

from helpers.jobbing import fens, file_url, items_of, put_job

from rookery_server.jobs.active_jobs import JobCounts
from rookery_server.jobs.job_claims import JobClaims
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.store_thread import StoreThread
from rookery_server.jobs.stored_job import StoredJob


async def test_followers_are_told_of_a_failure_whose_worker_is_stopped(tmp_path: Path) -> None:
    told: list[StoredJob] = []
    url = file_url(tmp_path)
    job = put_job(url, items_of(fens(1)))
    store = StoreThread(url)
    claims = JobClaims(store, JobCounts(), changed=told.append)
    failing = asyncio.create_task(claims.fail(job, "no engine"))
    await asyncio.sleep(0)  # It has asked for the end in the database.
    failing.cancel()
    await asyncio.wait({failing})
    assert told == [job]
    found = await store.run(JobStore.job_of, job.account.name, job.id)
    assert found
    assert found.stage == "failed"
    await store.close()
