"""Device ports over real sockets: addresses of this machine stand for phones."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from helpers.client_server import ENGINE
from helpers.support import TIMEOUT, Lines, Running, add_token, bearer, code_of, get, until

from rookery_protocol.errors import ServerError
from rookery_protocol.notices import Code
from rookery_server.access.account import AccessToken
from rookery_server.access.token_file import TokenFile
from rookery_server.config.config import Config
from rookery_server.config.devices import DeviceConfig
from rookery_server.config.engines import EngineConfig
from rookery_server.http.admin_error import AdminError

PHONE, OTHER = "127.0.0.2", "127.0.0.9"
# What DroidFish 1.90 says to a network engine that it finds: the options that it has a value for,
# and then a game and an analysis.
DROIDFISH_START = ("uci",)
DROIDFISH_READY = ("setoption name Hash value 16", "ucinewgame", "isready")
DROIDFISH_MOVE = (
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
    "go wtime 300000 btime 299000 winc 2000 binc 2000",
)
DROIDFISH_ANALYSIS = (
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
    "go infinite",
)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the server of a test keeps what it has to remember."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def config(config: Config) -> Config:
    engines = (*config.engines, EngineConfig("rookery", (ENGINE,)))
    return replace(config, engines=engines, devices=(DeviceConfig("alice", 0, engine="rookery"),))


async def connect(server: Running, source: str) -> Lines:
    port = server.device_ports[0].port
    return Lines(*await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)))


async def request(
    server: Running, token: str, method: str, path: str = "", source: str = PHONE, **fields: str
) -> tuple[int, dict[str, object]]:
    """Ask for the device ports; return the status and the document."""
    headers = {**bearer(token), **fields}
    where = f"/v1/devices{path}"
    status, body = await get(server, where, method=method, source=source, **headers)
    return status, json.loads(body) if body else {}


async def pair(server: Running, token: str, source: str = PHONE) -> None:
    status, document = await request(server, token, "POST", "/alice", source)
    assert status == 200, document


async def heard_by_unpaired(server: Running, source: str) -> bytes:
    """Return all that a program at an address hears that is not let in."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", server.device_ports[0].port, local_addr=(source, 0)
    )
    try:
        writer.write(b"uci\n")
        async with asyncio.timeout(TIMEOUT):
            return await reader.read()
    except ConnectionResetError:  # It had been closed when this was said.
        return b""
    finally:
        writer.close()


async def is_closed(client: Lines) -> bool:
    """Return whether the server closes the connection, after what it still says."""
    try:
        while await client.hear():
            pass
    except ConnectionResetError:
        pass
    return True


@pytest.fixture
async def paired(server: Running, token: str) -> AsyncIterator[Lines]:
    await pair(server, token)
    client = await connect(server, PHONE)
    yield client
    client.writer.close()


async def test_droidfish_plays_and_analyses_from_the_address_that_was_paired(
    server: Running, paired: Lines
) -> None:
    paired.say(*DROIDFISH_START)
    assert "uciok" in await paired.hear_until("uciok")
    paired.say(*DROIDFISH_READY)
    assert (await paired.hear_until("readyok"))[-1] == "readyok"
    paired.say(*DROIDFISH_ANALYSIS)
    await paired.hear_until("info depth")
    paired.say("stop")
    assert (await paired.hear_until("bestmove"))[-1].startswith("bestmove ")
    paired.say("isready")
    assert (await paired.hear_until("readyok"))[-1] == "readyok"
    paired.say(*DROIDFISH_MOVE, "stop")
    assert (await paired.hear_until("bestmove"))[-1].startswith("bestmove ")
    [actor] = server.host.actors
    assert (actor.account.name, actor.engine_name) == ("alice", "rookery")
    paired.say("quit")
    assert await is_closed(paired)
    await until(lambda: not server.host.actors)


