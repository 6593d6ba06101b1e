"""The address that a user types."""

import pytest

from rookery_protocol.address import Address, AddressError


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ws://host:8080/engines/rookery", Address("ws", "host", 8080, "rookery")),
        ("ws://host/engines/a", Address("ws", "host", 80, "a")),
        ("wss://host/engines/a", Address("wss", "host", 443, "a")),
        ("WS://Host:1/engines/a", Address("ws", "host", 1, "a")),
        ("ws://[::1]:8080/engines/a", Address("ws", "::1", 8080, "a")),
        ("ws://host:8080/engines/a/", Address("ws", "host", 8080, "a")),
        (" ws://host:8080/engines/a\n", Address("ws", "host", 8080, "a")),
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
        ("ws://host:8080/engines", "http://host:8080/engines"),
        ("ws://host:8080/engines/", "http://host:8080/engines"),
    ],
)
def test_server_is_no_engine_but_shows_which_there_are(text: str, page: str) -> None:
    with pytest.raises(AddressError, match=rf"add /engines/NAME, .* that {page} shows"):
        Address.parse(text)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("http://host:8080/engines/a", "would be ws://host:8080/engines/a;"),
        ("https://host/engines/a", "would be wss://host/engines/a;"),
        ("host:8080/engines/a", "would be ws://host:8080/engines/a;"),
        ("127.0.0.1:8080", "would be ws://127.0.0.1:8080/engines/NAME;"),
        ("tcp://host", "has no port"),
        ("tcp://host:8081/engines/a", "use tcp://host:8081/a;"),
        ("ws://host:x/engines/a", "no number from 1 to 65535"),
        ("ws://host:0/engines/a", "no number from 1 to 65535"),
        ("ws://host:99999/engines/a", "no number from 1 to 65535"),
        ("ws://::1:8080/engines/a", "stands in brackets"),
        ("ws://[::1:8080/engines/a", "']' of its IPv6 address is missing"),
        ("rookery://host:8080#a", "'rookery-bridge pair' takes it"),
    ],
)
def test_error_says_what_was_probably_meant(text: str, advice: str) -> None:
    with pytest.raises(AddressError) as caught:
        Address.parse(text)
    assert advice in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["ws://host/engines/a?token=rk_se-cret", "ws://host/engines/a#rk_se-cret",
     "ws://rk_se-cret@host/engines/a", "ws://me:se-cret@host/engines/a",
     "http://se-cret@host/engines/a", "ws://se-cret@host:x/engines/a",
     "ws://host/engines/a/rk_se-cret", "rookery://host:8080#se-cret", "host:8080?se-cret", "ws://se-cret@host/a://b",
     "se-cret@host:8080/engines/a", "tcp://host:8081/a/b#se-cret"],
)  # fmt: skip
def test_error_shows_no_secret(text: str) -> None:
    with pytest.raises(AddressError) as caught:
        Address.parse(text)
    assert "cret" not in str(caught.value)
