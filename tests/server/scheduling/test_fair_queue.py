"""The order in which waiting sessions get slots."""

import pytest
from helpers.queueing import ONE, QUOTA, Club, waiting

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code
from rookery_server.config.resources import BudgetConfig, Quota, Size
from rookery_server.scheduling.fair_queue import (
    OVERTAKING,
    TURN,
    USUAL_HASH,
    Slot,
)


def test_session_that_comes_while_there_is_room_does_not_wait() -> None:
    club = Club(2)
    club.join("a1")
    club.join("b1")
    assert list(club.slots) == ["a1", "b1"]
    assert len(club.queue) == 0


def test_of_equals_the_one_that_has_waited_longest_is_next() -> None:
    club = Club()
    for number, name in enumerate(["x", "b", "a", "c"]):
        club.join(name, float(number))
    assert club.places() == ["b", "a", "c"]
    assert club.give_back("x", 10.0) == ["b"]
    assert club.give_back("b", 11.0) == ["a"]


def test_places_are_new_when_one_comes_or_leaves() -> None:
    club = Club()
    for name in ("x", "a1", "a2", "a3"):
        club.join(name)
    assert club.places() == ["a1", "a2", "a3"]
    club.queue.remove(club.tickets["a2"])
    assert club.queue.place_of(club.tickets["a3"]) == 2
    club.join("b")
    assert club.queue.place_of(club.tickets["a3"]) == 3


def test_account_with_fewest_slots_is_next() -> None:
    club = Club(3)
    for name in ("a1", "a2", "b1", "a3", "b2", "c1"):
        club.join(name)
    assert club.places() == ["c1", "b2", "a3"]


def test_each_slot_that_one_has_is_weighed_against_waiting() -> None:
    club = Club(1)
    club.join("a1")
    club.join("a2", 0.0)
    club.join("b1", TURN - 1)
    assert club.places() == ["b1", "a2"]
    club = Club(1)
    club.join("a1")
    club.join("a2", 0.0)
    club.join("b1", TURN + 1)
    assert club.places() == ["a2", "b1"]


def test_newcomer_does_not_wait_for_all_that_another_has_asked_for() -> None:
    club = Club(1)
    for number in range(500):
        club.join(f"a{number}")
    club.join("b", 3600.0)
    assert club.places().index("b") == 1


def test_interactive_is_before_batch() -> None:
    club = Club()
    club.join("x")
    club.join("b", 1.0, batch=True)
    club.join("c", 299.0)
    club.join("b2", 299.0)
    assert club.places() == ["c", "b2", "b"]


def test_batch_that_has_waited_long_is_as_good_as_interactive() -> None:
    club = Club()
    club.join("x")
    club.join("b", 1.0, batch=True)
    club.join("c", 302.0)
    assert club.places() == ["b", "c"]


def test_large_request_is_overtaken_only_so_often() -> None:
    club = Club(3)
    club.join("x")
    club.join("y")
    club.join("large", 1.0, size=Size(3, 1))
    names = [chr(ord("A") + number) for number in range(OVERTAKING + 2)]
    for name in names:
        club.join(name, 2.0)
    done = []
    while "large" not in club.slots:
        done.append(next(name for name in club.slots if name not in "xy"))
        club.give_back(done[-1], 3.0)
        if len(done) == OVERTAKING:
            club.give_back("x", 3.0)
            club.give_back("y", 3.0)
    assert done == names[:OVERTAKING]
    assert club.places() == names[OVERTAKING:]


def test_hash_is_not_waited_for_if_what_is_left_will_do() -> None:
    club = Club(3)
    club.join("x", size=Size(1, 1000 - USUAL_HASH))
    club.join("large", 1.0, size=Size(1, 500))
    assert club.slots["large"].size == Size(1, USUAL_HASH)
    club.join("b", 2.0)
    assert club.places() == ["b"]


def test_hash_is_waited_for_where_next_to_nothing_is_left() -> None:
    club = Club(3)
    club.join("x", size=Size(1, 1001 - USUAL_HASH))
    club.join("large", 1.0, size=Size(1, 500))
    assert club.places() == ["large"]
    assert club.give_back("x", 2.0) == ["large"]
    assert club.slots["large"].size == Size(1, 500)


