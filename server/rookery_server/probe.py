"""Asks an engine which options it has: starts it, says `uci`, hears the answer, ends it."""

import asyncio
import contextlib
from collections.abc import Sequence

from rookery_server.errors import ServerError
from rookery_server.offer import Answer
from rookery_server.process import EngineProcess, Reaper

END_PATIENCE = 0.2  # s from `quit` to SIGKILL
MAX_ANSWER = 1 << 20  # bytes; the longest known (of Fairy-Stockfish) is 20 KB


async def probe(command: Sequence[str], reaper: Reaper, *, patience: float, stderr: int) -> Answer:
    """Return an engine's answer to `uci`.

    Args:
        command: what starts it.
        reaper: who sees to its end.
        patience: seconds that it has to answer.
        stderr: descriptor for what it complains of.

    Raises:
        ServerError: it cannot be started, ends, or does not answer; the text says which.

    """
    hearing = _Hearing()
    try:
        process = EngineProcess(command, hearing, reaper, stderr=stderr)
    except OSError as error:
        raise ServerError(f"it cannot be started: {error.strerror}") from error
    process.tell(b"uci\n")
    try:
        async with asyncio.timeout(patience):
            return Answer.parse(await hearing.lines)
    except TimeoutError:
        raise ServerError(f"it does not answer uci within {patience:g} s") from None
    finally:
        await _end(process, hearing)


async def _end(process: EngineProcess, hearing: "_Hearing") -> None:
    """End an engine that has done nothing yet, and so loses nothing by being killed."""
    if not hearing.ended.is_set():
        process.end()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(END_PATIENCE):
            await hearing.ended.wait()
    if not hearing.ended.is_set():
        process.kill()


class _Hearing:
    """Hears an engine up to its `uciok`."""

    def __init__(self) -> None:
        self.lines: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        self.ended = asyncio.Event()
        self._heard = b""

    def engine_said(self, piece: bytes) -> None:
        """Take whole lines."""
        if self.lines.done():
            return
        self._heard += piece
        lines = self._heard.decode().split("\n")
        if any(line.split() == ["uciok"] for line in lines):
            self.lines.set_result(lines)
        elif len(self._heard) > MAX_ANSWER:
            self.lines.set_exception(ServerError("it says too much before uciok"))

    def engine_ended(self, reason: str) -> None:
        """Take note that the process is gone."""
        self.ended.set()
        if not self.lines.done():
            self.lines.set_exception(ServerError(f"it does not answer uci: {reason}"))
