"""The waits of works."""

from dataclasses import replace

from rookery_analysis.engine_supply import EngineSettings
from rookery_server.access.account import Account
from rookery_server.background.work import Work
from rookery_server.background.work_waits import FIRST_WAIT, LONGEST_WAIT, WorkWaits

ONE = Work("job", 1, "a", Account("anna"), "e", EngineSettings())
SAME_ENGINE = replace(ONE, number=2)
OTHERS = replace(ONE, number=3, account=Account("bob"))


def test_all_works_of_an_account_wait_for_the_same_engine() -> None:
    waits = WorkWaits()
    assert waits.add_for_engine(ONE, 0.0)
    assert not waits.add_for_engine(SAME_ENGINE, 0.0)
    assert [waits.are_over(each, 0.0) for each in (ONE, SAME_ENGINE, OTHERS)] == [0, 0, 1]
    waits.end(SAME_ENGINE)
    assert waits.are_over(ONE, 0.0)


def test_error_of_the_server_at_a_work_is_no_others() -> None:
    waits = WorkWaits()
    waits.add(ONE, 0.0)
    assert [waits.are_over(each, 0.0) for each in (ONE, SAME_ENGINE)] == [0, 1]


def test_waits_grow_up_to_a_bound() -> None:
    waits, now = WorkWaits(), 0.0
    lengths = []
    for _ in range(10):
        waits.add(ONE, now)
        began = now
        while not waits.are_over(ONE, now):
            now += 0.5
        lengths.append(now - began)
    assert lengths[0] == FIRST_WAIT
    assert lengths == sorted(lengths)
    assert lengths[-1] == LONGEST_WAIT


def test_waits_of_works_that_are_gone_are_forgotten() -> None:
    waits = WorkWaits()
    waits.add(ONE, 0.0)
    waits.keep_only([SAME_ENGINE])
    assert waits.are_over(ONE, 0.0)
