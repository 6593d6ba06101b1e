"""The log: a line for each event, for people, or as JSON for programs that collect it.

    {"time": "2026-11-21T20:00:00.123+00:00", "level": "info",
     "logger": "rookery_server.manager", "message": "session 7 ended: ...",
     "session": 7, "account": "anna", ...}

What an event has besides its message comes as `extra=about(session=7)`.

Peers cause most events, so none may fill the log: of events that come from one place in the
code, so many are written in a minute, and then a line says how many were left out.  And no
token is ever in it, whatever has brought one there.
"""

import json
import logging
import re
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import TypeAlias

from rookery_server.config.sections import LogConfig
from rookery_server.queued_log_handler import QueuedLogHandler

# As `logging` has it: the type, the error and its traceback.
_ExcInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)

FIRST_SILENCE = 10.0  # s after a trouble was logged in which the same is not,
LONGEST_SILENCE = 3600.0  # ... at most: each is twice as long as the one before
_MOST_TOLD = 8  # troubles that are told apart; the others wait for the silence to end
MOST = 1000  # events of one place in the code that the log takes
PERIOD = 60.0  # s, in each: of a busy server, more sessions than begin so

_FIELDS = "fields"  # the attribute of a record that holds them
_LEFT_OUT = "left_out"  # the same: how many events like this one were left out before it
_STDERR = 2  # the descriptor
# Whatever could pass for another line, or steer a terminal.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_TOKEN = re.compile(r"rk_[\w-]{16,}")


def about(**fields: object) -> Mapping[str, object]:
    """Return what an event has besides its message, for `extra`."""
    return {_FIELDS: fields}


class Repetition:
    """A trouble that may come again and again, and is logged now and then.  No clock.

    It is logged the first time; then, as long as it is not over, after pauses that grow; the
    caller reports when it is over.  Another reason is logged at once.
    """

    __slots__ = ("_left_out", "_silence", "_told", "_until")

    def __init__(self) -> None:
        self._told: set[str] = set()  # reasons, since it began
        self._silence = FIRST_SILENCE
        self._until = 0.0  # s
        self._left_out = 0

    def again(self, reason: str, now: float) -> str | None:
        """Return the text to log: the reason, and how often it was left out; None for silence."""
        is_new = reason not in self._told and len(self._told) < _MOST_TOLD
        if self._told and not is_new:
            if now < self._until:
                self._left_out += 1
                return None
            self._silence = min(2 * self._silence, LONGEST_SILENCE)
        self._told.add(reason)
        self._until = now + self._silence
        left_out, self._left_out = self._left_out, 0
        return f"{reason} ({left_out} times since this was last said)" if left_out else reason

    def over(self) -> bool:
        """Reset it, for all is well; return whether a trouble had been logged."""
        was_told = bool(self._told)
        self._told.clear()
        self._silence, self._left_out = FIRST_SILENCE, 0
        return was_told


def set_up(config: LogConfig, *, verbose: bool = False) -> None:
    """Configure the log of this process, to stderr, instead of the former configuration."""
    handler = _handler()
    handler.setFormatter(JsonFormatter() if config.format == "json" else TextFormatter())
    level = "debug" if verbose else config.level
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # The library logs each connection; ours say more with one line a session.
    logging.getLogger("websockets").setLevel(logging.ERROR)
    # How a database is made is of no interest in the log of a server.
    logging.getLogger("alembic").setLevel(logging.WARNING)


def flush() -> None:
    """Write what has been logged, before something else is printed on stderr."""
    for each in logging.getLogger().handlers:
        each.flush()


def _handler() -> logging.Handler:
    """Return the handler that writes to stderr.

    One that is there already goes on, so that its lines keep their order, and nobody has to
    wait until it has written them.
    """
    try:
        is_our_own = sys.stderr.fileno() == _STDERR
    except OSError:
        is_our_own = False
    root = logging.getLogger()
    for each in root.handlers:
        if is_our_own and isinstance(each, QueuedLogHandler):
            root.removeHandler(each)  # Else `basicConfig` would close it.
            return each
    handler: logging.Handler = logging.StreamHandler()  # of another stream that was put there
    if is_our_own:
        handler = QueuedLogHandler(_STDERR, sys.stderr.encoding)
    handler.addFilter(RateLimitFilter())
    return handler


class RateLimitFilter(logging.Filter):
    """A filter that leaves out what comes too often from one place in the code, and counts it.

    Details for developers (`debug`) pass: they are only written where the operator has asked.
    """

    def __init__(self) -> None:
        super().__init__()
        # Since when, and how many; as many as there are places.
        self._counts: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether an event is written; one that is has the number of those left out."""
        if record.levelno < logging.INFO:
            return True
        place, now = (record.pathname, record.lineno), time.monotonic()
        since, count = self._counts.get(place, (now, 0))
        if now - since >= PERIOD:
            setattr(record, _LEFT_OUT, max(0, count - MOST))
            since, count = now, 0
        self._counts[place] = since, count + 1
        return count < MOST


class TextFormatter(logging.Formatter):
    """Lines for people.  What a client said cannot end a line or steer a terminal."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        """Return the line, without what follows it of an error that is a bug."""
        left_out = getattr(record, _LEFT_OUT, 0)
        note = f" ({left_out} lines like this one are left out before it)" if left_out else ""
        return _escaped(super().formatMessage(record)) + note

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802  # likewise
        """Return the lines of a traceback, none of which could pass for an event.

        The text of the error may have a peer's bytes in it.
        """
        lines = super().formatException(ei).split("\n")
        return "\n".join(f"  {_escaped(line)}" for line in lines)


def _escaped(text: str) -> str:
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], _TOKEN.sub("rk_...", text))


class JsonFormatter(logging.Formatter):
    """One JSON object a line; JSON itself escapes what must be."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object, in ASCII."""
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= getattr(record, _FIELDS, {})
        if left_out := getattr(record, _LEFT_OUT, 0):
            entry[_LEFT_OUT] = left_out
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return _TOKEN.sub("rk_...", json.dumps(entry, default=str))
