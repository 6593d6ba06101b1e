"""The log: a line for each event, for people, or as JSON for programs that collect it.

    {"time": "2026-11-21T20:00:00.123+00:00", "level": "info",
     "logger": "rookery_server.sessions.host", "message": "session 7 ended: ...",
     "session": 7, "account": "anna", ...}

What an event has besides its message comes as `extra=about(session=7)`.
"""

import json
import logging
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from rookery_server import check
from rookery_server.scribe import Scribe
from rookery_server.setting import setting

LEVELS = ("debug", "info", "warning", "error")

FIRST_SILENCE = 10.0  # s after a trouble was logged in which the same is not,
LONGEST_SILENCE = 3600.0  # ... at most: each is twice as long as the one before
_MOST_TOLD = 8  # troubles that are told apart; the others wait for the silence to end

_FIELDS = "fields"  # the attribute of a record that holds them
_STDERR = 2  # the descriptor
# Whatever could pass for another line, or steer a terminal.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class LogConfig:
    """How the log is written: `format` is `text` or `json`; less than `level` is left out."""

    format: str = setting(check.choice("text", "json"), "text")
    level: str = setting(check.choice(*LEVELS), "info")


def about(**fields: object) -> Mapping[str, object]:
    """Return what an event has besides its message, for `extra`."""
    return {_FIELDS: fields}


class Repetition:
    """Whether to log a trouble that may come again and again.  It looks at no clock.

    The first time it is; then, as long as it is not over, now and again; and the caller says
    when it is over.  Another reason is logged at once.
    """

    __slots__ = ("_left_out", "_silence", "_told", "_until")

    def __init__(self) -> None:
        self._told: set[str] = set()  # reasons, since it began
        self._silence = FIRST_SILENCE
        self._until = 0.0  # s
        self._left_out = 0

    def again(self, reason: str, now: float) -> str | None:
        """Return what to log of a trouble: the reason, and how often it was left out; or None."""
        is_new = reason not in self._told and len(self._told) < _MOST_TOLD
        if self._told and not is_new and now < self._until:
            self._left_out += 1
            return None
        if self._told and not is_new:
            self._silence = min(2 * self._silence, LONGEST_SILENCE)
        self._told.add(reason)
        self._until = now + self._silence
        left_out, self._left_out = self._left_out, 0
        return f"{reason} ({left_out} times since this was last said)" if left_out else reason

    def over(self) -> bool:
        """Take note that all is well; say whether it was not, and that was logged."""
        was_told = bool(self._told)
        self._told.clear()
        self._silence, self._left_out = FIRST_SILENCE, 0
        return was_told


def set_up(config: LogConfig, *, verbose: bool = False) -> None:
    """Let this process log so, to stderr; to set it up again replaces what was."""
    handler = _handler()
    handler.setFormatter(JsonFormatter() if config.format == "json" else TextFormatter())
    level = "debug" if verbose else config.level
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # The library logs each connection; ours say more with one line a session.
    logging.getLogger("websockets").setLevel(logging.ERROR)
    # That a database is made is no news of a server's, nor how.
    logging.getLogger("alembic").setLevel(logging.WARNING)


def settle() -> None:
    """Have written what has been logged, before something else is said on stderr."""
    for each in logging.getLogger().handlers:
        each.flush()


def _handler() -> logging.Handler:
    """Return what writes to stderr.

    One that is there already goes on, so that its lines keep their order, and nobody has to
    wait until it has written them.
    """
    try:
        is_our_own = sys.stderr.fileno() == _STDERR
    except OSError:
        is_our_own = False
    if not is_our_own:  # Somebody has put another stream there.
        return logging.StreamHandler()
    root = logging.getLogger()
    for each in root.handlers:
        if isinstance(each, Scribe):
            root.removeHandler(each)  # Else `basicConfig` would close it.
            return each
    return Scribe(_STDERR, sys.stderr.encoding)


class TextFormatter(logging.Formatter):
    """Lines for people.  What a client said cannot end a line or steer a terminal."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        """Return the line, without what follows it of an error that is a bug."""
        return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], super().formatMessage(record))


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
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)
