"""Memory is given back when a crowd has left, and not each time that somebody leaves."""

import subprocess
import sys

from rookery_server.shares.memory import AFTERMATH, GROWN, Tide

# What is loaded by giving memory back, in a process that has only just settled.
LOADS = """
import sys
from rookery_server.shares.memory import give_back, settle
settle()
known = set(sys.modules)
give_back()
print(*set(sys.modules) - known)
"""


class Machine:
    """A process whose memory grows with those who come, and stays when they leave."""

    def __init__(self) -> None:
        self.memory = 50.0
        self.ebbs = 0
        self.tide = Tide(lambda: self.memory, self._ebb)

    def _ebb(self) -> None:
        self.ebbs += 1
        self.memory = 51.0


def test_memory_is_given_back_once_when_a_crowd_has_left() -> None:
    machine = Machine()
    for there in (10, 500, 1000):
        machine.memory += there / 50
        assert not machine.tide.look(there)
    assert not machine.tide.look(600)  # Most are still there.
    assert machine.tide.look(400)
    assert not machine.tide.look(300)
    assert not machine.tide.look(0)
    assert machine.ebbs == 1


def test_a_crowd_that_leaves_in_parts_leaves_nothing() -> None:
    machine = Machine()
    machine.tide = Tide(lambda: machine.memory, lambda: None)
    machine.tide.look(2000)
    machine.memory = 90.0
    assert machine.tide.look(900)
    machine.memory = 75.0  # The others still have theirs.
    assert machine.tide.look(0)


def test_who_leaves_little_behind_is_no_reason() -> None:
    machine = Machine()
    machine.tide.look(5)
    machine.memory += GROWN
    assert not machine.tide.look(0)
    machine.memory += 0.1
    assert machine.tide.look(0)


def test_what_cannot_be_given_back_is_not_tried_again() -> None:
    machine = Machine()
    machine.tide = Tide(lambda: machine.memory, lambda: None)
    machine.tide.look(100)
    machine.memory += 50
    assert machine.tide.look(10)
    assert not machine.tide.look(10)
    assert machine.tide.look(1)  # It might have been the rest of them who had it.
    assert not machine.tide.look(0)


def test_less_memory_than_before_is_the_new_measure() -> None:
    machine = Machine()
    machine.tide.look(100)
    machine.memory = 30.0
    assert not machine.tide.look(10)
    machine.memory = 30.5 + GROWN
    assert machine.tide.look(10)


def test_nobody_was_there() -> None:
    machine = Machine()
    machine.memory += 100
    assert not machine.tide.look(0)


def test_what_was_still_ending_is_given_back_soon_after() -> None:
    machine = Machine()
    machine.tide.look(1000)
    machine.memory += 30
    assert machine.tide.look(0)
    assert [machine.tide.look(0) for _ in range(2 * AFTERMATH)].count(True) == 1
    assert machine.ebbs == 2


def test_a_new_crowd_does_not_wait_for_what_the_last_one_left() -> None:
    machine = Machine()
    machine.tide.look(1000)
    machine.memory += 30
    assert machine.tide.look(0)
    assert not any(machine.tide.look(900) for _ in range(2 * AFTERMATH))


def test_giving_memory_back_loads_nothing() -> None:
    """It would lie where the crowd has been, and hold thousands of its pages."""
    done = subprocess.run(
        [sys.executable, "-c", LOADS], check=True, capture_output=True, text=True, timeout=60
    )
    assert not done.stdout.split()
