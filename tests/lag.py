"""A long way: a TCP proxy through which all takes the same time, in each direction."""

import asyncio
from contextlib import suppress
from types import TracebackType

_PIECE = 65536


class Lag:
    """Forwards connections to a port of this machine, `seconds` later."""

    def __init__(self, port: int, seconds: float) -> None:
        self.seconds = seconds
        self._target = port
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server

    @property
    def port(self) -> int:
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> "Lag":
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _accept(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        try:
            upstream, server = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            client.close()
            return
        self._writers |= {client, server}
        for source, sink in ((reader, server), (upstream, client)):
            pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
            for pump in (self._take(source, pieces), self._give(pieces, sink)):
                task = asyncio.create_task(pump, name="pump")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

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
