"""What each HTTP answer says to browsers, and answers that need no library.

A page of another site must not frame an answer, read it as another type than it has, or
learn from it where its reader has been.  So each answer says so, whatever it is: a page, a
file, a refusal.
"""

from http import HTTPStatus

from websockets.datastructures import Headers

# Nothing in an answer may load, run or be framed, unless the answer itself says what may.
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_PROTECTION = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know `frame-ancestors`
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_ONLY_TLS = "max-age=31536000"  # s: for a year, this name over TLS only (RFC 6797)


def protect(headers: Headers, *, only_tls: bool = False) -> None:
    """Add what an answer says to browsers; what it says already stays.

    Args:
        headers: the answer's.
        only_tls: whether browsers are to come over TLS only from now on.

    """
    for name, value in _PROTECTION.items():
        if name not in headers:
            headers[name] = value
    if only_tls:
        headers["Strict-Transport-Security"] = _ONLY_TLS


def plain(status: HTTPStatus, text: str, fields: dict[str, str] | None = None) -> bytes:
    """Return a whole answer of plain text, after which the connection is closed."""
    body = text.encode()
    headers = Headers(
        {
            "Connection": "close",
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Length": str(len(body)),
            **(fields or {}),
        }
    )
    protect(headers)
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() + headers.serialize() + body
