"""A batch: items of one job that a server has claimed, and the answers to them so far."""

import asyncio
from dataclasses import dataclass, field

from rookery_server.jobs.job_items import ReadItems
from rookery_server.jobs.stored_job import Claim, ItemResult, StoredJob


@dataclass(slots=True, eq=False)
class JobBatch:
    """The items of a claim; `written` are those whose answers the database has."""

    job: StoredJob
    claim: Claim
    items: ReadItems
    answers: list[ItemResult] = field(default_factory=list)  # of games, and what needs no engine
    written: set[int] = field(default_factory=set)
    is_lost: bool = False  # the job was stopped, or another server has the claim
    search: "asyncio.Task[bool] | None" = None

    def __post_init__(self) -> None:
        self.answers.extend(self.items.answers)

    def new_answers(self) -> list[ItemResult]:
        """Return the answers that are not written yet."""
        found = [each for each in self.answers if each.number not in self.written]
        known = self.written | {each.number for each in found}
        for pending in self.items.positions:
            found += pending.answers(known, self.job.engine)
        return found

    def stop(self) -> None:
        """Search no more: nothing that is found would be written."""
        self.is_lost = True
        if self.search:
            self.search.cancel()
