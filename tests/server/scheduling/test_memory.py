"""Memory is given back when a crowd has left, and not each time that somebody leaves."""

import subprocess
import sys

from rookery_server.scheduling.memory_trim import AFTERMATHS, FEW, GROWN, Tide

# What is loaded by giving memory back, in a process that has only just settled.
LOADS = """
import sys
from rookery_server.scheduling.memory_trim import give_back, settle
settle()
known = set(sys.modules)
give_back(alone=True)
print(*set(sys.modules) - known)
"""

# Whether sessions that have ended are gone at last: one before it settles, one just after.
GONE = """
import gc, weakref
from rookery_server.scheduling.memory_trim import give_back, settle

class Session:
    def __init__(self):
        self.itself = self

gc.disable()
ended, ending = weakref.ref(Session()), Session()
settle()
gc.collect()
print(ended() is None)
ended = weakref.ref(ending)
del ending
give_back(alone=False)
print(ended() is None)
give_back(alone=True)
print(ended() is None)
"""


class Machine:
    """A process whose memory grows with those who come, and stays when they leave."""

    def __init__(self) -> None:
        self.memory = 50.0
        self.ebbs = 0
        self.tide = Tide(self._ebb, lambda: self.memory)

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
    machine.tide = Tide(lambda: None, lambda: machine.memory)
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
    machine.tide = Tide(lambda: None, lambda: machine.memory)
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
    again = [machine.tide.look(0) for _ in range(2 * AFTERMATHS[-1])].count(True)
    assert again == len(AFTERMATHS)
    assert machine.ebbs == 1 + again


def test_a_new_crowd_does_not_wait_for_what_the_last_one_left() -> None:
    machine = Machine()
    machine.tide.look(1000)
    machine.memory += 30
    assert machine.tide.look(0)
    assert not any(machine.tide.look(900) for _ in range(2 * AFTERMATHS[-1]))


def test_the_last_of_a_crowd_may_leave_long_after_the_others() -> None:
    machine = Machine()
    machine.tide.look(50)
    machine.memory += 9
    assert machine.tide.look(25)
    assert not any(machine.tide.look(FEW) for _ in range(AFTERMATHS[0]))
    machine.memory += GROWN  # Too little to be looked at for itself.
    assert any(machine.tide.look(0) for _ in range(AFTERMATHS[1]))
    assert machine.memory == 51.0


def test_giving_memory_back_loads_nothing() -> None:
    """It would lie where the crowd has been, and hold thousands of its pages."""
    assert not said_by(LOADS).split()


def test_what_has_ended_is_not_taken_to_last() -> None:
    assert said_by(GONE).split() == ["True", "False", "True"]


def said_by(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout
