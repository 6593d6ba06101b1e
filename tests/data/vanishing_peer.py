"""A server whose client's machine vanishes, in a network of this process's own.

Run it in a network namespace.  The client has an address of its own; when that is taken
away, nothing from the server reaches it any more, and nobody says goodbye.
"""

import asyncio
import subprocess
import sys

from helpers.support import Running, odd

from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ConnectionConfig, ServerConfig

ADDRESS = "192.0.2.7"


def ip(*words: str) -> None:
    subprocess.run(("ip", *words), check=True)


async def main(*lines: str) -> None:
    """Say the lines, vanish, and wait until the server has noticed."""
    ip("link", "set", "lo", "up")
    ip("address", "add", f"{ADDRESS}/32", "dev", "lo")
    config = Config(
        engines=(EngineConfig("flood", odd("flood")),),
        server=ServerConfig(port=0, tcp_port=0),
        connections=ConnectionConfig(dead_after=2),
    )
    async with Running(config) as app:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", app.tcp_port, local_addr=(ADDRESS, 0)
        )
        writer.write(b"isready\n")
        while await reader.readline() != b"readyok\n":
            pass
        ip("address", "del", f"{ADDRESS}/32", "dev", "lo")
        for line in lines:
            [actor] = app.host.actors
            actor.client_said(line.encode())
        while app.host.actors:
            await asyncio.sleep(0.05)
        print("noticed")


asyncio.run(main(*sys.argv[1:]))
