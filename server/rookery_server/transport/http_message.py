"""HTTP beyond what the libraries do: strict requests, and what every answer says to browsers.

They read the request line and the headers, one for WebSockets and one for everything else.  They
take nearly any words as method and target, and do not look at `Host` (RFC 9112, RFC 9110).  A
server that reads a request otherwise than a proxy before it can be led past what the proxy
forbids, so a request that is not exact is refused.

A page of another site must not frame an answer, read it as another type than it has, or
learn from it where its reader has been.  So each answer says so: a page, a file, a refusal.
"""

import math
import re
from collections.abc import Mapping, MutableMapping
from email.utils import formatdate
from http import HTTPStatus
from types import MappingProxyType

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code

MAX_REQUEST = 8192  # bytes of a head, which a stranger may send
MAX_LINES = 128
TOO_LARGE = f"a request has at most {MAX_REQUEST} bytes in {MAX_LINES} lines\n"
BAD_REQUEST = "bad request: what is read here is HTTP/1.1, with a head in ASCII\n"

_METHOD = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TARGET = re.compile(r"(?:[!-\"$&-~]|%[0-9A-Fa-f]{2})+")  # visible ASCII, and `%` as it should be
_ABSOLUTE = re.compile(r"https?://([^/?]*)(.*)", re.IGNORECASE)
# Host and port of a URI (RFC 3986), without a user.
_AUTHORITY = re.compile(
    r"(?:\[[0-9A-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?", re.ASCII
)
_SHOWN = 60  # characters of what is wrong

# Nothing in an answer may load, run or be framed, unless the answer itself says what may.
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_FRAMED = "frame-ancestors http"  # the beginning of a list of pages
_PROTECTION = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know `frame-ancestors`
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_STATUS = {
    Code.UNAUTHORIZED: HTTPStatus.UNAUTHORIZED,
    Code.TOO_MANY_TRIES: HTTPStatus.TOO_MANY_REQUESTS,
    Code.TOKEN_IN_URL: HTTPStatus.BAD_REQUEST,
    Code.WRONG_HOST: HTTPStatus.MISDIRECTED_REQUEST,
    Code.WRONG_ORIGIN: HTTPStatus.FORBIDDEN,
    Code.UNKNOWN_ENGINE: HTTPStatus.NOT_FOUND,
    Code.QUOTA_JOBS: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.QUOTA_GAMES: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.QUOTA_LIBRARY: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.QUOTA_PROJECTS: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.QUOTA_STORED: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.TOO_MANY_STARTS: HTTPStatus.TOO_MANY_REQUESTS,
    Code.QUOTA_SESSIONS: HTTPStatus.TOO_MANY_REQUESTS,
    Code.QUOTA_CPU: HTTPStatus.TOO_MANY_REQUESTS,
    Code.UNKNOWN_OPTION: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.OPTION_REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.OPTION_CLAMPED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BAD_VALUE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.ILLEGAL_POSITION: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.POSITION_TOO_LONG: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.FILE_REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
}
_DRAINED_AFTER = 5.0  # s; a server that drains may have been replaced then
_ONLY_TLS = "max-age=31536000"  # s: for a year, this name over TLS only (RFC 6797)


def fault_of(request: Request) -> str:
    """Return what is wrong with a request; an empty text if nothing is."""
    hosts = request.headers.get_all("Host")
    if not _METHOD.fullmatch(request.method):
        return f"{_shown(request.method)} is no method"
    if len(hosts) > 1 or (not hosts and request.protocol != "HTTP/1.0"):
        return f"one Host header is wanted, not {len(hosts)}"
    if hosts and not _AUTHORITY.fullmatch(hosts[0]):
        return f"{_shown(hosts[0])} is no Host, which is a name or an address, and perhaps a port"
    if request.protocol == "HTTP/1.0" and "Transfer-Encoding" in request.headers:
        return "HTTP/1.0 has no Transfer-Encoding"  # A proxy may read on where its body ends.
    if request.method != "CONNECT" and not _is_target(request):
        return f"{_shown(request.path)} is no target, which is a path such as /engines/NAME"
    return ""


def to_origin_form(request: Request) -> None:
    """Turn a target that is a whole URL into a path; its host replaces `Host`.

    RFC 9112, section 3.2.2, has it so.
    """
    if url := _ABSOLUTE.fullmatch(request.path):
        authority, rest = url.groups()
        request.path = rest if rest.startswith("/") else f"/{rest}"
        del request.headers["Host"]
        request.headers["Host"] = authority


def _is_target(request: Request) -> bool:
    target = request.path
    if not _TARGET.fullmatch(target):
        return False
    if url := _ABSOLUTE.fullmatch(target):
        return bool(url[1]) and _AUTHORITY.fullmatch(url[1]) is not None
    return target.startswith("/") or (target == "*" and request.method == "OPTIONS")


def _shown(text: str) -> str:
    return ascii(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def protect(headers: MutableMapping[str, str], *, only_tls: bool = False) -> None:
    """Add what an answer says to browsers; headers that are there already stay.

    Args:
        headers: the answer's.
        only_tls: whether browsers are to come over TLS only from now on.

    """
    for name, value in _PROTECTION.items():
        if name not in headers:
            headers[name] = value
    if _FRAMED in headers["Content-Security-Policy"]:
        del headers["X-Frame-Options"]  # It knows no list of pages.
    if only_tls:
        headers["Strict-Transport-Security"] = _ONLY_TLS


def text_response(
    status: int, text: str, fields: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """Return an answer of plain text, after which the connection is closed.

    Args:
        status: of HTTP.
        text: the body.
        fields: headers, beside the usual ones or in their place.

    """
    body = text.encode()
    usual = {
        "Date": formatdate(usegmt=True),
        "Connection": "close",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
    }
    headers = Headers({**usual, **fields})
    protect(headers)
    return Response(status, HTTPStatus(status).phrase, headers, body)


def status_of(code: Code) -> HTTPStatus:
    """Return the HTTP status of a refusal."""
    return _STATUS.get(code, HTTPStatus.SERVICE_UNAVAILABLE)


def refusal_fields(error: RefusedError) -> dict[str, str]:
    """Return the headers of the answer to a request that is refused."""
    code = error.notice.code
    fields = {}
    if code is Code.UNAUTHORIZED:
        fields["WWW-Authenticate"] = 'Bearer realm="rookery"'
    if error.wait is not None or code is Code.DRAINING:
        fields["Retry-After"] = str(math.ceil(error.wait or _DRAINED_AFTER))
    return fields


def refusal_response(error: RefusedError) -> Response:
    """Return the answer to a request that is refused."""
    code = error.notice.code
    return text_response(status_of(code), f"{code}: {error}\n", refusal_fields(error))
