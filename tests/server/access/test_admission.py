"""Who may connect, and how often an engine may be started."""

import time
from dataclasses import replace

import pytest

from rookery_protocol.notices import Code
from rookery_server.access import admission, peer
from rookery_server.access.admission import MOMENT, Admission, source_of
from rookery_server.config.connections import ConnectionConfig

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
def test_what_an_address_counts_as(address: str, source: str | None) -> None:
    assert source_of(address) == source


def enter(door: Admission[str], *connections: tuple[str, str]) -> None:
    for connection, address in connections:
        door.enter(connection, address, 0.0)
        assert door.admit(connection) is None


def turn_out(door: Admission[str]) -> list[str]:
    """Turn out all who have to go, and return them in that order."""
    gone = []
    while (stranger := door.to_turn_out(MOMENT)) is not None:
        door.leave(stranger)
        gone.append(stranger)
    return gone


def test_connections_from_one_address_are_bounded() -> None:
    door: Admission[str] = Admission(CONFIG)
    enter(door, ("a", "192.0.2.1"), ("b", "192.0.2.1"))
    assert door.objection("192.0.2.1") == (
        Code.TOO_MANY_CONNECTIONS,
        "there are 2 connections from 192.0.2.1: close one, then connect again",
    )
    assert door.objection("192.0.2.2") is None
    door.leave("a")
    assert door.objection("192.0.2.1") is None


def test_neighbours_in_one_ipv6_network_are_one_source() -> None:
    door: Admission[str] = Admission(CONFIG)
    enter(door, ("a", "2001:db8::1"), ("b", "2001:db8::2"))
    assert door.objection("2001:db8::3") is not None
    assert door.objection("2001:db8:0:1::3") is None


def test_those_who_came_together_as_strangers_are_bounded_when_they_are_known() -> None:
    door: Admission[str] = Admission(replace(CONFIG, network_share=1.0))
    for connection in ("a", "b", "c"):
        door.enter(connection, "192.0.2.1", 0.0)
    assert [door.admit(each) is None for each in ("a", "b", "c")] == [True, True, False]


def test_own_machine_is_bounded_by_the_total_only() -> None:
    door: Admission[str] = Admission(CONFIG)
    enter(door, *((str(number), "127.0.0.1") for number in range(4)))
    assert door.objection("::1") is None
    enter(door, ("5", "::1"))
    assert door.objection("127.0.0.1") == (
        Code.TOO_MANY_CONNECTIONS,
        "there are 5 connections: connect again later",
    )


def test_machine_with_few_descriptors_bears_fewer() -> None:
    door: Admission[str] = Admission(CONFIG, most=1)
    assert door.objection("192.0.2.1") is None
    enter(door, ("a", "192.0.2.1"))
    assert door.objection("192.0.2.2") is not None


# --- strangers


@pytest.mark.parametrize(("address", "network"), [
    ("192.0.2.7", "192.0.2.0/24"), ("::ffff:192.0.2.7", "192.0.2.0/24"),
    ("2001:db8:1:2::9", "2001:db8:1::/48"), ("::5", "::/48"), ("fe80::1%eth0", "fe80::/48"),
    ("127.0.0.2", "127.0.0.2/32"), ("::1", "::1/128"), ("", None), ("/run/rookery.sock", None),
])  # fmt: skip
def test_network_of_an_address(address: str, network: str | None) -> None:
    assert peer.network_of(address, ipv4=24, ipv6=48) == network


def test_one_stranger_too_many_is_let_in_and_the_oldest_of_the_largest_network_goes() -> None:
    door: Admission[str] = Admission(WIDE)
    assert not door.enter("lonely", "198.51.100.1", 0.0)
    for number in range(5):
        door.enter(f"crowd {number}", f"192.0.2.{number}", 0.0)
    assert turn_out(door) == []
    assert door.objection("203.0.113.1") is None
    assert door.enter("newcomer", "203.0.113.1", 0.0)
    assert turn_out(door) == ["crowd 0"]
    assert door.strangers == WIDE.unauthenticated


def test_within_a_network_it_is_the_address_with_most_that_loses_one() -> None:
    door: Admission[str] = Admission(WIDE)
    places = ["1", "2", "2", "3", "2", "3"]
    for number, host in enumerate(places):
        door.enter(f"{host}: {number}", f"192.0.2.{host}", 0.0)
    door.enter("newcomer", "192.0.2.4", 0.0)
    door.enter("another", "192.0.2.5", 0.0)
    assert turn_out(door) == ["2: 1", "3: 3"]


