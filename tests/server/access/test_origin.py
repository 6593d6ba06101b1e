"""Names and pages that may use the server."""

from dataclasses import replace

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.access.origin import OriginPolicy
from rookery_server.config.addresses import host_list, origin_list

LOCAL = OriginPolicy(
    ("127.0.0.1",), local=True, hosts=("rook.test",), origins=("https://club.example",)
)
NETWORK = OriginPolicy(("0.0.0.0",), local=False, login=True, origins=("https://club.example",))


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080", "LOCALHOST",
     "rook.test:9"],
)  # fmt: skip
def test_names_of_this_machine(host: str) -> None:
    assert LOCAL.is_own_host([host])


@pytest.mark.parametrize(
    "hosts",
    [["evil.example"], ["evil.example:8080"], ["localhost.evil.example"],
     ["127.0.0.1.evil.example"],
     ["192.0.2.1"], [""], [], ["localhost", "localhost"], ["localhost@evil.example"],
     ["localhost:8080:1"], ["localhost/"], ["local host"], ["::1"], ["localhost:123456"]],
)  # fmt: skip
def test_other_names_lead_elsewhere(hosts: list[str]) -> None:
    assert not LOCAL.is_own_host(hosts)


def test_on_a_network_names_matter_if_they_are_set() -> None:
    assert NETWORK.is_own_host(["anything.example"])
    named = replace(NETWORK, hosts=("rook.test",))
    assert named.is_own_host(["rook.test:8080"])
    assert named.is_own_host(["192.0.2.1:8080"])
    assert not named.is_own_host(["anything.example"])


def test_program_that_is_no_browser_is_not_concerned() -> None:
    assert LOCAL.admits([], ["localhost"])


@pytest.mark.parametrize(
    "origin",
    ["https://club.example", "http://localhost", "http://127.0.0.1:3000", "https://[::1]:1"],
)
def test_pages_that_are_welcome(origin: str) -> None:
    assert LOCAL.admits([origin], ["localhost:8080"])


@pytest.mark.parametrize(
    "origin",
    ["null", "", "https://evil.example", "https://club.example.evil.example", "https://club.example:8443",
     "http://club.example", "https://club.example/", "https://club.exampl", "https://xclub.example",
     "https://club.example@evil.example", "https://evil.example#https://club.example",
     "https://CLUB.example", "https://club.example ", "file://", "http://localhost.evil.example",
     "http://localhost@evil.example", "http://127.0.0.1.evil.example", "http://localhost:",
     "http://localhost:1:2", "http://[::1", "http://[::1]evil.example", "chrome-extension://abc",
     "https://club.example\n"],
)  # fmt: skip
def test_pages_that_are_not(origin: str) -> None:
    assert not LOCAL.admits([origin], ["localhost:8080"])


def test_two_origins_are_none() -> None:
    assert not LOCAL.admits(["https://club.example"] * 2, ["localhost"])


@pytest.mark.parametrize(
    ("origin", "host", "welcome"),
    [
        ("https://rook.example", "rook.example", True),
        ("https://rook.example", "ROOK.example:443", True),
        ("https://rook.example:8443", "rook.example:8443", True),
        ("http://rook.example", "rook.example:80", True),
        ("https://rook.example:8443", "rook.example", False),
        ("https://rook.example", "rook.example:80", False),
        ("https://rook.example.evil.example", "rook.example", False),
        ("https://[2001:db8::1]", "[2001:db8::1]", True),
        ("http://localhost", "rook.example", False),  # it is the visitor's, not the server's
    ],
)
def test_page_of_the_server_itself(origin: str, host: str, *, welcome: bool) -> None:
    assert NETWORK.admits([origin], [host]) is welcome


def test_page_sent_in_the_clear_may_not_use_tls() -> None:
    secure = replace(NETWORK, tls=True)
    assert secure.admits(["https://rook.example"], ["rook.example"])
    assert not secure.admits(["http://rook.example"], ["rook.example"])


def test_without_a_login_a_strange_name_is_not_our_own() -> None:
    """It may be a name that leads to us for a minute (DNS rebinding)."""
    insecure = replace(NETWORK, login=False, hosts=())
    assert not insecure.admits(["http://evil.example:8080"], ["evil.example:8080"])
    assert insecure.admits(["http://192.0.2.1:8080"], ["192.0.2.1:8080"])


def test_lists_are_checked() -> None:
    assert origin_list("k", ["https://a.example:8443"]) == ("https://a.example:8443",)
    assert host_list("k", ["a.example", "192.0.2.1"]) == ("a.example", "192.0.2.1")
    for text in (
        "*",
        "a.example",
        "https://a.example/",
        "https://A.example",
        "https://a.example:443",
    ):
        with pytest.raises(ConfigError, match="k needs origins such as"):
            origin_list("k", [text])
    for text in ("*", "a.example:80", "https://a.example", "A.example"):
        with pytest.raises(ConfigError, match="k needs names such as"):
            host_list("k", [text])
