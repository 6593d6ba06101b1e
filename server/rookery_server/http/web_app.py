"""The application of the web port: pages, health and metrics, and the API below `/v1`.

To add routes, give `WebApp` more of them before it starts:

    routes = web.RouteTableDef()

    @routes.get("/v1/engines")
    async def engines(request: web.Request) -> web.Response:
        account = request[ACCOUNT]         # the account that asks; below `/v1` there is one
        connection = connection_of(request)    # for `policy.admit_session(connection, account)`
        ...

    WebApp(config, host, policy, sockets, [*routes])

A bound method does as well: `web.get("/v1/engines", self.engines)`.  What a handler can rely on:

- The request is exact, of an admitted connection, for this server, and not of a strange page; below
  `/v1` its account is in `request[ACCOUNT]`, unless the handler is marked `@public`.
- A `RefusedError` of a handler becomes an answer with the status of its code and `Retry-After`:
  `application/problem+json` (RFC 9457) below `/v1`, else plain text.  So do aiohttp's own errors
  (`web.HTTPNotFound(text=...)`, say), what is not found or not allowed, and faults of ours.  A
  handler that wants more in the document raises a `ProblemError`.
- After an answer has begun, an error ends the connection: the client sees that it is not whole.
- It is cancelled at once when the client goes, and some seconds after the server was told to end
  (aiohttp's `on_shutdown` comes before), so it frees what it has by `finally` or `async with`.
- A body comes by `request.content`, as slowly as its sender likes: see `transport/request_body`.
- While it is being answered, and for a while after it, the request counts as a connection.
"""

import logging
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import TypeVar

from aiohttp import web
from websockets.exceptions import InvalidHeader
from websockets.http11 import Request

from rookery_protocol.engine_names import engine_of
from rookery_protocol.errors import RefusedError
from rookery_protocol.notices import Code, legible
from rookery_server.access.account import ONLY_WATCHES, VISITOR, Account
from rookery_server.config.config import Config
from rookery_server.http import pages
from rookery_server.http.assets import page_assets
from rookery_server.http.health import HealthPages
from rookery_server.http.problem import NO_FIELDS, ProblemError, problem_answer
from rookery_server.http.websocket_routes import WebSocketRoutes
from rookery_server.manager import SessionManager
from rookery_server.transport import HEALTH, METRICS, READY
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.http_connection import (
    HEAD,
    Handler,
    HttpConnection,
    check_head,
    connection_of,
    text_answer,
)
from rookery_server.transport.http_message import refusal_fields, status_of
from rookery_server.transport.request_body import check_encoding

logger = logging.getLogger(__name__)

API = "/v1"
OPENAPI = f"{API}/openapi.json"
ACCOUNT = web.RequestKey("account", Account)  # of a request below `API`
MAX_BODY = 1 << 20  # bytes that `request.read()` takes; more is read in pieces

_PROBES = (HEALTH, READY)  # Anyone may ask for them, by whatever name.
_NOT_FOUND = "not found: engines are at /engines/NAME"
_ONLY_WEBSOCKET = (
    "Failed to open a WebSocket connection: this address is for WebSockets.\n\n"
    "You cannot access a WebSocket server directly with a browser. You need a WebSocket client.\n"
)
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": (
        "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
    ),
    "Access-Control-Max-Age": "600",
}
_EXPOSED = {"Access-Control-Expose-Headers": "Content-Disposition, ETag, Location, Retry-After"}

_TOLD = ("Accept-Encoding", "Retry-After")  # headers of aiohttp's errors that an answer has

H = TypeVar("H", bound=Handler)


def public(handler: H) -> H:
    """Mark a handler below `/v1` as one for everybody, without an account."""
    handler.is_public = True  # type: ignore[attr-defined]
    return handler


def shown_in_frames(handler: H) -> H:
    """Mark a public handler whose answers are for frames, too, where the operator allows some.

    A frame with the attribute `sandbox` is a page of no origin, and so of a strange one.
    """
    handler.is_shown_in_frames = True  # type: ignore[attr-defined]
    return handler


