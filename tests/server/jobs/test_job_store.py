"""Jobs in the database: the same rules for SQLite and PostgreSQL."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from helpers.jobbing import MUCH, items_of, new_job

from rookery_server.access.account import Account
from rookery_server.cache.evaluation_store import EvaluationStore
from rookery_server.config.resources import Quota
from rookery_server.database import database
from rookery_server.database.database import StoreError, lock_account
from rookery_server.database.process_identity import ProcessIdentity
from rookery_server.database.tables import job_claims, job_items, jobs
from rookery_server.jobs.job_queries import stored_amount
from rookery_server.jobs.job_store import JobStore
from rookery_server.jobs.stored_job import (
    GAMES,
    Claim,
    ItemResult,
    JobStage,
    StoredAmount,
    StoredJob,
    TooMuchError,
)

ANNA, BOB = Account("anna"), Account("bob")


@pytest.fixture
def store(url: str) -> Iterator[JobStore]:
    store = JobStore(url)
    yield store
    store.close()


@pytest.fixture
def server(store: JobStore) -> int:
    return store.register_server()


def put_job(store: JobStore, server: int, count: int = 10, **fields: object) -> StoredJob:
    job, is_new = store.create(new_job(ANNA, **fields), server, MUCH)
    assert is_new
    store.append(job, server, 0, items_of(map(str, range(count))), MUCH)
    return store.submit(job.number, server)


def amount_of(store: JobStore, account: str) -> StoredAmount:
    with store._database.reading() as connection:
        return stored_amount(connection, account)


def answers(claim: Claim, *, is_error: bool = False) -> list[ItemResult]:
    return [
        ItemResult(number, f"result {number}", is_error=is_error, positions=1, nodes=5, spent=2)
        for number, _ in claim.items
    ]


def do_all(store: JobStore, server: int, job: StoredJob, size: int = 4) -> list[int]:
    numbers = []
    while claim := store.claim(job.number, server, size):
        numbers += [number for number, _ in claim.items]
        assert store.write_results(claim, server, answers(claim), is_last=True)
    return numbers


def test_claims_follow_each_other_until_the_job_is_finished(store: JobStore, server: int) -> None:
    job = put_job(store, server)
    assert (job.state, job.total) == ("queued", 10)
    assert do_all(store, server, job) == list(range(10))
    done = store.job_of("anna", job.id)
    assert done
    assert (done.state, done.done, done.positions, done.nodes, done.spent) == (
        "finished", 10, 10, 50, 20,
    )  # fmt: skip
    assert done.finished
    assert store.results(job.number, -1) == [(n, f"result {n}") for n in range(10)]
    assert store.results(job.number, 7) == [(8, "result 8"), (9, "result 9")]
    assert store.active_jobs() == []


def test_results_end_before_the_first_that_is_missing(store: JobStore, server: int) -> None:
    job = put_job(store, server)
    first = store.claim(job.number, server, 3)
    second = store.claim(job.number, server, 3)
    assert first
    assert second
    store.write_results(second, server, answers(second), is_last=True)
    assert store.results(job.number, -1) == []
    store.write_results(first, server, answers(first)[:1], is_last=False)
    assert [number for number, _ in store.results(job.number, -1)] == [0]
    store.write_results(first, server, answers(first)[1:], is_last=True)
    assert [number for number, _ in store.results(job.number, -1)] == list(range(6))


def test_no_item_is_claimed_twice_by_many_at_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 30.0)  # A server would ask again.
    first = JobStore(url)
    job = put_job(first, first.register_server(), 200)
    claimed: list[int] = []
    lock = threading.Lock()

    def do_share(_: int) -> None:
        store = JobStore(url)
        server = store.register_server()
        numbers = do_all(store, server, job, 7)
        with lock:
            claimed.extend(numbers)
        store.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(do_share, range(4)))
    assert sorted(claimed) == list(range(200))
    done = first.job_of("anna", job.id)
    assert done
    assert (done.stage, done.done) == (JobStage.FINISHED, 200)
    first.close()


def test_results_are_written_once_even_if_their_writer_does_not_know(
    store: JobStore, server: int
) -> None:
    job = put_job(store, server, 4)
    claim = store.claim(job.number, server, 4)
    assert claim
    for _ in range(2):  # As after a connection that was lost at the commit.
        found = store.write_results(claim, server, answers(claim)[:2], is_last=False)
        assert found
        assert found.done == 2


def test_claim_of_a_server_that_is_silent_is_free(store: JobStore, server: int) -> None:
    other = store.register_server()
    job = put_job(store, server)
    claim = store.claim(job.number, other, 6)
    assert claim
    store.write_results(claim, other, answers(claim)[:2], is_last=False)
    for now in range(0, 31, 5):
        assert store.show_server(server, now) == (True, 1)
    assert store.show_server(server, 35) == (True, 0)
    again = store.claim(job.number, server, 1)
    assert again
    assert [number for number, _ in again.items] == [2, 3, 4, 5]  # All of it, but what is done.
    # The other is still there, after all: nothing of it counts.
    assert store.write_results(claim, other, answers(claim), is_last=True) is None
    assert store.show_server(other, 100.0) == (False, 1)
    assert store.write_results(again, server, answers(again), is_last=True)
    assert do_all(store, server, job) == [6, 7, 8, 9]


def test_claim_whose_end_was_not_heard_of_is_free(store: JobStore, server: int) -> None:
    job = put_job(store, server)
    known, unheard = store.claim(job.number, server, 2), store.claim(job.number, server, 3)
    assert known
    assert unheard
    store._own.claims.discard(unheard.number)  # As after a connection lost at the commit.
    store.show_server(server, 0.0)
    again = store.claim(job.number, server, 9)
    assert again
    assert again.items == unheard.items
    assert store.write_results(known, server, answers(known), is_last=True)
    assert store.write_results(again, server, answers(again), is_last=True)
    assert do_all(store, server, job) == [5, 6, 7, 8, 9]
    store.show_server(server, 0.0)
    assert not store._own.claims


def test_what_a_server_begins_after_it_was_given_up_is_free(store: JobStore, server: int) -> None:
    gone = store.register_server()
    job = put_job(store, server)
    store.remove_server(gone)
    assert store.claim(job.number, gone, 10)  # It has not heard of it yet.
    store.create(new_job(ANNA, request="k"), gone, MUCH)
    assert store.show_server(server, 0.0) == (True, 0)
    assert do_all(store, server, job) == list(range(10))
    assert amount_of(store, "anna").jobs == 1


def test_former_holder_of_a_claim_cannot_free_it_or_end_it(store: JobStore, server: int) -> None:
    job = put_job(store, server)
    former = store.claim(job.number, server, 10)
    assert former
    store.change_stage(job.number, [JobStage.ACTIVE], JobStage.PAUSED)
    store.change_stage(job.number, [JobStage.PAUSED], JobStage.ACTIVE)
    present = store.claim(job.number, server, 10)
    assert present
    store.release(former, server)
    assert store.write_results(former, server, answers(former), is_last=True) is None
    assert store.claim(job.number, server, 10) is None  # The present holder has it.
    done = store.write_results(present, server, answers(present), is_last=True)
    assert done
    assert done.stage is JobStage.FINISHED


def test_job_that_this_server_does_not_read_any_more_is_removed(
    store: JobStore, server: int
) -> None:
    read, _ = store.create(new_job(ANNA), server, MUCH)
    cut, _ = store.create(new_job(ANNA), server, MUCH)
    store.append(cut, server, 0, ["{}"], MUCH)
    store._own.loading.discard(cut.number)  # As where it could not be removed at once.
    store.show_server(server, 0.0)
    assert amount_of(store, "anna") == StoredAmount(1, 0, 0)
    for attempt in (
        lambda: store.append(cut, server, 1, ["{}"], MUCH),
        lambda: store.submit(cut.number, server),
        lambda: store.submit(read.number, server + 1),
    ):
        with pytest.raises(StoreError, match="send it again"):
            attempt()
    assert store.submit(read.number, server).stage is JobStage.ACTIVE
    assert [each.id for each in store.jobs_of("anna", 10)] == [read.id]


def test_quotas_hold_for_jobs_that_are_read_at_the_same_time(store: JobStore, server: int) -> None:
    quota = Quota(stored_jobs=2, stored_positions=10, stored_mb=1)
    one, other = (store.create(new_job(ANNA), server, quota)[0] for _ in range(2))
    with pytest.raises(TooMuchError, match="2 jobs, and may have 2"):
        store.create(new_job(ANNA), server, quota)
    assert store.create(new_job(BOB), server, quota)[1]
    store.append(one, server, 0, ["{}"] * 6, quota)
    with pytest.raises(TooMuchError, match="10 positions and games, and 6 are"):
        store.append(other, server, 0, ["{}"] * 5, quota)
    store.append(other, server, 0, ["{}"] * 2, quota)
    with pytest.raises(TooMuchError, match="1 MiB"):
        store.append(other, server, 2, ["x" * (1 << 20)], quota)
    assert amount_of(store, "anna") == StoredAmount(2, 8, 16)


def test_quotas_hold_for_servers_that_store_at_the_same_time(postgres_url: str) -> None:
    quota = Quota(stored_jobs=2, stored_positions=10)
    with (
        closing(JobStore(postgres_url)) as store,
        closing(JobStore(postgres_url)) as other,
        ThreadPoolExecutor(1) as thread,
    ):
        server = other.register_server()
        one, two = (other.create(new_job(ANNA), server, quota)[0] for _ in range(2))
        for attempt in (
            lambda: other.append(two, server, 0, ["{}"] * 5, quota),
            lambda: other.create(new_job(ANNA), server, quota),
        ):
            with store._database.writing() as connection:
                lock_account(connection, "anna")
                longer = sa.update(jobs).where(jobs.c.number == one.number).values(total=6)
                connection.execute(longer)
                later = thread.submit(attempt)
                assert waits_for_a_lock(connection, later)
            with pytest.raises(TooMuchError):
                later.result()


def waits_for_a_lock(connection: sa.Connection, attempt: "Future[object]") -> bool:
    """Return whether an attempt waits for the lock of an account; False if it ends."""
    waiting = sa.text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    while not attempt.done():
        if connection.execute(waiting).scalar():
            return True
        time.sleep(0.01)
    return False


def test_claim_of_a_process_that_has_ended_is_free_at_once(store: JobStore, server: int) -> None:
    own = store._register.identity
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    store._register.identity = replace(own, process=f"{child} 1")
    dead = store.register_server()
    store._register.identity = ProcessIdentity("another machine", f"{child} 1")
    far = store.register_server()
    store._register.identity = own
    job = put_job(store, server)
    assert store.claim(job.number, dead, 3)
    assert store.claim(job.number, far, 3)
    assert store.show_server(server, 0.0) == (True, 1)
    claim = store.claim(job.number, server, 5)
    assert claim
    assert [number for number, _ in claim.items] == [0, 1, 2]


def test_own_process_is_known_to_be_there() -> None:
    own = ProcessIdentity.own()
    assert not own.knows_gone(own.machine, own.process)
    assert own.knows_gone(own.machine, f"{own.process.split()[0]} 1")
    assert not own.knows_gone("elsewhere", "1 1")


def test_job_whose_input_was_cut_off_is_deleted_with_its_server(store: JobStore) -> None:
    gone, there = store.register_server(), store.register_server()
    job, _ = store.create(new_job(ANNA, request="k"), gone, MUCH)
    store.append(job, gone, 0, ["{}"], MUCH)
    assert store.jobs_of("anna", 10) == []
    store.remove_server(gone)
    assert amount_of(store, "anna").jobs == 0
    again, is_new = store.create(new_job(ANNA, request="k"), there, MUCH)
    assert (is_new, again.number != job.number) == (True, True)
    while store.purge():
        pass
    with store._database.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(jobs)).scalar() == 1


def test_key_of_a_request_makes_one_job_for_each_account(store: JobStore, server: int) -> None:
    job = put_job(store, server, request="k")
    same, is_new = store.create(new_job(ANNA, request="k"), server, MUCH)
    assert (same.id, is_new) == (job.id, False)
    assert same.differences_to(new_job(ANNA, request="k")) == []
    changed = new_job(ANNA, request="k", name="other", lines=2, kind=GAMES)
    assert same.differences_to(changed) == ["lines", "name", "games"]
    other, is_new = store.create(new_job(BOB, request="k"), server, MUCH)
    assert (is_new, other.id != job.id) == (True, True)
    assert store.create(new_job(ANNA), server, MUCH)[1]  # Without a key each is new.
    assert store.create(new_job(ANNA), server, MUCH)[1]


def test_job_of_another_account_is_none(store: JobStore, server: int) -> None:
    job = put_job(store, server)
    assert store.job_of("bob", job.id) is None
    assert store.jobs_of("bob", 10) == []
    assert [each.id for each in store.jobs_of("anna", 10)] == [job.id]
    assert len(job.id) == 32


def test_paused_job_is_not_claimed_and_its_claims_are_free(store: JobStore, server: int) -> None:
    job = put_job(store, server)
    claim = store.claim(job.number, server, 4)
    assert claim
    assert store.change_stage(job.number, [JobStage.ACTIVE], JobStage.PAUSED)
    assert store.claim(job.number, server, 4) is None
    assert store.write_results(claim, server, answers(claim), is_last=True) is None
    assert not store.change_stage(job.number, [JobStage.ACTIVE], JobStage.PAUSED)
    assert store.change_stage(job.number, [JobStage.PAUSED], JobStage.ACTIVE)
    assert do_all(store, server, job) == list(range(10))


def test_deleted_job_is_removed_piece_by_piece(store: JobStore, server: int) -> None:
    job = put_job(store, server, 5000)
    claim = store.claim(job.number, server, 3000)
    assert claim
    store.write_results(claim, server, answers(claim), is_last=False)
    store.change_stage(job.number, [JobStage.ACTIVE], JobStage.DELETED)
    assert store.job_of("anna", job.id) is None
    assert store.write_results(claim, server, answers(claim), is_last=True) is None
    steps = 0
    while store.purge():
        steps += 1
    assert steps > 2
    with store._database.reading() as connection:
        for table in (jobs, job_items, job_claims):
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0


def test_job_that_is_over_expires(store: JobStore, server: int) -> None:
    job, other = put_job(store, server, 1), put_job(store, server, 1)
    assert store.unlimited_jobs() == []
    do_all(store, server, job)
    assert [each.id for each in store.unlimited_jobs()] == [job.id]
    store.expire_at(other.number, -1)  # It is not over.
    store.expire_at(job.number, 100)
    assert store.expire() == 0
    with store._database.writing() as connection:
        connection.execute(sa.update(jobs).where(jobs.c.number == job.number).values(expires=1))
    assert store.expire() == 1
    assert [each.id for each in store.jobs_of("anna", 10)] == [other.id]


def test_amount_is_that_of_all_jobs_of_an_account(store: JobStore, server: int) -> None:
    put_job(store, server, 4)
    put_job(store, server, 6)
    size = sum(map(len, items_of(map(str, [*range(4), *range(6)]))))
    assert amount_of(store, "anna") == StoredAmount(2, 10, size)
    assert amount_of(store, "bob").jobs == 0
    assert store.states() == {"active": 2}


def test_any_text_is_kept(store: JobStore, server: int) -> None:
    job, _ = store.create(new_job(ANNA, name="Ä \N{WHITE CHESS KING} 'x' %s"), server, MUCH)
    item = json.dumps({"id": "\x00 \ud800 \N{WHITE CHESS KING}"})
    store.append(job, server, 0, [item], MUCH)
    job = store.submit(job.number, server)
    assert job.name == "Ä \N{WHITE CHESS KING} 'x' %s"
    claim = store.claim(job.number, server, 1)
    assert claim
    assert claim.items == ((0, item),)


def test_connections_of_one_process_keep_each_others_locks(tmp_path: Path) -> None:
    """Else a process that comes and goes would take the log of the database with it."""
    path = tmp_path / "cache.sqlite"
    store = JobStore(f"sqlite:///{path}")
    store.register_server()
    EvaluationStore(f"sqlite:///{path}").close()
    query = "SELECT count(*) FROM job_servers"
    look = f"import sqlite3; print(sqlite3.connect({str(path)!r}).execute({query!r}).fetchone()[0])"
    for count in (1, 2, 3):
        found = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True)
        assert int(found.stdout) == count
        store.register_server()
    store.close()
