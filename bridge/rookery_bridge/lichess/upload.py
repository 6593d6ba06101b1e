"""What is said of one job: lines as they come, and a sign of life where none does."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from rookery_protocol.lichess_api import KEEPALIVE, SILENCE

_KEPT = 256  # lines that wait for a slow network; the newest say what the older ones did


class Upload:
    """Lines that are put in at one end and taken out at the other; a bestmove is the last."""

    def __init__(self, silence: float = SILENCE) -> None:
        self._lines: deque[bytes] = deque(maxlen=_KEPT)
        self._news = asyncio.Event()
        self._silence = silence
        self.is_over = False

    def put(self, line: bytes) -> None:
        """Add a line, which has its newline."""
        self.is_over = line.startswith(b"bestmove")
        self._lines.append(line)
        self._news.set()

    async def lines(self) -> AsyncIterator[bytes]:
        """Take the lines out as they come."""
        while True:
            if self._lines:
                piece = b"".join(self._lines)
                self._lines.clear()
                yield piece
            elif self.is_over:
                return
            elif await self._is_silent():
                yield KEEPALIVE

    async def _is_silent(self) -> bool:
        """Wait for a line; say whether none has come for too long."""
        self._news.clear()
        try:
            async with asyncio.timeout(self._silence):
                await self._news.wait()
        except TimeoutError:
            return True
        return False