def test_of_equals_the_oldest_goes() -> None:
    door: Admission[str] = Admission(WIDE)
    for number in range(8):
        door.enter(str(number), f"192.0.{number}.1", 0.0)
    assert turn_out(door) == ["0", "1"]


def test_no_network_has_more_than_its_share() -> None:
    door: Admission[str] = Admission(replace(WIDE, unauthenticated=8, network_share=0.25))
    assert [door.enter(f"{n}", f"192.0.2.{n}", 0.0) for n in range(4)] == [False, False, True, True]
    assert [door.enter(f"v6 {n}", f"2001:db8:1:{n}::1", 0.0) for n in range(3)] == [
        False,
        False,
        True,
    ]
    assert turn_out(door) == ["0", "v6 0", "1"]


def test_size_of_a_network_is_the_operators_choice() -> None:
    door: Admission[str] = Admission(
        replace(WIDE, unauthenticated=4, network_share=0.25, ipv4_network=16, ipv6_network=64)
    )
    for number, address in enumerate(["192.0.2.1", "192.0.3.1", "2001:db8::1", "2001:db8:0:1::1"]):
        door.enter(str(number), address, 0.0)
    assert turn_out(door) == ["0"]


def test_a_proxy_that_has_not_said_for_whom_it_asks_has_no_share_but_is_no_exception() -> None:
    door: Admission[str] = Admission(replace(WIDE, network_share=0.2))
    for number in range(WIDE.unauthenticated):
        door.enter(str(number), "", 0.0)
    assert turn_out(door) == []
    for number in range(2):
        door.enter(f"newcomer {number}", "192.0.2.1", 0.0)
    assert turn_out(door) == ["newcomer 0", "0"]  # the share of a network is one


def test_no_address_has_more_strangers_than_connections() -> None:
    door: Admission[str] = Admission(replace(WIDE, per_address=2))
    assert [door.enter(str(n), "192.0.2.1", 0.0) for n in range(3)] == [False, False, True]
    assert turn_out(door) == ["0"]


def test_a_stranger_that_has_said_what_it_wants_goes_after_those_who_have_not() -> None:
    door: Admission[str] = Admission(WIDE)
    for number in range(7):
        door.enter(str(number), "192.0.2.1", 0.0)
    door.asked("0", 0.0)
    door.asked("nobody", 0.0)
    assert turn_out(door) == ["1"]


def test_each_stranger_has_a_moment_before_it_has_to_go() -> None:
    door: Admission[str] = Admission(WIDE)
    for number in range(7):
        door.enter(str(number), "192.0.2.1", 1.0)
    assert door.is_crowded
    assert door.to_turn_out(1.0 + 0.9 * MOMENT) is None
    assert door.to_turn_out(1.0 + MOMENT) == "0"
    door.leave("0")
    assert not door.is_crowded


def test_where_there_is_no_room_at_all_the_oldest_goes_at_once() -> None:
    door: Admission[str] = Admission(replace(WIDE, total=2))
    assert [door.enter(each, "192.0.2.1", 1.0) for each in "abc"] == [False, False, True]
    assert door.to_turn_out(1.0) == "a"


def test_strangers_make_room_where_all_places_are_taken() -> None:
    door: Admission[str] = Admission(CONFIG)  # for five
    enter(door, *((str(number), f"192.0.{number}.1") for number in range(3)))
    door.enter("silent", "198.51.100.1", 0.0)
    door.enter("silent too", "203.0.113.1", 0.0)
    assert not door.is_full
    assert door.objection("192.0.9.1") is None
    assert door.enter("newcomer", "192.0.9.1", 0.0)
    assert door.is_over_total
    assert turn_out(door) == ["silent"]
    assert door.admit("newcomer") is None


def test_those_who_are_known_are_never_turned_out() -> None:
    door: Admission[str] = Admission(CONFIG)
    enter(door, *((str(number), f"192.0.{number}.1") for number in range(5)))
    door.reconfigure(replace(CONFIG, total=1, unauthenticated=1))
    assert door.is_full
    assert turn_out(door) == []


