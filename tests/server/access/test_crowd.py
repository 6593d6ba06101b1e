"""Many sessions at once, with engines that take a while to start."""

import asyncio
from dataclasses import replace

from helpers.support import TIMEOUT, Running
from websockets.asyncio.client import ClientConnection

from rookery_server.config.config import Config
from rookery_server.config.engines import own_engine

SESSIONS = 50


async def until_ready(client: ClientConnection) -> list[str]:
    """Return what is heard up to `readyok`."""
    await client.send("isready")
    lines: list[str] = []
    async with asyncio.timeout(6 * TIMEOUT):  # the machine may have much else to do
        while lines[-1:] != ["readyok"]:
            lines.append(str(await client.recv()))
    return lines


async def test_engines_that_are_asked_for_at_once_all_come_and_none_is_replaced(
    config: Config,
) -> None:
    config = replace(config, engines=(own_engine(),))
    async with Running(config) as app:
        clients = [await app.websocket("rookery") for _ in range(SESSIONS)]
        async with asyncio.TaskGroup() as tasks:
            answers = [tasks.create_task(until_ready(client)) for client in clients]
        assert all(answer.result() == ["readyok"] for answer in answers)
        assert len(set(app.engine_pids())) == SESSIONS
        assert sum(actor.totals.engine_deaths for actor in app.host.actors) == 0
        async with asyncio.TaskGroup() as tasks:
            for client in clients:
                tasks.create_task(client.close())
