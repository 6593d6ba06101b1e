"""How many engines are expected to be taken together."""

from rookery_server.engines.demand_peak import MEMORY, TOGETHER, DemandPeak


def test_those_taken_together_are_expected_again() -> None:
    demand = DemandPeak()
    assert demand.expected(0.0) == 0
    for _ in range(5):
        demand.taken(10.0)
    assert demand.expected(11.0) == 5
    assert demand.expected(10.0 + MEMORY) == 5


def test_when_it_is_quiet_few_are() -> None:
    demand = DemandPeak()
    for _ in range(5):
        demand.taken(10.0)
    demand.taken(11.0 + MEMORY)
    assert demand.expected(11.0 + MEMORY) == 1
    assert demand.expected(12.0 + 2 * MEMORY) == 0


def test_those_taken_one_after_the_other_are_few() -> None:
    demand = DemandPeak()
    for number in range(100):
        demand.taken(number * TOGETHER * 0.6)
    assert demand.expected(100 * TOGETHER * 0.6) == 2
