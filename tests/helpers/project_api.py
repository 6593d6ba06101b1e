"""A client of the routes of projects."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from helpers.client_server import ENGINE
from helpers.support import TIMEOUT, Running, add_token, bearer, odd
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.resources import Quotas
from rookery_server.config.sections import CacheConfig, ServerConfig

SETTINGS = {"nodes": 400, "white": {"lines": 3}, "black": {"lines": 3}}
SMALL = {"settings": SETTINGS, "budget": {"positions": 30}}


@dataclass
class Api:
    """A client of the API, with the token of an account."""

    session: aiohttp.ClientSession
    url: str
    headers: dict[str, str]

    async def request(
        self, method: str, path: str = "", body: object = None, **query: str | int
    ) -> tuple[int, bytes]:
        async with (
            asyncio.timeout(2 * TIMEOUT),
            self.session.request(
                method, self.url + path, headers=self.headers, json=body, params=query
            ) as answer,
        ):
            return answer.status, await answer.read()

    async def call(
        self,
        method: str,
        path: str = "",
        body: object = None,
        *,
        status: int = 200,
        **query: str | int,
    ) -> Any:
        found, content = await self.request(method, path, body, **query)
        assert found == status, content
        return json.loads(content) if content else None

    async def create(self, **members: object) -> dict[str, Any]:
        return dict(await self.call("POST", body={**SMALL, **members}, status=201))

    async def grown(self, project: dict[str, Any]) -> dict[str, Any]:
        """Return a project when it has come to its end, by waiting for each change."""
        path = f"/{project['id']}"
        async with asyncio.timeout(5 * TIMEOUT):
            while project["stage"] == "active" or project["searching"]:
                project = await self.call("GET", path, after=project["version"], wait=5)
        return project

    async def position(self, project: dict[str, Any], **query: str) -> dict[str, Any]:
        return dict(await self.call("GET", f"/{project['id']}/position", **query))

    async def steer(self, project: dict[str, Any], **body: object) -> dict[str, Any]:
        return dict(await self.call("POST", f"/{project['id']}/steer", body))

    async def export(self, project: dict[str, Any], kind: str, **query: int) -> bytes:
        path = f"/{project['id']}/export"
        status, content = await self.request("GET", path, None, format=kind, **query)
        assert status == 200, content
        return content


class Accounts:
    """Clients of some accounts."""

    def __init__(self, app: Running, session: aiohttp.ClientSession, tokens: Path) -> None:
        url = f"http://127.0.0.1:{app.port}/v1/projects"
        self.ann, self.bob, self.cid = (
            Api(session, url, bearer(add_token(tokens, name))) for name in ("ann", "bob", "cid")
        )


def config_with_accounts(folder: Path, tokens: Path) -> Config:
    """Return a configuration with accounts, one of which, `cid`, may keep little."""
    engines = EngineConfig("rookery", (ENGINE,)), EngineConfig("polite", odd("polite"))
    return Config(
        engines=engines,
        server=ServerConfig(port=0, tcp_port=0, drain_timeout=1.0, tokens=tokens),
        cache=CacheConfig(file=folder / "projects.sqlite"),
        quotas=Quotas(named={"cid": {"projects": 1, "project_nodes": 10}}),
    )
