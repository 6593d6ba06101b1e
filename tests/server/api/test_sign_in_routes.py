"""Signing in by a one-use code, over real sockets."""

import asyncio
import json
import ssl
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import trustme
from helpers.certificates import certificate
from helpers.support import TIMEOUT, Running, add_token, bearer, odd, until

from rookery_server.access.account import AccessToken, Role, TokenRecord
from rookery_server.access.login import FREE
from rookery_server.access.token_file import TokenFile
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig, TlsConfig

PHONE = {"User-Agent": "Mozilla/5.0 (iPhone; like Mac OS X) Version/18.5 Safari/604.1"}
ENDS = datetime(2090, 1, 2, tzinfo=UTC)


@pytest.fixture
def config(tokens: Path) -> Config:
    return Config(
        engines=(EngineConfig("polite", odd("polite")),),
        server=ServerConfig(
            port=0, tcp_port=0, drain_timeout=1.0, tokens=tokens, hosts=("rook.example",)
        ),
    )


class Api:
    """A client of the API, with the tokens of a member (bob), an admin (ann) and of no one."""

    def __init__(self, app: Running, session: aiohttp.ClientSession, tokens: Path) -> None:
        self.session = session
        self.url = f"http://127.0.0.1:{app.port}"
        self.tokens = {
            "ann": add_token(tokens, "ann", role=Role.ADMIN),
            "bob": add_token(tokens, "bob", expires=ENDS),
        }

    async def request(
        self, who: str, method: str, path: str, body: object = None, **fields: str
    ) -> tuple[int, Any]:
        token = self.tokens.get(who, who)
        headers = {**(bearer(token) if token else {}), **fields}
        async with (
            asyncio.timeout(TIMEOUT),
            self.session.request(
                method, f"{self.url}/v1/sign-in{path}", headers=headers, json=body
            ) as answer,
        ):
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def make_code(self, who: str, **wanted: object) -> dict[str, Any]:
        status, code = await self.request(who, "POST", "/codes", wanted)
        assert status == 201, code
        return dict(code)

    async def use_code(self, code: dict[str, Any], **fields: str) -> tuple[int, Any]:
        """Use a code as a phone does."""
        text = code["url"].partition("#signin=")[2]
        return await self.request("", "POST", "", {"code": text}, **{**PHONE, **fields})

    async def is_good(self, token: str) -> bool:
        status, _ = await self.request(token, "GET", "/codes/none")
        return status == 404


@pytest.fixture
async def api(app: Running, tokens: Path) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(app, session, tokens)


async def test_a_code_gives_a_phone_a_token_of_its_own_once(api: Api, tokens: Path) -> None:
    code = await api.make_code("bob", minutes=3)
    assert (code["account"], code["seconds"]) == ("bob", 180)
    assert code["url"].startswith(f"{api.url}/#signin=")
    assert code["qr"].startswith("<svg ")
    place = f"/codes/{code['id']}"
    status, state = await api.request("bob", "GET", place)
    assert (status, state["state"], "device" in state) == (200, "open", False)
    status, signed_in = await api.use_code(code)
    assert (status, signed_in["account"], signed_in["device"]) == (200, "bob", "Safari on iPhone")
    assert await api.is_good(signed_in["token"])
    [record] = [each for each in TokenFile(tokens).read() if each.device]
    assert record.id == signed_in["token"].split("_")[1]
    assert (record.name, record.role, record.device) == ("bob", Role.MEMBER, "Safari on iPhone")
    assert (record.expires, record.parent) == (ENDS, api.tokens["bob"].split("_")[1])
    _, state = await api.request("bob", "GET", place)
    assert (state["state"], state["device"]) == ("used", "Safari on iPhone")
    status, problem = await api.use_code(code)
    assert (status, problem["code"]) == (401, "unauthorized")
    assert problem["detail"].startswith("this code was used already, and is good once: have a new")


