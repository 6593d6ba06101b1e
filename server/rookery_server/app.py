"""The server: listens, opens a session for each client, and ends them all at the end."""

import asyncio
import logging
from collections.abc import Sequence

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from rookery_engine.uci import MAX_LINE
from rookery_server import page
from rookery_server.config import Config
from rookery_server.entrance import Entrance, refusal
from rookery_server.errors import ConfigError, RefusedError, ServerError
from rookery_server.host import Host
from rookery_server.tcp import TcpClient
from rookery_server.tls import Tls
from rookery_server.websocket import WebSocketClient
from rookery_server.wire import SUBPROTOCOL, engine_of

logger = logging.getLogger(__name__)

CLOSE_TIMEOUT = 1.0  # s that a client has to answer the closing of its connection
LOOK = 1.0  # s between looks at the tokens: so long may a revoked one go on


class App:
    """A running server.

    `async with App(config) as app:` listens on entry; on exit it lets searches end
    with their bestmove, tells every client, and leaves no engine behind.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.host = Host(config)
        self._entrance: Entrance
        self._tls: Tls | None = None
        self._look_again: asyncio.TimerHandle
        self._websocket: Server
        self._tcp: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port that WebSocket clients and browsers connect to."""
        return _port(self._websocket.sockets)

    @property
    def tcp_port(self) -> int | None:
        """The port for plain lines; None if there is none."""
        return None if self._tcp is None else _port(self._tcp.sockets)

    async def __aenter__(self) -> "App":
        """Listen.

        Raises:
            ServerError: an address cannot be listened on, or a file not be used.

        """
        loop = asyncio.get_running_loop()
        self._entrance = Entrance(self.config)
        if self.config.tls:
            self._tls = Tls(self.config.tls)
        await self.host.__aenter__()
        server = self.config.server
        try:
            self._websocket = await self._listen_websocket(server.host, server.port)
            if server.tcp_port is not None:
                self._tcp = await self._listen_tcp(server.host, server.tcp_port)
        except OSError as error:
            await self.host.__aexit__()
            raise ServerError(
                f"cannot listen on {server.host}: {error.strerror}; choose other ports with"
                " --port and --tcp-port, or end what uses them"
            ) from error
        self._look_again = loop.call_later(LOOK, self._look)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Accept no more, let searches end, tell the clients, end the engines."""
        self._look_again.cancel()
        self._websocket.close(close_connections=False)
        if self._tcp:
            self._tcp.close()
        await self.host.__aexit__()
        await self._websocket.wait_closed()

    def abandon(self) -> None:
        """End every session now."""
        self.host.abandon()

    def reload(self) -> None:
        """Read the tokens and the certificate again; what cannot be used stays as it was."""
        self._entrance.reload()
        self._dismiss()
        if self._tls:
            try:
                self._tls.reload()
            except ConfigError as error:
                logger.error("the certificate is as before: %s", error)

    def _look(self) -> None:
        """See whether tokens have been revoked or have expired."""
        self._entrance.reload_if_changed()
        self._dismiss()
        self._look_again = asyncio.get_running_loop().call_later(LOOK, self._look)

    def _dismiss(self) -> None:
        """End the sessions of accounts that are no longer good."""
        for relay in list(self.host.relays):
            if not self._entrance.still_admits(relay.account):
                relay.dismiss("the token has been revoked or has expired")

    async def _listen_tcp(self, host: str, port: int) -> asyncio.Server:
        patience = self.config.server.handshake_timeout
        return await asyncio.get_running_loop().create_server(
            lambda: TcpClient(self._entrance.admit_hello, self.host.open, patience=patience),
            host,
            port,
            ssl=self._tls.context if self._tls else None,
            ssl_handshake_timeout=patience if self._tls else None,
        )

    # --- WebSocket and HTTP

    async def _listen_websocket(self, host: str, port: int) -> Server:
        return await serve(
            self._converse,
            host,
            port,
            create_connection=WebSocketClient,
            process_request=self._answer,
            process_response=self._start_for,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            select_subprotocol=_select_subprotocol,
            ssl=self._tls.context if self._tls else None,
            compression=None,  # It costs 40 x the CPU and 37 KB a session.
            max_size=MAX_LINE,
            open_timeout=self.config.server.handshake_timeout,
            close_timeout=CLOSE_TIMEOUT,
            server_header=None,
        )

    async def _converse(self, connection: ServerConnection) -> None:
        assert isinstance(connection, WebSocketClient)
        await connection.until_finished()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer what is no WebSocket; None lets the handshake go on."""
        assert isinstance(connection, WebSocketClient)
        if request.path == "/healthz":
            return connection.respond(200, "ok\n")
        try:
            self._entrance.check(request)
            if engine_of(request.path) is not None:
                connection.account = self._entrance.admit_request(request, connection.transport)
                return None
        except RefusedError as error:
            return refusal(connection, error)
        if request.path == "/":
            response = connection.respond(200, page.render(self.config, self.port, self.tcp_port))
            page.set_headers(response.headers)
            return response
        return connection.respond(404, "not found: engines are at /engines/NAME\n")

    def _start_for(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> Response | None:
        """Start the engine once the handshake is sure to succeed; else say why not."""
        if response.status_code != 101:
            return None
        assert isinstance(connection, WebSocketClient)
        try:
            name = engine_of(request.path)
            connection.relay = self.host.open(name, connection, connection.account)
        except RefusedError as error:
            return refusal(connection, error)
        return None


def _select_subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Take ours if it is offered; a client that offers none is welcome too."""
    return Subprotocol(SUBPROTOCOL) if SUBPROTOCOL in offered else None


def _port(sockets: Sequence[object]) -> int:
    port = sockets[0].getsockname()[1]  # type: ignore[attr-defined]  # asyncio's socket
    assert isinstance(port, int)
    return port
