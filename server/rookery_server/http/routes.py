"""What the server's web port answers: sessions, the pages, metrics, machines that join.

It decides by path what a request is for, and asks the entrance whether whoever sends it may
have that.  Listening, and when it ends, are the affairs of `app`.
"""

import asyncio
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
from rookery_server.config.config import Config
from rookery_server.http import admin_page, pages
from rookery_server.http.admin_commands import Orders
from rookery_server.http.admin_page import Console
from rookery_server.http.assets import Assets
from rookery_server.http.health import Status
from rookery_server.http.health_paths import HEALTH, METRICS, READY
from rookery_server.joined import joining_messages
from rookery_server.session.actor import SessionActor
from rookery_server.session.client_channel import Client, LineHandler
from rookery_server.session.manager import SessionManager
from rookery_server.transport.connection_policy import Entrance, refusal
from rookery_server.transport.http_message import fault_of, protect, to_origin_form
from rookery_server.transport.websocket import WebSocketClient

SUBPROTOCOLS = [
    Subprotocol(each)
    for each in (SUBPROTOCOL, admin_page.SUBPROTOCOL, joining_messages.SUBPROTOCOL)
]


_VERSION = "13"  # of WebSocket (RFC 6455, section 4.4)


class Site:
    """The answers of one server; `port` and `tcp_port` are known once it listens."""

    port: int
    tcp_port: int | None = None

    def __init__(
        self, config: Config, host: SessionManager, entrance: Entrance, orders: Orders
    ) -> None:
        self.config = config
        self.host = host
        self.status = Status(host, entrance)
        self.assets = Assets()
        self.consoles: set[Console] = set()
        self._entrance = entrance
        self._orders = orders

    # --- as websockets' `serve` asks

    async def converse(self, connection: ServerConnection) -> None:
        """Let a connection go on until it has ended."""
        assert isinstance(connection, WebSocketClient)
        await connection.until_finished()

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer what is no WebSocket; None lets the handshake go on."""
        return _bad_request(connection, request) or self._reply(connection, request)

    def start(self, connection: ServerConnection, request: Request, response: Response) -> Response:
        """Begin what was asked for once the handshake is sure to succeed; else say why not."""
        response = self._begin(connection, request, response) or response
        return self._finished(connection, request, response)

    def _begin(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response | None:
        """Begin what was asked for; return another answer than the library's, if there is one.

        A browser does not tell a page why a handshake failed.  So the page asks the same
        address over plain HTTP, and hears there what a session would be refused for.
        """
        assert isinstance(connection, WebSocketClient)
        if response.status_code == HTTPStatus.BAD_REQUEST:
            return _other_version(connection)
        name = engine_of(request.path)
        if response.status_code == HTTPStatus.UPGRADE_REQUIRED and name:
            return self._objection(connection, name)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            return None
        if request.path == admin_page.PATH:
            connection.relay = self._console(connection)
            return None
        try:
            if request.path == joining_messages.PATH:
                connection.relay = self._join(connection, request)
            else:
                connection.relay = self.open(name, connection, connection.account)
        except RefusedError as error:
            return self._refuse(connection, error)
        return None

    def answer_metrics(self, connection: ServerConnection, request: Request) -> Response:
        """Answer at the port that has the metrics and nothing else."""
        response = (
            _bad_request(connection, request)
            or _read_only(connection, request)
            or self.status.answer_metrics(connection, request.path)
        )
        return self._finished(connection, request, response)

    def _finished(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response:
        """Give an answer what each one has: what it says to browsers, and no body for HEAD."""
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            tls = self.config.tls
            has_tls = connection.transport.get_extra_info("ssl_object") is not None
            # A browser would have all else that its own machine serves by this name over TLS.
            is_shared = name_in(request.headers.get_all("Host")) == "localhost"
            only_tls = has_tls and tls is not None and tls.hsts and not is_shared
            protect(response.headers, only_tls=only_tls)
        if request.method == "HEAD":
            response.body = b""
        return response

    # --- sessions, over either transport

    def open(
        self, name: str | None, client: Client, account: Account, *, returns: bool = False
    ) -> SessionActor:
        """Begin a session, unless too many have begun of late; see `SessionManager.open`.

        Raises:
            RefusedError: it may not begin.

        """
        self._entrance.admit_session(client.address, account, asyncio.get_running_loop().time())
        return self.host.open(name, client, account, returns=returns)

    # --- what is no WebSocket

    def _reply(self, connection: ServerConnection, request: Request) -> Response | None:
        assert isinstance(connection, WebSocketClient)
        is_probe = request.path in (HEALTH, READY, METRICS)
        if is_probe and (refused := _read_only(connection, request)):
            return refused
        if response := self.status.answer(connection, request.path):
            return response
        try:
            self._entrance.check(request)
            if request.path == METRICS and self.config.metrics.port is None:
                self._entrance.admit_operator(connection, request, connection.transport)
                return self.status.metrics(connection)
            if admit := self._way_in(request.path):
                connection.account = admit(connection, request, connection.transport)
                return None
        except RefusedError as error:
            return self._refuse(connection, error)
        return self._answer_page(connection, request)

    def _way_in(self, path: str) -> Callable[..., Account] | None:
        """Return who says whether a WebSocket may be there; None if there is none."""
        if path == admin_page.PATH:
            return self._entrance.admit_admin
        if path == joining_messages.PATH:
            self._check_joining()
            return self._entrance.admit_host
        return None if engine_of(path) is None else self._entrance.admit_request

    def _answer_page(self, connection: WebSocketClient, request: Request) -> Response:
        """Answer with a file of the page, or with what there is without one."""
        if refused := _read_only(connection, request):
            return refused
        way = pages.Way.of(request.headers, self.config, self.port)
        facts = pages.describe(self.config, way, self.tcp_port)
        return self.assets.answer(request, facts) or pages.answer(
            connection,
            request.path,
            self.config,
            way,
            self.tcp_port,
            joined=self._joined_for(connection, request),
        )

    def _objection(self, connection: WebSocketClient, engine: str) -> Response | None:
        try:
            self.host.fleet.engine_for(connection.account, engine)
        except RefusedError as error:
            return self._refuse(connection, error)
        refused = self.host.objection(connection.account)
        return self._refuse(connection, refused) if refused else None

    def _joined_for(self, connection: WebSocketClient, request: Request) -> list[str]:
        """Return the joined engines that who asks may use; strangers see none."""
        joined = self.host.fleet.joined
        is_asked = request.path == pages.ENGINES and joined.pools
        if not is_asked or (self.config.server.tokens and "Authorization" not in request.headers):
            return []
        try:
            return joined.names_for(
                self._entrance.admit_request(connection, request, connection.transport)
            )
        except RefusedError:
            return []

    def _refuse(self, connection: WebSocketClient, error: RefusedError) -> Response:
        self._entrance.refused(connection, error.notice.code)
        return refusal(connection, error)

    # --- operators, and machines that join

    def _console(self, connection: WebSocketClient) -> Console:
        """Let an operator ask and order over a connection."""
        new = Console(connection, connection.account, self._orders)
        self.consoles = {new, *(each for each in self.consoles if each.is_open)}
        return new

    def _check_joining(self) -> None:
        if not self.config.machines.enabled:
            raise RefusedError(Code.UNAUTHORIZED, "no machine may join this server")
        if self.host.is_draining:
            raise RefusedError(*SHUTTING_DOWN)

    def _join(self, connection: WebSocketClient, request: Request) -> LineHandler:
        """Take a machine that offers engines, or one of them."""
        machines = self.host.fleet.joined.machines
        secrets = request.headers.get_all(joining_messages.LINK_HEADER)
        if not secrets:
            return machines.open_control(connection, connection.account)
        return machines.open_link(secrets[0], connection, connection.account)


def _bad_request(connection: ServerConnection, request: Request) -> Response | None:
    """Refuse what is no request, or nobody's; make the target of one that is a path."""
    if connection.transport.is_closing():  # Nobody would end what is begun for who has left.
        return connection.respond(HTTPStatus.BAD_REQUEST, "the client has left\n")
    if trouble := fault_of(request):
        return connection.respond(HTTPStatus.BAD_REQUEST, f"bad request: {trouble}\n")
    to_origin_form(request)
    return None


def _other_version(connection: ServerConnection) -> Response | None:
    """Name the version of the protocol that is spoken here, if another was asked for."""
    error = connection.protocol.handshake_exc
    if not isinstance(error, InvalidHeader) or error.name != "Sec-WebSocket-Version":
        return None
    text = f"{error}; WebSocket is spoken here in version {_VERSION}\n"
    response = connection.respond(HTTPStatus.UPGRADE_REQUIRED, text)
    response.headers["Upgrade"] = "websocket"
    response.headers["Sec-WebSocket-Version"] = _VERSION
    return response


def _read_only(connection: ServerConnection, request: Request) -> Response | None:
    """Refuse what wants more than to read."""
    if request.method in ("GET", "HEAD"):
        return None
    response = connection.respond(405, f"{request.method} is not for here: GET is\n")
    response.headers["Allow"] = "GET, HEAD"
    return response


def select_subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Take ours if it is offered; a client that offers none is welcome too."""
    return next((each for each in SUBPROTOCOLS if each in offered), None)
