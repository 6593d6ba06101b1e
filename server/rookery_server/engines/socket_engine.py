"""An engine at the other end of a connection, as if it ran here.

The connection is any transport of asyncio: `LinkedEngine` is its protocol.  It carries the
engine's lines both ways, and among them may be what the other end tells of the engine
(news.py).  The engine is told things before there is a connection: they wait.

One lives as long as the other: whoever starts the engine ends it when the connection does,
and here the engine is gone when the connection is.  So nothing has to be said to end one, and
nothing is left of it if the network fails.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import cast

from rookery_server.engines.engine_build import UNKNOWN, Content, Files
from rookery_server.engines.running import BaseEngine
from rookery_server.engines.running_engine import Backlog, EngineListener
from rookery_server.engines.stderr_log import LONGEST
from rookery_server.engines.stdout_reader import StdoutReader
from rookery_server.log import Repetition, about

logger = logging.getLogger(__name__)

PIECE = 32768  # bytes read at once: what is handled together stays in the cache of a CPU
MAX_UNSENT = 1 << 21  # bytes that may wait for an engine, as in process.py
QUIT_PATIENCE = 1.0  # s from `quit` to the end of the connection, and as long again to be rude

# s from the loss of a connection until it is told: what is lost with it is known by then, and
# who asks for another engine does not get one that has just gone the same way.
TOGETHER = 0.25

_LOST = "its connection was lost"


EVENT_MARK = b"\0"  # begins such a line; no line of UCI has it
MAX_TEXT = 1000  # characters of a complaint


@dataclass(frozen=True, slots=True)
class EngineEvent:
    """Something about an engine; None is no news.

    Attributes:
        label: what the log calls it, `PID at MACHINE`.
        files: digests of the files of its words, "" for a word that is no file; None for one
            that could not be read.
        cpu: CPU time that it has used in all, in seconds.
        memory_mb: memory that it shares with no other, in MiB.
        complaint: a line of its stderr.
        ended: that it is gone, and how it ended; the last that is told of it.

    """

    label: str | None = None
    files: tuple[str | None, ...] | None = None
    cpu: float | None = None
    memory_mb: int | None = None
    complaint: str | None = None
    ended: str | None = None

    def __bytes__(self) -> bytes:
        told = {key: value for key, value in asdict(self).items() if value is not None}
        return b"%b%b\n" % (EVENT_MARK, json.dumps(told, separators=(",", ":")).encode())

    @classmethod
    def parse(cls, line: bytes) -> "EngineEvent":
        """Read a line, with its mark; what is unknown in it is left out.

        Raises:
            ValueError: it is none.

        """
        try:
            told = json.loads(line.removeprefix(EVENT_MARK))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"news of an engine need JSON, not {line[:80]!r}") from error
        if not isinstance(told, dict):
            raise ValueError(f"news of an engine need an object, not {line[:80]!r}")
        return cls(
            label=_text(told.get("label")),
            files=_files(told.get("files")),
            cpu=_number(told.get("cpu")),
            memory_mb=_whole(told.get("memory_mb")),
            complaint=_text(told.get("complaint")),
            ended=_text(told.get("ended")),
        )


def _text(value: object) -> str | None:
    return value[:MAX_TEXT] if isinstance(value, str) else None


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1e12 else None  # type: ignore[arg-type,operator]  # it is one


def _whole(value: object) -> int | None:
    number = _number(value)
    return None if number is None else int(number)


def _files(value: object) -> tuple[str | None, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(_text(each) for each in value)


class LinkedEngine(BaseEngine, asyncio.BufferedProtocol):
    """One running engine, elsewhere: `tell` it lines, and the listener hears its own."""

    def __init__(
        self,
        words: tuple[str, ...],
        listener: EngineListener,
        *,
        name: str,
        on_gone: Callable[["LinkedEngine"], None] = lambda _: None,
    ) -> None:
        """Make one that waits for its connection.

        Args:
            words: what it is started with, and the files beside it.
            listener: who hears it.
            name: of the engine, for the log.
            on_gone: called once, when it is gone, before its listener hears so.

        """
        super().__init__(listener)
        self.words = words
        self.files: Files = (UNKNOWN,) * len(words)
        self._files_are_told = asyncio.Event()
        self.label = "that is to come"
        self.name = name
        self._on_gone = on_gone
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._hearing = StdoutReader()
        self._buffer = memoryview(bytearray(PIECE))
        self._unsent = bytearray()  # until there is a connection
        self._told = 0  # bytes, ever
        self._is_choked = False  # the connection takes no more for now
        self._on_taken: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None  # to the next harder way to end it
        self._nap: asyncio.TimerHandle | None = None
        self.has_come = False  # there is, or was, a connection to it
        self._gone = False
        self._complaint = ""
        self._ended = ""  # how, as the other end tells it
        self._is_lost = False
        self._cpu: float | None = None
        self._repetition = Repetition()  # of news that cannot be read, in the log
        self._memory_mb = 0

    # --- as an engine

    async def known_files(self) -> Files:
        """Return `files` when they have been told, or it is gone."""
        await self._files_are_told.wait()
        return self.files

    @property
    def is_sound(self) -> bool:
        """Whether nothing is known against it: it is neither ended nor complained of."""
        known = self._complaint or self._ended or self._is_lost
        return not (self._gone or self.asked_to_end or known)

    @property
    def is_lost(self) -> bool:
        """Whether its place or its connection is gone, and nothing says that it had ended."""
        return self._is_lost and not self._ended

    @property
    def is_gone(self) -> bool:
        """Whether its listener has heard that it ended."""
        return self._gone

    def cpu_total(self) -> float | None:
        """Return the CPU time that it has used in all, as last told; None if it was not."""
        return self._cpu

    def memory_mb(self) -> int:
        """Return the memory that it shares with no other, in MiB; 0 if that was not told."""
        return 0 if self._gone else self._memory_mb

    def tell(self, piece: bytes) -> None:
        """Send whole lines to the engine; they wait here if it does not read them yet."""
        if not self.asked_to_end:
            self._wake()
            self._hearing.expect_answer()
            self._send(piece)

    @property
    def unsent(self) -> int:
        """How many bytes wait here, because the connection does not take them yet."""
        if self._transport is None:
            return len(self._unsent)
        return self._transport.get_write_buffer_size()

    def backlog(self) -> Backlog:
        """Return how far it is; what the connection has taken counts as taken."""
        unsent = self.unsent
        return Backlog(self._told - unsent, unsent)

    def when_taken(self, call: Callable[[], None]) -> None:
        """Call this once, when the connection takes more again."""
        self._on_taken = call
        if not self._is_choked and self._transport:
            self._loop.call_soon(self._taken)

    def pause(self) -> None:
        """Leave what the engine says in the connection: soon it has to wait."""
        if not self._gone and not self.asked_to_end:
            self.paused = True
            self._wake()
            self._read(on=False)

    def resume(self) -> None:
        """Hear the engine again."""
        if self.paused:
            self.paused = False
            self._read(on=True)

    def look_away(self, seconds: float) -> None:
        """Leave what the engine says where it is for so long, or until it is told something."""
        if not (self.paused or self._gone or self.asked_to_end or self._nap):
            self._read(on=False)
            self._nap = self._loop.call_later(seconds, self._listen_again)

    def end(self) -> None:
        """Ask the engine to quit; what does not go in time is made to."""
        if not self.asked_to_end and not self._gone:
            self._send(b"quit\n")
            self.asked_to_end = True
            self._timer = self._loop.call_later(QUIT_PATIENCE, self._hang_up)
            self.resume()  # it may be waiting to be heard
        self.asked_to_end = True

    def complain(self, complaint: str) -> None:
        """End the engine at once, for a reason that its listener is told."""
        self._complaint = self._complaint or complaint
        self.kill()

    def kill(self) -> None:
        """End the engine at once."""
        self._ended = self._ended or "it was killed"
        if self._transport:
            self._transport.abort()
        elif not self._gone:
            self._loop.call_soon(self._go, self._ended)

    # --- for its host

    def fail(self, reason: str) -> None:
        """Take note that it cannot be started, or is lost, though no connection has told so."""
        if not (self._is_lost or self._gone):
            self._is_lost = True
            self._loop.call_later(TOGETHER, self._go, reason)

    def heard(self, news: EngineEvent) -> None:
        """Take note of what is told of it."""
        if news.label is not None:
            self.label = news.label
        if news.files is not None and len(news.files) == len(self.words):
            self.files = tuple(None if each == "" else Content(each) for each in news.files)
            self._files_are_told.set()
        if news.cpu is not None:
            self._cpu = max(self._cpu or 0.0, news.cpu)
        if news.memory_mb is not None:
            self._memory_mb = news.memory_mb
        if news.complaint:
            complaint = news.complaint[:LONGEST]
            fields = about(engine=self.name, stderr=complaint)
            logger.warning("engine %s: %r", self.name, complaint, extra=fields)
        if news.ended:
            self._ended = news.ended

    # --- for its connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection: what has waited is sent."""
        transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        if self._gone:
            transport.abort()
            return
        self._transport = transport
        self.has_come = True
        if self.paused:
            self._read(on=False)
        waiting, self._unsent = bytes(self._unsent), bytearray()
        if waiting:
            transport.write(waiting)
        if not self._is_choked:
            self._taken()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where the transport puts what comes."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take what has come."""
        self.data_received(bytes(self._buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Take what the other end sends."""
        piece = self._hearing.lines(data)
        if EVENT_MARK in piece:
            piece = self._without_news(piece)
        if piece:
            self.listener.engine_said(piece)
        nap = self._hearing.nap_after(len(data))
        if nap:
            self.look_away(nap)

    def pause_writing(self) -> None:
        """Take note that the connection takes no more for now."""
        self._is_choked = True

    def resume_writing(self) -> None:
        """Take note that it does again."""
        self._is_choked = False
        self._taken()

    def connection_lost(self, error: Exception | None) -> None:
        """Take note that the connection is closed, and the engine gone with it."""
        self._transport = None
        if self._ended or self.asked_to_end:
            self._go(self._ended or _LOST)
        else:
            self.fail(f"{_LOST}: {error}" if error else _LOST)

    # --- within

    def _send(self, data: bytes) -> None:
        if self._gone or self._is_lost:
            return
        if self._transport is None:
            self._unsent += data
            unsent = len(self._unsent)
        elif self._transport.is_closing():
            return
        else:
            self._transport.write(data)
            unsent = self._transport.get_write_buffer_size()
        self._told += len(data)
        if unsent > MAX_UNSENT:
            self.complain(f"it left {unsent} bytes unread")

    def _taken(self) -> None:
        call, self._on_taken = self._on_taken, None
        if call:
            call()

    def _without_news(self, piece: bytes) -> bytes:
        """Take the news out of whole lines."""
        said = []
        for line in piece.splitlines(keepends=True):
            # What is before the mark is a line that the engine has not finished.
            _, mark, news = line.rpartition(EVENT_MARK)
            if not mark:
                said.append(line)
                continue
            try:
                self.heard(EngineEvent.parse(news))
            except ValueError as error:
                self._complain_of(error)
        return b"".join(said)

    def _complain_of(self, error: ValueError) -> None:
        """Log what cannot be read: an engine may say a million such lines a second."""
        if text := self._repetition.again("news that cannot be read", self._loop.time()):
            fields = about(engine=self.name, label=self.label, reason=str(error))
            logger.warning(
                "engine %s (%s): %s: %s", self.name, self.label, text, error, extra=fields
            )

    def _hang_up(self) -> None:
        """Close the connection politely; the other end ends an engine that did not quit."""
        logger.warning(
            "engine %s did not quit, so its connection is closed",
            self.label,
            extra=about(engine=self.name, label=self.label),
        )
        self._timer = self._loop.call_later(QUIT_PATIENCE, self.kill)
        if self._transport:
            self._transport.close()
        else:
            self.kill()

    def _listen_again(self) -> None:
        self._nap = None
        self._hearing.begin()
        self._read(on=True)

    def _wake(self) -> None:
        if self._nap:
            self._nap.cancel()
            self._listen_again()

    def _read(self, *, on: bool) -> None:
        if self._transport and not self._transport.is_closing():
            with contextlib.suppress(RuntimeError):  # uvloop's, of one that is just closing
                if on:
                    self._transport.resume_reading()
                else:
                    self._transport.pause_reading()

    def _go(self, reason: str) -> None:
        if self._gone:
            return
        self._gone = True
        self._files_are_told.set()
        if self._transport:
            self._transport.abort()
        if self._nap:
            self._nap.cancel()
        if self._timer:
            self._timer.cancel()
        self._on_gone(self)
        self.listener.engine_ended(self._complaint or reason)