class WebApp:
    """The application of one server; `port`, `tcp_port` and `databases` are known once it listens.

    `application` is aiohttp's, and `metrics_application` that of the port for metrics alone.
    """

    port: int
    tcp_port: int | None = None

    def __init__(
        self,
        config: Config,
        host: SessionManager,
        policy: ConnectionPolicy,
        sockets: WebSocketRoutes,
        routes: Iterable[web.AbstractRouteDef] = (),
    ) -> None:
        """Make an application.

        Args:
            config: of the server; it may be replaced.
            host: its sessions.
            policy: its connections.
            sockets: the routes of its WebSockets.
            routes: more routes, below `/v1`.

        """
        self.config = config
        self.host = host
        self.health = HealthPages(host, policy)
        self.assets = page_assets()
        self.databases = pages.NO_DATABASES
        self._policy = policy
        self._sockets = sockets
        probes = [web.get(HEALTH, self.health.healthz), web.get(READY, self.health.readyz)]
        self.application = self._application(
            [
                *probes,
                web.get(METRICS, self._metrics),
                *routes,
                # Not below `API`: there a method that is not for a path is told from no path.
                web.get(f"/{{path:(?!{API[1:]}(?:/|$)).*}}", self._page),
            ]
        )
        metrics = web.get(METRICS, self.health.metrics)
        self.metrics_application = self._application([*probes, metrics])

    def _application(self, routes: Iterable[web.AbstractRouteDef]) -> web.Application:
        application = web.Application(
            client_max_size=MAX_BODY, middlewares=[check_head, self._explain, self._admit]
        )
        application.add_routes(routes)
        application.on_response_prepare.append(self._welcome)
        return application

    # --- middlewares

    @web.middleware
    async def _explain(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turn what is refused, not found or not allowed into an answer."""
        try:
            response = await handler(request)
        except Exception as error:
            answer = self._answer_to(error, request)
            if answer is None:
                raise
            if request.writer.output_size > 0:
                raise ConnectionResetError("an answer has begun already") from error
            response = answer
        return response

    def _answer_to(self, error: Exception, request: web.Request) -> web.Response | None:
        """Return the answer that tells of an error; None if that is the connection's affair."""
        match error:
            case RefusedError():
                code = error.notice.code
                self._policy.refusals[code] += 1
                fields, status = refusal_fields(error), status_of(code)
                if code is Code.ENGINE_AWAY and _is_api(request):
                    status = HTTPStatus.NOT_FOUND  # It is no fault of the server's.
                return _error_answer(request, status, str(error), code, fields)
            case ProblemError():
                return error.as_answer()
            case web.HTTPMethodNotAllowed():
                allowed = sorted(error.allowed_methods)
                text = f"{request.method} is not for here: {allowed[0]} is"
                return _error_answer(request, 405, text, fields={"Allow": ", ".join(allowed)})
            case web.HTTPException() if error.status < 400:
                return None
            case ConnectionError():
                return None
            case web.HTTPException():
                fields = {name: error.headers[name] for name in _TOLD if name in error.headers}
                text = _text_of(error, request)
                return _error_answer(request, error.status, text, fields=fields)
            case web.RequestPayloadError():
                return _error_answer(request, 400, "the body is not encoded as it says")
            case InvalidHeader():  # Its text has the header's, and so perhaps a token.
                return _error_answer(request, 400, "headers are text in ASCII")
        has_left = request.transport is None or request.transport.is_closing()
        if has_left or not _is_api(request):
            return None
        logger.error("a request has failed", exc_info=error)
        return _error_answer(request, 500, "the server has failed: see its log")

    async def _welcome(self, request: web.Request, response: web.StreamResponse) -> None:
        """Let a browser show an answer to a page that the operator has listed, or to a frame."""
        if HEAD not in request or not _is_api(request):
            return
        origins = request[HEAD].headers.get_all("Origin")
        response.headers["Vary"] = "Origin"
        is_for_frames = getattr(request.match_info.handler, "is_shown_in_frames", False)
        if is_for_frames and self.config.server.frame_ancestors:
            response.headers["Access-Control-Allow-Origin"] = "*"
        elif len(origins) == 1 and origins[0] in self.config.server.origins:
            response.headers["Access-Control-Allow-Origin"] = origins[0]
        if "Access-Control-Allow-Origin" in response.headers:
            response.headers.update(_EXPOSED)

    @web.middleware
    async def _admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Check what the policy has to say of a request, and find its account if it needs one."""
        head = request[HEAD]
        # A proxy may have looked at the path: nothing is meant but what is written there.
        if "%" in request.rel_url.raw_path and not request.match_info:
            raise web.HTTPNotFound
        if head.path in _PROBES:
            return await handler(request)
        self._policy.check_request(head)
        check_encoding(request)
        if _is_api(request):
            if request.method == "OPTIONS":
                return web.Response(status=HTTPStatus.NO_CONTENT, headers=_PREFLIGHT)
            if not getattr(request.match_info.handler, "is_public", False):
                account = self._policy.admit_request(connection_of(request), head)
                if account == VISITOR:
                    raise RefusedError(Code.UNAUTHORIZED, ONLY_WATCHES)
                request[ACCOUNT] = account
        return await handler(request)

    # --- pages

    async def _metrics(self, request: web.Request) -> web.Response:
        """Answer with the metrics, unless they have a port of their own."""
        if self.config.metrics.port is not None:
            raise web.HTTPNotFound
        self._policy.admit_operator(connection_of(request), request[HEAD])
        return await self.health.metrics(request)

    async def _page(self, request: web.Request) -> web.Response:
        """Answer with a file of the page, or the plain page where there is none."""
        head, connection = request[HEAD], connection_of(request)
        engine = engine_of(head.path)
        if admit := self._sockets.admission_for(head.path, engine):
            account = admit(connection, head)
            if engine:
                self._check_engine(engine, account)
            return text_answer(426, _ONLY_WEBSOCKET, {"Upgrade": "websocket"})
        route = pages.RouteHere.of(head.headers, self.config, self.port)
        facts = pages.describe(self.config, route, self.tcp_port, databases=self.databases)
        framers = self.config.server.frame_ancestors
        return self.assets.response(head, facts, framers) or pages.response(
            head.path,
            self.config,
            route,
            self.tcp_port,
            joined=self._joined_engines(connection, head),
            databases=self.databases,
        )

    def _check_engine(self, engine: str, account: Account) -> None:
        """Raise the refusal of a session, if it would be refused.

        A browser does not tell a page why a handshake failed.  So the page asks the same
        address over plain HTTP, and is told here.
        """
        self.host.fleet.engine_for(account, engine)
        if refused := self.host.objection(account):
            raise refused

    def _joined_engines(self, connection: HttpConnection, head: Request) -> list[str]:
        """Return the joined engines that the sender of a request may use; strangers see none."""
        joined = self.host.fleet.joined
        is_asked = head.path == pages.ENGINES and joined.pools
        if not is_asked or (self.config.server.tokens and "Authorization" not in head.headers):
            return []
        try:
            return joined.names_for(self._policy.admit_request(connection, head))
        except RefusedError:
            return []


def _is_api(request: web.Request) -> bool:
    return request.path == API or request.path.startswith(f"{API}/")


def _text_of(error: web.HTTPException, request: web.Request) -> str:
    """Return what an error of aiohttp's says; its own texts are `404: Not Found`."""
    text = error.text or ""
    if text and not text.startswith(f"{error.status}: "):
        return text.rstrip()
    if error.status != HTTPStatus.NOT_FOUND:
        return error.reason.lower()
    if _is_api(request):
        return f"there is no {legible(request.path, 100)}: {OPENAPI} describes what there is"
    return _NOT_FOUND


def _error_answer(
    request: web.Request,
    status: int,
    text: str,
    code: Code | None = None,
    fields: Mapping[str, str] = NO_FIELDS,
) -> web.Response:
    """Return the answer that says what is wrong, in the form that is usual at its path."""
    if _is_api(request):
        return problem_answer(status, text, code, fields)
    return text_answer(status, f"{code}: {text}\n" if code else f"{text}\n", fields)
