"""Threads and hash, leased in slots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.shares.budget import Budget, BudgetConfig, Size


@pytest.fixture
def budget() -> Budget:
    return Budget(Size(4, 1000))


def test_what_is_leased_is_not_free(budget: Budget) -> None:
    budget.lease("anna", Size(1, 100))
    budget.lease("bert", Size(2, 300))
    assert budget.free == Size(1, 600)
    assert budget.used_by("anna") == Size(1, 100)
    assert budget.used_by("nobody") == Size(0, 0)


def test_what_is_given_back_is_free_once(budget: Budget) -> None:
    slot = budget.lease("anna", Size(3, 100))
    budget.give_back(slot)
    budget.give_back(slot)
    assert budget.free == budget.total
    assert not budget.slots_of("anna")
    assert not list(budget)
    assert not budget._slots


@pytest.mark.parametrize(("size", "fits"), [
    (Size(4, 1000), True), (Size(5, 1), False), (Size(1, 1001), False),
])  # fmt: skip
def test_threads_and_hash_must_both_fit(budget: Budget, size: Size, fits: bool) -> None:
    assert size.fits(budget.free) is fits


def test_slot_grows_as_far_as_there_is_room(budget: Budget) -> None:
    slot = budget.lease("anna", Size(1, 100))
    budget.lease("bert", Size(1, 500))
    assert budget.resize(slot, Size(8, 200)) == Size(3, 200)
    assert budget.resize(slot, Size(8, 2000)) == Size(3, 500)
    assert budget.resize(slot, Size(1, 16)) == Size(1, 16)
    assert budget.free == Size(2, 484)


def test_operator_is_over_the_machine() -> None:
    machine = Size(8, 4096)
    assert BudgetConfig().size(machine) == machine
    assert BudgetConfig(threads=2).size(machine) == Size(2, 4096)
    assert BudgetConfig(hash_mb=64).size(machine) == Size(8, 64)


SIZES = st.builds(Size, st.integers(1, 6), st.integers(1, 1500))


@given(st.lists(st.tuples(st.sampled_from("abc"), SIZES, SIZES)))
def test_never_more_is_out_than_there_is(requests: list[tuple[str, Size, Size]]) -> None:
    budget = Budget(Size(4, 1000))
    for account, size, later in requests:
        if size.fits(budget.free):
            slot = budget.lease(account, size)
            assert budget.resize(slot, later).fits(later)
        assert sum(slot.size.threads for slot in budget) <= 4
        assert sum(slot.size.hash_mb for slot in budget) <= 1000
