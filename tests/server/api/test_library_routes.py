"""The routes of an account's library, over real sockets."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from helpers.support import TIMEOUT, Running, add_token, bearer, get, odd

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig, LibraryConfig, ServerConfig
from rookery_server.library.library_service import KEPT, WRITES

NEW = {"If-None-Match": "*"}
PGN = '[White "Петров"]\n\n1. e4 *\n'.encode("cp1251")  # It comes back as it was.


@pytest.fixture
def config(tmp_path: Path, tokens: Path) -> Config:
    """Return a configuration with accounts, one of which may keep little."""
    return Config(
        engines=(EngineConfig("polite", odd("polite")),),
        server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0, tokens=tokens),
        cache=CacheConfig(file=tmp_path / "library.sqlite"),
        quotas=Quotas(named={"cid": {"library_files": 2, "library_bytes": 150}}),
    )


class Api:
    """A client of the API, with tokens of some accounts."""

    def __init__(self, app: Running, session: aiohttp.ClientSession, tokens: Path) -> None:
        self._session = session
        self._url = f"http://127.0.0.1:{app.port}/v1/library/files"
        self._headers = {name: bearer(add_token(tokens, name)) for name in ("ann", "bob", "cid")}

    async def request(
        self, who: str, method: str, path: str = "", body: bytes | None = None, **fields: str
    ) -> tuple[int, bytes, str | None]:
        """Return the status, the body and the ETag of an answer."""
        headers = {**self._headers.get(who, {}), **fields}
        if body is not None:
            headers.setdefault("Content-Type", "application/x-chess-pgn")
        async with (
            asyncio.timeout(TIMEOUT),
            self._session.request(method, self._url + path, headers=headers, data=body) as answer,
        ):
            return answer.status, await answer.read(), answer.headers.get("ETag")

    async def write(
        self, who: str, id_: str, body: bytes = PGN, path: str = "club/a.pgn", **fields: str
    ) -> tuple[int, str | None]:
        status, _, tag = await self.request(who, "PUT", f"/{id_}?path={path}", body, **fields)
        return status, tag

    async def files(self, who: str) -> list[dict[str, Any]]:
        status, body, _ = await self.request(who, "GET")
        assert status == 200, body
        return list(json.loads(body)["files"])


@pytest.fixture
async def api(app: Running, tokens: Path) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(app, session, tokens)


async def test_a_file_comes_back_as_it_was_and_is_replaced_by_its_version(api: Api) -> None:
    assert await api.write("ann", "f", **NEW) == (201, '"1"')
    assert await api.request("ann", "GET", "/f") == (200, PGN, '"1"')
    assert await api.write("ann", "f", b"1. d4 *", "b.pgn", **{"If-Match": '"1"'}) == (200, '"2"')
    assert await api.request("ann", "GET", "/f") == (200, b"1. d4 *", '"2"')
    [file] = await api.files("ann")
    assert (file["path"], file["size"], file["version"]) == ("b.pgn", 7, 2)


async def test_a_change_that_was_not_seen_is_not_written_over(api: Api) -> None:
    await api.write("ann", "f", **NEW)
    await api.write("ann", "f", b"1. d4 *", **{"If-Match": '"1"'})
    assert await api.write("ann", "f", b"1. c4 *", **{"If-Match": '"1"'}) == (412, '"2"')
    assert await api.write("ann", "f", b"1. c4 *", **NEW) == (412, '"2"')
    assert (await api.request("ann", "DELETE", "/f", **{"If-Match": '"1"'}))[0] == 412
    assert (await api.write("ann", "g", **{"If-Match": '"1"'}))[0] == 412
    assert (await api.write("ann", "g"))[0] == 428
    assert (await api.request("ann", "GET", "/f"))[1] == b"1. d4 *"


async def test_files_belong_to_their_account(api: Api) -> None:
    await api.write("ann", "f", **NEW)
    assert await api.files("bob") == []
    assert (await api.request("bob", "GET", "/f"))[0] == 404
    assert (await api.request("bob", "DELETE", "/f", **{"If-Match": '"1"'}))[0] == 404
    assert await api.write("bob", "f", b"1. c4 *", **NEW) == (201, '"1"')
    assert (await api.request("ann", "GET", "/f"))[1] == PGN
    assert (await api.request("", "GET"))[0] == 401


async def test_a_removed_file_is_kept_for_a_while(
    app: Running, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = app.library_routes.service
    assert service
    time = [1_800_000_000.0]
    monkeypatch.setattr(service, "_clock", lambda: time[0])
    for id_ in ("f", "g"):
        await api.write("ann", id_, **NEW)
        assert (await api.request("ann", "DELETE", f"/{id_}", **{"If-Match": '"1"'}))[0] == 204
    assert all("removed" in each for each in await api.files("ann"))
    assert (await api.request("ann", "GET", "/f"))[1] == PGN
    assert await api.write("ann", "f", **{"If-Match": '"2"'}) == (200, '"3"')
    time[0] += KEPT + 1
    assert await service._clean() == 1
    [file] = await api.files("ann")
    assert (file["id"], "removed" in file) == ("f", False)


async def test_an_account_keeps_as_much_as_its_quota_has(api: Api) -> None:
    assert (await api.write("cid", "a", **NEW))[0] == 201
    status, body, _ = await api.request("cid", "PUT", "/b?path=b", bytes(range(256)), **NEW)
    assert (status, json.loads(body)["code"]) == (413, "quota-library")
    assert (await api.write("cid", "b", **NEW))[0] == 201
    await api.request("cid", "DELETE", "/b", **{"If-Match": '"1"'})
    assert (await api.write("cid", "c", b"", **NEW))[0] == 413  # A removed file counts.


async def test_names_and_bodies_are_checked(api: Api) -> None:
    assert (await api.write("ann", "f", path="", **NEW))[0] == 422
    assert (await api.write("ann", "f", path="%0a", **NEW))[0] == 422
    assert (await api.write("ann", "a.b", **NEW))[0] == 404
    assert (await api.write("ann", "f", **NEW, **{"Content-Type": "text/html"}))[0] == 415
    assert (await api.write("ann", "f", bytes(2**24 + 1), **NEW))[0] == 413
    assert await api.files("ann") == []


async def test_who_writes_too_often_has_to_wait(api: Api) -> None:
    tries = [
        (await api.request("ann", "DELETE", "/x", **{"If-Match": '"1"'}))[0]
        for _ in range(2 * int(WRITES[1]))
    ]
    assert (tries[0], tries[-1]) == (404, 429)


async def test_server_without_accounts_keeps_files_only_for_its_own_machine(
    config: Config,
) -> None:
    open_to_all = replace(config, server=replace(config.server, tokens=None))
    async with Running(open_to_all) as app:
        status, text = await get(app, "/v1/library/files")
        assert (status, json.loads(text)["files"]) == (200, [])
        status, text = await get(app, "/v1/library/files", X_Forwarded_For="10.1.2.3")
        assert (status, json.loads(text)["code"]) == (503, "library-off")
    async with Running(replace(config, library=LibraryConfig(enabled=False))) as app:
        status, text = await get(app, "/v1/library/files")
        assert (status, json.loads(text)["code"]) in ((503, "library-off"), (401, "unauthorized"))
