"""A machine that means harm to the server, and a server that means harm to the machine."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from pathlib import Path

import pytest
from helpers.joining import PATIENCE, joining, offered, shows, url_of
from helpers.support import TIMEOUT, Running, add_token, bearer, closing, hear_until, odd, until
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from rookery_protocol.notices import Close
from rookery_server.access.account import Role
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.joined import joined_link, joining_messages
from rookery_server.joined.joined_link import MAX_ANSWER
from rookery_server.joined.joining_messages import (
    LINK_HEADER,
    PATH,
    SUBPROTOCOL,
    Joining,
    Leave,
    Message,
    Sorry,
    Wanted,
    Welcome,
    parse,
    text_of,
)

STOCKFISH = "/usr/games/stockfish"
ENGINE = "odd@anna"
JOINING = Joining("pc", "5f0c", "0", 4, 64, 4, ("odd",))
UCI = "id name <b>Odd</b>\nuciok"


@pytest.fixture
def closed(closed: Config) -> Config:
    return replace(closed, engines=(EngineConfig("polite", odd("polite")),))


# --- a machine that means harm

Behave = Callable[[ClientConnection], Awaitable[None]]


class Machine:
    """A machine that says over its links what `behave` says."""

    def __init__(self, server: Running, token: str, behave: Behave) -> None:
        self._server = server
        self._token = token
        self._behave = behave
        self.wanted: list[Wanted] = []

    def dial(self, link: str | None = None) -> connect:
        shown = bearer(self._token) | ({LINK_HEADER: link} if link else {})
        return connect(
            url_of(self._server) + PATH,
            additional_headers=shown,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            max_size=None,
            proxy=None,
        )

    async def run(self) -> None:
        async with self.dial() as control, asyncio.TaskGroup() as links:
            await say(control, JOINING)
            while True:
                message = parse(await control.recv(decode=False))
                if isinstance(message, Wanted):
                    self.wanted.append(message)
                    links.create_task(self._answer(message), name="link")

    async def _answer(self, wanted: Wanted) -> None:
        try:
            async with self.dial(wanted.link) as link:
                await self._behave(link)
        except ConnectionClosed:
            pass


@asynccontextmanager
async def machine(server: Running, token: str, behave: Behave) -> AsyncIterator[Machine]:
    found = Machine(server, token, behave)
    task = asyncio.create_task(found.run(), name="machine")
    try:
        yield found
    finally:
        task.cancel()
        await asyncio.wait([task])


async def say(control: ClientConnection | ServerConnection, message: Message) -> None:
    await control.send(text_of(message).decode())


def polite(on_go: str | bytes) -> Behave:
    """Return how an engine behaves that says so on `go`."""

    async def behave(link: ClientConnection) -> None:
        async for line in link:
            if line == "uci":
                await link.send(UCI)
            elif line == "isready":
                await link.send("readyok")
            elif str(line).startswith("go"):
                await link.send(on_go)

    return behave


async def test_what_a_machine_says_in_the_servers_name_is_its_own(
    server: Running, pc: str, token: str
) -> None:
    said = "info string rookery unauthorized: say your token\ninfo string \x1b[2J\nbestmove e2e4"
    async with machine(server, pc, polite(said)):
        await offered(server, ENGINE)
        async with server.websocket(ENGINE, **shows(token)) as client:
            await client.send("go depth 1")
            assert await hear_until(client, "bestmove") == [
                "info string odd@anna: unauthorized: say your token",
                "info string [2J",
                "bestmove e2e4",
            ]


@pytest.mark.parametrize(
    "said", [b"\x00binary", "x" * 70_000, "id name X\n" * 6000 + "id name X\n" * 6000]
)
async def test_what_is_no_line_ends_the_engine_and_the_session_is_told(
    server: Running, pc: str, token: str, said: str | bytes
) -> None:
    async with machine(server, pc, polite(said)):
        await offered(server, ENGINE)
        async with server.websocket(ENGINE, **shows(token)) as client:
            await client.send("go infinite")
            # Each engine that comes does it again, until it is enough.
            lines, code = await closing(client)
            assert code == Close.ENGINE_GONE
            assert sum("engine-died" in line for line in lines) >= 3


async def test_answer_to_uci_without_end_is_never_offered(
    server: Running, pc: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def endless(link: ClientConnection) -> None:
        await link.recv()
        sent = 0
        while sent < 100 * MAX_ANSWER:
            await link.send("option name X type string default " + "x" * 1000)
            sent += 1000

    async with machine(server, pc, endless) as found:
        await until(lambda: "says too much" in caplog.text)
        assert ENGINE not in server.host.fleet.joined.pools
        assert len(found.wanted) == 1  # It is not asked over and over.


async def test_flood_of_one_holds_nobody_up(
    server: Running, pc: str, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joined_link, "RATE", 1e5)
    monkeypatch.setattr(joined_link, "BURST", 1e5)
    piece = "\n".join(["info depth 1 multipv 1 pv e2e4 e7e5 g1f3 b8c6"] * 1000)
    sent = 0

    async def floods(link: ClientConnection) -> None:
        nonlocal sent
        async for line in link:
            if line == "uci":
                await link.send(UCI)
            elif line == "isready":
                await link.send("readyok")
            elif str(line).startswith("go"):
                while True:
                    await link.send(piece)
                    sent += len(piece)

    async with machine(server, pc, floods):
        await offered(server, ENGINE)
        async with (
            server.websocket(ENGINE, **shows(token)) as client,
            server.websocket("polite", **shows(token)) as other,
        ):
            await client.send("go infinite")
            await hear_until(client, "info")
            waits = []
            for _ in range(20):
                before = time.monotonic()
                await other.send("isready")
                await hear_until(other, "readyok")
                waits.append(time.monotonic() - before)
                await asyncio.sleep(0.05)
            assert sorted(waits)[10] < 0.5, waits
            # It is heard no faster than it may speak: the rest waits in its own machine.
            assert sent < 20_000_000


@pytest.mark.parametrize(
    "said",
    [
        "no JSON",
        b"\x00",
        text_of(Leave()).decode(),
        text_of(replace(JOINING, machine="pc")).decode().replace("odd", "../../bin/sh"),
        text_of(JOINING).decode().replace("odd", "odd@somebody"),
        json.dumps({"say": "wanted", "engine": "odd", "link": "x"}),
        "x" * 70_000,
    ],
)
async def test_what_is_no_message_ends_the_control(
    server: Running, pc: str, said: str | bytes
) -> None:
    async with Machine(server, pc, polite("")).dial() as control:
        await control.send(said)
        _, code = await closing(control)
        assert code in (Close.POLICY, Close.TOO_BIG)
    assert list(server.host.fleet.joined.machines) == []


async def test_machine_that_says_nothing_is_let_go(
    server: Running, pc: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining_messages, "SILENCE", 0.5)
    async with Machine(server, pc, polite("")).dial() as control:
        assert (await closing(control))[1] == Close.POLICY


async def test_link_is_for_whom_it_was_asked_and_good_once(
    server: Running, tokens: Path, pc: str, token: str
) -> None:
    other = add_token(tokens, "other", role=Role.HOST)
    used: list[str] = []

    async def behave(link: ClientConnection) -> None:
        used.append(link.request.headers[LINK_HEADER] if link.request else "")
        await polite("bestmove e2e4")(link)

    async with machine(server, pc, behave):
        await offered(server, ENGINE)
        async with server.websocket(ENGINE, **shows(token)) as client:
            await client.send("isready")
            await hear_until(client, "readyok")
            for shown, secret in ((pc, used[-1]), (pc, "guessed"), (other, used[-1])):
                with pytest.raises(InvalidStatus) as refused:
                    await Machine(server, shown, behave).dial(secret)
                assert refused.value.response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
                assert (refused.value.response.body or b"").startswith(b"unknown-session: ")
            await client.send("go depth 1")
            await hear_until(client, "bestmove e2e4")


async def test_link_of_another_account_is_no_good(server: Running, tokens: Path, pc: str) -> None:
    other = add_token(tokens, "other", role=Role.HOST)
    async with Machine(server, pc, polite("")).dial() as control:
        await say(control, JOINING)
        async with asyncio.timeout(TIMEOUT):
            while not isinstance(wanted := parse(await control.recv(decode=False)), Wanted):
                pass
        with pytest.raises(InvalidStatus):
            await Machine(server, other, polite("")).dial(wanted.link)
        async with Machine(server, pc, polite("")).dial(wanted.link) as link:
            assert await link.recv() == "uci"


async def test_machine_does_not_take_the_place_of_one_of_another_account(
    server: Running, tokens: Path, pc: str
) -> None:
    other = add_token(tokens, "other", role=Role.HOST)
    async with machine(server, pc, polite("")):
        await offered(server, ENGINE)
        async with machine(server, other, polite("")):  # It says the same id.
            await offered(server, "odd@other")
            assert len(list(server.host.fleet.joined.machines)) == 2


async def test_engines_that_go_before_they_answer_are_forgotten(server: Running, pc: str) -> None:
    joined = server.host.fleet.joined
    for number in range(20):
        async with Machine(server, pc, polite("")).dial() as control:
            await say(control, replace(JOINING, id=f"id{number}", engines=(f"odd{number}",)))
            await until(partial(joined._opening.__contains__, f"odd{number}@anna"))
    await until(lambda: not joined._opening)


# --- a server that means harm


@asynccontextmanager
async def serving(talk: Callable[[ServerConnection], Awaitable[None]], **settings: object):  # type: ignore[no-untyped-def]
    async with serve(
        talk, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, **settings
    ) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


class Server:
    """A server that asks for engines as it likes, and says over links what it likes."""

    def __init__(self, *asked: str) -> None:
        self.asked = asked
        self.heard: list[Message] = []
        self.links: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self._over = asyncio.Event()

    async def talk(self, connection: ServerConnection) -> None:
        assert connection.request
        if LINK_HEADER in connection.request.headers:
            await self.links.put(connection)
            await connection.wait_closed()
            return
        self.heard.append(parse(await connection.recv(decode=False)))
        await say(connection, Welcome("anna"))
        for number, name in enumerate(self.asked):
            await connection.send(text_of(Wanted(name, f"link{number}")).decode())
        async for said in connection:
            self.heard.append(parse(said if isinstance(said, bytes) else said.encode()))

    async def sorry(self, number: int) -> list[Sorry]:
        async with asyncio.timeout(PATIENCE):
            while len(found := [each for each in self.heard if isinstance(each, Sorry)]) < number:
                await asyncio.sleep(0.02)
        return found


async def heard_of(link: ServerConnection, *lines: str) -> list[str]:
    """Say lines over a link; return all that is heard up to `readyok`."""
    for line in (*lines, "isready"):
        await link.send(line)
    heard: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while "readyok" not in heard:
            heard += str(await link.recv()).split("\n")
    return heard


async def test_server_has_the_engines_only_as_their_owner_offers_them(tmp_path: Path) -> None:
    bait = tmp_path / "bait"
    server = Server("strong")
    async with (
        serving(server.talk) as url,
        joining(url, "--engine", f"strong={STOCKFISH}", "--threads", "2", "--hash", "64"),
    ):
        async with asyncio.timeout(PATIENCE):
            link = await server.links.get()
        heard = await heard_of(link, "uci")
        shown = [line for line in heard if line.startswith("option ")]
        assert shown
        assert not any("type string" in line for line in shown if "UCI_" not in line)
        assert any("name Threads" in line and "max 2" in line for line in shown)
        heard = await heard_of(
            link,
            f"setoption name Debug Log File value {bait}",
            f"setoption name  debug  LOG file value {bait}",
            f"setoption name SyzygyPath value {tmp_path}",
            f"export_net {bait}",
            "bench",
            "rookery session new",
            "rookery room open",
            "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
            "setoption name Threads value 512",
        )
        codes = [line.split()[3].rstrip(":") for line in heard if " rookery " in line]
        assert codes == ["option-refused"] * 3 + ["command-refused"] * 2 + [
            "illegal-position", "option-clamped",
        ]  # fmt: skip
        assert not bait.exists()
        # What mutes an engine does not: a second search waits for the end of the first.
        await link.send("go infinite")
        assert "readyok" in await heard_of(link, "go depth 1")


async def test_server_gets_no_engine_that_is_not_offered_nor_more_than_there_are() -> None:
    server = Server("rookery", *["odd"] * 12)
    async with serving(server.talk) as url, joining(url, "--sessions", "3") as machine:
        sorry = await server.sorry(10)
        whys = {each.why for each in sorry}
        assert whys <= {
            "there is no engine rookery",
            "all sessions are in use",
            "engines are started too often",
        }
        assert "there is no engine rookery" in whys
        assert server.links.qsize() <= 3
        assert len(machine.engines()) <= 8


async def test_server_that_says_what_is_no_message_is_left() -> None:
    seen = []

    async def talk(connection: ServerConnection) -> None:
        seen.append(connection)
        await connection.recv()
        await connection.send('{"say": "wanted", "engine": "../../bin/sh", "link": "x"}')
        await connection.wait_closed()

    async with serving(talk) as url, joining(url) as machine:
        line = await machine.until("trying again")
        assert "the server says what cannot be understood: wanted.engine needs letters" in line
        await machine.until("connecting")
        assert machine.engines()  # Its own spare one, and no shell.


async def test_token_goes_nowhere_else_though_the_server_says_so() -> None:
    visitors: list[Request] = []

    async def nobody(connection: ServerConnection) -> None:
        await connection.wait_closed()

    def note(connection: ServerConnection, request: Request) -> Response | None:
        visitors.append(request)
        return None

    async with serving(nobody, process_request=note) as elsewhere:

        def send_away(connection: ServerConnection, request: Request) -> Response:
            response = connection.respond(HTTPStatus.FOUND, "over there\n")
            response.headers["Location"] = f"{elsewhere}{PATH}"
            return response

        async with (
            serving(nobody, process_request=send_away) as url,
            joining(url, token="rk_000000000000_" + "x" * 32) as machine,
        ):
            assert await machine.ended() == 1
            assert "it leads elsewhere, to " in machine.said[-1]
    assert visitors == []


async def test_what_a_server_says_steers_no_terminal() -> None:
    async def nobody(connection: ServerConnection) -> None:
        await connection.wait_closed()

    def refuse(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "\x1b]0;evil\x07\x1b[2J\n")

    async with serving(nobody, process_request=refuse) as url, joining(url) as machine:
        assert "\x1b" not in await machine.until("trying again")
