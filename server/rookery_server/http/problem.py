"""Errors below `/v1` as problem documents (RFC 9457)."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from aiohttp import web

from rookery_protocol.notices import Code

PROBLEM_TYPE = "application/problem+json"
NO_FIELDS: Mapping[str, str] = MappingProxyType({})


class ProblemError(Exception):
    """A request cannot be done as it is; the text says why.

    Args:
        status: of HTTP.
        detail: what is wrong, for people.
        code: that of a notice, if there is one.
        path: where in the request it is, as `$.limits.nodes`.
        expected: what is wanted there.
        fields: headers of the answer.

    """

    def __init__(
        self,
        status: int,
        detail: str,
        code: Code | None = None,
        *,
        path: str | None = None,
        expected: str | None = None,
        fields: Mapping[str, str] = NO_FIELDS,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.path = path
        self.expected = expected
        self.fields = fields

    def as_answer(self) -> web.Response:
        """Return the answer that says so."""
        members = {"path": self.path, "expected": self.expected}
        given = {name: value for name, value in members.items() if value is not None}
        return problem_answer(self.status, str(self), self.code, self.fields, **given)


def problem_answer(
    status: int,
    detail: str,
    code: Code | None = None,
    fields: Mapping[str, str] = NO_FIELDS,
    **members: object,
) -> web.Response:
    """Return the answer that a problem document is."""
    document = problem_document(status, detail, code, **members)
    headers = {"Content-Type": PROBLEM_TYPE, **fields}
    return web.Response(status=status, body=json.dumps(document).encode(), headers=headers)


def problem_document(
    status: int, detail: str, code: Code | None = None, **members: object
) -> dict[str, object]:
    """Return a problem document, with these members beside the usual ones."""
    return {
        "type": f"/docs#{code}" if code else "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        **({"code": str(code)} if code else {}),
        **members,
    }
