"""Errors of the clients of the analysis service.  No I/O."""

from collections.abc import Mapping
from http import HTTPStatus

from rookery_protocol.notices import Code, legible

_LONGEST = 600  # characters of what is said of a failure
# Statuses after which the same request may succeed.
PASSING = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
# What passes only when the client does something, although the status says later.
_NOT_PASSING = frozenset(
    {
        Code.TOO_MANY_TRIES,
        Code.JOBS_OFF,
        Code.GAMES_OFF,
        Code.LIBRARY_OFF,
        Code.PROJECTS_OFF,
    }
)


class ServiceError(Exception):
    """The server has not done what was asked; the text says why.

    `status` is that of its HTTP answer; None if none came.  `code` is one of docs/protocol.md,
    `detail` the server's sentence, `path` the place in the document that was sent
    (`$.limits.nodes`), `expected` what should stand there.  `wait` is the time in seconds after
    which the server would have it asked again.
    """

    def __init__(
        self,
        text: str,
        *,
        status: int | None = None,
        code: str | None = None,
        detail: str = "",
        path: str | None = None,
        expected: str | None = None,
        wait: float | None = None,
        is_final: bool = False,
    ) -> None:
        super().__init__(legible(text, _LONGEST))
        self.status = status
        self.code = code
        self.detail = detail or str(self)
        self.path = path
        self.expected = expected
        self.wait = wait
        self.is_final = is_final  # another attempt would end in the same way

    @classmethod
    def of_problem(
        cls, document: Mapping[str, object], status: int, wait: float | None = None
    ) -> "ServiceError":
        """Return the error of a problem document (RFC 9457)."""
        found: dict[str, str | None] = {}
        for name in ("code", "detail", "path", "expected", "title"):
            value = document.get(name)
            found[name] = legible(value, _LONGEST) if isinstance(value, str) and value else None
        detail = found["detail"] or found["title"] or f"HTTP status {status}"
        text = f"{found['code']}: {detail}" if found["code"] else detail
        if found["path"] and found["path"] not in detail:
            text += f" (at {found['path']})"
        if found["expected"] and found["expected"] not in detail:
            text += f"; expected {found['expected']}"
        # A conflict that passes is another request with the same key, still being read.
        is_passing = status in PASSING or (status == HTTPStatus.CONFLICT and wait is not None)
        return cls(
            text,
            status=status,
            code=found["code"],
            detail=detail,
            path=found["path"],
            expected=found["expected"],
            wait=wait,
            is_final=not is_passing or found["code"] in _NOT_PASSING,
        )


class SilentServerError(ServiceError):
    """An answer has begun, and nothing came for as long as was waited."""


class DocumentError(ServiceError):
    """An answer is not as the API has it; `detail` says where."""

    def __init__(self, where: str) -> None:
        text = f"what came is not as the API has it: {where}"
        super().__init__(text, detail=where, is_final=True)
