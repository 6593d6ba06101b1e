"""An engine at the other end of a connection, as if it ran here.

`SocketEngine` is the engine; an `EngineConnection` carries its lines, and calls it back: over
TCP for a node of a Ray cluster, over WebSocket for a machine that has joined.  Lines that are
sent before there is a connection wait.

One lives as long as the other: the starter of the engine ends it when the connection does, and
here the engine is gone when the connection is.  So no message is needed to end one, and
nothing is left of it if the network fails.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Protocol

from rookery_server.engines.engine_build import UNKNOWN, Content, Files
from rookery_server.engines.running_engine import (
    MAX_UNSENT,
    Backlog,
    EngineListener,
    RunningEngine,
)
from rookery_server.engines.stderr_log import LONGEST
from rookery_server.log import Repetition, about

logger = logging.getLogger(__name__)

EVENT_MARK = b"\0"  # begins the line of an event; no line of UCI has it
MAX_TEXT = 1000  # characters of a text of an event

# s from the loss of a connection until the listener hears: what is lost with it is known by then,
# and a session that asks for another engine does not get one that has just gone the same way.
TOGETHER = 0.25


@dataclass(frozen=True, slots=True)
class EngineEvent:
    """A fact about an engine that runs elsewhere, as a line of JSON; None is no news.

    It begins with `EVENT_MARK`, so that it can stand among the engine's own lines.

    Attributes:
        label: the name that the log has for it, `PID at MACHINE`.
        files: digests of the files of its words, "" for a word that is no file; None for one
            that could not be read.
        cpu: CPU time that it has used in all, in seconds.
        memory_mb: memory that it shares with no other, in MiB.
        complaint: a line of its stderr.
        ended: how it has ended; the last event of an engine.

    """

    label: str | None = None
    files: tuple[str | None, ...] | None = None
    cpu: float | None = None
    memory_mb: int | None = None
    complaint: str | None = None
    ended: str | None = None

    def __bytes__(self) -> bytes:
        fields = {key: value for key, value in asdict(self).items() if value is not None}
        return b"%b%b\n" % (EVENT_MARK, json.dumps(fields, separators=(",", ":")).encode())

    @classmethod
    def parse(cls, line: bytes) -> "EngineEvent":
        """Parse a line; fields that are unknown or of the wrong type are left out.

        Raises:
            ValueError: it is no event.

        """
        try:
            fields = json.loads(line.removeprefix(EVENT_MARK))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"an engine's event needs JSON, not {line[:80]!r}") from error
        if not isinstance(fields, dict):
            raise ValueError(f"an engine's event needs an object, not {line[:80]!r}")
        files, memory_mb = fields.get("files"), _number(fields.get("memory_mb"))
        return cls(
            label=_text(fields.get("label")),
            files=tuple(map(_text, files)) if isinstance(files, list) else None,
            cpu=_number(fields.get("cpu")),
            memory_mb=None if memory_mb is None else int(memory_mb),
            complaint=_text(fields.get("complaint")),
            ended=_text(fields.get("ended")),
        )


def _text(value: object) -> str | None:
    return value[:MAX_TEXT] if isinstance(value, str) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e12 else None


class EngineConnection(Protocol):
    """A connection to an engine, whatever it is made of."""

    @property
    def unsent(self) -> int:
        """The number of bytes that it has taken and that are not on their way yet."""

    def send_lines(self, piece: bytes) -> None:
        """Send whole lines."""

    def set_reading(self, *, on: bool) -> None:
        """Read from now on, or do not."""

    def close(self, reason: str) -> None:
        """Close the connection when all is sent."""

    def abort(self, reason: str) -> None:
        """Close the connection at once."""


class SocketEngine(RunningEngine):
    """One running engine at the other end of a connection."""

    label = "that is to come"  # until an event tells it

    def __init__(
        self,
        words: tuple[str, ...],
        listener: EngineListener,
        *,
        name: str,
        on_gone: Callable[["SocketEngine"], None] = lambda _: None,
        cpu_total: Callable[[], float] | None = None,
    ) -> None:
        """Make one that waits for its connection.

        Args:
            words: what it is started with, and the files beside it.
            listener: receives its output.
            name: of the engine, for the log.
            on_gone: called once, when it is gone, before its listener hears so.
            cpu_total: returns the CPU time that it has used, if that is not told by events.

        """
        super().__init__(listener)
        self.words = words
        self.files: Files = (UNKNOWN,) * len(words)
        self.name = name
        self.has_started = False
        self._files_are_known = asyncio.Event()
        self._on_gone = on_gone
        self._connection: EngineConnection | None = None
        self._waiting = bytearray()  # until there is a connection that takes more
        self._sent = 0  # bytes, ever, with those that wait
        self._is_choked = False  # the connection takes no more for now
        self._on_sent: Callable[[], None] | None = None
        self._ended = ""  # how, if that is known
        self._is_lost = False  # its place or its connection
        self._measure_cpu = cpu_total
        self._cpu: float | None = None
        self._memory_mb = 0
        self._repetition = Repetition()  # of events that cannot be read, in the log

    async def known_files(self) -> Files:
        """Return `files` when an event has told them, or the engine is gone."""
        if self.words:
            await self._files_are_known.wait()
        return self.files

    @property
    def is_healthy(self) -> bool:
        """True if nothing is known against it: it has neither ended nor been given up."""
        return super().is_healthy and not (self._ended or self._is_lost)

    @property
    def is_lost(self) -> bool:
        """True if its place or its connection is gone, and nothing says that it had ended."""
        return self._is_lost and not self._ended

    def cpu_total(self) -> float | None:
        """Return the CPU time that it has used in all; None if that is not known."""
        return self._measure_cpu() if self._measure_cpu else self._cpu

    def memory_mb(self) -> int:
        """Return the memory that it shares with no other, in MiB; 0 if no event has told it."""
        return 0 if self.is_gone else self._memory_mb

    @property
    def unsent(self) -> int:
        """The number of bytes that wait here, because the connection does not take them yet."""
        return len(self._waiting) + (self._connection.unsent if self._connection else 0)

    def backlog(self) -> Backlog:
        """Return the engine's progress; what the connection has taken counts as taken."""
        unsent = self.unsent
        return Backlog(self._sent - unsent, unsent)

    def call_when_sent(self, call: Callable[[], None]) -> None:
        """Call this once, when the connection takes more again."""
        self._on_sent = call
        if self._connection and not self._is_choked:
            self._loop.call_soon(self._send_waiting)

    def kill(self, reason: str = "") -> None:
        """End the engine at once; its listener hears the reason, if one is given."""
        self._complaint = self._complaint or reason
        self._ended = self._ended or "it was killed"
        if self._connection:
            self._connection.abort(self._complaint or self._ended)
        self._loop.call_soon(self._finish, self._ended)

    # --- for its host

    def fail(self, reason: str) -> None:
        """Count it as lost, or as one that cannot be started, though no connection says so."""
        if not (self._is_lost or self.is_gone):
            self._is_lost = True
            self._loop.call_later(TOGETHER, self._finish, reason)

    def apply_event(self, event: EngineEvent) -> None:
        """Record what is reported of it."""
        if event.label is not None:
            self.label = event.label
        if event.files is not None and len(event.files) == len(self.words):
            self.files = tuple(None if each == "" else Content(each) for each in event.files)
            self._files_are_known.set()
        if event.cpu is not None:
            self._cpu = max(self._cpu or 0.0, event.cpu)
        if event.memory_mb is not None:
            self._memory_mb = event.memory_mb
        if event.complaint:
            complaint = event.complaint[:LONGEST]
            fields = about(engine=self.name, stderr=complaint)
            logger.warning("engine %s: %r", self.name, complaint, extra=fields)
        if event.ended:
            self._ended = event.ended

    # --- for its connection

    def connected(self, connection: EngineConnection) -> None:
        """Use a connection from now on: lines that wait are sent."""
        if self.is_gone or self._ended:
            connection.abort(self._complaint or self._ended)
            return
        self._connection = connection
        self.has_started = True
        if self.paused or self._nap:
            connection.set_reading(on=False)
        self._send_waiting()

    def data_received(self, data: bytes) -> None:
        """Receive bytes in which events stand among the engine's lines."""
        piece = self._reader.complete_lines(data)
        if EVENT_MARK in piece:
            piece = self._without_events(piece)
        self.lines_received(piece)
        if nap := self._reader.nap_after(len(data)):
            self.pause_for(nap)

    def lines_received(self, piece: bytes) -> None:
        """Receive whole lines of the engine's own."""
        if piece and not (self.is_gone or self._complaint):
            self.listener.engine_said(piece)

    def event_received(self, line: bytes) -> None:
        """Receive the line of an event."""
        try:
            self.apply_event(EngineEvent.parse(line))
        except ValueError as error:  # The engine may have written it, and a million more a second.
            if text := self._repetition.again("an event cannot be read", self._loop.time()):
                fields = about(engine=self.name, label=self.label, reason=str(error))
                logger.warning(
                    "engine %s (%s): %s: %s", self.name, self.label, text, error, extra=fields
                )

    def sending_paused(self) -> None:
        """Keep what is sent: the connection takes no more for now."""
        self._is_choked = True

    def sending_resumed(self) -> None:
        """Send what was kept."""
        self._is_choked = False
        self._send_waiting()

    def connection_lost(self, reason: str) -> None:
        """End: the connection is closed, and the engine gone with it."""
        self._connection = None
        if self._ended or self.asked_to_end:
            self._finish(self._ended or reason)
        else:
            self.fail(reason)

    # --- within

    def _send(self, piece: bytes) -> None:
        if self.is_gone or self._is_lost or self._ended:
            return
        self._sent += len(piece)
        if self._connection and not self._is_choked:
            self._connection.send_lines(piece)
        else:
            self._waiting += piece
        if (unsent := self.unsent) > MAX_UNSENT:
            self.kill(f"it left {unsent} bytes unread")

    def _send_waiting(self) -> None:
        """Send the lines that wait; if the connection then takes more, say so."""
        if self._connection and self._waiting and not self._is_choked:
            piece, self._waiting = bytes(self._waiting), bytearray()
            self._connection.send_lines(piece)
        if not self._is_choked:
            call, self._on_sent = self._on_sent, None
            if call:
                call()

    def _set_reading(self, *, on: bool) -> None:
        if self._connection:
            self._connection.set_reading(on=on)

    def _without_events(self, piece: bytes) -> bytes:
        """Take the events out of whole lines."""
        lines = []
        for line in piece.splitlines(keepends=True):
            # What is before the mark is a line that the engine has not finished.
            _, mark, event = line.rpartition(EVENT_MARK)
            if mark:
                self.event_received(event)
            else:
                lines.append(line)
        return b"".join(lines)

    def _quit_in_vain(self) -> None:
        """Close the connection; the other end ends an engine that did not quit."""
        fields = about(engine=self.name, label=self.label)
        logger.warning(
            "engine %s did not quit, so its connection is closed", self.label, extra=fields
        )
        self._start_quit_timer(self.kill)
        if self._connection:
            self._connection.close("it did not quit")
        else:
            self.kill()

    def _finish(self, reason: str) -> None:
        if self.is_gone:
            return
        self.is_gone = True
        self._files_are_known.set()
        if self._connection:
            self._connection.abort(reason)
        self._on_gone(self)
        super()._finish(reason)
