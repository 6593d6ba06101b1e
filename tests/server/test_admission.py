"""Who may connect, and how often an engine may be started."""

import pytest

from rookery_server.access import admission
from rookery_server.access.admission import Admission, ConnectionConfig, source_of
from rookery_server.wire import Code

CONFIG = ConnectionConfig(
    total=5, per_address=2, unauthenticated=3, starts_per_second=1.0, starts_burst=2
)


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


def enter(admission: Admission, *connections: tuple[str, str]) -> None:
    for connection, address in connections:
        admission.enter(connection, address)
        admission.authenticated(connection)


def test_connections_from_one_address_are_bounded() -> None:
    door = Admission(CONFIG)
    enter(door, ("a", "192.0.2.1"), ("b", "192.0.2.1"))
    assert door.objection("192.0.2.1") == (
        Code.TOO_MANY_CONNECTIONS,
        "there are 2 connections from 192.0.2.1: close one, then connect again",
    )
    assert door.objection("192.0.2.2") is None
    door.leave("a")
    assert door.objection("192.0.2.1") is None


def test_neighbours_in_one_ipv6_network_are_one_source() -> None:
    door = Admission(CONFIG)
    enter(door, ("a", "2001:db8::1"), ("b", "2001:db8::2"))
    assert door.objection("2001:db8::3") is not None
    assert door.objection("2001:db8:0:1::3") is None


def test_own_machine_is_bounded_by_the_total_only() -> None:
    door = Admission(CONFIG)
    enter(door, *((str(number), "127.0.0.1") for number in range(4)))
    assert door.objection("::1") is None
    enter(door, ("5", "::1"))
    assert door.objection("127.0.0.1") == (
        Code.TOO_MANY_CONNECTIONS,
        "there are 5 connections: connect again later",
    )


def test_machine_with_few_descriptors_bears_fewer() -> None:
    door = Admission(CONFIG, most=1)
    assert door.objection("192.0.2.1") is None
    enter(door, ("a", "192.0.2.1"))
    assert door.objection("192.0.2.2") is not None


def test_those_who_have_not_logged_in_are_bounded() -> None:
    door = Admission(CONFIG)
    for number in range(3):
        door.enter(number, f"192.0.2.{number}")
    assert door.objection("192.0.2.9") == (
        Code.TOO_MANY_CONNECTIONS,
        "3 clients are logging in: connect again in a moment",
    )
    door.authenticated(0)
    assert door.objection("192.0.2.9") is None
    door.enter(3, "192.0.2.9")
    door.leave(1)
    assert door.objection("192.0.2.8") is None


def test_leaving_leaves_nothing_behind() -> None:
    door = Admission(CONFIG)
    for number, address in enumerate(["192.0.2.1", "192.0.2.1", "2001:db8::1", "127.0.0.1"]):
        door.enter(number, address)
    for number in (*range(4), *range(4)):
        door.leave(number)
    assert len(door) == 0
    assert not door._sources
    assert not door._strangers


def test_engines_are_not_started_in_a_storm() -> None:
    door = Admission(CONFIG)
    assert door.objection_to_start("192.0.2.1", "anna", 0.0) is None
    assert door.objection_to_start("192.0.2.1", "bert", 0.0) is None
    assert door.objection_to_start("192.0.2.1", "carl", 0.0) == (
        Code.TOO_MANY_STARTS,
        "you start engines too often: try again in 1 s",
    )
    assert door.objection_to_start("192.0.2.2", "carl", 0.0) is None
    assert door.objection_to_start("192.0.2.1", "carl", 1.0) is None


def test_refused_start_costs_nothing() -> None:
    door = Admission(CONFIG)
    for account in ("a", "b", "anna", "anna", "anna"):
        door.objection_to_start("192.0.2.1", account, 0.0)
    assert [door.objection_to_start("", "anna", 0.0) for _ in range(2)] == [None, None]
    assert door.objection_to_start("", "anna", 0.0) is not None


def test_who_uses_his_own_machine_starts_as_he_likes() -> None:
    door = Admission(CONFIG)
    assert {door.objection_to_start("127.0.0.1", None, 0.0) for _ in range(100)} == {None}


def test_no_flood_of_addresses_takes_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "REMEMBERED", 50)
    door = Admission(CONFIG)
    refusals = [
        door.objection_to_start(f"2001:db8:{number:x}::1", "anna", 0.0) for number in range(200)
    ]
    assert len(door._starts) == 50
    assert refusals.count(None) == CONFIG.starts_burst  # anna is not forgotten
