"""A network that can be made bad: a TCP proxy that delays, splits, cuts and falls silent."""

import asyncio
import random
import socket
import struct
from contextlib import suppress

from helpers.forwarder import Forwarder

CUTS = ("reset", "end", "silence", "half")
_PIECE = 4096


class Proxy(Forwarder):
    """Forwards connections to a port of this machine, as badly as it is told.

    Args:
        port: where to.
        seed: of all that is random.
        delay: s that each piece may take at most.

    """

    def __init__(self, port: int, *, seed: int, delay: float = 0.0) -> None:
        super().__init__(port)
        self.delay = delay
        self._random = random.Random(seed)
        self._pairs: list[_Pair] = []
        self._lost: list[_Pair] = []  # those that have fallen silent

    def cut(self, kind: str) -> int:
        """Cut every connection that there is; return how many.

        `reset`: both ends are reset.  `end`: both see an orderly end.  `half`: the client
        sees the end, and the server nothing.  `silence`: neither sees anything any more.
        """
        for pair in self._pairs:
            pair.silent = True
            if kind in ("reset", "end"):
                for writer in (pair.client, pair.server):
                    _close(writer, hard=kind == "reset")
            elif kind == "half":
                _close(pair.client, hard=False)
            if kind in ("half", "silence"):
                self._lost.append(pair)
        number = len(self._pairs)
        self._pairs.clear()
        return number

    async def refuse(self) -> None:
        """Cut every connection, and take no more."""
        port = self.port
        self._server.close()
        self._port = port
        self.cut("reset")

    async def accept(self) -> None:
        """Take connections again, at the same port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)

    def forget_lost(self) -> None:
        """Reset what has fallen silent, as a router does in the end."""
        for pair in self._lost:
            for writer in (pair.client, pair.server):
                _close(writer, hard=True)
        self._lost.clear()

    def forward(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        pair = _Pair(client[1], server[1])
        self._pairs.append(pair)
        for (source, _), (_, sink) in ((client, server), (server, client)):
            self.run(self._pump(source, sink, pair))

    def end(self) -> None:
        self.cut("reset")
        self.forget_lost()

    async def _pump(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, pair: "_Pair"
    ) -> None:
        with suppress(OSError):
            while data := await source.read(_PIECE):
                while data and not pair.silent:
                    size = self._random.randint(1, len(data))
                    if self.delay:
                        await asyncio.sleep(self._random.random() ** 4 * self.delay)
                    if not pair.silent:
                        sink.write(data[:size])
                        await sink.drain()
                    data = data[size:]
        if not pair.silent:
            _close(sink, hard=False)


class _Pair:
    def __init__(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self.client = client
        self.server = server
        self.silent = False


def _close(writer: asyncio.StreamWriter, *, hard: bool) -> None:
    if hard:
        with suppress(OSError):
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    else:
        writer.close()
