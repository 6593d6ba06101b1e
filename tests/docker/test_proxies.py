"""The examples for nginx and Caddy, as the documents have them, attacked; and kept connections."""

import asyncio
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
)
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import pytest
import trustme
from bench.balance import Server, balancer
from bench.child import end, free_port, wait_for_port
from bench.endure.server import make_token
from helpers.forwarder import Forwarder
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

ROOT = Path(__file__).parents[2]
HERE, MADE_UP = "127.0.0.1", "rk_{:012x}_" + "A" * 32
CLIENT = ("127.0.0.2", 0)  # not where the proxy is
WRONG = {"Authorization": f"Bearer {MADE_UP.format(0)}"}
TIMEOUT = 20.0  # s
# nginx with connections to the server that are kept, as its documentation has it.
POOL = """
map $http_upgrade $kept_or_not {{ default upgrade; "" ""; }}
upstream rookery {{ server 127.0.0.1:{server}; keepalive 8; }}
server {{
    listen 127.0.0.1:{port};
    location / {{
        proxy_pass http://rookery;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $kept_or_not;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }}
}}
"""


@dataclass
class Proxy:
    """A proxy that runs before a server, which wants a token and trusts it."""

    port: int
    token: str
    tls: ssl.SSLContext | None = None

    def get(self, path: str, **fields: str) -> tuple[int, str]:
        """Return status and body of an answer."""
        if self.tls:
            made: HTTPConnection = HTTPSConnection(
                HERE, self.port, timeout=20, source_address=CLIENT, context=self.tls
            )
        else:
            made = HTTPConnection(HERE, self.port, timeout=20, source_address=CLIENT)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        with closing(made) as connection:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    async def status(self, **fields: str) -> int:
        """Open a WebSocket, and say something there; return the status of its answer."""
        scheme = "wss" if self.tls else "ws"
        try:
            async with connect(
                f"{scheme}://{HERE}:{self.port}/engines/rookery",
                proxy=None,
                ssl=self.tls,
                additional_headers={name.replace("_", "-"): text for name, text in fields.items()},
            ) as client:
                await client.send("isready")
                assert await client.recv() == "readyok"
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code


def example(document: str, start: str) -> str:
    """Return the block of a document that begins so."""
    text = (ROOT / document).read_text()
    (found,) = re.findall(rf"```\w*\n({re.escape(start)}.*?)```", text, re.DOTALL)
    return str(found)


@contextmanager
def running(port: int, program: str, *arguments: str | Path, home: Path) -> Iterator[None]:
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    if not found:
        pytest.skip(f"{program} is not there: `apt install {program}`")
    process = subprocess.Popen(
        [found, *arguments],
        env={**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home)},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for_port(port, process)
        yield
    finally:
        end(process)


@contextmanager
def nginx(folder: Path, server: int, token: str) -> Iterator[Proxy]:
    authority, port = trustme.CA(), free_port()
    authority.issue_cert(HERE).private_key_and_cert_chain_pem.write_to_path(folder / "site.pem")
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    text = example("docs/access.md", "server {")
    for old, new in (
        ("listen 443", f"listen {HERE}:{port}"),
        ("/etc/letsencrypt/live/rook.example/fullchain.pem", f"{folder}/site.pem"),
        ("/etc/letsencrypt/live/rook.example/privkey.pem", f"{folder}/site.pem"),
        ("127.0.0.1:8080", f"{HERE}:{server}"),
    ):
        assert old in text
        text = text.replace(old, new)
    with running_nginx(folder, port, text):
        yield Proxy(port, token, trust)


