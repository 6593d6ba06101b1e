"""The configuration for HAProxy: what it does with TLS, by HAProxy itself."""

import ssl
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import pytest
import trustme
from bench.balance import Server, balancer
from bench.endure.server import make_token


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    make_token(tmp_path, "guest")
    with closing(Server(tmp_path, "one")) as server:
        server.start()
        yield server


def shown(connection: HTTPConnection) -> str:
    """Return the page that says how to connect."""
    with closing(connection):
        connection.request("GET", "/connect")
        response = connection.getresponse()
        assert response.status == 200
        return response.read().decode()


@pytest.mark.timeout(120)
def test_tls_is_spoken_where_it_is_set(server: Server, tmp_path: Path) -> None:
    authority, site = trustme.CA(), tmp_path / "site.pem"
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(site))
    context = ssl.create_default_context()
    authority.configure_trust(context)
    with balancer(server.port, server.port, options=f"ssl crt {site}") as port:
        page = shown(HTTPSConnection("127.0.0.1", port, timeout=10, context=context))
        assert f"wss://127.0.0.1:{port}/engines/rookery" in page
        with pytest.raises(ConnectionError):
            shown(HTTPConnection("127.0.0.1", port, timeout=10))


@pytest.mark.timeout(120)
def test_tls_is_not_spoken_where_it_is_not_set(server: Server) -> None:
    with balancer(server.port, server.port) as port:
        page = shown(HTTPConnection("127.0.0.1", port, timeout=10))
        assert f" ws://127.0.0.1:{port}/engines/rookery" in page
        with pytest.raises(ssl.SSLError):
            shown(HTTPSConnection("127.0.0.1", port, timeout=10))