def test_visitors_leave_half_of_the_places_to_those_who_show_a_token() -> None:
    door: Admission[str] = Admission(replace(CONFIG, total=6, unauthenticated=6, network_share=1))
    for number in range(3):
        door.enter(str(number), f"192.0.{number}.1", 0.0)
        assert door.admit(str(number), visits=True) is None
    door.enter("visitor", "192.0.9.1", 0.0)
    assert door.admit("visitor", visits=True) == (
        Code.TOO_MANY_CONNECTIONS,
        "3 clients watch: connect again later",
    )
    assert door.strangers == 1  # that one, until it is gone
    assert door.admit("visitor") is None


def test_visitors_behind_an_address_keep_no_token_of_that_address_out() -> None:
    door: Admission[str] = Admission(replace(CONFIG, total=20, unauthenticated=20, network_share=1))
    for name in ("a", "b", "c"):
        door.enter(name, "192.0.2.1", 0.0)
    assert [door.admit(each, visits=True) is None for each in ("a", "b", "c")] == [
        True,
        True,
        False,
    ]
    assert door.objection("192.0.2.1") is None
    assert door.admit("c") is None


def test_leaving_leaves_nothing_behind() -> None:
    door: Admission[int] = Admission(replace(CONFIG, total=9, unauthenticated=9))
    addresses = ["192.0.2.1", "192.0.2.1", "2001:db8::1", "127.0.0.1", "", "192.0.2.9"]
    for number, address in enumerate(addresses):
        door.enter(number, address, 0.0)
    door.admit(0)
    door.admit(5, visits=True)
    for number in (*range(6), *range(6)):
        door.leave(number)
    assert len(door) == 0
    for crowd in (door._strangers, door._visitors, door._members):
        assert crowd._connections == crowd._groups == crowd._places == {}
        for ranking in (crowd._by_network, crowd._by_source):
            assert ranking._counts == ranking._ranks == {}
            assert ranking._most == 0


def test_one_who_has_left_is_not_counted_when_it_is_known_at_last() -> None:
    door: Admission[str] = Admission(CONFIG)
    door.enter("a", "192.0.2.1", 0.0)
    door.leave("a")
    assert door.admit("a") is None
    assert len(door) == len(door._members) == 0


def test_a_crowd_of_networks_is_turned_out_in_no_time() -> None:
    """It takes 0.3 s for all on two slow cores."""
    door: Admission[int] = Admission(ConnectionConfig())
    began = time.perf_counter()
    for number in range(10_000):
        door.enter(number, f"10.{number // 250}.{number % 250}.1", 0.0)
        stranger = door.to_turn_out(MOMENT)
        if stranger is not None:
            door.leave(stranger)
    assert time.perf_counter() - began < 5
    assert door.strangers == 200


def test_engines_are_not_started_in_a_storm() -> None:
    door: Admission[str] = Admission(CONFIG)
    assert door.objection_to_start("192.0.2.1", "anna", 0.0) is None
    assert door.objection_to_start("192.0.2.1", "bert", 0.0) is None
    assert door.objection_to_start("192.0.2.1", "carl", 0.0) == (
        Code.TOO_MANY_STARTS,
        "you start engines too often: try again in 1 s",
    )
    assert door.objection_to_start("192.0.2.2", "carl", 0.0) is None
    assert door.objection_to_start("192.0.2.1", "carl", 1.0) is None


def test_refused_start_costs_nothing() -> None:
    door: Admission[str] = Admission(CONFIG)
    for account in ("a", "b", "anna", "anna", "anna"):
        door.objection_to_start("192.0.2.1", account, 0.0)
    assert [door.objection_to_start("", "anna", 0.0) for _ in range(2)] == [None, None]
    assert door.objection_to_start("", "anna", 0.0) is not None


def test_local_account_starts_as_many_as_it_likes() -> None:
    door: Admission[str] = Admission(CONFIG)
    assert {door.objection_to_start("127.0.0.1", None, 0.0) for _ in range(100)} == {None}


def test_no_flood_of_addresses_takes_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "REMEMBERED", 50)
    door: Admission[str] = Admission(CONFIG)
    refusals = [
        door.objection_to_start(f"2001:db8:{number:x}::1", "anna", 0.0) for number in range(200)
    ]
    assert len(door._starts) == 50
    assert refusals.count(None) == CONFIG.starts_burst  # anna is not forgotten
