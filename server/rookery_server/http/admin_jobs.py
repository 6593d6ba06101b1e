"""The operator's commands for the jobs of all accounts.

    {"do": "jobs"}                      {"ok": true, "total": 1, "jobs": [{"id": "5f...", ...}]}
    {"do": "end-job", "job": "5f"}      {"ok": true}, and so "pause-job" and "resume-job"

A job is named by its id, or by the beginning of it.
"""

import logging
import time

from rookery_server.http.admin_error import AdminError, database_of, only_one
from rookery_server.jobs.job_service import JobService
from rookery_server.jobs.stored_job import JobStage, StoredJob
from rookery_server.log import about

logger = logging.getLogger(__name__)

JOB_ACTIONS = ("end-job", "pause-job", "resume-job")
_LISTED = 200  # jobs, those that are not over first


class AdminJobs:
    """The jobs of a server, as its operator has to do with them."""

    def __init__(self, service: JobService) -> None:
        self._service = service

    async def list(self) -> dict[str, object]:
        """Return the jobs, and how many there are in all.

        Raises:
            AdminError: the database cannot be used.

        """
        with database_of("jobs"):
            jobs, total = await self._service.all_jobs(_LISTED)
        return {"total": total, "jobs": [self._describe(each) for each in jobs]}

    def _describe(self, job: StoredJob) -> dict[str, object]:
        rate, left = self._service.rate_of(job)
        return {
            "id": job.id,
            "account": job.account.name,
            "name": job.name,
            "kind": job.kind,
            "engine": job.engine,
            "state": job.state,
            "reason": job.reason,
            "done": job.done,
            "failed": job.failed,
            "total": job.total,
            "positions": job.positions,
            "rate": None if rate is None else round(rate, 1),
            "seconds_left": None if left is None else round(left),
            "age": max(0, round(time.time() - job.created)),
        }

    async def change(self, action: str, beginning: str) -> None:
        """End, pause or resume a job.

        Raises:
            AdminError: there is no such job, or its state does not allow it.

        """
        with database_of("jobs"):
            job = await self._find(beginning)
            if why := _objection(action, job):
                raise AdminError(f"job {job.id} {why}")
            text = "the operator has given job %s of %s an order: %s"
            logger.info(text, job.id, job.account.name, action, extra=about(job=job.id))
            match action:
                case "end-job":
                    await self._service.delete(job)
                case "pause-job":
                    await self._service.pause(job)
                case "resume-job":
                    await self._service.resume(job, job.account)

    async def _find(self, beginning: str) -> StoredJob:
        found = await self._service.jobs_by_id(beginning) if beginning else []
        return only_one(found, "job", beginning, "jobs list")


def _objection(action: str, job: StoredJob) -> str:
    """Return why a job cannot be paused or resumed; "" if it can."""
    match action, job.stage:
        case "pause-job" | "resume-job", JobStage.FINISHED:
            return "is finished already; 'end' deletes it with its results"
        case "pause-job", JobStage.FAILED:
            return "has failed, so there is nothing to pause"
        case "pause-job", JobStage.PAUSED:
            return "is paused already"
        case "resume-job", JobStage.ACTIVE:
            return f"is {job.state}, and not paused"
    return ""
