"""Clients that are not read for now, and are not dead for that."""

import asyncio

from helpers.support import TIMEOUT, Running
from websockets.asyncio.client import connect

from rookery_server.join.engine_link import EngineLink


async def test_answers_to_pings_are_not_waited_for_behind_what_is_not_heard(app: Running) -> None:
    url = f"ws://127.0.0.1:{app.port}/engines/polite"
    async with connect(url, create_connection=EngineLink, ping_interval=None) as link:
        assert isinstance(link, EngineLink)
        before = await link.ping()
        link.hold_input("why")
        async with asyncio.timeout(TIMEOUT):
            assert await before == 0.0
            assert await (await link.ping()) == 0.0
            link.release_input("why")
            assert await (await link.ping()) > 0.0
