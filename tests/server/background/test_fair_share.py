"""The turns of accounts and jobs at the workers."""

from collections import Counter
from dataclasses import replace

from rookery_analysis.engine_supply import EngineSettings
from rookery_server.access.account import Account
from rookery_server.background.fair_share import SLICE, FairShare
from rookery_server.background.work import Work


def job(number: int, account: str, priority: int = 0, part: int = 0) -> Work:
    owner, settings = Account(account), EngineSettings()
    return Work("job", number, str(number), owner, "e", settings, priority, part=part)


def turns(jobs: list[Work], rounds: int, seconds: float = 2.0) -> Counter[int]:
    """Return how many batches each job has had."""
    share, had = FairShare(), Counter[int]()
    current: Work | None = None
    share.update(jobs)
    for _ in range(rounds):
        chosen = share.choose(jobs, current)
        assert chosen
        current = chosen
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
    changes, current = 0, jobs[0]
    for _ in range(50):
        chosen = share.choose(jobs, current)
        assert chosen
        changes += chosen is not current
        current = chosen
        share.charge(chosen, SLICE / 5)
    assert 4 <= changes <= 12


def test_what_comes_later_does_not_catch_up() -> None:
    share = FairShare()
    old = job(1, "anna")
    share.update([old])
    share.charge(old, 1000.0)
    jobs = [old, job(2, "bob")]
    share.update(jobs)
    current: Work | None = None
    had = Counter[int]()
    for _ in range(40):
        chosen = share.choose(jobs, current)
        assert chosen
        current = chosen
        had[chosen.number] += 1
        share.charge(chosen, 2.0)
    assert had[1] >= 15


def test_account_with_as_many_workers_as_it_may_have_is_left_out() -> None:
    share = FairShare()
    jobs = [job(1, "anna"), job(2, "bob")]
    share.update(jobs)
    assert share.choose(jobs, None, {"anna"}) is jobs[1]
    assert share.choose(jobs, jobs[0], {"anna"}) is jobs[0]  # Its own worker goes on.
    assert share.choose(jobs, None, {"anna", "bob"}) is None


def test_parts_of_one_work_have_one_share_of_it_and_equal_parts_of_that() -> None:
    share, had = FairShare(), Counter[tuple[int, int]]()
    works = [job(1, "anna", part=0), job(1, "anna", part=1), job(2, "anna")]
    share.update(works)
    current: Work | None = None
    for _ in range(400):
        current = share.choose(works, current)
        assert current
        had[current.number, current.part] += 1
        share.charge(current, 1.0)
    assert abs(had[2, 0] - 200) <= SLICE
    assert abs(had[1, 0] - had[1, 1]) <= 2 * SLICE


def test_workers_leave_the_parts_of_a_work_to_each_other() -> None:
    share = FairShare()
    one, other = job(1, "anna", part=0), job(1, "anna", part=1)
    share.update([one, other])
    share.charge(other, 1.0)
    assert share.choose([one, other], None) is one
    assert share.choose([one, other], None, others=[one]) is other
    assert share.choose([one, other], one, others=[one]) is other
    assert share.choose([one, other], one, others=[other]) is one


def test_works_of_the_same_number_are_told_apart_by_their_kind() -> None:
    share = FairShare()
    one, other = job(1, "anna"), replace(job(1, "anna", -11), kind="project")
    share.update([one, other])
    assert share.choose([one, other], other) is one
    assert share.choose([other], one) is other
