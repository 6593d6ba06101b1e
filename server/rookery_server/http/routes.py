"""The routes of the web port: sessions, the pages, metrics, machines that join.

The path decides what a request is for, and the connection policy whether its sender may have
that.  Listening, and its end, are the affairs of `app`.
"""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from websockets.exceptions import InvalidHeader
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from rookery_protocol.engine_names import SUBPROTOCOL, engine_of
from rookery_protocol.errors import SHUTTING_DOWN, RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.access.origin import name_in
from rookery_server.actor.actor import SessionActor
from rookery_server.config.config import Config
from rookery_server.http import HEALTH, METRICS, READY, admin, pages
from rookery_server.http.admin import AdminCommands, AdminConnection
from rookery_server.http.assets import Assets
from rookery_server.http.health import HealthPages
from rookery_server.joined import joining_messages
from rookery_server.manager import SessionManager
from rookery_server.session.client_channel import LineHandler
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.http_message import (
    fault_of,
    protect,
    refusal_response,
    text_response,
    to_origin_form,
)
from rookery_server.transport.tcp import TcpClient
from rookery_server.transport.websocket import Respond, WebSocketClient
from rookery_uci import MAX_LINE

_SUBPROTOCOLS = [
    Subprotocol(each) for each in (SUBPROTOCOL, admin.SUBPROTOCOL, joining_messages.SUBPROTOCOL)
]
_PROBES = (HEALTH, READY, METRICS)  # A server that is full answers them, too.
_VERSION = "13"  # of WebSocket (RFC 6455, section 4.4)


