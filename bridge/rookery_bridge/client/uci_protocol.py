"""python-chess's UCI protocol, which also says what a server has refused and why it is gone.

A server speaks for itself in `info string rookery ...`.  Of that a program hears what
concerns it: a search that was refused raises, all else is logged.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable
from typing import Any, TypeVar

from chess.engine import (
    BaseCommand,
    CommandState,
    EngineError,
    EngineTerminatedError,
    UciProtocol,
)

from rookery_protocol.notices import Meaning, Notice, legible

logger = logging.getLogger(__name__)

T = TypeVar("T")

_NO_ANSWER = (Meaning.REFUSED, Meaning.PUT_OFF)  # what a notice means after which none comes
_OURS = b"info string rookery"
# python-chess makes as many dictionaries as a line has variations before it.
_TOO_MANY = re.compile(rb"^info (?!string )[^\n]*?\bmultipv\b(?![ \t]+\d{1,3}\s)[^\n]*\n", re.M)
_NO_MOVE = b"bestmove (none)\n"


class RemoteProtocol(UciProtocol):
    """A remote engine.  `reason` says why it is gone, once it is."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.reason = ""
        self._address = address
        self._searches = 0  # whose bestmove is to come
        self._refusal: EngineError | None = None  # of the first of them

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Take whole lines of the engine's."""
        piece = data.encode() if isinstance(data, str) else bytes(data)
        if b"multipv" in piece:
            piece = _TOO_MANY.sub(b"", piece)
        if self._refusal is None and _OURS not in piece:
            self._searches -= piece.startswith(b"bestmove") + piece.count(b"\nbestmove")
            super().pipe_data_received(fd, piece)
            return
        for line in piece.splitlines(keepends=True):
            if not self._is_taken(line):
                super().pipe_data_received(fd, line)

    def send_line(self, line: str) -> None:
        """Say a line, and count the searches."""
        self._searches += line.startswith("go")
        super().send_line(line)

    def connection_lost(self, exc: Exception | None) -> None:
        """End what runs with the reason; python-chess would name an exit status."""
        commands: list[BaseCommand[Any]] = [
            command for command in (self.command, self.next_command) if command
        ]
        self.command = self.next_command = None
        try:
            for command in commands:
                self._end_command(command)
        finally:
            super().connection_lost(exc)  # Else `quit` would wait for ever.

    async def communicate(self, command_factory: Callable[["RemoteProtocol"], BaseCommand[T]]) -> T:
        """Run a command.

        Raises:
            EngineTerminatedError: the engine is gone; the text says why.

        """
        if self.returncode.done():
            raise self._end()
        return await super().communicate(command_factory)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} ({self._address})>"

    def _end(self) -> EngineTerminatedError:
        return EngineTerminatedError(self.reason or f"{self._address}: the session has ended")

    def _end_command(self, command: BaseCommand[Any]) -> None:
        """Let all who wait for a command hear that the engine is gone."""
        if command.state is not CommandState.NEW and not command.result.cancelled():
            _tell(command, self._end())
        if not command.result.done():  # It has not begun, or is an analysis that searches not yet.
            command.result.set_exception(self._end())

    def _is_taken(self, line: bytes) -> bool:
        """Say whether a line is not for the command that runs."""
        if line.startswith(_OURS):
            self._note(line.decode(errors="replace").strip())
            return True
        self._searches -= line.startswith(b"bestmove")
        if self._refusal is None:
            return False
        if line.startswith(b"bestmove"):
            refusal, self._refusal = self._refusal, None
            self._fail(refusal)
            return True
        return line.startswith(b"info ")  # of another position, perhaps

    def _note(self, line: str) -> None:
        notice = Notice.parse(line)
        logger.info("%s: %s", self._address, legible(line.removeprefix("info string ")))
        is_refusal = notice and notice.code.meaning in _NO_ANSWER and self._searches
        if notice and is_refusal and self._refusal is None:
            self._refusal = EngineError(f"{self._address}: {legible(notice.text)}")
            self.send_line("stop")  # The search may be one without an end.

    def _fail(self, error: EngineError) -> None:
        """Let the search that runs end with an error, and the next one begin."""
        command = self.command
        if command is None or command.state is not CommandState.ACTIVE:
            super().pipe_data_received(1, _NO_MOVE)
            return
        _tell(command, error)
        if not command.finished.done():
            command.set_finished()


def _tell(command: BaseCommand[Any], error: EngineError) -> None:
    # A wait for an analysis, once cancelled, has cancelled what it waited for.
    with contextlib.suppress(asyncio.InvalidStateError):
        command.engine_terminated(error)