async def test_another_address_hears_nothing(
    server: Running, token: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert await heard_by_unpaired(server, PHONE) == b""
    await pair(server, token)
    caplog.set_level("INFO")
    for _ in range(3):
        assert await heard_by_unpaired(server, OTHER) == b""
    assert server.host.actors == set()
    said = [each for each in caplog.messages if OTHER in each]
    assert said == [f"refused {OTHER} at the device port alice: it is not paired"]
    await until(lambda: server._policy.connection_count == 0)


async def test_bounds_of_connections_hold_there_and_are_told_to_those_let_in(
    closed: Config, token: str
) -> None:
    connections = replace(closed.connections, total=1)
    async with Running(replace(closed, connections=connections)) as server:
        await pair(server, token)
        await until(lambda: server._policy.connection_count == 0)  # That of HTTP was one.
        first = await connect(server, PHONE)
        first.say("isready")
        assert (await first.hear_until("readyok"))[-1] == "readyok"
        second = await connect(server, PHONE)
        assert code_of(await second.hear()) is Code.TOO_MANY_CONNECTIONS
        assert await heard_by_unpaired(server, OTHER) == b""


async def test_the_token_that_paired_ends_it(
    server: Running, tokens: Path, token: str, paired: Lines
) -> None:
    paired.say("isready")
    await paired.hear_until("readyok")
    other = add_token(tokens)  # of the same account
    id_ = AccessToken.parse(token)
    assert id_
    TokenFile(tokens).change(lambda ring: ring.without(id_.id))
    lines = await paired.hear_until("no line begins so")
    assert code_of(lines[-2]) is Code.UNAUTHORIZED
    assert await heard_by_unpaired(server, PHONE) == b""
    assert (await request(server, other, "GET"))[1]["devices"][0]["addresses"] == []  # type: ignore[index]
    await pair(server, other)
    again = await connect(server, PHONE)
    again.say("isready")
    assert (await again.hear_until("readyok"))[-1] == "readyok"


async def test_a_token_that_expires_ends_it(closed: Config, tokens: Path) -> None:
    token = add_token(tokens, expires=datetime.now(UTC) + timedelta(seconds=2))
    async with Running(closed) as server:
        await pair(server, token)
        client = await connect(server, PHONE)
        client.say("isready")
        await client.hear_until("readyok")
        assert await is_closed(client)
        assert await heard_by_unpaired(server, PHONE) == b""


async def test_it_is_kept_over_a_restart_and_ends_with_its_days(
    closed: Config, token: str, state: Path
) -> None:
    async with Running(closed) as server:
        await pair(server, token)
    async with Running(closed) as server:
        client = await connect(server, PHONE)
        client.say("isready")
        assert (await client.hear_until("readyok"))[-1] == "readyok"
        assert await heard_by_unpaired(server, OTHER) == b""
    file = state / "devices.json"
    assert file.stat().st_mode & 0o077 == 0
    assert token not in file.read_text()
    entries = json.loads(file.read_text())
    file.write_text(json.dumps([{**each, "until": 1} for each in entries]))
    async with Running(closed) as server:
        assert await heard_by_unpaired(server, PHONE) == b""


async def test_a_port_that_gets_another_account_forgets_the_addresses_of_the_former(
    closed: Config, token: str
) -> None:
    async with Running(closed) as server:
        await pair(server, token)
    devices = (replace(closed.devices[0], account="bob"),)
    async with Running(replace(closed, devices=devices)) as server:
        assert await heard_by_unpaired(server, PHONE) == b""
        assert (await request(server, token, "GET"))[1]["devices"] == []


async def test_its_account_sees_and_ends_it(server: Running, token: str, paired: Lines) -> None:
    paired.say("isready")
    await paired.hear_until("readyok")
    _, document = await request(server, token, "GET")
    assert document["address"] == PHONE
    [device] = document["devices"]  # type: ignore[misc]
    port = server.device_ports[0].port
    assert device["file"] == f"NETE\nlocalhost\n{port}\n"
    assert (device["name"], device["engine"], device["port"]) == ("alice", "rookery", port)
    assert [each["address"] for each in device["addresses"] if each["yours"]] == [PHONE]
    assert (await request(server, token, "DELETE", "/alice"))[0] == 204
    assert await is_closed(paired)
    assert await heard_by_unpaired(server, PHONE) == b""


async def test_the_operator_sees_and_ends_it(server: Running, paired: Lines) -> None:
    paired.say("isready")
    await paired.hear_until("readyok")
    [seen] = (await server.admin_commands.run({"do": "devices"}))["devices"]  # type: ignore[misc]
    assert (seen["device"], seen["address"], seen["connections"]) == ("alice", PHONE, 1)
    assert 29 * 86_400 < seen["left"] <= 30 * 86_400
    await server.admin_commands.run({"do": "end-device", "device": "alice"})
    assert await is_closed(paired)
    [seen] = (await server.admin_commands.run({"do": "devices"}))["devices"]  # type: ignore[misc]
    assert (seen["address"], seen["left"]) == (None, None)
    with pytest.raises(AdminError, match="'devices list' shows"):
        await server.admin_commands.run({"do": "end-device", "device": "bob"})


async def test_other_accounts_have_no_part_in_it(server: Running, tokens: Path) -> None:
    bob = add_token(tokens, "bob")
    assert await request(server, bob, "GET") == (200, {"devices": [], "address": PHONE})
    for method in ("POST", "DELETE"):
        status, problem = await request(server, bob, method, "/alice")
        assert status == 404
        assert "[devices.NAME]" in str(problem["detail"])
    assert (await request(server, "", "POST", "/alice"))[0] == 401


async def test_the_address_behind_a_trusted_proxy_is_that_of_the_client(
    server: Running, token: str
) -> None:
    proxy = "127.0.0.3"  # as the fixture `closed` has it
    fields = {"X-Forwarded-For": PHONE}
    assert (await request(server, token, "POST", "/alice", proxy, **fields))[0] == 200
    client = await connect(server, PHONE)
    client.say("isready")
    assert (await client.hear_until("readyok"))[-1] == "readyok"
    assert await heard_by_unpaired(server, proxy) == b""


async def test_it_may_listen_at_an_address_of_its_own(closed: Config) -> None:
    """As behind a proxy, where the server itself listens for its own machine alone."""
    devices = (replace(closed.devices[0], host="127.0.0.5"),)
    async with Running(replace(closed, devices=devices)) as server:
        port = server.device_ports[0].port
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        _, writer = await asyncio.open_connection("127.0.0.5", port)
        writer.close()
        taken = (replace(devices[0], port=port),)
        with pytest.raises(ServerError, match=r"devices\.NAME\.port"):
            await Running(replace(closed, devices=taken)).__aenter__()


@pytest.mark.parametrize("source", ["127.0.0.3", OTHER])
async def test_a_proxy_that_hides_the_client_is_never_let_in_itself(
    server: Running, token: str, source: str
) -> None:
    """One is trusted and names nobody; the other is not trusted."""
    fields = {"X-Forwarded-For": PHONE} if source == OTHER else {}
    status, problem = await request(server, token, "POST", "/alice", source, **fields)
    assert status == 409
    assert "server.trusted_proxies" in str(problem["detail"])
    assert await heard_by_unpaired(server, source) == b""
    assert "address" not in (await request(server, token, "GET", "", source, **fields))[1]


@pytest.mark.parametrize("begun", [False, True])
async def test_only_uci_is_spoken_there(paired: Lines, begun: bool) -> None:
    if begun:
        paired.say("isready")
        await paired.hear_until("readyok")
    paired.say("rookery session new")
    assert code_of(await paired.hear()) is Code.WRONG_PROTOCOL
    assert await is_closed(paired)


async def test_a_page_in_the_browser_of_the_phone_cannot_use_it(
    server: Running, paired: Lines
) -> None:
    paired.say("POST / HTTP/1.1", "Host: localhost", "", "uci", "go infinite")
    assert code_of(await paired.hear()) is Code.WRONG_PROTOCOL
    assert server.host.actors == set()


async def test_pairing_is_bounded_in_its_rate(server: Running, token: str) -> None:
    codes = [(await request(server, token, "DELETE", "/alice"))[0] for _ in range(25)]
    assert codes[0] == 204
    assert codes[-1] == 429


async def test_a_disk_that_takes_nothing_is_told(server: Running, token: str, state: Path) -> None:
    (state / "devices.json").mkdir(parents=True)
    status, problem = await request(server, token, "POST", "/alice")
    assert status == 503
    assert "its log says why" in str(problem["detail"])
    assert await heard_by_unpaired(server, PHONE) == b""
