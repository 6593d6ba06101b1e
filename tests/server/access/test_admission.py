"""Bounds on connections and on starts of engines."""

import time
from dataclasses import replace

import pytest

from rookery_protocol.errors import Refusal
from rookery_protocol.notices import Code
from rookery_server.access import admission
from rookery_server.access.admission import MOMENT, Admission
from rookery_server.access.origin import group_of
from rookery_server.config.sections import ConnectionConfig

CONFIG = ConnectionConfig(
    total=5, per_address=2, unauthenticated=3, starts_per_second=1.0, starts_burst=2
)
WIDE = ConnectionConfig(unauthenticated=6, network_share=1.0)


@pytest.mark.parametrize(("address", "source"), [
    ("192.0.2.7", "192.0.2.7"),
    ("::ffff:192.0.2.7", "192.0.2.7"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
    ("fe80::1%eth0", "fe80::/64"),
    ("127.0.0.1", None), ("127.9.9.9", None), ("::1", None), ("::ffff:127.0.0.1", None),
    ("", None), ("/run/rookery.sock", None),
])  # fmt: skip
def test_source_of_an_address(address: str, source: str | None) -> None:
    assert group_of(address, ipv4=24, ipv6=48).source == source


def admit(admitted: Admission[str], *connections: tuple[str, str]) -> None:
    """Add members."""
    for connection, address in connections:
        assert admitted.add(connection, address, 0.0) is None
        assert admitted.admit(connection) is None


def refusal(admitted: Admission[str], address: str) -> Refusal | None:
    """Return why one more connection from an address would be refused."""
    result = admitted.add("one more", address, 0.0)
    admitted.remove("one more")
    return result


def crowds(admitted: Admission[str], connection: str, address: str, now: float = 0.0) -> bool:
    """Add a stranger; return whether one has to go."""
    assert admitted.add(connection, address, now) is None
    return admitted.is_crowded


def evict(admitted: Admission[str]) -> list[str]:
    """Evict all that have to go, and return them in that order."""
    gone = []
    while (stranger := admitted.next_to_evict(MOMENT)) is not None:
        admitted.remove(stranger)
        gone.append(stranger)
    return gone


def test_connections_from_one_address_are_bounded() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admit(admitted, ("a", "192.0.2.1"), ("b", "192.0.2.1"))
    assert refusal(admitted, "192.0.2.1") == (
        Code.TOO_MANY_CONNECTIONS,
        "there are 2 connections from 192.0.2.1: close one, then connect again",
    )
    assert refusal(admitted, "192.0.2.2") is None
    admitted.remove("a")
    assert refusal(admitted, "192.0.2.1") is None


def test_neighbours_in_one_ipv6_network_are_one_source() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admit(admitted, ("a", "2001:db8::1"), ("b", "2001:db8::2"))
    assert refusal(admitted, "2001:db8::3") is not None
    assert refusal(admitted, "2001:db8:0:1::3") is None


def test_those_who_came_together_as_strangers_are_bounded_when_they_are_known() -> None:
    admitted: Admission[str] = Admission(replace(CONFIG, network_share=1.0))
    for connection in ("a", "b", "c"):
        admitted.add(connection, "192.0.2.1", 0.0)
    assert [admitted.admit(each) is None for each in ("a", "b", "c")] == [True, True, False]


def test_own_machine_is_bounded_by_the_total_only() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admit(admitted, *((str(number), "127.0.0.1") for number in range(4)))
    assert refusal(admitted, "::1") is None
    admit(admitted, ("5", "::1"))
    assert refusal(admitted, "127.0.0.1") == (
        Code.TOO_MANY_CONNECTIONS,
        "there are 5 connections: connect again later",
    )


def test_machine_with_few_descriptors_bears_fewer() -> None:
    admitted: Admission[str] = Admission(CONFIG, most=1)
    assert refusal(admitted, "192.0.2.1") is None
    admit(admitted, ("a", "192.0.2.1"))
    assert refusal(admitted, "192.0.2.2") is not None


# --- strangers


@pytest.mark.parametrize(("address", "network"), [
    ("192.0.2.7", "192.0.2.0/24"), ("::ffff:192.0.2.7", "192.0.2.0/24"),
    ("2001:db8:1:2::9", "2001:db8:1::/48"), ("::5", "::/48"), ("fe80::1%eth0", "fe80::/48"),
    ("127.0.0.2", "127.0.0.2/32"), ("::1", "::1/128"), ("", None), ("/run/rookery.sock", None),
])  # fmt: skip
def test_network_of_an_address(address: str, network: str | None) -> None:
    assert group_of(address, ipv4=24, ipv6=48).network == network


def test_one_stranger_too_many_is_let_in_and_the_oldest_of_the_largest_network_goes() -> None:
    admitted: Admission[str] = Admission(WIDE)
    assert not crowds(admitted, "lonely", "198.51.100.1")
    for number in range(5):
        admitted.add(f"crowd {number}", f"192.0.2.{number}", 0.0)
    assert evict(admitted) == []
    assert refusal(admitted, "203.0.113.1") is None
    assert crowds(admitted, "newcomer", "203.0.113.1")
    assert evict(admitted) == ["crowd 0"]
    assert len(admitted.strangers) == WIDE.unauthenticated


def test_within_a_network_it_is_the_address_with_most_that_loses_one() -> None:
    admitted: Admission[str] = Admission(WIDE)
    places = ["1", "2", "2", "3", "2", "3"]
    for number, host in enumerate(places):
        admitted.add(f"{host}: {number}", f"192.0.2.{host}", 0.0)
    admitted.add("newcomer", "192.0.2.4", 0.0)
    admitted.add("another", "192.0.2.5", 0.0)
    assert evict(admitted) == ["2: 1", "3: 3"]


def test_of_equals_the_oldest_goes() -> None:
    admitted: Admission[str] = Admission(WIDE)
    for number in range(8):
        admitted.add(str(number), f"192.0.{number}.1", 0.0)
    assert evict(admitted) == ["0", "1"]


def test_no_network_has_more_than_its_share() -> None:
    admitted: Admission[str] = Admission(replace(WIDE, unauthenticated=8, network_share=0.25))
    assert [crowds(admitted, f"{n}", f"192.0.2.{n}") for n in range(4)] == [
        False,
        False,
        True,
        True,
    ]
    assert evict(admitted) == ["0", "1"]
    v6 = [crowds(admitted, f"v6 {n}", f"2001:db8:1:{n}::1") for n in range(3)]
    assert v6 == [False, False, True]
    assert evict(admitted) == ["v6 0"]


def test_size_of_a_network_is_the_operators_choice() -> None:
    admitted: Admission[str] = Admission(
        replace(WIDE, unauthenticated=4, network_share=0.25, ipv4_network=16, ipv6_network=64)
    )
    for number, address in enumerate(["192.0.2.1", "192.0.3.1", "2001:db8::1", "2001:db8:0:1::1"]):
        admitted.add(str(number), address, 0.0)
    assert evict(admitted) == ["0"]


def test_a_proxy_that_has_not_said_for_whom_it_asks_has_no_share_but_is_no_exception() -> None:
    admitted: Admission[str] = Admission(replace(WIDE, network_share=0.2))
    for number in range(WIDE.unauthenticated):
        admitted.add(str(number), "", 0.0)
    assert evict(admitted) == []
    for number in range(2):
        admitted.add(f"newcomer {number}", "192.0.2.1", 0.0)
    assert evict(admitted) == ["newcomer 0", "0"]  # the share of a network is one


def test_no_address_has_more_strangers_than_connections() -> None:
    admitted: Admission[str] = Admission(replace(WIDE, per_address=2))
    assert [crowds(admitted, str(n), "192.0.2.1") for n in range(3)] == [False, False, True]
    assert evict(admitted) == ["0"]


def test_a_stranger_that_has_said_what_it_wants_goes_after_those_who_have_not() -> None:
    admitted: Admission[str] = Admission(WIDE)
    for number in range(7):
        admitted.add(str(number), "192.0.2.1", 0.0)
    admitted.renew("0", 0.0)
    admitted.renew("nobody", 0.0)
    assert evict(admitted) == ["1"]


def test_each_stranger_has_a_moment_before_it_has_to_go() -> None:
    admitted: Admission[str] = Admission(WIDE)
    for number in range(7):
        admitted.add(str(number), "192.0.2.1", 1.0)
    assert admitted.is_crowded
    assert admitted.next_to_evict(1.0 + 0.9 * MOMENT) is None
    assert admitted.next_to_evict(1.0 + MOMENT) == "0"
    admitted.remove("0")
    assert not admitted.is_crowded


def test_where_there_is_no_room_at_all_the_oldest_goes_at_once() -> None:
    admitted: Admission[str] = Admission(replace(WIDE, total=2))
    assert [crowds(admitted, each, "192.0.2.1", 1.0) for each in "abc"] == [False, False, True]
    assert admitted.next_to_evict(1.0) == "a"


def test_strangers_make_room_where_all_places_are_taken() -> None:
    admitted: Admission[str] = Admission(CONFIG)  # for five
    admit(admitted, *((str(number), f"192.0.{number}.1") for number in range(3)))
    admitted.add("silent", "198.51.100.1", 0.0)
    admitted.add("silent too", "203.0.113.1", 0.0)
    assert not admitted.is_full
    assert refusal(admitted, "192.0.9.1") is None
    assert crowds(admitted, "newcomer", "192.0.9.1")
    assert admitted.is_over_total
    assert evict(admitted) == ["silent"]
    assert admitted.admit("newcomer") is None


def test_those_who_are_known_are_never_turned_out() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admit(admitted, *((str(number), f"192.0.{number}.1") for number in range(5)))
    admitted.config = replace(CONFIG, total=1, unauthenticated=1)
    assert admitted.is_full
    assert evict(admitted) == []


def test_visitors_leave_half_of_the_places_to_those_who_show_a_token() -> None:
    admitted: Admission[str] = Admission(
        replace(CONFIG, total=6, unauthenticated=6, network_share=1)
    )
    for number in range(3):
        admitted.add(str(number), f"192.0.{number}.1", 0.0)
        assert admitted.admit(str(number), is_visitor=True) is None
    admitted.add("visitor", "192.0.9.1", 0.0)
    assert admitted.admit("visitor", is_visitor=True) == (
        Code.TOO_MANY_CONNECTIONS,
        "3 clients watch: connect again later",
    )
    assert len(admitted.strangers) == 1  # that one, until it is gone
    assert admitted.admit("visitor") is None


def test_visitors_behind_an_address_keep_no_token_of_that_address_out() -> None:
    admitted: Admission[str] = Admission(
        replace(CONFIG, total=20, unauthenticated=20, network_share=1)
    )
    for name in ("a", "b", "c"):
        admitted.add(name, "192.0.2.1", 0.0)
    assert [admitted.admit(each, is_visitor=True) is None for each in ("a", "b", "c")] == [
        True,
        True,
        False,
    ]
    assert refusal(admitted, "192.0.2.1") is None
    assert admitted.admit("c") is None


def test_leaving_leaves_nothing_behind() -> None:
    admitted: Admission[int] = Admission(replace(CONFIG, total=9, unauthenticated=9))
    addresses = ["192.0.2.1", "192.0.2.1", "2001:db8::1", "127.0.0.1", "", "192.0.2.9"]
    for number, address in enumerate(addresses):
        admitted.add(number, address, 0.0)
    admitted.admit(0)
    admitted.admit(5, is_visitor=True)
    for number in (*range(6), *range(6)):
        admitted.remove(number)
    assert len(admitted) == 0
    for crowd in (admitted.strangers, admitted._visitors, admitted._members):
        assert crowd._connections == crowd._members == crowd._groups_of == {}
        for ranking in (crowd.networks, crowd.sources):
            assert ranking._counts == ranking._ranks == {}
            assert ranking._most == 0


def test_one_who_has_left_is_not_counted_when_it_is_known_at_last() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admitted.add("a", "192.0.2.1", 0.0)
    admitted.remove("a")
    assert admitted.admit("a") is None
    assert len(admitted) == len(admitted._members) == 0


def test_a_crowd_of_networks_is_turned_out_in_no_time() -> None:
    """It takes 0.3 s for all on two slow cores."""
    admitted: Admission[int] = Admission(ConnectionConfig())
    began = time.perf_counter()
    for number in range(10_000):
        admitted.add(number, f"10.{number // 250}.{number % 250}.1", 0.0)
        stranger = admitted.next_to_evict(MOMENT)
        if stranger is not None:
            admitted.remove(stranger)
    assert time.perf_counter() - began < 5
    assert len(admitted.strangers) == 200


def test_engines_are_not_started_in_a_storm() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admit(admitted, ("here", "192.0.2.1"), ("there", "192.0.2.2"))
    assert admitted.count_start("here", "anna", 0.0) is None
    assert admitted.count_start("here", "bert", 0.0) is None
    assert admitted.count_start("here", "carl", 0.0) == (
        Code.TOO_MANY_STARTS,
        "you start engines too often: try again in 1 s",
    )
    assert admitted.count_start("there", "carl", 0.0) is None
    assert admitted.count_start("here", "carl", 1.0) is None


def test_refused_start_costs_nothing() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admit(admitted, ("here", "192.0.2.1"), ("pipe", ""))
    for account in ("a", "b", "anna", "anna", "anna"):
        admitted.count_start("here", account, 0.0)
    assert [admitted.count_start("pipe", "anna", 0.0) for _ in range(2)] == [None, None]
    assert admitted.count_start("pipe", "anna", 0.0) is not None


def test_programs_of_this_machine_start_as_many_as_they_like() -> None:
    admitted: Admission[str] = Admission(CONFIG)
    admit(admitted, ("own", "127.0.0.1"))
    assert {admitted.count_start("own", None, 0.0) for _ in range(100)} == {None}


def test_no_flood_of_addresses_takes_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "REMEMBERED", 50)
    admitted: Admission[str] = Admission(replace(CONFIG, total=1000))
    refusals = []
    for number in range(200):
        admit(admitted, (str(number), f"2001:db8:{number:x}::1"))
        refusals.append(admitted.count_start(str(number), "anna", 0.0))
    assert len(admitted._starts) == 50
    assert refusals.count(None) == CONFIG.starts_burst  # anna is not forgotten
