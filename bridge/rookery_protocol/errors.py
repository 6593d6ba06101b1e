"""Errors of the server, each with a text that says what to do."""

import math

from rookery_protocol.notices import Code, Notice

# The reason for a refusal: for a notice or a RefusedError.
Refusal = tuple[Code, str]

SHUTTING_DOWN: Refusal = (Code.DRAINING, "the server is shutting down")


class ServerError(Exception):
    """The server cannot do what was asked; the text says why."""


class ConfigError(ServerError):
    """The operator's configuration cannot be used; the text names the key."""


class RefusedError(ServerError):
    """A client cannot be served; it is sent the notice, and the connection closed.

    `wait` is the time in seconds after which it may try again, where that is known.
    """

    def __init__(self, code: Code, text: str, *, wait: float | None = None) -> None:
        super().__init__(text)
        self.notice = Notice(code, text)
        self.wait = wait


def in_words(seconds: float) -> str:
    """Return a time as people say it: `40 s`, `12 minutes`."""
    if seconds < 100:
        return f"{max(1, math.ceil(seconds))} s"
    return f"{math.ceil(seconds / 60)} minutes"
