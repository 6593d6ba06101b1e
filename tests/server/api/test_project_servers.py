"""Projects of several servers at one database, and of a server that ends."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from helpers.client_server import ENGINE
from helpers.project_api import Api
from helpers.support import TIMEOUT, Running, add_token, bearer

from rookery_server.api import project_routes
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import CacheConfig, ServerConfig
from rookery_server.projects import tree_build


@pytest.fixture
def headers(tmp_path: Path) -> dict[str, str]:
    return bearer(add_token(tmp_path / "tokens", "ann"))


@asynccontextmanager
async def serving(folder: Path, cache: CacheConfig, headers: dict[str, str]) -> AsyncIterator[Api]:
    config = Config(
        engines=(EngineConfig("rookery", (ENGINE,)),),
        server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0, tokens=folder / "tokens"),
        cache=cache,
    )
    async with aiohttp.ClientSession() as session, Running(config) as server:
        yield Api(session, f"http://127.0.0.1:{server.port}/v1/projects", headers)


async def test_a_change_by_another_server_ends_a_long_poll(
    tmp_path: Path, postgres_url: str, headers: dict[str, str]
) -> None:
    cache = CacheConfig(url=postgres_url)
    async with (
        serving(tmp_path, cache, headers) as one,
        serving(tmp_path, cache, headers) as other,
    ):
        project = await one.grown(await one.create(budget={"positions": 2}))
        path = f"/{project['id']}"
        begun = asyncio.get_running_loop().time()
        waiting = asyncio.create_task(one.call("GET", path, after=project["version"], wait=25))
        listing = asyncio.create_task(one.call("GET", after=(await one.call("GET"))["version"]))
        await asyncio.sleep(0)
        await other.call("PATCH", path, {"name": "other"})
        async with asyncio.timeout(TIMEOUT):
            assert (await waiting)["name"] == "other"
            assert (await listing)["projects"][0]["name"] == "other"
        assert asyncio.get_running_loop().time() - begun < 20


async def test_another_server_goes_on_with_a_merge(
    tmp_path: Path,
    postgres_url: str,
    headers: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(project_routes, "PATIENCE", 0.0)
    monkeypatch.setattr(tree_build, "NODES", 1)
    cache = CacheConfig(url=postgres_url)
    async with serving(tmp_path, cache, headers) as one:
        async with serving(tmp_path, cache, headers) as other:
            project = await other.grown(await other.create(budget={"positions": 12}))
            source = await other.grown(
                await other.create(position={"moves": ["e4"]}, budget={"positions": 8})
            )
            path = f"/{project['id']}"
            await other.steer(project, action="add", moves=["e4"], move="a6")
            merging = await other.call("POST", f"{path}/merge", {"from": source["id"]}, status=202)
            assert merging["stage"] == "building"
        async with asyncio.timeout(4 * TIMEOUT):
            while merging["stage"] == "building":
                merging = await one.call("GET", path, after=merging["version"], wait=5)
        assert merging["stage"] == "finished"
        assert merging["positions"] > project["positions"]


async def test_an_id_that_postgresql_refuses_is_one_that_is_not_there(
    tmp_path: Path, postgres_url: str, headers: dict[str, str]
) -> None:
    async with serving(tmp_path, CacheConfig(url=postgres_url), headers) as api:
        for path in ("/%00", "/../jobs/%00"):
            await api.call("GET", path, status=404)
        project = await api.create(budget={"positions": 2})
        await api.call("POST", f"/{project['id']}/merge", {"from": "\0"}, status=404)


async def test_a_long_poll_ends_with_the_server(
    tmp_path: Path, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    cache = CacheConfig(file=tmp_path / "projects.sqlite")
    async with serving(tmp_path, cache, headers) as api:
        project = await api.grown(await api.create(budget={"positions": 2}))
        path = f"/{project['id']}"
        waiting = asyncio.create_task(api.request("GET", path, after=project["version"]))
        await asyncio.sleep(0)
        await api.call("GET", path)  # So the one before is waiting.
        begun = asyncio.get_running_loop().time()
    await asyncio.wait({waiting}, timeout=TIMEOUT)
    assert asyncio.get_running_loop().time() - begun < 20
    assert waiting.done()
    if (error := waiting.exception()) is None:
        assert waiting.result()[0] in (200, 503)
    else:
        assert isinstance(error, aiohttp.ClientError)
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