async def test_the_token_of_a_phone_is_revoked_alone_or_with_that_of_its_code(
    api: Api, tokens: Path
) -> None:
    phones = [(await api.use_code(await api.make_code("bob")))[1]["token"] for _ in range(2)]
    of_phone = (await api.use_code(await api.make_code(phones[1])))[1]["token"]
    file = TokenFile(tokens)
    file.change(lambda ring: ring.without(phones[0].split("_")[1]))
    await gone(api, phones[0])
    assert await api.is_good(api.tokens["bob"])
    assert await api.is_good(of_phone)
    file.change(lambda ring: ring.without(api.tokens["bob"].split("_")[1]))
    for each in (api.tokens["bob"], phones[1], of_phone):
        await gone(api, each)


async def test_a_phone_signs_out_and_nothing_else_does(api: Api, tokens: Path) -> None:
    phones = [(await api.use_code(await api.make_code("bob")))[1]["token"] for _ in range(2)]
    of_phone = (await api.use_code(await api.make_code(phones[0])))[1]["token"]
    strange = {"Origin": "https://evil.example"}
    assert (await api.request(phones[0], "DELETE", "", **strange))[0] == 403
    assert await api.request(phones[0], "DELETE", "") == (200, {"revoked": True})
    for each in (phones[0], of_phone):
        await gone(api, each)
    assert (await api.request(phones[0], "DELETE", ""))[0] == 401
    assert await api.is_good(phones[1])
    assert await api.is_good(api.tokens["bob"])
    assert [each.id for each in TokenFile(tokens).read() if each.device] == [
        phones[1].split("_")[1]
    ]


