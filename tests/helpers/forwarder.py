"""A TCP proxy: forwards connections to a port of this machine, each kind in its own way."""

import asyncio
from collections.abc import Coroutine
from typing import Self


class Forwarder:
    """Listens while its block lasts, and forwards each connection by `forward`."""

    def __init__(self, port: int) -> None:
        self.target = port
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server

    @property
    def port(self) -> int:
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def is_idle(self) -> bool:
        """True if nothing is forwarded."""
        return not self._tasks

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.end()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.sleep(0)

    def forward(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        """Begin to forward what each side says to the other."""
        raise NotImplementedError

    def end(self) -> None:
        """End every connection that there still is."""
        raise NotImplementedError

    def run(self, pump: Coroutine[None, None, None]) -> None:
        """Run something until it is done, or the block is over."""
        task = asyncio.create_task(pump, name="pump")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        try:
            server = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            client.close()
            return
        self.forward((reader, client), server)
