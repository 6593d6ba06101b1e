"""The operator's page: what it asks and orders, and who is refused."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.support import TIMEOUT, Running, add_token, closing, empty, get, hear_until
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from rookery_protocol.notices import Close
from rookery_server.access.account import ANYBODY, Role
from rookery_server.config.config import Config
from rookery_server.config.resources import Quotas
from rookery_server.http.admin import PATH, SUBPROTOCOL
from rookery_server.joined import joining_messages


def console(app: Running, *protocols: str, **fields: str) -> connect:
    url = f"ws://127.0.0.1:{app.port}{PATH}"
    names = [SUBPROTOCOL, *protocols]
    return connect(url, proxy=None, subprotocols=names, additional_headers=fields)  # type: ignore[arg-type]


async def ask(client: ClientConnection, request: object) -> dict[str, object]:
    await client.send(json.dumps(request))
    async with asyncio.timeout(TIMEOUT):
        answer = json.loads(await client.recv())
    assert isinstance(answer, dict)
    return answer


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens"


@pytest.fixture
async def guarded(config: Config, tokens: Path) -> AsyncIterator[Running]:
    add_token(tokens)
    server = replace(config.server, tokens=tokens, watch_without_token=True)
    async with Running(replace(config, server=server)) as app:
        yield app


async def test_server_says_how_it_is(app: Running) -> None:
    async with console(app) as client:
        assert client.subprotocol == SUBPROTOCOL
        status = await ask(client, {"do": "status"})
        assert status["ok"] is True
        assert status["draining"] is False
        engines = {each["name"]: each for each in status["engines"]}  # type: ignore[attr-defined]
        assert engines["polite"]["trouble"] == ""
        assert engines["missing"]["trouble"] != ""
        assert status["queue"] == 0
        assert status["connections"] == {"used": 1, "total": app._policy.admission.total}


async def test_session_is_listed_and_ended(app: Running) -> None:
    async with app.websocket("polite") as client, console(app) as operator:
        await client.send("isready")
        await hear_until(client, "readyok")
        (session,) = (await ask(operator, {"do": "sessions"}))["sessions"]  # type: ignore[misc]
        assert (session["engine"], session["state"]) == ("polite", "idle")
        order = {"do": "end", "session": session["session"]}
        assert await ask(operator, order) == {"ok": True}
        lines, code = await closing(client)
        assert "rookery ended: the operator has ended" in lines[-1]
        assert code == Close.POLICY
        assert (await ask(operator, {"do": "end", "session": 10**9}))["ok"] is False


@pytest.mark.parametrize("text", ["{", "[]", '{"do": "sing"}', "[" * 9000])
async def test_nonsense_is_answered(app: Running, text: str) -> None:
    async with console(app) as client:
        await client.send(text)
        assert json.loads(await client.recv())["ok"] is False
        assert (await ask(client, {"do": "sessions"}))["ok"] is True


async def test_drain_lets_the_server_end(config: Config) -> None:
    told = asyncio.Event()
    async with Running(config, drain=told.set) as app, console(app) as client:
        assert await ask(client, {"do": "drain"}) == {"ok": True}
        assert told.is_set()


async def test_end_of_the_server_is_told(config: Config) -> None:
    async with Running(config) as app:
        client = await console(app)
    assert (await closing(client))[1] == Close.RESTART


# --- who may


@pytest.mark.parametrize("role", [Role.MEMBER, None])
async def test_only_admins_may(guarded: Running, tokens: Path, role: Role | None) -> None:
    protocols = []
    if role:
        protocols = [f"rookery.token.{add_token(tokens, 'bob', role=role)}"]
        guarded.reload()
    with pytest.raises(InvalidStatus) as refused:
        await console(guarded, *protocols)
    assert refused.value.response.status_code == 401
    assert b"is no admin" in (refused.value.response.body or b"")


async def test_admin_may_until_the_token_is_revoked(guarded: Running, tokens: Path) -> None:
    token = add_token(tokens, "ann", role=Role.ADMIN)
    guarded.reload()
    async with console(guarded, f"rookery.token.{token}") as client:
        assert client.subprotocol == SUBPROTOCOL
        assert (await ask(client, {"do": "status"}))["ok"] is True
        former = [each for each in tokens.read_text().splitlines() if '"ann"' not in each]
        tokens.write_text("".join(f"{line}\n" for line in former))
        assert (await closing(client))[1] == Close.POLICY


async def test_token_in_the_address_is_refused(guarded: Running) -> None:
    status, body = await get(guarded, f"{PATH}?token=rk_a_b")
    assert (status, body.partition(":")[0]) == (400, "token-in-url")


async def test_pages_of_others_may_not(app: Running) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await console(app, Origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403


# How a proxy shows itself, if the operator has not said that it is there.
SIGNS = [
    {"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-Proto": "https"}, {"X-Forwarded-Host": "x"},
    {"Forwarded": "for=127.0.0.1"}, {"Via": "1.1 proxy"}, {"X-Real-IP": "127.0.0.1"},
    {"CF-Connecting-IP": "192.0.2.7"}, {"X-Client-IP": ""},
]  # fmt: skip


async def test_who_comes_through_a_proxy_is_not_of_this_machine(app: Running) -> None:
    for sign in SIGNS:
        with pytest.raises(InvalidStatus) as refused:
            await console(app, **sign)
        assert refused.value.response.status_code == 401, sign
        fields = {name.replace("-", "_"): value for name, value in sign.items()}
        assert (await get(app, "/metrics", **fields))[0] == 401, sign
        with pytest.raises(InvalidStatus) as refused:
            await connect(
                f"ws://127.0.0.1:{app.port}{joining_messages.PATH}",
                proxy=None,
                additional_headers=sign,
            )
        assert refused.value.response.status_code == 401, sign
        assert b"may not join" in (refused.value.response.body or b"")


async def test_who_comes_by_a_name_or_by_http_1_0_comes_through_a_proxy(config: Config) -> None:
    """nginx passes the name on if it is told to, and speaks HTTP/1.0 if it is told nothing."""
    server = replace(config.server, hosts=("rook.test",))
    async with Running(replace(config, server=server)) as app:
        assert "200 OK" in await asked(app, "GET /metrics HTTP/1.1", "Host: localhost:1")
        assert " 401 " in await asked(app, "GET /metrics HTTP/1.1", "Host: rook.test")
        assert " 401 " in await asked(app, "GET /metrics HTTP/1.0", "Host: localhost")
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                   "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")  # fmt: skip
        first = f"GET {PATH} HTTP/1.1"
        assert " 401 " in await asked(app, first, "Host: rook.test", *upgrade)
        assert " 101 " in await asked(app, first, "Host: localhost", *upgrade)


async def asked(app: Running, *lines: str) -> str:
    """Return the status line of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write("\r\n".join((*lines, "", "")).encode())
    async with asyncio.timeout(TIMEOUT):
        line = (await reader.readline()).decode()
    writer.close()
    return line