def test_memory_is_waited_for_but_hash_makes_do_with_what_is_left_of_it() -> None:
    club = Club(8, memory_mb=250)
    club.join("a", size=Size(1, 16, 100))
    club.join("b", 1.0, size=Size(1, 500, 584))
    assert club.slots["b"].size == Size(1, 66, 150)
    club.join("c", 2.0, size=Size(1, 16, 100))
    assert club.places() == ["c"]
    assert club.give_back("a", 3.0) == ["c"]


def test_engine_that_needs_more_memory_than_there_is_has_it_all() -> None:
    club = Club(8, memory_mb=50)
    club.join("a", size=Size(1, 64, 150))
    assert club.slots["a"].size == Size(1, 16, 50)
    club.join("b", 1.0, size=Size(1, 64, 150))
    assert club.places() == ["b"]
    assert club.give_back("a", 2.0) == ["b"]


def test_session_that_waits_for_an_engine_of_few_processes_holds_none_up() -> None:
    club = Club(100)
    club.budget.bounds = {"lc0": 1}
    club.join("a1", engine="lc0")
    club.join("b1", 1.0, engine="lc0")
    club.join("b2", 2.0, engine="lc0")
    for name in range(2 * OVERTAKING):
        club.join("b" if name % 2 else "c", 3.0 + name)
    assert club.places() == ["b1", "b2"]
    lc0, other = Slot("x", ONE, "lc0"), Slot("x", ONE, "other")
    assert club.queue.wants([lc0, other]) == [lc0]
    assert club.give_back("a1", 99.0) == ["b1"]


def test_hash_of_an_account_is_what_its_quota_leaves() -> None:
    club = Club(3)
    quota = Quota(total_hash_mb=100)
    club.join("a1", size=Size(1, 70), quota=quota)
    club.join("a2", 1.0, size=Size(1, 70), quota=quota)
    assert club.slots["a2"].size == Size(1, 30)


def test_large_request_is_overtaken_by_those_of_its_own_account_too() -> None:
    club = Club(3)
    club.join("a")
    club.join("a-large", 1.0, size=Size(3, 1))
    names = [f"a{number}" for number in range(OVERTAKING + 1)]
    for name in names:
        club.join(name, 2.0)
    assert list(club.slots) == ["a", "a0", "a1"]
    for before, name in zip(names, names[2:OVERTAKING], strict=False):
        assert club.give_back(before, 3.0) == [name]
    assert club.give_back("a", 3.0) == []
    assert club.places()[0] == "a-large"


def test_large_request_is_overtaken_only_so_often_though_its_quota_leaves_it_less_hash() -> None:
    club = Club(3)
    quota = Quota(total_hash_mb=100)
    club.join("x")
    club.join("a", size=Size(1, 70), quota=quota)
    club.join("a-large", 1.0, size=Size(2, 70), quota=quota)
    for number in range(OVERTAKING):
        club.join(f"b{number}", 2 * TURN)
        club.give_back(f"b{number}", 2 * TURN)
    club.join("c", 2 * TURN)
    assert "c" not in club.slots


def test_account_that_may_have_no_more_holds_nobody_up_with_a_large_request() -> None:
    club = Club(8)
    quota = Quota(total_threads=3)
    club.join("a", quota=quota)
    club.join("a-large", 1.0, size=Size(3, 1), quota=quota)
    for number in range(2 * OVERTAKING):
        club.join(f"b{number}", 2.0)
        club.give_back(f"b{number}", 2.0)
    club.join("a2", 3.0, quota=quota)
    club.join("b", 3.0)
    assert list(club.slots) == ["a", "a2", "b"]


def test_what_is_too_large_for_the_machine_or_the_quota_is_made_smaller() -> None:
    club = Club(4)
    club.join("a", size=Size(99, 9999))
    assert club.slots["a"].size == club.budget.total
    club = Club(4)
    club.join("a", size=Size(99, 9999), quota=Quota(threads=2, hash_mb=64))
    assert club.slots["a"].size == Size(2, 64)


def test_session_that_has_asked_for_more_than_is_left_in_all_holds_none_up() -> None:
    """A machine of several that had joined is gone."""
    club = Club(8)
    club.join("x", size=Size(8, 1))
    club.join("large", 1.0, size=Size(8, 1))
    club.budget.total = Size(2, 1000)
    assert club.give_back("x", 2.0) == ["large"]
    assert club.slots["large"].size == Size(2, 1)


