"""The jobs in the database.  All calls block, and belong to one thread.

Several servers may work on one job.  Each claims items in a row; a server that is silent for
long, or is known to have ended, has its claims taken away.  A result is written only by the
server that has the claim, in the same transaction as all that counts it, so each item has exactly
one, whatever is killed.  A claim has another number each time it is made, so a former holder
can neither use nor free it.

A transaction may be committed though its end is not heard of.  So `OwnWork` has what this process
knows that it has begun, and what the database has beyond that is begun anew.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.background.work_store import WorkStore
from rookery_server.config.resources import Quota
from rookery_server.database.database import StoreError, lock_account
from rookery_server.database.server_register import OwnClaims
from rookery_server.database.tables import job_claims, job_items, job_results, jobs
from rookery_server.jobs.job_queries import (
    numbers_with_result,
    open_items,
    remove_some,
    select_jobs,
    stored_amount,
)
from rookery_server.jobs.stored_job import (
    VISIBLE,
    Claim,
    ItemResult,
    JobStage,
    NewJob,
    StoredJob,
    TooMuchError,
)

ID_BYTES = 16  # of a job's id, which none can guess
CLAIM_BITS = 62  # of a claim's number, which no other one has had
PURGED = 2000  # items that are removed at once, so that others need not wait
PAGE = 100  # results that are read at once
MIB = 1 << 20


@dataclass(slots=True)
class OwnWork(OwnClaims):
    """The work that this process has begun: claims, and jobs whose input is read; by numbers."""

    loading: set[int] = field(default_factory=set)


class JobStore(WorkStore):
    """The tables of jobs; `close` it."""

    def __init__(self, url: str, own: OwnWork | None = None) -> None:
        """Open the database.

        Args:
            url: of the database.
            own: what this process knows that it has begun there, also by another `JobStore`.

        Raises:
            StoreError: it cannot be used.

        """
        self._own = own or OwnWork()
        super().__init__(url, jobs, VISIBLE, job_claims, self._own)
        self._now = self._database.now

    def _free_more(self, connection: sa.Connection, server: int) -> None:
        """Remove jobs whose input comes no more."""
        gone = jobs.c.loader.not_in(self._register.present())
        unknown = (jobs.c.loader == server) & jobs.c.number.not_in(self._own.loading)
        cut_off = (jobs.c.stage == JobStage.LOADING) & (gone | unknown)
        connection.execute(sa.update(jobs).where(cut_off).values(_DELETED))

    # --- a new job

    def create(self, new: NewJob, server: int, quota: Quota) -> tuple[StoredJob, bool]:
        """Begin a job whose input follows; return it, and whether it is new.

        One that was posted before by the same key is returned instead.

        Raises:
            TooMuchError: the account has as many jobs as it may.

        """
        values = {
            "id": secrets.token_hex(ID_BYTES),
            "account": new.account.name,
            "role": str(new.account.role),
            "token": new.account.token,
            "request": new.request,
            "name": new.name,
            "kind": new.kind,
            "engine": new.engine,
            "settings": str(new.settings),
            "priority": new.priority,
            "stage": JobStage.LOADING,
            "loader": server,
            "created": self._now,
            **dict.fromkeys(_COUNTERS, 0),
        }
        insert = self._database.insert(jobs).values(values).on_conflict_do_nothing()
        with self._database.writing() as connection:
            lock_account(connection, new.account.name)
            number = connection.execute(insert.returning(jobs.c.number)).scalar()
            here = jobs.c.number == number
            if number is None:
                here = (jobs.c.account == new.account.name) & (jobs.c.request == new.request)
            elif (count := stored_amount(connection, new.account.name).jobs) > quota.stored_jobs:
                have = f"you have {count - 1} jobs, and may have {quota.stored_jobs}"
                raise TooMuchError(Code.QUOTA_JOBS, f"{have}: delete one")
            (found,) = select_jobs(connection, here)
        if number is not None:
            self._own.loading.add(number)
        return found, number is not None

    def append(
        self, job: StoredJob, server: int, first: int, inputs: Sequence[str], quota: Quota
    ) -> None:
        """Store the next items of a job whose input is read.

        Raises:
            TooMuchError: they are more than the account may store.
            StoreError: the job is not read by this server any more.

        """
        rows = [
            {"job": job.number, "number": number, "input": text}
            for number, text in enumerate(inputs, first)
        ]
        added = {
            "total": jobs.c.total + len(inputs),
            "size": jobs.c.size + sum(map(len, inputs)),
        }
        with self._database.writing() as connection:
            lock_account(connection, job.account.name)
            self._change_loading(connection, job.number, server, added)
            amount = stored_amount(connection, job.account.name)
            if amount.items > quota.stored_positions:
                before = amount.items - first - len(inputs)
                stored = f", and {before} are stored" if before else ""
                may = f"you may store {quota.stored_positions} positions and games{stored}"
                raise TooMuchError(Code.QUOTA_STORED, f"{may}: {_REMEDY}")
            if amount.size > quota.stored_mb * MIB:
                may = f"you may store {quota.stored_mb} MiB of positions and games"
                raise TooMuchError(Code.QUOTA_STORED, f"{may}: {_REMEDY}")
            connection.execute(sa.insert(job_items), rows)

    def submit(self, job: int, server: int, digest: str | None = None) -> StoredJob:
        """Let servers work at a job whose input is complete, and has a digest.

        Raises:
            StoreError: the job is not read by this server any more.

        """
        with self._database.writing() as connection:
            values = {"stage": JobStage.ACTIVE, "loader": None, "digest": digest}
            self._change_loading(connection, job, server, values)
            (found,) = select_jobs(connection, jobs.c.number == job)
        self._own.loading.discard(job)
        return found

    def abandon(self, job: int) -> None:
        """Remove a job whose input was cut off."""
        self.change_stage(job, [JobStage.LOADING], JobStage.DELETED)

    def _change_loading(
        self, connection: sa.Connection, job: int, server: int, values: Mapping[str, Any]
    ) -> None:
        """Change a job whose input is read; others may have given this server up meanwhile."""
        here = (jobs.c.number == job) & (jobs.c.stage == JobStage.LOADING)
        change = sa.update(jobs).where(here & (jobs.c.loader == server)).values(values)
        if not connection.execute(change).rowcount:
            raise StoreError("the job was given up while its input came: send it again")

    def change_account(self, job: int, account: Account) -> None:
        """Record the role and the token by which its account has come last."""
        values = {"role": str(account.role), "token": account.token}
        with self._database.writing() as connection:
            connection.execute(sa.update(jobs).where(jobs.c.number == job).values(values))

    # --- jobs for their accounts

    def jobs_of(self, account: str, limit: int) -> list[StoredJob]:
        """Return the newest jobs of an account."""
        here = (jobs.c.account == account) & jobs.c.stage.in_(VISIBLE)
        with self._database.reading() as connection:
            return select_jobs(connection, here, limit)

    def job_of(self, account: str, id_: str) -> StoredJob | None:
        """Return a job of an account; None if it has none of that id."""
        here = (jobs.c.account == account) & (jobs.c.id == id_) & jobs.c.stage.in_(VISIBLE)
        with self._database.reading() as connection:
            return next(iter(select_jobs(connection, here)), None)

    def all_jobs(self, limit: int) -> list[StoredJob]:
        """Return jobs of all accounts, those first that are not over, and the newest of each."""
        over = jobs.c.stage.in_(_OVER)
        with self._database.reading() as connection:
            open_ones = select_jobs(connection, jobs.c.stage.in_(VISIBLE) & ~over, limit)
            return open_ones + select_jobs(connection, over, limit - len(open_ones))

    def jobs_by_id(self, beginning: str) -> list[StoredJob]:
        """Return the jobs of all accounts whose ids begin so; two of them at the most."""
        here = jobs.c.id.startswith(beginning, autoescape=True) & jobs.c.stage.in_(VISIBLE)
        with self._database.reading() as connection:
            return select_jobs(connection, here, 2)

    def change_stage(
        self, job: int, before: Sequence[JobStage], after: JobStage, reason: str | None = None
    ) -> bool:
        """Change the state of a job from one of some others; return whether it was one of them.

        The claims of one that is not active any more are free.
        """
        here = (jobs.c.number == job) & jobs.c.stage.in_(before)
        values: dict[str, Any] = {"stage": after, "reason": reason}
        if after is JobStage.DELETED:
            values |= _DELETED
        if after is JobStage.ACTIVE:
            values["expires"] = None
        with self._database.writing() as connection:
            is_changed = connection.execute(sa.update(jobs).where(here).values(values)).rowcount > 0
            mine = job_claims.c.job == job
            if after is JobStage.DELETED:
                connection.execute(sa.delete(job_claims).where(mine))
            elif after is not JobStage.ACTIVE:
                connection.execute(sa.update(job_claims).where(mine).values(server=None))
        return is_changed

    def unlimited_jobs(self) -> list[StoredJob]:
        """Return the jobs that are over, and have no time yet at which they are removed."""
        here = jobs.c.stage.in_(_OVER) & jobs.c.expires.is_(None)
        with self._database.reading() as connection:
            return select_jobs(connection, here)

    def expire_at(self, job: int, seconds: int) -> None:
        """Have a job that is over, and does not expire yet, removed after so many seconds."""
        here = (jobs.c.number == job) & jobs.c.expires.is_(None)
        over = jobs.c.stage.in_(_OVER)
        with self._database.writing() as connection:
            connection.execute(
                sa.update(jobs).where(here & over).values(expires=self._now + seconds)
            )

    def results(
        self, job: int, after: int, limit: int = PAGE, *, annotated: bool = False
    ) -> list[tuple[int, str]]:
        """Return the results behind an item, in order, up to the first item that has none yet.

        If they are to be `annotated`, they are games in PGN, "" where there is none.
        """
        table = job_results.c
        content = sa.func.coalesce(table.annotated, "") if annotated else table.result
        query = sa.select(table.number, content).where((table.job == job) & (table.number > after))
        found = []
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(table.number).limit(limit))
            for number, (at, result) in enumerate(rows, after + 1):
                if number != at:
                    break
                found.append((at, result))
        return found

    # --- work

    def active_jobs(self) -> list[StoredJob]:
        """Return all jobs that servers work at."""
        with self._database.reading() as connection:
            return select_jobs(connection, jobs.c.stage == JobStage.ACTIVE)

    def claim(self, job: int, server: int, count: int) -> Claim | None:
        """Claim items: those that another server has left, or the next; None if there are none."""
        table = job_claims.c
        number = secrets.randbits(CLAIM_BITS)
        here = (jobs.c.number == job) & (jobs.c.stage == JobStage.ACTIVE)
        place = sa.select(jobs.c.claimed, jobs.c.total).where(here).with_for_update()
        left = sa.select(table.number, table.first, table.count).where(
            (table.job == job) & table.server.is_(None)
        )
        left = left.order_by(table.first).limit(1).with_for_update(skip_locked=True)
        with self._database.writing() as connection:
            if (found := connection.execute(place).first()) is None:
                return None
            claimed, total = found
            if row := connection.execute(left).first():
                former, first, count = row
                mine = sa.update(job_claims).where(table.number == former)
                connection.execute(mine.values(number=number, server=server))
            elif claimed < total:
                first, count = claimed, min(count, total - claimed)
                new = {"number": number, "job": job, "first": first, "count": count}
                connection.execute(sa.insert(job_claims).values(server=server, **new))
                connection.execute(sa.update(jobs).where(here).values(claimed=first + count))
            else:
                return None
            claim = Claim(number, job, tuple(open_items(connection, job, first, count)))
        self._own.claims.add(number)
        return claim

    def write_results(
        self, claim: Claim, server: int, results: Sequence[ItemResult], *, is_last: bool
    ) -> StoredJob | None:
        """Write results of a claim, and end the claim with the last of them.

        Returns:
            The job after that; None if the claim is not this server's any more: then nothing
            is written.

        """
        table = job_claims.c
        mine = (table.number == claim.number) & (table.server == server)
        query = sa.select(table.first, table.count).where(mine).with_for_update()
        # All lock a job before its claims, so none waits for another in a circle.
        its_job = sa.select(jobs.c.number).where(jobs.c.number == claim.job).with_for_update()
        with self._database.writing() as connection:
            connection.execute(its_job)
            if (row := connection.execute(query).first()) is None:
                return None
            # A transaction whose end was not heard of may have been completed all the same.
            known = numbers_with_result(connection, claim.job, *row)
            new = [each for each in results if each.number not in known]
            if new:
                connection.execute(
                    sa.insert(job_results),
                    [
                        {
                            "job": claim.job,
                            "number": each.number,
                            "result": each.text,
                            "annotated": each.annotated,
                        }
                        for each in new
                    ],
                )
                self._count(connection, claim.job, new)
            if is_last:
                connection.execute(sa.delete(job_claims).where(mine))
            (job,) = select_jobs(connection, jobs.c.number == claim.job)
        if is_last:
            self._own.claims.discard(claim.number)
        return job

    def _count(self, connection: sa.Connection, job: int, new: Sequence[ItemResult]) -> None:
        """Count results; the last of a job finishes it."""
        table = jobs.c
        values = {
            "done": table.done + len(new),
            "failed": table.failed + sum(each.is_error for each in new),
            "positions": table.positions + sum(each.positions for each in new),
            "nodes": table.nodes + sum(each.nodes for each in new),
            "spent": table.spent + sum(each.spent for each in new),
        }
        connection.execute(sa.update(jobs).where(table.number == job).values(values))
        is_over = (table.number == job) & (table.done == table.total)
        over = {"stage": JobStage.FINISHED, "finished": self._now}
        connection.execute(sa.update(jobs).where(is_over).values(over))

    def release(self, claim: Claim, server: int) -> None:
        """Let any server have what was claimed."""
        table = job_claims.c
        mine = (table.number == claim.number) & (table.server == server)
        with self._database.writing() as connection:
            connection.execute(sa.update(job_claims).where(mine).values(server=None))

    # --- the end

    def expire(self) -> int:
        """Delete the jobs whose time is over; return how many."""
        old = (jobs.c.expires < self._now) & (jobs.c.stage != JobStage.DELETED)
        with self._database.writing() as connection:
            return connection.execute(sa.update(jobs).where(old).values(_DELETED)).rowcount

    def purge(self) -> bool:
        """Remove some of what was deleted; return whether there may be more."""
        query = sa.select(jobs.c.number).where(jobs.c.stage == JobStage.DELETED).limit(1)
        with self._database.writing() as connection:
            if (job := connection.execute(query).scalar()) is None:
                return False
            count = sum(
                remove_some(connection, each, job, PURGED) for each in (job_results, job_items)
            )
            if not count:
                connection.execute(sa.delete(job_claims).where(job_claims.c.job == job))
                connection.execute(sa.delete(jobs).where(jobs.c.number == job))
        return True


_REMEDY = "delete a job whose results you have, or send fewer"
_OVER = (JobStage.FINISHED, JobStage.FAILED)
# Of a new job.
_COUNTERS = ("total", "size", "claimed", "done", "failed", "positions", "nodes", "spent")
# The key of one that is deleted may be used again.
_DELETED: dict[str, Any] = {"stage": JobStage.DELETED, "request": None}
