"""The routes of WebSockets: sessions, the operator's commands, machines that join.

The path decides what a WebSocket is for, and the connection policy whether its sender may have
that.  Listening, and its end, are the affairs of `app`.
"""

from collections.abc import Callable
from http import HTTPStatus

from websockets.exceptions import InvalidHeader
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from rookery_protocol.engine_names import SUBPROTOCOL, engine_of
from rookery_protocol.errors import SHUTTING_DOWN, RefusedError
from rookery_protocol.notices import Code
from rookery_server.access.account import Account
from rookery_server.actor.actor import SessionActor
from rookery_server.config.config import Config
from rookery_server.http import admin
from rookery_server.http.admin import AdminCommands, AdminConnection
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
from rookery_server.transport.websocket import WebSocketClient

SUBPROTOCOLS = [
    Subprotocol(each) for each in (SUBPROTOCOL, admin.SUBPROTOCOL, joining_messages.SUBPROTOCOL)
]
_VERSION = "13"  # of WebSocket (RFC 6455, section 4.4)

Admit = Callable[..., Account]


class WebSocketRoutes:
    """The routes of one server."""

    def __init__(
        self,
        config: Config,
        host: SessionManager,
        policy: ConnectionPolicy,
        commands: AdminCommands,
    ) -> None:
        self.config = config
        self.host = host
        self.admin_connections: set[AdminConnection] = set()
        self._policy = policy
        self._commands = commands

    def respond(self, client: WebSocketClient, request: Request) -> Response:
        """Return the answer to a handshake; if it begins a WebSocket, that has its session."""
        if fault := fault_of(request):
            response = text_response(400, f"bad request: {fault}\n")
        else:
            to_origin_form(request)
            try:
                response = self._response(client, request)
            except RefusedError as error:
                self._policy.reject(client, error.notice.code)
                response = refusal_response(error)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            hosts = request.headers.get_all("Host")
            only_tls = self._policy.wants_only_tls(client.transport, hosts[0] if hosts else None)
            protect(response.headers, only_tls=only_tls)
        if request.method == "HEAD":
            response.body = b""
        return response

    def _response(self, client: WebSocketClient, request: Request) -> Response:
        self._policy.check_request(request)
        engine = engine_of(request.path)
        admit = self.admission_for(request.path, engine)
        if admit is None:
            return text_response(404, "not found: engines are at /engines/NAME\n")
        client.account = admit(client, request)
        response = client.protocol.accept(request)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            client.relay = self._open(client, request, engine)
        fault = client.protocol.handshake_exc
        if isinstance(fault, InvalidHeader) and fault.name == "Sec-WebSocket-Version":
            text = f"{fault}; WebSocket is spoken here in version {_VERSION}\n"
            fields = {"Upgrade": "websocket", "Sec-WebSocket-Version": _VERSION}
            return text_response(426, text, fields)
        return response

    def admission_for(self, path: str, engine: str | None) -> Admit | None:
        """Return the check of those that ask for a WebSocket at a path; None if there is none.

        Raises:
            RefusedError: none may ask for it.

        """
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
