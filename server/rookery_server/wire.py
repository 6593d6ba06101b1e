"""What bridge and server say to each other besides UCI.

A client speaks UCI, one line at a time.  Around it there is only this: the path
that names an engine (WebSocket), the first line that names one (TCP), and the
notices by which the server speaks for itself.  A notice travels as `info string`,
so that every GUI shows it and none stumbles over it.  No I/O, no state.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import IntEnum, StrEnum

from rookery_engine.uci import UciError

SUBPROTOCOL = "uci"
TOKEN_SUBPROTOCOL = "rookery.token."  # and the token: for browsers, which cannot set headers
ENGINES_PATH = "/engines/"

_ENGINE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NOTICE = re.compile(r"info string rookery ([a-z-]+): (.*)", re.DOTALL)


class Code(StrEnum):
    """Why the server speaks for itself; `docs/protocol.md` says what to do about each."""

    UNAUTHORIZED = "unauthorized"  # no token, or one that is not good
    TOO_MANY_TRIES = "too-many-tries"  # failed log-ins from one address
    TOKEN_IN_URL = "token-in-url"  # where it would be logged, and sent on as a referrer
    WRONG_HOST = "wrong-host"  # the name by which the server was called is not one of its own
    WRONG_ORIGIN = "wrong-origin"  # a web page that may not use the server
    TOO_SLOW = "too-slow"  # the first line did not come in time
    UNKNOWN_ENGINE = "unknown-engine"  # no engine of that name is on offer
    ENGINE_FAILED = "engine-failed"  # the engine could not be started
    ENGINE_DIED = "engine-died"  # the engine ended without being asked to
    LINE_TOO_LONG = "line-too-long"
    NOT_A_LINE = "not-a-line"  # binary, broken UTF-8, or control characters inside
    UNKNOWN_COMMAND = "unknown-command"  # no UCI command in the line
    BAD_COMMAND = "bad-command"  # a UCI command without what it needs
    COMMAND_REFUSED = "command-refused"  # not offered for this engine by the operator
    FILE_REFUSED = "file-refused"  # it would use files of the server's machine
    TOO_MANY_LINES = "too-many-lines"  # more lines wait for the end of a search than are kept
    DRAINING = "draining"  # the server is being shut down


class Close(IntEnum):
    """Why a WebSocket was closed (RFC 6455); on TCP the notice before it says why."""

    DONE = 1000  # `quit`, or end of input
    POLICY = 1008  # the account may not go on
    TOO_BIG = 1009
    ENGINE_GONE = 1011
    RESTART = 1012


@dataclass(frozen=True, slots=True)
class Notice:
    """The server speaks for itself: a code for programs and a sentence for people."""

    code: Code
    text: str

    @classmethod
    def parse(cls, line: str) -> "Notice | None":
        """Read a line; None if it is not the server that speaks in it."""
        form = _NOTICE.fullmatch(line)
        code = next((code for code in Code if form and code == form[1]), None)
        return None if form is None or code is None else cls(code, form[2])

    def __str__(self) -> str:
        return f"info string rookery {self.code}: {self.text}"

    def __bytes__(self) -> bytes:
        return str(self).encode()


@dataclass(frozen=True, slots=True)
class Hello:
    """What a client may say before its first line of UCI: `rookery`, then keys and values.

    `engine` is the one it wants, where no path has named it; `token` says who it is,
    where no header has.
    """

    engine: str | None = None
    token: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, line: bytes) -> "Hello | None":
        """Read a line; None if it is no hello, and so already UCI.

        Raises:
            UciError: it is one, but nothing that can be understood.

        """
        words = line.decode(errors="replace").split()
        if words[:1] != ["rookery"]:
            return None
        known = [each.name for each in fields(cls)]
        keys, values = words[1::2], words[2::2]
        if not keys or len(keys) > len(values):
            raise UciError(f"a hello is 'rookery KEY VALUE ...' with {', '.join(known)}")
        for key in keys:
            if key not in known:
                raise UciError(f"a hello has {', '.join(known)}, not {key[:20]!r}")
        return cls(**dict(zip(keys, values, strict=True)))

    def __bytes__(self) -> bytes:
        return " ".join(("rookery", *self._words())).encode()

    def _words(self) -> Iterator[str]:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None:
                yield from (each.name, value)


def is_engine_name(name: str) -> bool:
    """Say whether an engine may be called so: it must be safe in a path and in a line."""
    return _ENGINE_NAME.fullmatch(name) is not None


def engine_path(name: str) -> str:
    """Return the WebSocket path of an engine."""
    return ENGINES_PATH + name


def engine_of(path: str) -> str | None:
    """Return the engine that a WebSocket path names; None if it names none."""
    path = path.partition("?")[0]
    name = path.removeprefix(ENGINES_PATH)
    return name if path != name and is_engine_name(name) else None
