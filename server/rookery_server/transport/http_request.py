"""What a request has to be beyond what the library checks (RFC 9112, RFC 9110).

The library reads the request line and the headers, and refuses bodies.  It takes any words as
method and target, and does not look at `Host`.  A server that takes what a proxy before it
reads otherwise can be led past what the proxy forbids, so what is not exact is refused.
"""

import re

from websockets.http11 import Request

_METHOD = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TARGET = re.compile(r"(?:[!-\"$&-~]|%[0-9A-Fa-f]{2})+")  # visible ASCII, and `%` as it should be
_ABSOLUTE = re.compile(r"https?://([^/?]*)(.*)", re.IGNORECASE)
# Host and port of a URI (RFC 3986), without a user.
_AUTHORITY = re.compile(
    r"(?:\[[0-9A-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?", re.ASCII
)
_SHOWN = 60  # characters of what is wrong


def objection(request: Request) -> str:
    """Say why a request is none; nothing if it is one."""
    hosts = request.headers.get_all("Host")
    if not _METHOD.fullmatch(request.method):
        return f"{_shown(request.method)} is no method"
    if len(hosts) > 1 or (not hosts and request.protocol != "HTTP/1.0"):
        return f"one Host header is wanted, not {len(hosts)}"
    if hosts and not _AUTHORITY.fullmatch(hosts[0]):
        return f"{_shown(hosts[0])} is no Host, which is a name or an address, and perhaps a port"
    if request.method != "CONNECT" and not _is_target(request):
        return f"{_shown(request.path)} is no target, which is a path such as /engines/NAME"
    return ""


def to_origin_form(request: Request) -> None:
    """Turn a target that is a whole URL into a path; then it, and not `Host`, names the server.

    So RFC 9112, section 3.2.2, has it.
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
