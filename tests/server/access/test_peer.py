"""The address that a connection comes from."""

import ipaddress

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.access.origin import client_of, comes_by_proxy, is_trusted, source_of
from rookery_server.config.addresses import is_loopback, network_list, parse_address, public_ranges

PROXIES = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.1", [], "203.0.113.1"),
        ("203.0.113.1", ["198.51.100.1"], "203.0.113.1"),  # no proxy of ours says so
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["127.0.0.1, 198.51.100.1"], "198.51.100.1"),  # the first is made up
        ("10.0.0.1", ["127.0.0.1", "198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["198.51.100.1, 10.0.0.2"], "198.51.100.1"),  # through two of ours
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.1, unknown"], "10.0.0.1"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1:4711"], "198.51.100.1"),
        ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("10.0.0.1", ["2001:db8::1"], "2001:db8::1"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("fd00::1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["x" * 8000], "10.0.0.1"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_only_a_proxy_of_ours_is_believed(peer: str, forwarded: list[str], client: str) -> None:
    assert client_of(peer, forwarded, PROXIES) == client


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("203.0.113.1", "203.0.113.1"),
        ("::ffff:203.0.113.1", "203.0.113.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_failures_are_counted_for_a_source(address: str, source: str) -> None:
    assert source_of(address) == source


def test_what_is_of_this_machine() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [
        True
    ] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "example.org", "")] == [
        False
    ] * 5
    assert str(parse_address("::1")) == "::1"
    assert parse_address("localhost") is None
    assert not is_trusted("nobody", PROXIES)


def test_networks_are_checked() -> None:
    assert network_list("k", ["10.0.0.0/8", "fd00::/8"]) == PROXIES
    assert network_list("k", ["10.0.0.1"]) == (ipaddress.ip_network("10.0.0.1/32"),)
    for value in (["10.0.0.1/8"], ["proxy"], "10.0.0.0/8", [""], [1]):
        with pytest.raises(ConfigError, match=r"^k needs"):
            network_list("k", value)


@pytest.mark.parametrize(
    ("trusted", "wide"),
    [
        (["0.0.0.0/0"], ["0.0.0.0/0"]),
        (["::/0"], ["::/0"]),
        (["2000::/3"], ["2000::/3"]),
        (["0.0.0.0/1", "10.0.0.0/8", "128.0.0.0/1"], ["0.0.0.0/0"]),
        ([f"{number}.0.0.0/8" for number in range(256)], ["0.0.0.0/0"]),
        (["10.0.0.1", "64.0.0.0/2", "::1"], ["64.0.0.0/2"]),
        (["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "fc00::/7", "::1"], []),
        (["104.16.0.0/13", "2400:cb00::/32"], []),  # a provider's
        ([], []),
    ],
)
def test_network_of_nearly_everybody_is_none_of_proxies(
    trusted: list[str], wide: list[str]
) -> None:
    assert list(map(str, public_ranges(network_list("k", trusted)))) == wide


PROXYS = [
    "Via", "Forwarded", "X-Forwarded-For", "x-forwarded-proto", "X-FORWARDED-HOST", "X-Forwarded",
    "X-Real-IP", "X-Client-IP", "Client-IP", "True-Client-IP", "CF-Connecting-IP", "CF-Ray",
    "X-Cluster-Client-Ip", "Fastly-Client-IP", "Fly-Client-IP", "X-Envoy-External-Address",
    "X-Original-Forwarded-For", "X-ProxyUser-Ip", "X-Remote-Addr", "X-Amzn-Trace-Id", "CDN-Loop",
    "Tailscale-User-Login", "Front-End-Https", "X-Scheme", "Proxy-Connection", "Forwarded-For",
    "X-Original-URL", "X-Appengine-User-IP", "X-Azure-ClientIP",
]  # fmt: skip


@pytest.mark.parametrize("name", PROXYS)
def test_proxy_shows_itself_by_what_it_adds(name: str) -> None:
    assert comes_by_proxy(["Host", name, "Accept"])
    assert comes_by_proxy([name.lower()])


def test_programs_and_browsers_are_no_proxies() -> None:
    browser = (
        "Host Connection Pragma Cache-Control User-Agent Upgrade Origin Accept Accept-Encoding"
        " Accept-Language Sec-WebSocket-Version Sec-WebSocket-Key Sec-WebSocket-Protocol"
        " Sec-WebSocket-Extensions Sec-Fetch-Site Sec-CH-UA DNT Cookie Referer Priority"
        " Authorization Content-Length If-None-Match Upgrade-Insecure-Requests Rookery-Link"
        " X-Prometheus-Scrape-Timeout-Seconds X-Requested-With X-Script Zip Traceparent"
    )
    assert not comes_by_proxy(browser.split())
