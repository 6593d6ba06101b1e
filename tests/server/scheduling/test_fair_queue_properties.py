"""Properties that the order of waiting sessions has, whatever comes."""

from collections import Counter
from itertools import cycle
from random import Random

import pytest
from helpers.queueing import CONFIG, ONE, QUOTA, Club, release, waiting
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rookery_server.config.resources import BudgetConfig, Size
from rookery_server.scheduling.fair_queue import (
    OVERTAKING,
    TURN,
    Budget,
    FairQueue,
    Slot,
    Ticket,
)

SIZES = st.builds(Size, st.integers(1, 4), st.integers(1, 600))
OFTEN_OVERTAKEN = [  # the one with four threads
    (account, Size(threads, 1), batch)
    for account, threads, batch in zip(
        "abaabcac", (2, 1, 2, 1, 4, 2, 1, 2), [False] * 4 + [True, False] * 2, strict=True
    )
]
REQUESTS = st.tuples(st.sampled_from("abcde"), SIZES, st.booleans())


@settings(deadline=None, max_examples=30)
@given(st.lists(REQUESTS, min_size=1, max_size=20), st.integers(1, 60))
@example(OFTEN_OVERTAKEN, 46)
def test_none_starves(requests: list[tuple[str, Size, bool]], lasting: int) -> None:
    budget = Budget(Size(4, 1000))
    queue = FairQueue(budget, BudgetConfig(batch_patience=300.0), 0.0)
    came: dict[Ticket, float] = {}
    ends: list[tuple[float, Slot]] = []
    endless = cycle(requests)
    # The most that those before it take, and those that overtake each of them, one at a time,
    # once nobody who comes can be due before it.
    bound = 300.0 + TURN * (4 + 12) + 12 * (OVERTAKING + 1) * lasting
    for now in map(float, range(0, 6000, 5)):
        while len(queue) < 12:  # always somebody new
            account, size, batch = next(endless)
            came[queue.join(account, size, now, quota=QUOTA, batch=batch)] = now
        served = queue.grant_slots(now)
        for slot in [slot for end, slot in ends if end <= now]:
            served += release(queue, slot, now)
        ends = [(end, slot) for end, slot in ends if end > now]
        ends += [(now + lasting, slot) for _, slot in served]
        for ticket, _ in served:
            del came[ticket]
        assert all(now - since <= bound for since in came.values())
        assert sum(slot.size.threads for slot in budget) <= 4
        assert sum(slot.size.hash_mb for slot in budget) <= 1000


class Rivals:
    """Two accounts that always want more, with four slots between them."""

    def __init__(self, head_start: int) -> None:
        self.queue = FairQueue(Budget(Size(4, 1000)), CONFIG, 0.0)
        for _ in range(head_start):
            self.queue.join("a", ONE, 0.0, quota=QUOTA)
        self.slots = [slot for _, slot in self.queue.grant_slots(0.0)]
        self._refill(0.0)

    def end(self, index: int, now: float) -> list[str]:
        """End one of the slots, oldest first; return who has got one for it."""
        served = [slot for _, slot in release(self.queue, self.slots.pop(index), now)]
        self.slots += served
        self._refill(now)
        return [slot.account for slot in served]

    def _refill(self, now: float) -> None:
        for account in "ab":
            for _ in range(6 - sum(ticket.account == account for ticket in waiting(self.queue))):
                self.queue.join(account, ONE, now, quota=QUOTA)
        self.slots += [slot for _, slot in self.queue.grant_slots(now)]


@pytest.mark.parametrize("head_start", [0, 1, 4, 20])
@pytest.mark.parametrize("pace", [0.1, 1.0, 20.0, 300.0])
def test_two_who_always_want_more_get_the_same(head_start: int, pace: float) -> None:
    rivals = Rivals(head_start)
    shares: Counter[str] = Counter()
    for number in range(1, 200):
        served = rivals.end(0, number * pace)
        if number > 20:
            shares.update(served)
    assert abs(shares["a"] - shares["b"]) <= 2


@given(st.lists(st.integers(0, 3), max_size=100), st.integers(0, 20))
def test_whichever_slot_ends_it_goes_to_the_account_with_fewer(
    ends: list[int], head_start: int
) -> None:
    rivals = Rivals(head_start)
    for number, end in enumerate(ends, 1):
        left = Counter(slot.account for slot in rivals.slots)
        left[rivals.slots[end].account] -= 1
        [account] = rivals.end(end, number * TURN / 200)
        assert left[account] == min(left["a"], left["b"])


@given(st.lists(st.tuples(REQUESTS, st.integers(0, 90)), max_size=30), st.integers(0, 900))
def test_places_are_the_order_in_which_slots_are_given(
    requests: list[tuple[tuple[str, Size, bool], int]], later: int
) -> None:
    club = Club(30)
    blocking = club.queue.join("x", Size(30, 1), 0.0, quota=QUOTA)
    [(_, slot)] = club.queue.grant_slots(0.0)
    assert blocking not in waiting(club.queue)
    now = 0.0
    for (account, _, batch), gap in requests:
        now += gap
        club.join(f"{account}{len(club.tickets)}", now, batch=batch)
    club.queue.grant_slots(now + later)  # nobody: but time has passed
    expected = club.places()
    assert [club.queue.place_of(club.tickets[name]) for name in expected] == list(
        range(1, len(requests) + 1)
    )
    assert club._take(release(club.queue, slot, now + later)) == expected


@given(st.lists(REQUESTS, max_size=40), st.randoms(use_true_random=False))
def test_session_that_leaves_leaves_nothing_behind(
    requests: list[tuple[str, Size, bool]], random: Random
) -> None:
    budget = Budget(Size(4, 1000))
    queue = FairQueue(budget, CONFIG, 0.0)
    tickets = [
        queue.join(account, size, 0.0, quota=QUOTA, batch=batch)
        for account, size, batch in requests
    ]
    slots = [slot for _, slot in queue.grant_slots(1.0)]
    random.shuffle(tickets)
    for ticket in (*tickets, *tickets):
        queue.remove(ticket)
    for slot in slots:
        assert release(queue, slot, 2.0) == []
    assert len(queue) == 0
    assert not queue._lines
    assert not queue._served
    assert not queue._places
    assert budget.free == budget.total
