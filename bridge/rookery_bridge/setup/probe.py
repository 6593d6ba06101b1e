"""A short visit to a remote engine, to see whether it is there and how far away.

Unlike the bridge a visitor does not come back: what goes wrong is what one wants to know.
"""

import asyncio
from contextlib import suppress

from rookery_protocol.address import Address
from rookery_protocol.dialer import DialError
from rookery_protocol.hello import Hello
from rookery_protocol.line_connection import LineConnection, dial_lines
from rookery_protocol.notices import Meaning, Notice, legible
from rookery_protocol.tls_trust import Trust
from rookery_uci import Id, UciError, parse_reply

_MOST_HEARD = 1 << 22  # bytes: 40 answers to `uci` together have less than a quarter
_TITLE = 100  # characters of an engine's name
_LEAVE = 1.0  # s that the server has to take its leave


class Visit:
    """One connection to a remote engine, as questions and answers, while a block lasts.

    Raises:
        DialError: the server cannot be reached, or has refused.

    """

    def __init__(self, address: Address, trust: Trust) -> None:
        self._address = address
        self._trust = trust
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()  # None is the end
        self._connection: LineConnection
        self._closed: asyncio.Task[str]
        self._notice: Notice | None = None
        self._heard = 0  # bytes

    async def __aenter__(self) -> "Visit":
        hello = Hello(session="new")
        self._connection = await dial_lines(self._address, self._trust, self._receive, hello)
        self._closed = asyncio.create_task(self._connection.wait_end(), name="await close")
        self._closed.add_done_callback(lambda _: self._lines.put_nowait(None))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Take leave, so that the engine is free at once."""
        self.send_line("quit")
        await asyncio.wait({self._closed}, timeout=_LEAVE)
        self._connection.abort()
        self._closed.cancel()

    def send_line(self, line: str) -> None:
        """Say a line."""
        self._connection.send_line(line.encode())

    def _receive(self, piece: bytes) -> None:
        """Take whole lines of the server's."""
        self._heard += len(piece)
        if self._heard > _MOST_HEARD:
            self._connection.abort()
            return
        for line in piece.decode(errors="replace").split("\n")[:-1]:
            self._notice = Notice.parse(line) or self._notice
            self._lines.put_nowait(line)

    async def request(self, question: str, answer: str, patience: float) -> list[str]:
        """Say a line; return what is said up to the first line that starts like the answer.

        Raises:
            DialError: the server has refused, or is gone.
            TimeoutError: it takes longer.

        """
        self.send_line(question)
        return await self.until(answer, patience)

    async def until(self, answer: str, patience: float) -> list[str]:
        """Return what is said up to the first line that starts like the answer, as `request`."""
        lines: list[str] = []
        async with asyncio.timeout(patience):
            while not lines or not lines[-1].startswith(answer):
                line = await self._lines.get()
                if line is None:
                    raise self._end(answer)
                lines.append(line)
        return lines

    def _end(self, answer: str) -> DialError:
        if self._heard > _MOST_HEARD:
            return DialError(f"it says {self._heard} bytes, and not {answer!r}")
        notice = self._notice
        text = self._closed.result() or (notice.text if notice else "the connection was lost")
        return DialError(text, notice.code if notice else None)

    async def search(self, patience: float) -> None:
        """Have the engine search as little as it can: the server answers all else without one.

        Raises:
            DialError: as `request`; or no engine is free, or none searches.
            TimeoutError: it takes longer.

        """
        try:
            lines = await self.request("go depth 1 nodes 1", "bestmove", patience)
        except TimeoutError:
            notice = self._notice
            if notice and notice.code.meaning is Meaning.NO_ENGINE:
                raise DialError(notice.text, notice.code) from None
            raise
        for notice in map(Notice.parse, lines):  # The first says why, if there are several.
            if notice and notice.code.meaning is Meaning.PUT_OFF:
                raise DialError(notice.text, notice.code)

    async def title(self, patience: float) -> str:
        """Return what the engine calls itself.

        Raises:
            DialError, TimeoutError: as `request`.

        """
        for line in await self.request("uci", "uciok", patience):
            with suppress(UciError):
                reply = parse_reply(line)
                if isinstance(reply, Id) and reply.kind == "name":
                    return legible(reply.text, _TITLE)
        return ""
