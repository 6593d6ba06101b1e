"""Paired addresses: what they let in, and the file that keeps them."""

import asyncio
import threading
from pathlib import Path

import pytest

from rookery_protocol.atomic_file import replace_file
from rookery_protocol.errors import ServerError
from rookery_server.access.pairings import MOST, Pairing, Pairings, paired_source

HOUR = 3600


def pairing(address: str, device: str = "anna", until: int = HOUR) -> Pairing:
    return Pairing(device, paired_source(address), "0123456789ab", until)


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),  # as a socket for both kinds has it
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%wlan0", "fe80::1%wlan0"),  # All neighbours have the same network.
    ],
)
def test_an_address_lets_in_itself_or_its_network(address: str, source: str) -> None:
    assert paired_source(address) == source


async def test_addresses_of_one_network_of_ipv6_are_one(tmp_path: Path) -> None:
    pairings = Pairings(tmp_path / "devices.json")
    await pairings.add(pairing("2001:db8::1"), 0)
    assert pairings.at("anna", "2001:db8::abcd", 0)
    assert pairings.at("anna", "2001:db8:0:1::1", 0) is None
    await pairings.add(pairing("fe80::1%wlan0"), 0)
    assert pairings.at("anna", "fe80::2%wlan0", 0) is None


async def test_a_pairing_is_good_at_its_port_and_until_its_end(tmp_path: Path) -> None:
    pairings = Pairings(tmp_path / "devices.json")
    await pairings.add(pairing("192.0.2.7"), 0)
    assert pairings.at("anna", "192.0.2.7", HOUR - 1)
    assert pairings.at("anna", "192.0.2.7", HOUR) is None
    assert pairings.at("bob", "192.0.2.7", 0) is None
    assert pairings.at("anna", "192.0.2.8", 0) is None


async def test_the_file_is_made_with_its_folder_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "devices.json"
    first = Pairings(path)
    await asyncio.gather(*(first.add(pairing(f"192.0.2.{each}"), 0) for each in range(5)))
    await first.add(pairing("192.0.2.0", "bob"), 0)
    assert [*Pairings(path).of("anna", 0)] == [*first.of("anna", 0)]
    assert len(Pairings(path).of("anna", 0)) == 5
    await first.remove("anna")
    assert Pairings(path).of("anna", 0) == []
    assert len(Pairings(path).of("bob", 0)) == 1


async def test_a_change_is_known_though_its_caller_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairings = Pairings(tmp_path / "devices.json")
    await pairings.add(pairing("192.0.2.7"), 0)
    has_begun, may_go_on = threading.Event(), threading.Event()

    def replace_slowly(path: Path, text: str) -> None:
        has_begun.set()
        may_go_on.wait()
        replace_file(path, text)

    monkeypatch.setattr("rookery_server.access.pairings.replace_file", replace_slowly)
    removing = asyncio.create_task(pairings.remove("anna"))
    await asyncio.to_thread(has_begun.wait)
    removing.cancel()
    await asyncio.wait([removing])
    may_go_on.set()
    await pairings.add(pairing("192.0.2.8", "bob"), 0)
    assert [pairings.of(device, 0) for device in ("anna", "bob")] == [
        [],
        [pairing("192.0.2.8", "bob")],
    ]


async def test_two_servers_of_one_user_keep_what_the_other_has(tmp_path: Path) -> None:
    one, other = (Pairings(tmp_path / "devices.json") for _ in range(2))
    await one.add(pairing("192.0.2.1", "anna"), 0)
    await other.add(pairing("192.0.2.2", "bob"), 0)
    await one.add(pairing("192.0.2.3", "anna"), 0)
    kept = Pairings(tmp_path / "devices.json")
    assert [len(kept.of(device, 0)) for device in ("anna", "bob")] == [2, 1]


async def test_the_oldest_addresses_make_room(tmp_path: Path) -> None:
    pairings = Pairings(tmp_path / "devices.json")
    for each in range(MOST + 3):
        await pairings.add(pairing(f"192.0.2.{each}"), 0)
    await pairings.add(pairing("192.0.2.3", until=2 * HOUR), 0)  # It is there already.
    sources = [each.source for each in pairings.of("anna", 0)]
    assert len(sources) == MOST
    assert sources[0] == "192.0.2.4"
    assert sources[-1] == "192.0.2.3"


@pytest.mark.parametrize("text", ["", "{}x", '[{"device": "anna"}]', '[{"until": "1"}]', "[1]"])
def test_a_file_that_is_none_is_named_with_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "devices.json"
    path.write_text(text)
    with pytest.raises(ServerError, match=rf"{path}: .*remove the file"):
        Pairings(path)
