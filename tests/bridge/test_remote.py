"""One attempt to connect: whatever goes wrong is told in words, with what to do next."""

import asyncio
import shlex
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from helpers.bridged import bridge
from helpers.proxy import Proxy
from helpers.support import TIMEOUT, Running, odd

from rookery_bridge.bridge import LEAST_WAIT
from rookery_bridge.setup.diagnosis import Grade
from rookery_bridge.setup.doctor import Doctor
from rookery_protocol.address import Address
from rookery_protocol.dialer import DialError
from rookery_protocol.hello import Hello
from rookery_protocol.line_connection import LineConnection, dial_lines
from rookery_protocol.notices import Code
from rookery_protocol.tls_trust import Trust

PORTAL = b"HTTP/1.1 302 Found\r\nLocation: http://portal/login\r\nContent-Length: 0\r\n\r\n"


NOTHING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@asynccontextmanager
async def portal(page: bytes = PORTAL) -> AsyncIterator[int]:
    """Answer every request as a Wi-Fi does where one must log in; gives its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(page)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def attempt(address: str) -> LineConnection:
    async with asyncio.timeout(TIMEOUT):
        return await dial_lines(
            Address.parse(address),
            Trust(),
            lambda _: None,
            Hello(session="new"),
            help_text="'rookery-bridge doctor'",
        )


async def failure(address: str) -> DialError:
    with pytest.raises(DialError) as caught:
        await attempt(address)
    return caught.value


async def test_redirect_is_told_and_not_followed() -> None:
    async with portal() as port:
        error = await failure(f"ws://127.0.0.1:{port}/engines/a")
    assert "'http://portal/login'" in str(error)
    assert "a Wi-Fi's log-in page" in str(error)
    assert error.is_final
    assert error.code is None


async def test_page_of_something_else_is_told_with_what_to_do() -> None:
    async with portal(NOTHING) as port:
        error = await failure(f"ws://127.0.0.1:{port}/engines/a")
    assert str(error).startswith(
        "HTTP status 404: Not Found; that is no Rookery server, or a proxy"
    )
    assert "'rookery-bridge doctor' says more" in str(error)
    assert error.is_final


async def test_game_outlives_a_log_in_page(app: Running) -> None:
    """The connection is lost, a page answers for a while, and then the server again."""
    assert app.port
    async with (
        portal() as page,
        Proxy(app.port, seed=1) as proxy,
        bridge(f"ws://127.0.0.1:{proxy.port}/engines/polite", "--no-fallback") as gui,
    ):
        await gui.drain()
        proxy.target = page
        proxy.cut("reset")
        gui.say("isready")
        await gui.until("readyok")
        proxy.target = app.port
        await gui.until("info string rookery-bridge: connected again")
        await gui.drain()


@pytest.mark.parametrize(
    ("proxy", "said"),
    [
        ("http://", "cannot be used"),
        ("socks5://127.0.0.1:1", ""),
        ("nonsense://anna:SECRET@127.0.0.1:1", "cannot be used"),
    ],
)
async def test_proxy_of_the_system(proxy: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("all_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    found = str(await failure("ws://rookery.invalid:1/engines/a"))
    assert said in found
    assert "SECRET" not in found


@pytest.mark.parametrize("scheme", ["ws", "tcp"])
async def test_name_that_is_none(scheme: str) -> None:
    path = "/engines/a" if scheme == "ws" else ""
    assert "that is no name of a machine" in str(await failure(f"{scheme}://a..b:1{path}"))
    assert "there is no machine of that name" in str(
        await failure(f"{scheme}://rookery.invalid:1{path}")
    )


async def test_first_address_that_leads_nowhere_is_passed_over(
    app: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with an IPv6 that is set up wrongly: packets to it are lost without a word."""
    loop = asyncio.get_running_loop()
    ours: Callable[..., Any] = loop.sock_connect

    def known(host: str, port: int, **_: Any) -> list[Any]:
        kind = socket.SOCK_STREAM
        return [
            (socket.AF_INET, kind, 6, "", ("127.0.0.2", port)),
            (socket.AF_INET, kind, 6, "", ("127.0.0.1", port)),
        ]

    async def look_up(host: str, port: int, **_: Any) -> list[Any]:
        return known(host, port)

    async def dial(sock: socket.socket, where: tuple[str, int]) -> None:
        if where[0] == "127.0.0.2":
            await asyncio.Event().wait()
        await ours(sock, where)

    monkeypatch.setattr(loop, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "getaddrinfo", known)  # the doctor's way
    monkeypatch.setattr(loop, "sock_connect", dial)
    for address in (
        f"ws://two.example:{app.port}/engines/polite",
        f"tcp://two.example:{app.tcp_port}/polite",
    ):
        async with asyncio.timeout(3):
            if address.startswith("ws"):  # The server is reached, and has another name.
                assert (await failure(address)).code is Code.WRONG_HOST
            else:
                (await attempt(address)).abort()
        doctor = Doctor(Address.parse(address), Trust(), insecure=True)
        async with asyncio.timeout(TIMEOUT):
            async for finding in doctor.examine():
                if finding.what.startswith("port"):
                    break
        assert finding.grade is Grade.GOOD


async def test_server_that_has_refused_is_not_asked_with_each_line() -> None:
    """It locks an address out after some wrong tokens."""
    asked = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await reader.readuntil(b"\r\n\r\n")
        text = b"unauthorized: that token is not known"
        head = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: %d\r\n\r\n" % len(text)
        writer.write(head + text)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    command = shlex.join(odd("polite"))
    async with server, bridge(f"ws://127.0.0.1:{port}/engines/a", "--fallback", command) as gui:
        await gui.until("info string rookery-bridge: cannot reach")
        for _ in range(4):
            await gui.drain()
            await asyncio.sleep(2 * LEAST_WAIT)  # that it may ask
        assert asked == 1
        gui.say("quit")
        async with asyncio.timeout(TIMEOUT):
            assert await gui.bridge.wait() == 0


async def test_log_of_a_user_who_is_none_is_told(app: Running) -> None:
    address = f"tcp://127.0.0.1:{app.tcp_port}/polite"
    async with bridge(address, "--log", "~no-such-user/log.txt") as gui:
        lines = await gui.until("info string rookery-bridge: the log is not written: ")
        assert "~no-such-user/log.txt" in lines[-1]
        gui.say("setoption name Bridge Log File value ~nobody.txt", "isready")
        lines = await gui.until("readyok")
        assert any("the log is not written: ~nobody.txt" in line for line in lines)
