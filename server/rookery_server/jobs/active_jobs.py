"""The jobs that there is work at, as this server knows them between two looks at the database."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rookery_server.background.work import Work, WorkCounts
from rookery_server.jobs.stored_job import Claim, StoredJob

KIND = "job"  # of work


@dataclass(slots=True)
class JobCounts(WorkCounts):
    """The numbers for the metrics, since the server has begun."""

    results: int = 0
    errors: int = 0  # among them
    waiting: int = 0  # items of all active jobs without a result


class ActiveJobs:
    """The jobs, and each as workers see it."""

    def __init__(self) -> None:
        self._jobs: dict[int, StoredJob] = {}
        self._works: dict[int, Work] = {}

    @property
    def works(self) -> Sequence[Work]:
        """All jobs, as workers see them."""
        return list(self._works.values())

    def job(self, number: int) -> StoredJob | None:
        """Return a job; None if there is no work at it any more."""
        return self._jobs.get(number)

    def update(self, jobs: Sequence[StoredJob]) -> None:
        """Learn all jobs anew."""
        self._jobs = {each.number: each for each in jobs}
        self._works = {each.number: _work_of(each) for each in jobs}

    def learn(self, job: StoredJob) -> None:
        """Learn how far a job is by now."""
        if job.number in self._jobs:
            self._jobs[job.number] = job
            self._works[job.number] = _work_of(job)

    def learn_claim(self, claim: Claim) -> None:
        """Learn that some of a job was claimed."""
        if claim.items and (job := self._jobs.get(claim.job)):
            end = max(job.claimed, claim.items[-1][0] + 1)
            self.learn(replace(job, claimed=end, freed=max(0, job.freed - 1)))

    def learn_end(self, number: int) -> None:
        """Learn that there is nothing more to claim of a job, until the database says otherwise."""
        if job := self._jobs.get(number):
            self.learn(replace(job, claimed=job.total, freed=0))

    def remove(self, number: int) -> None:
        """Forget a job."""
        self._jobs.pop(number, None)
        self._works.pop(number, None)


def _work_of(job: StoredJob) -> Work:
    return Work(
        KIND,
        job.number,
        job.id,
        job.account,
        job.engine,
        job.settings.engine_settings,
        job.priority,
        units=job.total - job.claimed + job.freed if job.has_work else 0,
    )