def test_account_that_has_all_it_may_waits_for_itself_and_for_nobody_else() -> None:
    club = Club(4)
    quota = Quota(total_threads=2)
    for name in ("a1", "a2", "a3"):
        club.join(name, quota=quota)
    club.join("b", 1.0)
    assert list(club.slots) == ["a1", "a2", "b"]
    assert club.give_back("b") == []
    assert club.give_back("a1") == ["a3"]


def test_slot_grows_while_nobody_waits() -> None:
    club = Club(3)
    club.join("a")
    slot = club.slots["a"]
    assert club.queue.resize(slot, Size(8, 64), quota=QUOTA) == Size(3, 64)
    assert club.queue.resize(slot, Size(8, 64), quota=Quota(threads=2, hash_mb=32)) == Size(2, 32)
    club.join("b")
    club.join("c")
    assert club.queue.resize(slot, Size(3, 64), quota=QUOTA) == Size(2, 32)
    assert club.queue.resize(slot, Size(1, 64), quota=QUOTA) == Size(1, 32)
    assert [ticket for ticket, _ in club.queue.grant_slots(1.0)] == [club.tickets["c"]]


def test_slot_does_not_grow_over_what_the_account_may_have() -> None:
    club = Club(8)
    quota = Quota(threads=4, total_threads=4)
    club.join("a1", quota=quota)
    club.join("a2", quota=quota)
    assert club.queue.resize(club.slots["a1"], Size(4, 1), quota=quota) == Size(3, 1)


def test_slot_is_no_smaller_than_the_smallest_though_the_quota_is_exceeded() -> None:
    """As after a reload that has made it smaller."""
    club = Club(8)
    club.join("a1", quota=Quota(threads=4, total_threads=4))
    club.join("a2", quota=Quota(threads=4, total_threads=4))
    smaller = Quota(threads=1, total_threads=1, total_hash_mb=1)
    size = club.queue.resize(club.slots["a1"], Size(4, 64), quota=smaller)
    assert size == Size(1, 1)


def test_queue_is_bounded() -> None:
    club = Club(1, BudgetConfig(waiting=3))
    quota = Quota(waiting=2)
    for name in ("a1", "a2", "a3"):
        club.join(name, quota=quota)
    with pytest.raises(RefusedError, match="2 of your sessions wait for one already") as caught:
        club.join("a4", quota=quota)
    assert caught.value.notice.code is Code.QUEUE_FULL
    club.join("b", quota=quota)
    with pytest.raises(RefusedError, match="3 wait for one already: connect again later"):
        club.join("c", quota=quota)
    assert len(club.queue) == 3


def test_where_nobody_may_wait_a_free_slot_is_still_had() -> None:
    club = Club(1, BudgetConfig(waiting=0))
    club.join("a", quota=Quota(waiting=0))
    assert list(club.slots) == ["a"]
    with pytest.raises(RefusedError):
        club.join("b")


def test_session_that_waits_is_told_where_and_how_long() -> None:
    club = Club(1)
    for name in ("x", "a", "b", "c", "d"):
        club.join(name)
    assert str(club.queue.notice(club.tickets["b"], 0.0)) == (
        "info string rookery waiting: you are number 2 of 4 to get an engine"
    )
    assert club.queue.estimate(club.tickets["b"], 0.0) is None
    club.give_back("x", 30.0)
    club.give_back("a", 60.0)
    assert club.queue.place_of(club.tickets["d"]) == 2
    estimate = club.queue.estimate(club.tickets["d"], 60.0)
    assert estimate == pytest.approx(60.0, rel=0.1)
    assert club.queue.notice(club.tickets["d"], 60.0).text.startswith(
        "you are number 2 of 2 to get an engine, in about 5"
    )


def test_estimate_follows_the_recent_rate() -> None:
    club = Club(1)
    club.join("x")
    club.join("z")
    for number in range(100):
        club.join(f"a{number}", 10.0 * number)
        club.give_back(next(iter(club.slots)), 10.0 * number)
    ticket = next(ticket for ticket in club.tickets.values() if ticket in waiting(club.queue))
    assert club.queue.estimate(ticket, 1000.0) == pytest.approx(10.0, rel=0.1)
    silent = club.queue.estimate(ticket, 1600.0)
    assert silent is not None
    assert 20 < silent < 40
    assert club.queue.estimate(ticket, 9000.0) is None