class WebProtocol(ServerProtocol):
    """The library's part of a connection; compression would cost 40 x the CPU and 37 KB each."""

    def __init__(self) -> None:
        super().__init__(max_size=MAX_LINE)

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Select ours if it is offered; a client that offers none is admitted too."""
        return next((each for each in _SUBPROTOCOLS if each in subprotocols), None)


class WebRoutes:
    """The routes of one server; `port` and `tcp_port` are known once it listens."""

    port: int
    tcp_port: int | None = None

    def __init__(
        self,
        config: Config,
        host: SessionManager,
        policy: ConnectionPolicy,
        commands: AdminCommands,
    ) -> None:
        self.config = config
        self.host = host
        self.health = HealthPages(host, policy)
        self.assets = Assets()
        self.admin_connections: set[AdminConnection] = set()
        self._policy = policy
        self._commands = commands

    def respond(self, client: WebSocketClient, request: Request) -> Response:
        """Return the answer to a request; if it begins a WebSocket, that has its session."""
        return self._respond_by(self._response, client, request)

    def respond_with_metrics(self, client: WebSocketClient, request: Request) -> Response:
        """Return the answer at the port that has the metrics and nothing else."""
        return self._respond_by(self._metrics_response, client, request)

    def _respond_by(self, route: Respond, client: WebSocketClient, request: Request) -> Response:
        """Return the answer of a route, with what every answer says to browsers."""
        if fault := fault_of(request):
            response = text_response(400, f"bad request: {fault}\n")
        else:
            to_origin_form(request)
            try:
                if client.refusal and request.path not in _PROBES:
                    response = refusal_response(client.refusal)
                else:
                    response = route(client, request)
            except RefusedError as error:
                self._policy.reject(client, error.notice.code)
                response = refusal_response(error)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            tls = self.config.tls
            has_tls = client.transport.get_extra_info("ssl_object") is not None
            # A browser would use TLS for everything else that its machine serves by this name, too.
            is_shared = name_in(request.headers.get_all("Host")) == "localhost"
            only_tls = has_tls and tls is not None and tls.hsts and not is_shared
            protect(response.headers, only_tls=only_tls)
        if request.method == "HEAD":
            response.body = b""
        return response

    def _metrics_response(self, _: WebSocketClient, request: Request) -> Response:
        if refused := _refuse_writing(request):
            return refused
        if request.path == METRICS:
            return self.health.metrics_response()
        return self.health.response(request.path) or text_response(404, "not found\n")

    def _response(self, client: WebSocketClient, request: Request) -> Response:
        path = request.path
        if path in _PROBES and (response := _refuse_writing(request) or self.health.response(path)):
            return response
        self._policy.check_request(request)
        if path == METRICS and self.config.metrics.port is None:
            self._policy.admit_operator(client, request)
            return self.health.metrics_response()
        engine = engine_of(path)
        if admit := self._admission_for(path, engine):
            client.account = admit(client, request)
            return self._upgrade(client, request, engine)
        return _refuse_writing(request) or self._page_response(client, request)

    # --- requests for a WebSocket

    def _admission_for(self, path: str, engine: str | None) -> Callable[..., Account] | None:
        """Return the check of those that ask for a WebSocket at a path; None if there is none."""
        if path == admin.PATH:
            return self._policy.admit_admin
        if path == joining_messages.PATH:
            self._check_joining()
            return self._policy.admit_host
        return None if engine is None else self._policy.admit_request

    def _check_joining(self) -> None:
        if not self.config.machines.enabled:
            raise RefusedError(Code.UNAUTHORIZED, "no machine may join this server")
        if self.host.is_draining:
            raise RefusedError(*SHUTTING_DOWN)

    def _upgrade(self, client: WebSocketClient, request: Request, engine: str | None) -> Response:
        """Return the answer to a handshake; the session begins if that is sure to succeed.

        A browser does not tell a page why a handshake failed.  So the page asks the same
        address over plain HTTP, and is told there why a session would be refused.
        """
        response = client.protocol.accept(request)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            client.relay = self._open(client, request, engine)
        elif response.status_code == HTTPStatus.UPGRADE_REQUIRED and engine:
            self.host.fleet.engine_for(client.account, engine)
            if refused := self.host.objection(client.account):
                raise refused
        fault = client.protocol.handshake_exc
        if isinstance(fault, InvalidHeader) and fault.name == "Sec-WebSocket-Version":
            text = f"{fault}; WebSocket is spoken here in version {_VERSION}\n"
            fields = {"Upgrade": "websocket", "Sec-WebSocket-Version": _VERSION}
            return text_response(426, text, fields)
        return response

    def _open(self, client: WebSocketClient, request: Request, engine: str | None) -> LineHandler:
        """Begin what was asked for: a session, orders of an operator, a machine or its engine."""
        if request.path == admin.PATH:
            return AdminConnection(client, client.account, self._commands, self.admin_connections)
        if request.path != joining_messages.PATH:
            return self.open_session(engine, client, client.account)
        machines = self.host.fleet.joined.machines
        secrets = request.headers.get_all(joining_messages.LINK_HEADER)
        if not secrets:
            return machines.open_control(client, client.account)
        return machines.open_link(secrets[0], client, client.account)

    def open_session(
        self,
        name: str | None,
        client: TcpClient | WebSocketClient,
        account: Account,
        returns: bool = False,
    ) -> SessionActor:
        """Open a session, unless too many were opened of late; `returns` as `Host.open` has it.

        Raises:
            RefusedError: it may not be opened.

        """
        self._policy.admit_session(client, account)
        return self.host.open(name, client, account, returns=returns)

    # --- pages

    def _page_response(self, client: WebSocketClient, request: Request) -> Response:
        """Return a file of the page, or the plain page where there is none."""
        route = pages.RouteHere.of(request.headers, self.config, self.port)
        facts = pages.describe(self.config, route, self.tcp_port)
        return self.assets.response(request, facts) or pages.response(
            request.path,
            self.config,
            route,
            self.tcp_port,
            joined=self._joined_engines(client, request),
        )

    def _joined_engines(self, client: WebSocketClient, request: Request) -> list[str]:
        """Return the joined engines that the sender of a request may use; strangers see none."""
        joined = self.host.fleet.joined
        is_asked = request.path == pages.ENGINES and joined.pools
        if not is_asked or (self.config.server.tokens and "Authorization" not in request.headers):
            return []
        try:
            return joined.names_for(self._policy.admit_request(client, request))
        except RefusedError:
            return []


def _refuse_writing(request: Request) -> Response | None:
    """Refuse a request of another method than those that read."""
    if request.method in ("GET", "HEAD"):
        return None
    text = f"{request.method} is not for here: GET is\n"
    return text_response(405, text, {"Allow": "GET, HEAD"})