@contextmanager
def running_nginx(folder: Path, port: int, text: str) -> Iterator[None]:
    """Run nginx with this inside of its `http` block."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log /dev/null; events {{}}\n"
        f"http {{ access_log off; {temporary} {text} }}\n"
    )
    with running(port, "nginx", "-p", folder, "-c", folder / "nginx.conf", home=folder):
        yield


@contextmanager
def caddy(folder: Path, server: int, token: str, text: str) -> Iterator[Proxy]:
    port = free_port()
    for old, new in (
        (r"\{\$ROOKERY_SITE\}|rook\.example", f"http://{HERE}:{port}"),
        (r"127\.0\.0\.1:8080|rookery:8080", f"{HERE}:{server}"),
    ):
        text, times = re.subn(old, new, text)
        assert times == 1
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{text}")
    arguments = ("run", "--adapter", "caddyfile", "--config", folder / "Caddyfile")
    with running(port, "caddy", *arguments, home=folder):
        yield Proxy(port, token)


def caddy_of_compose(folder: Path, server: int, token: str) -> AbstractContextManager[Proxy]:
    return caddy(folder, server, token, (ROOT / "docker" / "Caddyfile").read_text())


def caddy_of_debian(folder: Path, server: int, token: str) -> AbstractContextManager[Proxy]:
    return caddy(folder, server, token, example("docs/operations.md", "rook.example {"))


@pytest.fixture(params=[nginx, caddy_of_compose, caddy_of_debian])
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxy]:
    make: Callable[[Path, int, str], AbstractContextManager[Proxy]] = request.param
    token = make_token(tmp_path, "guest")
    with ExitStack() as stack:
        server = stack.enter_context(closing(Server(tmp_path, "one")))
        server.start()
        yield stack.enter_context(make(tmp_path, server.port, token))


@pytest.mark.timeout(120)
async def test_page_and_engines_are_reached(proxy: Proxy) -> None:
    scheme = "wss" if proxy.tls else "ws"
    status, page = proxy.get("/connect")
    assert status == 200
    assert f"{scheme}://{HERE}:{proxy.port}/engines/rookery" in page
    own = f"{'https' if proxy.tls else 'http'}://{HERE}:{proxy.port}"
    good = f"Bearer {proxy.token}"
    assert await proxy.status(Authorization=good) == 101
    assert await proxy.status(Authorization=good, Origin=own) == 101
    assert await proxy.status(Authorization=good, Origin="https://evil.example") == 403
    assert await proxy.status() == 401


@pytest.mark.timeout(120)
def test_who_is_not_asked_for_a_token_here_is_asked_for_one_there(proxy: Proxy) -> None:
    """The proxy is on the server's machine, whose own programs may see the metrics."""
    claims: list[dict[str, str]] = [
        {}, {"X_Forwarded_For": HERE}, {"X_Real_IP": HERE}, {"Forwarded": f"for={HERE}"},
        {"X_Forwarded_For": f"{HERE}, {HERE}"}, {"X_Forwarded_For": ""},
        {"Connection": "Via, X-Forwarded-For"},
        {"Connection": "close, X-Forwarded-For, X-Forwarded-Proto, Host"},
    ]  # fmt: skip
    for claim in claims:
        for path in ("/metrics", "/admin/orders", f"http://{HERE}/metrics"):
            assert proxy.get(path, **claim)[0] in (400, 401, 404), (path, claim)


@pytest.mark.timeout(120)
def test_who_guesses_waits_whatever_address_is_claimed(proxy: Proxy) -> None:
    statuses = [
        proxy.get(
            "/engines/rookery",
            **WRONG,
            X_Forwarded_For=f"203.0.113.{number}",
            X_Real_IP=f"203.0.113.{number}",
            Forwarded=f"for=203.0.113.{number}",
        )[0]
        for number in range(12)
    ]
    assert statuses[:5] == [401] * 5
    assert statuses[-1] == 429


# --- connections that are kept


class Counting(Forwarder):
    """Forwards connections as they are, and counts them."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.count = 0
        self._writers: list[asyncio.StreamWriter] = []

    def forward(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self.count += 1
        self._writers += [client[1], server[1]]
        self.run(self._pump(client[0], server[1]))
        self.run(self._pump(server[0], client[1]))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    def end(self) -> None:
        for each in self._writers:
            each.close()


def pooling_nginx(folder: Path, stack: ExitStack, server: int) -> int:
    port = free_port()
    stack.enter_context(running_nginx(folder, port, POOL.format(server=server, port=port)))
    return port


def haproxy(folder: Path, stack: ExitStack, server: int) -> int:
    return stack.enter_context(balancer(server, server))


def pooling_caddy(folder: Path, stack: ExitStack, server: int) -> int:
    text = (ROOT / "docker" / "Caddyfile").read_text()
    return stack.enter_context(caddy(folder, server, "", text)).port


def asking(port: int, path: str, *fields: str) -> bytes:
    head = (f"GET {path} HTTP/1.1", f"Host: {HERE}:{port}", *fields, "", "")
    return "\r\n".join(head).encode()


@asynccontextmanager
async def connection(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(HERE, port)
    try:
        async with asyncio.timeout(TIMEOUT):
            yield reader, writer
    finally:
        writer.close()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("start", [pooling_nginx, haproxy, pooling_caddy])
async def test_connection_that_has_had_pages_becomes_a_websocket(
    tmp_path: Path, start: Callable[[Path, ExitStack, int], int]
) -> None:
    token = make_token(tmp_path, "guest")
    with ExitStack() as stack:
        server = stack.enter_context(closing(Server(tmp_path, "one")))
        await asyncio.to_thread(server.start)
        async with Counting(server.port) as counting:
            port = await asyncio.to_thread(start, tmp_path, stack, counting.port)
            begun = counting.count  # by checks of its health
            async with connection(port) as (reader, writer):
                for _ in range(20):
                    writer.write(asking(port, "/engines"))
                    head = await reader.readuntil(b"\r\n\r\n")
                    assert head.startswith(b"HTTP/1.1 200 ")
                    await reader.readuntil(b"}")
                writer.write(
                    asking(
                        port,
                        "/engines/rookery",
                        "Upgrade: websocket",
                        "Connection: Upgrade",
                        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                        "Sec-WebSocket-Version: 13",
                        f"Authorization: Bearer {token}",
                    )
                )
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 101 ")
                writer.write(Frame(Opcode.TEXT, b"isready").serialize(mask=True))
                assert (await reader.readexactly(9))[2:] == b"readyok"
            if start is not haproxy:  # Its checks are connections, too.
                assert counting.count - begun <= 2
