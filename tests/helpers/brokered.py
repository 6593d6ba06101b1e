"""A server with a broker, and those who use it: requesters and our provider."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from helpers.bridged import ENGINE
from helpers.lichess_fake import work
from helpers.support import DATA, TIMEOUT, Running, until
from rookery_bridge.lichess.lichess_client import LichessPlace
from rookery_bridge.lichess.provider import LichessProvider, Terms
from rookery_bridge.lichess.provider_engine import ProviderSource
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import BrokerConfig, ServerConfig

SECRET = "a-secret-of-this-provider"
OFFER = {"name": "Engine", "maxThreads": 4, "maxHash": 256, "providerSecret": SECRET}


@dataclass
class Asked:
    """A request for analysis, and its answer as it comes."""

    response: aiohttp.ClientResponse

    async def next(self) -> dict[str, object]:
        """Return the next object."""
        async with asyncio.timeout(TIMEOUT):
            line = await self.response.content.readline()
        found = json.loads(line)
        assert isinstance(found, dict)
        return found

    async def all(self) -> list[dict[str, object]]:
        """Return all objects up to the end."""
        async with asyncio.timeout(TIMEOUT):
            text = await self.response.text()
        return [json.loads(line) for line in text.splitlines()]

    def leave(self) -> None:
        self.response.close()


class Api:
    """A program that is written for Lichess's API, of one account."""

    def __init__(self, app: Running, token: str) -> None:
        self.url = f"http://127.0.0.1:{app.broker_port}"
        self._headers = {"Authorization": f"Bearer {token}"}

    async def __aenter__(self) -> "Api":
        self.http = aiohttp.ClientSession(self.url, headers=self._headers)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.close()

    async def call(self, method: str, path: str = "", body: object = None) -> tuple[int, object]:
        """Return the status and the JSON of an answer."""
        path = f"/api/external-engine{path}"
        async with self.http.request(method, path, json=body) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def engine(self, name: str) -> dict[str, str]:
        """Return an engine that is listed."""
        _, engines = await self.call("GET")
        assert isinstance(engines, list)
        found = next(each for each in engines if each["name"] == name)
        assert isinstance(found, dict)
        return found

    async def analyse(self, engine: dict[str, str], **fields: object) -> Asked:
        """Ask for analysis."""
        body = {"clientSecret": engine["clientSecret"], "work": work(**fields)}
        path = f"/api/external-engine/{engine['id']}/analyse"
        response = await self.http.post(path, json=body)
        assert response.status == 200, await response.text()
        assert response.content_type == "application/x-ndjson"
        return Asked(response)


@dataclass
class Around:
    app: Running
    alice: Api
    bob: Api
    token: str
    folder: Path

    @asynccontextmanager
    async def provider(self, *habits: str) -> AsyncIterator[LichessProvider]:
        """Run a provider of alice's."""
        command = (sys.executable, "-S", str(DATA / "scribe_engine.py"))
        sources = [
            ProviderSource(f"Engine {habit}", (*command, str(self.folder / habit), habit))
            for habit in habits
        ]
        place = LichessPlace(self.token, self.alice.url, self.alice.url)
        provider = LichessProvider(sources, place, SECRET, Terms(2, 64), lambda _: None)
        running = asyncio.create_task(provider.run())
        async with asyncio.timeout(TIMEOUT):
            while not await self.knows(habits):
                await asyncio.sleep(0.01)
        try:
            yield provider
        finally:
            provider.end()
            await asyncio.wait_for(running, TIMEOUT)

    async def knows(self, habits: tuple[str, ...]) -> bool:
        _, engines = await self.alice.call("GET")
        assert isinstance(engines, list)
        return {f"Engine {habit}" for habit in habits} <= {each["name"] for each in engines}

    async def until_heard(self, habit: str, line: str) -> None:
        await until(lambda: line in (self.folder / habit).read_text().splitlines())


def config(folder: Path, **broker: object) -> Config:
    tokens = folder / "tokens.jsonl"
    server = ServerConfig(port=0, tcp_port=0, drain_timeout=0.5, tokens=tokens)
    given = {"port": 0, "file": folder / "broker.json", **broker}
    return Config(
        (EngineConfig("rookery", (ENGINE,)),),
        server,
        broker=BrokerConfig(**given),  # type: ignore[arg-type]
    )
