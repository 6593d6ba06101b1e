"""Names of engines, and the WebSocket paths that have them.  No I/O."""

import re
from urllib.parse import unquote

SUBPROTOCOL = "uci"
TOKEN_SUBPROTOCOL = "rookery.token."  # and the token: for browsers, which cannot set headers
ENGINES_PATH = "/engines/"

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def is_engine_name(name: str) -> bool:
    """Say whether an engine may be called so: it must be safe in a path and in a line.

    Behind an `@` stands the owner, if it is one of a machine that has joined the server.
    """
    own, at, group = name.partition("@")
    return is_plain_name(own) and (not at or is_plain_name(group))


def is_plain_name(name: str) -> bool:
    """Say whether an engine of the machine's own may be called so, or a machine."""
    return _PLAIN_NAME.fullmatch(name) is not None


def group_of(engine: str) -> str:
    """Return the account whose machines have an engine; "" for one of the server's own."""
    return engine.partition("@")[2]


def authority(host: str, port: int) -> str:
    """Return host and port as URLs have them (RFC 3986, 3.2)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def engine_path(name: str) -> str:
    """Return the WebSocket path of an engine."""
    return ENGINES_PATH + name


def engine_of(path: str) -> str | None:
    """Return the engine that a WebSocket path names; None if it names none.

    Browsers write `%40` for the `@` of an engine of a machine that has joined.
    """
    path = path.partition("?")[0]
    name = unquote(path.removeprefix(ENGINES_PATH)) if path.startswith(ENGINES_PATH) else path
    return name if path != name and is_engine_name(name) else None
