"""A long way: a TCP proxy through which all takes the same time, in each direction."""

import asyncio
from contextlib import suppress

from helpers.forwarder import Forwarder

_PIECE = 65536


class Lag(Forwarder):
    """Forwards connections to a port of this machine, `seconds` later."""

    def __init__(self, port: int, seconds: float) -> None:
        super().__init__(port)
        self.seconds = seconds
        self._writers: set[asyncio.StreamWriter] = set()

    def forward(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        for (source, _), (_, sink) in ((client, server), (server, client)):
            self._writers.add(sink)
            pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
            self.run(self._take(source, pieces))
            self.run(self._give(pieces, sink))

    def end(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _take(
        self, source: asyncio.StreamReader, pieces: "asyncio.Queue[tuple[float, bytes]]"
    ) -> None:
        data = b"."
        while data:
            data = b""
            with suppress(OSError):
                data = await source.read(_PIECE)
            pieces.put_nowait((asyncio.get_running_loop().time() + self.seconds, data))

    async def _give(
        self, pieces: "asyncio.Queue[tuple[float, bytes]]", sink: asyncio.StreamWriter
    ) -> None:
        while True:
            due, data = await pieces.get()
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            if not data:
                break
            sink.write(data)
        self._writers.discard(sink)
        sink.close()
