"""The list of engines and of the ways to reach them: for people, and for the page in the browser.

`/connect` is a plain page, which is at `/` too where the other one has not been built;
`/engines` is the same as JSON.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from string import Template

from aiohttp import web
from websockets.datastructures import Headers

from rookery_protocol.engine_names import ENGINES_PATH, authority, engine_path
from rookery_server.access.origin import comes_by_proxy
from rookery_server.config.addresses import EVERYWHERE
from rookery_server.config.config import Config
from rookery_server.http.assets import EMBED
from rookery_server.transport.http_connection import text_answer
from rookery_server.transport.http_message import POLICY

CONNECT = "/connect"
DOCS = "/docs"  # of the codes; `tools/notice_page.py` makes it
ENGINES = ENGINES_PATH.rstrip("/")
_PAGE_FIELDS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": f"{POLICY}; style-src 'unsafe-inline'",
}
# Resolved, for an editable install links files one by one.
_NOTICES = Path(__file__).resolve().parent / "notices.html"
_FACTS_FIELDS = {"Content-Type": "application/json", "Cache-Control": "no-store"}

_LOGIN = " --token-file FILE"
_TALK = "python -m websockets"
_TALK_LOGGED_IN = "websocat --header='Authorization: Bearer TOKEN'"  # the other sends no headers

_PAGE = Template("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rookery</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44em; margin: 3em auto; padding: 0 1em;
         color: #222; background: #fafaf7 }
  h1 { margin-bottom: 0 } h2 { margin-top: 2em; font-size: 1.1em }
  code { background: #ecece4; padding: .15em .4em; border-radius: 3px }
  pre code { display: block; padding: .8em; overflow-x: auto }
  @media (prefers-color-scheme: dark) {
    body { color: #ddd; background: #1c1c1a } code { background: #2e2e2a } }
</style>
</head>
<body>
<h1>&#9820; Rookery</h1>
<p>A chess engine server. It is running and offers:</p>
<ul>
$engines</ul>
<h2>In a chess program</h2>
<p>Add a UCI engine with this command; it behaves like the engine itself:</p>
<pre><code>rookery-bridge $scheme://$host$path$token</code></pre>
$tcp<h2>In your own program</h2>
<p>Open the WebSocket and speak UCI, one line per text message.</p>
<pre><code>$talk $scheme://$host$path</code></pre>
</body>
</html>
""")

_NO_FRAMES = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rookery: games on other pages</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44em; margin: 3em auto; padding: 0 1em;
         color: #222; background: #fafaf7 }
  pre { overflow-x: auto }
  @media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1a } }
</style>
</head>
<body>
<h1>This server shows no games on other pages</h1>
<p>Its operator can allow it for each web site, with this in the configuration:</p>
<pre><code>[server]
frame_ancestors = ["https://club.example"]</code></pre>
<p><a href="/">Analysis board</a></p>
</body>
</html>
"""

_TCP = Template("""\
<h2>In a terminal</h2>
<p>UCI as plain lines: ${login}try <code>uci</code>, then <code>go depth 10</code>.</p>
<pre><code>$command</code></pre>
""")


@dataclass(frozen=True, slots=True)
class Databases:
    """The knowledge that the server has without an engine.

    `tablebase`: so many men a position in its tablebases may have; 0 is that it has none.
    `explorer`: the name of the games of its explorer; None is that it has none.
    """

    tablebase: int = 0
    explorer: str | None = None


@dataclass(frozen=True, slots=True)
class RouteHere:
    """The way by which a client has come to the server, and so can come again.

    `host` is its name for the server, as in `Host`; `is_secure` says whether it came over TLS,
    `is_direct` that no proxy is between, so that the other ports are at the same address.
    """

    host: str
    is_secure: bool
    is_direct: bool

    @classmethod
    def of(cls, headers: Headers, config: Config, port: int) -> "RouteHere":
        """Read it from the headers of a request.

        A proxy's headers are believed of every client: only the client itself gets the answer.
        """
        hosts = headers.get_all("Host")
        schemes = headers.get_all("X-Forwarded-Proto")
        return cls(
            hosts[0] if hosts else authority(config.host, port),
            config.tls is not None or schemes == ["https"],
            not comes_by_proxy(headers),
        )


NO_DATABASES = Databases()


def response(
    path: str,
    config: Config,
    route: RouteHere,
    tcp_port: int | None,
    *,
    joined: Sequence[str] = (),
    databases: Databases = NO_DATABASES,
) -> web.Response:
    """Return the answer to any other request; `joined` are the engines of machines that joined."""
    if path in ("/", CONNECT):
        return text_answer(200, render(config, route, tcp_port), _PAGE_FIELDS)
    if path.partition("?")[0] == EMBED and not config.server.frame_ancestors:
        return text_answer(403, _NO_FRAMES, _PAGE_FIELDS)
    if path == DOCS:
        return text_answer(200, _NOTICES.read_text(encoding="utf-8"), _PAGE_FIELDS)
    if path == ENGINES:
        return text_answer(200, describe(config, route, tcp_port, joined, databases), _FACTS_FIELDS)
    return text_answer(404, "not found: engines are at /engines/NAME\n")


def describe(
    config: Config,
    route: RouteHere,
    tcp_port: int | None,
    joined: Sequence[str] = (),
    databases: Databases = NO_DATABASES,
) -> str:
    """Return the facts that the page in the browser needs, as JSON.

    `engines` are their names, the default one first, and last those of machines that have
    joined, as far as the client may use them; `login` says whether a token is wanted;
    `terminal` is the command for plain lines, if there is a port for them that can be named.
    The members of `databases` are beside them.
    """
    return json.dumps(
        {
            "engines": [*(engine.name for engine in config.engines), *joined],
            "login": config.server.tokens is not None,
            "terminal": _terminal(config, route, tcp_port),
            **asdict(databases),
        }
    )


def render(config: Config, route: RouteHere, tcp_port: int | None) -> str:
    """Return the plain page for a client that has come by this route."""
    has_login = config.server.tokens is not None
    engines = "".join(
        f"<li><b>{escape(engine.name)}</b>: <code>{escape(engine_path(engine.name))}</code></li>\n"
        for engine in config.engines
    )
    command = _terminal(config, route, tcp_port)
    login = "type <code>rookery token TOKEN</code> first, then " if has_login else ""
    tcp = _TCP.substitute(command=escape(command), login=login) if command else ""
    return _PAGE.substitute(
        engines=engines,
        scheme="wss" if route.is_secure else "ws",
        host=escape(route.host),
        path=escape(engine_path(config.engines[0].name)),
        token=_LOGIN if has_login else "",
        tcp=tcp,
        talk=_TALK_LOGGED_IN if has_login else _TALK,
    )


def _terminal(config: Config, route: RouteHere, tcp_port: int | None) -> str | None:
    """Return the command for plain lines; None where their address is not known."""
    if tcp_port is None or not route.is_direct or config.host in EVERYWHERE:
        return None
    return config.terminal_command(tcp_port)
