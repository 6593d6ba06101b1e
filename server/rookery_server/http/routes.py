"""The routes of the web port: sessions, the pages, metrics, machines that join.

The path decides what a request is for, and the connection policy whether its sender may have
that.  Listening, and its end, are the affairs of `app`.
"""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import InvalidHeader
from websockets.http11 import Request, Response
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
    to_origin_form,
)
from rookery_server.transport.tcp import TcpClient
from rookery_server.transport.websocket import WebSocketClient

SUBPROTOCOLS = [
    Subprotocol(each) for each in (SUBPROTOCOL, admin.SUBPROTOCOL, joining_messages.SUBPROTOCOL)
]

_VERSION = "13"  # of WebSocket (RFC 6455, section 4.4)


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

    # --- the hooks of websockets' `serve`

    async def handle_connection(self, connection: ServerConnection) -> None:
        """Wait until a connection has ended."""
        assert isinstance(connection, WebSocketClient)
        await connection.until_finished()

    def process_request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the answer to a request that is for no WebSocket; None continues the handshake."""
        return _refuse_bad_request(connection, request) or self._response(connection, request)

    def process_response(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response:
        """Start the session, now that the handshake is sure to succeed, or replace the answer."""
        response = self._start(connection, request, response) or response
        return self._finish_response(connection, request, response)

    def _start(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response | None:
        """Start what was asked for; return another answer than the library's, if there is one.

        A browser does not tell a page why a handshake failed.  So the page asks the same
        address over plain HTTP, and is told there why a session would be refused.
        """
        assert isinstance(connection, WebSocketClient)
        if response.status_code == HTTPStatus.BAD_REQUEST:
            return _refuse_other_version(connection)
        name = engine_of(request.path)
        if response.status_code == HTTPStatus.UPGRADE_REQUIRED and name:
            return self._refuse_session(connection, name)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            return None
        if request.path == admin.PATH:
            connection.relay = self._open_admin_connection(connection)
            return None
        try:
            if request.path == joining_messages.PATH:
                connection.relay = self._join(connection, request)
            else:
                connection.relay = self.open_session(name, connection, connection.account)
        except RefusedError as error:
            return self._refuse(connection, error)
        return None

    def process_metrics_request(self, connection: ServerConnection, request: Request) -> Response:
        """Return the answer at the port that has the metrics and nothing else."""
        response = _refuse_bad_request(connection, request) or _refuse_writing(connection, request)
        if not response and request.path == METRICS:
            response = self.health.metrics_response(connection)
        if not response:
            response = self.health.response(connection, request.path)
        return self._finish_response(
            connection, request, response or connection.respond(404, "not found\n")
        )

    def _finish_response(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response:
        """Add what every answer says to browsers, and drop the body for HEAD."""
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            tls = self.config.tls
            has_tls = connection.transport.get_extra_info("ssl_object") is not None
            # A browser would use TLS for everything else that its machine serves by this name, too.
            is_shared = name_in(request.headers.get_all("Host")) == "localhost"
            only_tls = has_tls and tls is not None and tls.hsts and not is_shared
            protect(response.headers, only_tls=only_tls)
        if request.method == "HEAD":
            response.body = b""
        return response

    # --- sessions, over either transport

    def open_session(
        self,
        name: str | None,
        client: TcpClient | WebSocketClient,
        account: Account,
        *,
        returns: bool = False,
    ) -> SessionActor:
        """Open a session, unless too many were opened of late; `returns` as `Host.open` has it.

        Raises:
            RefusedError: it may not be opened.

        """
        self._policy.admit_session(client, account)
        return self.host.open(name, client, account, returns=returns)

    # --- requests for no WebSocket

    def _response(self, connection: ServerConnection, request: Request) -> Response | None:
        assert isinstance(connection, WebSocketClient)
        if request.path in (HEALTH, READY, METRICS):
            response = _refuse_writing(connection, request)
            if response := response or self.health.response(connection, request.path):
                return response
        try:
            self._policy.check_request(request)
            if request.path == METRICS and self.config.metrics.port is None:
                self._policy.admit_operator(connection, request)
                return self.health.metrics_response(connection)
            if admit := self._admission_for(request.path):
                connection.account = admit(connection, request)
                return None
        except RefusedError as error:
            return self._refuse(connection, error)
        return self._page_response(connection, request)

    def _admission_for(self, path: str) -> Callable[..., Account] | None:
        """Return the check of those that ask for a WebSocket at a path; None if there is none."""
        if path == admin.PATH:
            return self._policy.admit_admin
        if path == joining_messages.PATH:
            self._check_joining()
            return self._policy.admit_host
        return None if engine_of(path) is None else self._policy.admit_request

    def _page_response(self, connection: WebSocketClient, request: Request) -> Response:
        """Return a file of the page, or the plain page where there is none."""
        if refused := _refuse_writing(connection, request):
            return refused
        route = pages.RouteHere.of(request.headers, self.config, self.port)
        facts = pages.describe(self.config, route, self.tcp_port)
        return self.assets.response(request, facts) or pages.response(
            connection,
            request.path,
            self.config,
            route,
            self.tcp_port,
            joined=self._joined_engines(connection, request),
        )

    def _refuse_session(self, connection: WebSocketClient, engine: str) -> Response | None:
        """Return why a session would be refused; None if it would not."""
        try:
            self.host.fleet.engine_for(connection.account, engine)
        except RefusedError as error:
            return self._refuse(connection, error)
        refused = self.host.objection(connection.account)
        return self._refuse(connection, refused) if refused else None

    def _joined_engines(self, connection: WebSocketClient, request: Request) -> list[str]:
        """Return the joined engines that the sender of a request may use; strangers see none."""
        joined = self.host.fleet.joined
        is_asked = request.path == pages.ENGINES and joined.pools
        if not is_asked or (self.config.server.tokens and "Authorization" not in request.headers):
            return []
        try:
            return joined.names_for(self._policy.admit_request(connection, request))
        except RefusedError:
            return []

    def _refuse(self, connection: WebSocketClient, error: RefusedError) -> Response:
        self._policy.reject(connection, error.notice.code)
        return refusal_response(connection, error)

    # --- operators, and machines that join

    def _open_admin_connection(self, connection: WebSocketClient) -> AdminConnection:
        new = AdminConnection(connection, connection.account, self._commands)
        still_open = (each for each in self.admin_connections if each.is_open)
        self.admin_connections = {new, *still_open}
        return new

    def _check_joining(self) -> None:
        if not self.config.machines.enabled:
            raise RefusedError(Code.UNAUTHORIZED, "no machine may join this server")
        if self.host.is_draining:
            raise RefusedError(*SHUTTING_DOWN)

    def _join(self, connection: WebSocketClient, request: Request) -> LineHandler:
        """Let a machine join that offers engines, or link one of its engines."""
        machines = self.host.fleet.joined.machines
        secrets = request.headers.get_all(joining_messages.LINK_HEADER)
        if not secrets:
            return machines.open_control(connection, connection.account)
        return machines.open_link(secrets[0], connection, connection.account)


def _refuse_bad_request(connection: ServerConnection, request: Request) -> Response | None:
    """Refuse a bad request, or one whose client has left; turn the target of others into a path."""
    if connection.transport.is_closing():  # A session for it would not be ended.
        return connection.respond(HTTPStatus.BAD_REQUEST, "the client has left\n")
    if fault := fault_of(request):
        return connection.respond(HTTPStatus.BAD_REQUEST, f"bad request: {fault}\n")
    to_origin_form(request)
    return None


def _refuse_other_version(connection: ServerConnection) -> Response | None:
    """Name the version of the protocol that is spoken here, if another was asked for."""
    error = connection.protocol.handshake_exc
    if not isinstance(error, InvalidHeader) or error.name != "Sec-WebSocket-Version":
        return None
    text = f"{error}; WebSocket is spoken here in version {_VERSION}\n"
    response = connection.respond(HTTPStatus.UPGRADE_REQUIRED, text)
    response.headers["Upgrade"] = "websocket"
    response.headers["Sec-WebSocket-Version"] = _VERSION
    return response


def _refuse_writing(connection: ServerConnection, request: Request) -> Response | None:
    """Refuse a request of another method than those that read."""
    if request.method in ("GET", "HEAD"):
        return None
    response = connection.respond(405, f"{request.method} is not for here: GET is\n")
    response.headers["Allow"] = "GET, HEAD"
    return response


def select_subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Select ours if it is offered; a client that offers none is admitted too."""
    return next((each for each in SUBPROTOCOLS if each in offered), None)
