"""The configuration for HAProxy, tried and attacked with HAProxy itself."""

import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import pytest
import trustme
from bench.balance import Server, balancer
from bench.endure.server import make_token
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

HERE, MADE_UP = "127.0.0.1", "rk_{:012x}_" + "A" * 32


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


# --- which client is remembered, and where

Shown = dict[str, str]


class Two:
    """Two servers behind HAProxy, and what it remembers of clients."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.token = make_token(folder, "guest")
        self.servers = [stack.enter_context(closing(Server(folder, each))) for each in "ab"]
        for each in self.servers:
            each.start()
        self._socket = folder / "haproxy.sock"
        first = folder / "first.cfg"
        first.write_text(f"global\n    stats socket {self._socket}\n")
        ports = [each.port for each in self.servers]
        self.port = stack.enter_context(balancer(*ports, first=first))

    async def status(self, shown: Shown, *protocols: str) -> int:
        """Open a WebSocket, showing these headers; return the status of the answer."""
        url = f"ws://{HERE}:{self.port}/engines/rookery"
        try:
            async with connect(
                url,
                proxy=None,
                additional_headers=shown,
                subprotocols=protocols or None,  # type: ignore[arg-type]  # they are texts
            ) as client:
                await client.send("isready")
                await client.recv()
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code

    def get(self, path: str, shown: Shown) -> int:
        with closing(HTTPConnection(HERE, self.port, timeout=10)) as connection:
            connection.request("GET", path, headers=shown)
            return connection.getresponse().status

    def remembered(self) -> list[str]:
        """Return the server of each client that HAProxy remembers."""
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(self._socket))
            asking.sendall(b"show table rookery\n")
            answer = asking.makefile().read()
        assert "table: rookery" in answer
        return re.findall(r"server_key=(\w+)", answer)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with ExitStack() as stack:
        yield Two(tmp_path, stack)


@pytest.mark.timeout(120)
async def test_only_a_client_that_a_server_has_let_in_is_remembered(two: Two) -> None:
    """Else made-up tokens fill the table, and clients come to where their session is not."""
    for number in range(30):
        token = MADE_UP.format(number)
        shown = {"Authorization": f"Bearer {token}", "X-Forwarded-For": f"203.0.113.{number}"}
        assert await two.status(shown) in (401, 429)
        assert await two.status({}, "uci", f"rookery.token.{token}") in (401, 429)
        assert two.get("/engines/rookery", shown) in (401, 429)
        assert two.get("/", shown) == 200
    assert await two.status({}) in (401, 429)
    assert two.remembered() == []


@pytest.mark.timeout(120)
async def test_client_comes_back_to_its_server_however_it_writes_its_token(two: Two) -> None:
    for each in ("Bearer {}", "bearer {}", "Bearer   {}", "BEARER \t{} "):
        assert await two.status({"Authorization": each.format(two.token)}) == 101
        assert len(two.remembered()) == 1
    for _ in range(3):
        assert await two.status({}, "uci", f"rookery.token.{two.token}") == 101
        assert len(two.remembered()) == 2


@pytest.mark.timeout(120)
async def test_nothing_of_the_operators_is_reached_by_who_claims_to_be_local(two: Two) -> None:
    for name in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Host"):
        shown = {name: "for=127.0.0.1" if name == "Forwarded" else HERE}
        assert two.get("/admin/orders", shown) in (401, 429)
        for path in ("/metrics", "/metrics?x", "//metrics", "/%6detrics", f"http://{HERE}/metrics"):
            assert two.get(path, shown) == 404
