"""The server: listens, opens a session for each client, and ends them all at the end."""

import asyncio
import re
from collections.abc import Sequence

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Origin, Subprotocol

from rookery_engine.uci import MAX_LINE
from rookery_server import page
from rookery_server.config import Config
from rookery_server.errors import RefusedError, ServerError
from rookery_server.host import Host
from rookery_server.tcp import TcpClient
from rookery_server.websocket import WebSocketClient
from rookery_server.wire import SUBPROTOCOL, Code, engine_of

CLOSE_TIMEOUT = 1.0  # s that a client has to answer the closing of its connection

# Pages served from this machine may connect to it; others would be strangers' pages
# that use the visitor's own server.
_LOCAL_ORIGIN = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


class App:
    """A running server.

    `async with App(config) as app:` listens on entry; on exit it lets searches end
    with their bestmove, tells every client, and leaves no engine behind.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.host = Host(config)
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
            ServerError: an address cannot be listened on.

        """
        loop = asyncio.get_running_loop()
        await self.host.__aenter__()
        server = self.config.server
        try:
            self._websocket = await self._listen_websocket(server.host, server.port)
            if server.tcp_port is not None:
                self._tcp = await loop.create_server(
                    lambda: TcpClient(self.host.open), server.host, server.tcp_port
                )
        except OSError as error:
            await self.host.__aexit__()
            raise ServerError(
                f"cannot listen on {server.host}: {error.strerror}; choose other ports with"
                " --port and --tcp-port, or end what uses them"
            ) from error
        return self

    async def __aexit__(self, *_: object) -> None:
        """Accept no more, let searches end, tell the clients, end the engines."""
        self._websocket.close(close_connections=False)
        if self._tcp:
            self._tcp.close()
        await self.host.__aexit__()
        await self._websocket.wait_closed()

    def abandon(self) -> None:
        """End every session now."""
        self.host.abandon()

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
            origins=[None, _LOCAL_ORIGIN, *map(Origin, self.config.server.origins)],
            compression=None,  # It costs 40 x the CPU and 37 KB a session.
            max_size=MAX_LINE,
            close_timeout=CLOSE_TIMEOUT,
            server_header=None,
        )

    async def _converse(self, connection: ServerConnection) -> None:
        assert isinstance(connection, WebSocketClient)
        await connection.until_finished()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer what is no WebSocket; None lets the handshake go on."""
        if engine_of(request.path) is not None:
            return None
        if request.path == "/healthz":
            return connection.respond(200, "ok\n")
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
            connection.relay = self.host.open(engine_of(request.path), connection)
        except RefusedError as error:
            status = 404 if error.notice.code is Code.UNKNOWN_ENGINE else 503
            return connection.respond(status, f"{error.notice.code}: {error}\n")
        return None


def _select_subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Take ours if it is offered; a client that offers none is welcome too."""
    return Subprotocol(SUBPROTOCOL) if SUBPROTOCOL in offered else None


def _port(sockets: Sequence[object]) -> int:
    port = sockets[0].getsockname()[1]  # type: ignore[attr-defined]  # asyncio's socket
    assert isinstance(port, int)
    return port
