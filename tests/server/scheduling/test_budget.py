"""Threads, hash and memory, leased in slots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_server.config.resources import BudgetConfig, Size
from rookery_server.scheduling.fair_queue import Budget


@pytest.fixture
def budget() -> Budget:
    return Budget(Size(4, 1000))


def test_what_is_leased_is_not_free(budget: Budget) -> None:
    budget.lease("anna", Size(1, 100))
    budget.lease("bert", Size(2, 300))
    assert budget.free == Size(1, 600)
    assert budget.used_by("anna") == Size(1, 100, 0)
    assert budget.used_by("nobody") == Size(0, 0, 0)


def test_what_is_given_back_is_free_once(budget: Budget) -> None:
    slot = budget.lease("anna", Size(3, 100))
    budget.release(slot)
    budget.release(slot)
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


@pytest.mark.parametrize(("size", "room", "fits"), [
    (Size(1, 16, 100), Size(1, 16, 100), True),
    (Size(1, 16, 101), Size(1, 16, 100), False),
    (Size(1, 16, 100), Size(1, 16), True),
    (Size(1, 16), Size(1, 16, 0), True),
])  # fmt: skip
def test_memory_must_fit_where_it_is_counted(size: Size, room: Size, fits: bool) -> None:
    assert size.fits(room) is fits


@pytest.mark.parametrize(("size", "room", "within"), [
    (Size(2, 64, 150), Size(1, 32, 1000), Size(1, 32, 118)),
    (Size(1, 64, 150), Size(1, 64, 120), Size(1, 34, 120)),
    (Size(1, 64, 150), Size(1, 64, 50), Size(1, 16, 50)),  # It is in the room all the same.
    (Size(1, 8, 150), Size(1, 64, 50), Size(1, 8, 50)),
    (Size(1, 64, 150), Size(1, 32), Size(1, 32, 118)),
    (Size(1, 64), Size(1, 64, 10), Size(1, 64)),
])  # fmt: skip
def test_less_memory_is_less_hash_first_of_all(size: Size, room: Size, within: Size) -> None:
    assert size.within(room) == within


def test_slot_takes_no_more_hash_than_there_is_memory_for() -> None:
    budget = Budget(Size(4, 1000, 300))
    slot = budget.lease("anna", Size(1, 16, 100))
    budget.lease("bert", Size(1, 16, 100))
    assert budget.free == Size(2, 968, 100)
    assert budget.resize(slot, Size(1, 500, 584)) == Size(1, 116, 200)
    assert not Size(1, 1, 1).fits(budget.free)


def test_of_an_engine_there_may_be_only_so_many_processes(budget: Budget) -> None:
    budget.bounds = {"lc0": 1}
    assert (budget.left("lc0"), budget.left("other")) == (1, None)
    slot = budget.lease("anna", Size(1, 1), "lc0")
    budget.lease("anna", Size(1, 1), "other")
    assert (budget.has_place("lc0"), budget.has_place("other")) == (False, True)
    budget.release(slot)
    assert budget.has_place("lc0")


def test_operator_is_over_the_machine() -> None:
    machine = Size(8, 4096)
    assert BudgetConfig().size(machine) == machine
    assert BudgetConfig(threads=2).size(machine) == Size(2, 4096)
    assert BudgetConfig(hash_mb=64).size(machine) == Size(8, 64)
    assert BudgetConfig(memory_mb=64).size(Size(8, 4096, 6144)) == Size(8, 4096, 64)
    assert BudgetConfig(hash_mb=64).size(Size(8, 4096, 6144)) == Size(8, 64, 6144)
    assert BudgetConfig(hash_mb=7000).size(Size(8, 4096, 6144)) == Size(8, 7000, 7000)


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