async def test_session_through_a_proxy_is_not_of_who_works_on_this_machine(app: Running) -> None:
    for sign in SIGNS:
        async with app.websocket("polite", additional_headers=sign) as client:
            await client.send("isready")
            await hear_until(client, "readyok")
            assert [actor.account for actor in app.host.actors] == [ANYBODY], sign
            await client.send("quit")
        await empty(app)


# --- why a browser was refused


async def test_browser_hears_by_http_why_it_has_no_session(config: Config) -> None:
    quotas = Quotas({"sessions": 1})
    async with Running(replace(config, quotas=quotas)) as app:
        assert (await get(app, "/engines/polite"))[0] == 426
        async with app.websocket("polite") as client:
            await client.send("isready")
            await hear_until(client, "readyok")
            status, body = await get(app, "/engines/polite")
            assert status == 429
            assert body.startswith("quota-sessions: ")
        status, body = await get(app, "/engines/other")
        assert status == 404
        assert body.startswith("unknown-engine: there is no engine 'other'")


@pytest.mark.parametrize("name", ["localhost:1", "127.0.0.1:1", "evil.example"])
async def test_no_other_page_of_this_machine_may(app: Running, name: str) -> None:
    """Any program of this machine can serve a page that the operator's browser opens."""
    with pytest.raises(InvalidStatus) as refused:
        await console(app, Origin=f"http://{name}")
    assert refused.value.response.status_code == 403
    async with console(app, Origin=f"http://127.0.0.1:{app.port}") as client:
        assert (await ask(client, {"do": "status"}))["ok"] is True
