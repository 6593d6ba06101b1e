"""The address that a user types."""

import pytest

from rookery_bridge.address import Address, AddressError


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ws://host:8080/engines/rookery", Address("ws", "host", 8080, "rookery")),
        ("ws://host/engines/a", Address("ws", "host", 80, "a")),
        ("wss://host/engines/a", Address("wss", "host", 443, "a")),
        ("WS://Host:1/engines/a", Address("ws", "host", 1, "a")),
        ("ws://[::1]:8080/engines/a", Address("ws", "::1", 8080, "a")),
        ("tcp://host:8081", Address("tcp", "host", 8081, None)),
        ("tcp://host:8081/", Address("tcp", "host", 8081, None)),
        ("tls://host:8081/stockfish", Address("tls", "host", 8081, "stockfish")),
        ("tcp://host:8081/stockfish", Address("tcp", "host", 8081, "stockfish")),
    ],
)
def test_address_is_read_and_printed(text: str, address: Address) -> None:
    assert Address.parse(text) == address
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    ["", "host", "host:8080", "http://host/engines/a", "ws://", "ws://host:8080/x",
     "ws://host:x/engines/a", "ws://host:0/engines/a", "tcp://host:0",
     "ws://host:99999/engines/a", "tcp://host", "tcp://host:1/a/b",
     "ws://host/engines/../a", "/usr/bin/stockfish", "ws://[::1/engines/a"],
)  # fmt: skip
def test_error_says_what_an_address_looks_like(text: str) -> None:
    with pytest.raises(AddressError, match=r"ws://HOST:PORT/engines/NAME"):
        Address.parse(text)


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("ws://host:8080", "http://host:8080/engines"),
        ("wss://host/", "https://host/engines"),
    ],
)
def test_server_is_no_engine_but_shows_which_there_are(text: str, page: str) -> None:
    with pytest.raises(AddressError, match=rf"add /engines/NAME, .* that {page} shows"):
        Address.parse(text)
