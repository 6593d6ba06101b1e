"""Errors of the server, each with a text that says what to do."""

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
