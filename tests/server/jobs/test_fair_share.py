"""The turns of accounts and jobs at the workers."""

from collections import Counter

from rookery_server.access.account import Account
from rookery_server.jobs.fair_share import SLICE, FairShare
from rookery_server.jobs.stored_job import JobSettings, JobStage, StoredJob
from rookery_uci import Limits


def job(number: int, account: str, priority: int = 0) -> StoredJob:
    return StoredJob(
        number, str(number), Account(account), None, "", "positions", "e", JobSettings(Limits()),
        priority, JobStage.ACTIVE, None, total=9, size=0, claimed=0, done=0, failed=0, positions=0,
        nodes=0, spent=0, created=0, finished=None, expires=None,
    )  # fmt: skip


def turns(jobs: list[StoredJob], rounds: int, seconds: float = 2.0) -> Counter[int]:
    """Return how many batches each job has had."""
    share, current, had = FairShare(), None, Counter[int]()
    share.update(jobs)
    for _ in range(rounds):
        chosen = share.choose(jobs, current)
        assert chosen
        current = chosen.number
        had[chosen.number] += 1
        share.charge(chosen, seconds)
    return had


def test_accounts_have_equal_shares_whatever_their_jobs() -> None:
    had = turns([job(1, "anna"), job(2, "anna"), job(3, "anna"), job(4, "bob")], 600)
    assert abs(had[4] - 300) <= SLICE
    assert max(had[1], had[2], had[3]) - min(had[1], had[2], had[3]) <= SLICE


def test_higher_priority_goes_first_within_its_account() -> None:
    had = turns([job(1, "anna", 1), job(2, "anna", 2), job(3, "bob", -5)], 100)
    assert had[1] == 0
    assert abs(had[2] - had[3]) <= SLICE


def test_oldest_of_equals_is_first() -> None:
    share = FairShare()
    jobs = [job(2, "anna"), job(1, "anna")]
    share.update(jobs)
    assert share.choose(jobs, None) is jobs[1]


def test_worker_stays_with_its_job_for_a_while() -> None:
    share = FairShare()
    jobs = [job(1, "anna"), job(2, "bob")]
    share.update(jobs)
    changes, current = 0, 1
    for _ in range(50):
        chosen = share.choose(jobs, current)
        assert chosen
        changes += chosen.number != current
        current = chosen.number
        share.charge(chosen, SLICE / 5)
    assert 4 <= changes <= 12


def test_what_comes_later_does_not_catch_up() -> None:
    share = FairShare()
    old = job(1, "anna")
    share.update([old])
    share.charge(old, 1000.0)
    jobs = [old, job(2, "bob")]
    share.update(jobs)
    current = None
    had = Counter[int]()
    for _ in range(40):
        chosen = share.choose(jobs, current)
        assert chosen
        current = chosen.number
        had[current] += 1
        share.charge(chosen, 2.0)
    assert had[1] >= 15


def test_account_with_as_many_workers_as_it_may_have_is_left_out() -> None:
    share = FairShare()
    jobs = [job(1, "anna"), job(2, "bob")]
    share.update(jobs)
    assert share.choose(jobs, None, {"anna"}) is jobs[1]
    assert share.choose(jobs, 1, {"anna"}) is jobs[0]  # Its own worker goes on.
    assert share.choose(jobs, None, {"anna", "bob"}) is None