async def test_the_sessions_of_a_phone_end_when_it_signs_out(api: Api) -> None:
    phone = (await api.use_code(await api.make_code("bob")))[1]["token"]
    async with (
        asyncio.timeout(TIMEOUT),
        api.session.ws_connect(
            f"{api.url}/engines/polite", headers=bearer(phone), protocols=["uci"]
        ) as socket,
    ):
        await socket.send_str("uci")
        while (await socket.receive_str()) != "uciok":
            pass
        assert (await api.request(phone, "DELETE", ""))[0] == 200
        while (await socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.close_code == 1008


async def test_a_token_that_no_code_has_made_stays_good(api: Api) -> None:
    for who in ("bob", "ann"):
        status, answer = await api.request(who, "DELETE", "")
        id_ = api.tokens[who].split("_")[1]
        assert (status, answer["revoked"]) == (200, False)
        assert f"'rookery-server token revoke {id_}'" in answer["reason"]
        assert await api.is_good(api.tokens[who])


async def gone(api: Api, token: str) -> None:
    """Wait until a token that was taken from the file is good no more."""
    async with asyncio.timeout(TIMEOUT):
        while await api.is_good(token):
            await asyncio.sleep(0.05)


async def test_a_code_that_is_over_is_refused(api: Api, app: Running) -> None:
    late, withdrawn = await api.make_code("bob"), await api.make_code("bob")
    codes = app.web._policy.sign_in_codes
    for each in codes._codes.values():
        if each.id == late["id"]:
            each.expires = 0.0
    assert (await api.use_code(late))[1]["detail"].startswith(
        "this code has expired: have a new one"
    )
    assert (await api.request("bob", "DELETE", f"/codes/{withdrawn['id']}"))[0] == 204
    assert "was withdrawn" in (await api.use_code(withdrawn))[1]["detail"]
    assert (await api.request("bob", "GET", f"/codes/{withdrawn['id']}"))[0] == 404


async def test_a_code_goes_with_the_token_that_made_it(api: Api, tokens: Path) -> None:
    code, for_bob = await api.make_code("bob"), await api.make_code("ann", account="bob")
    TokenFile(tokens).change(lambda ring: ring.without("bob"))
    await gone(api, api.tokens["bob"])
    for each in (code, for_bob):
        status, problem = await api.use_code(each)
        assert (status, problem["code"]) == (401, "unauthorized")
        assert "is for bob, and that account, or the token that made" in problem["detail"]
    # Nobody is said to have signed in.
    assert (await api.request("ann", "GET", f"/codes/{for_bob['id']}"))[0] == 404


async def test_a_phone_that_leaves_meanwhile_may_use_its_code_again(
    api: Api, app: Running, tokens: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun, may_go_on = threading.Event(), threading.Event()
    add = TokenFile.add_token

    def add_slowly(*given: Any, **named: Any) -> tuple[AccessToken, TokenRecord]:
        has_begun.set()
        may_go_on.wait()
        return add(*given, **named)

    code = await api.make_code("bob")
    with monkeypatch.context() as patch:
        patch.setattr(TokenFile, "add_token", add_slowly)
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        body = json.dumps({"code": code["url"].partition("#signin=")[2]}).encode()
        writer.write(
            b"POST /v1/sign-in HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        )
        await asyncio.to_thread(has_begun.wait)
        writer.close()
        assert await reader.read() == b""
        await until(lambda: app._policy.connection_count <= 1)  # That of `api` is kept.
        may_go_on.set()
        async with asyncio.timeout(TIMEOUT):
            while (await api.request("bob", "GET", f"/codes/{code['id']}"))[1]["state"] != "open":
                await asyncio.sleep(0.01)
    assert not any(each.device for each in TokenFile(tokens).read())
    assert (await api.use_code(code))[0] == 200


async def test_of_two_phones_with_one_code_one_is_signed_in(api: Api, tokens: Path) -> None:
    code = await api.make_code("bob")
    answers = await asyncio.gather(*(api.use_code(code) for _ in range(3)))
    assert sorted(status for status, _ in answers) == [200, 401, 401]
    assert sum(bool(each.device) for each in TokenFile(tokens).read()) == 1


async def test_a_code_goes_with_the_admin_who_made_it(api: Api, tokens: Path) -> None:
    code = await api.make_code("ann", account="bob")
    TokenFile(tokens).change(lambda ring: ring.without("ann"))
    await gone(api, api.tokens["ann"])
    assert (await api.use_code(code))[0] == 401


async def test_an_admin_makes_codes_for_others_and_a_member_for_itself(
    api: Api, tokens: Path
) -> None:
    code = await api.make_code("ann", account="bob")
    assert (await api.request("bob", "GET", f"/codes/{code['id']}"))[0] == 404
    status, signed_in = await api.use_code(code)
    assert (status, signed_in["account"]) == (200, "bob")
    [record] = [each for each in TokenFile(tokens).read() if each.device]
    assert (record.name, record.role, record.expires) == ("bob", Role.MEMBER, ENDS)
    assert record.parent is None
    status, problem = await api.request("bob", "POST", "/codes", {"account": "ann"})
    assert (status, "only an admin" in problem["detail"]) == (403, True)
    for wanted in ({"account": "cid"}, {"account": "bob", "role": "admin"}):
        assert (await api.request("ann", "POST", "/codes", wanted))[0] == 404
    wanted = {"account": "bob", "role": "host"}
    assert (await api.request("ann", "POST", "/codes", wanted))[0] == 422
    assert (await api.request("", "POST", "/codes", {}))[0] == 401


async def test_wrong_codes_hold_up_an_address_as_wrong_tokens_do(api: Api) -> None:
    good = await api.make_code("bob")
    wrong = {"url": "#signin=AAAAAAAAAAAAAAAAAAAAAAAA"}
    answers = [await api.use_code(wrong) for _ in range(FREE + 2)]
    assert [status for status, _ in answers] == [*[401] * (FREE + 1), 429]
    assert "not known here" in answers[0][1]["detail"]
    assert (await api.request("rk_wrong", "GET", "/codes/x"))[0] == 429
    assert (await api.use_code(good))[0] == 200  # It cannot be guessed.


async def test_pages_of_other_sites_sign_nobody_in(api: Api) -> None:
    code = await api.make_code("bob")
    status, problem = await api.use_code(code, Origin="https://evil.example")
    assert (status, problem["code"]) == (403, "wrong-origin")
    strange = {"Origin": "https://evil.example"}
    assert (await api.request("bob", "POST", "/codes", {}, **strange))[0] == 403
    assert (await api.use_code(code, Origin=api.url))[0] == 200


@pytest.mark.parametrize("fields", [{}, {"Origin": "https://rook.example"}])
async def test_the_code_leads_to_where_its_page_is(api: Api, fields: dict[str, str]) -> None:
    proxied = {"Host": "rook.example", "X-Forwarded-Proto": "https", **fields}
    _, code = await api.request("bob", "POST", "/codes", {}, **proxied)
    assert code["url"].startswith("https://rook.example/#signin=")


async def test_a_server_that_may_not_write_its_tokens_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await api.make_code("bob")
    refuse = "rookery_server.access.token_file.replace_file"
    with monkeypatch.context() as patch:
        patch.setattr(refuse, _read_only)
        status, problem = await api.use_code(code)
        assert (status, "cannot write its file of tokens" in problem["detail"]) == (503, True)
    assert (await api.use_code(code))[0] == 200  # It was not used up.
    monkeypatch.setattr(TokenFile, "is_changeable", lambda _: False)
    status, problem = await api.request("bob", "POST", "/codes", {})
    assert (status, "'rookery-server invite --qr'" in problem["detail"]) == (409, True)


async def test_a_token_stays_good_where_the_server_may_not_write_it(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = (await api.use_code(await api.make_code("bob")))[1]["token"]
    with monkeypatch.context() as patch:
        patch.setattr("rookery_server.access.token_file.replace_file", _read_only)
        status, problem = await api.request(phone, "DELETE", "")
    assert (status, "cannot write its file of tokens" in problem["detail"]) == (503, True)
    assert f"'rookery-server token revoke {phone.split('_')[1]}'" in problem["detail"]
    assert await api.is_good(phone)


def _read_only(*_: object, **__: object) -> None:
    raise OSError(30, "Read-only file system")


async def test_a_phone_of_a_token_that_is_over_is_refused(api: Api, tokens: Path) -> None:
    code = await api.make_code("ann", account="bob")
    over = datetime.now(UTC) - timedelta(seconds=1)
    file = TokenFile(tokens)
    file.change(
        lambda ring: ring.updated(
            replace(each, expires=over) for each in ring if each.name == "bob"
        )
    )
    status, problem = await api.use_code(code)
    assert (status, "is for bob" in problem["detail"]) == (401, True)


async def test_no_code_is_in_the_log(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    code = await api.make_code("bob")
    _, signed_in = await api.use_code(code)
    await api.use_code(code)
    text = code["url"].partition("#signin=")[2]
    assert "a code has signed in Safari on iPhone as bob" in caplog.text
    assert text not in caplog.text
    assert signed_in["token"] not in caplog.text


class TestOverTls:
    """A server that ends TLS itself."""

    @pytest.fixture
    def authority(self) -> trustme.CA:
        return trustme.CA()

    @pytest.fixture
    def config(self, config: Config, tmp_path: Path, authority: trustme.CA) -> Config:
        certificate(tmp_path, authority, "localhost")
        tls = TlsConfig(tmp_path / "certificate.pem", tmp_path / "key.pem")
        return replace(config, tls=tls)

    async def test_the_code_leads_there_over_tls(
        self, app: Running, token: str, authority: trustme.CA
    ) -> None:
        context = ssl.create_default_context()
        authority.configure_trust(context)
        url = f"https://localhost:{app.port}"
        async with (
            asyncio.timeout(TIMEOUT),
            aiohttp.ClientSession() as session,
            session.post(
                f"{url}/v1/sign-in/codes", json={}, headers=bearer(token), ssl=context
            ) as answer,
        ):
            assert (await answer.json())["url"].startswith(f"{url}/#signin=")


class TestWithoutTokens:
    """A server that wants no token."""

    @pytest.fixture
    def config(self) -> Config:
        return Config(
            engines=(EngineConfig("polite", odd("polite")),),
            server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0),
        )

    async def test_it_needs_no_code(self, api: Api) -> None:
        status, problem = await api.request("", "POST", "/codes", {})
        assert (status, "wants no token" in problem["detail"]) == (409, True)
        assert (await api.use_code({"url": "#signin=x"}))[0] == 401
        status, answer = await api.request("", "DELETE", "")
        assert (status, answer["revoked"]) == (200, False)
        assert "wants no token" in answer["reason"]
