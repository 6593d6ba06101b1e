"""The server: listens, starts an engine for each client, and ends them all at the end."""

import asyncio
import logging
import re
from collections.abc import Sequence

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Origin, Subprotocol

from rookery_engine.uci import MAX_LINE
from rookery_server import page
from rookery_server.config import Config, EngineConfig
from rookery_server.errors import RefusedError, ServerError
from rookery_server.offer import Offer
from rookery_server.probe import probe
from rookery_server.process import EngineProcess, Reaper, StderrLog
from rookery_server.relay import Client, Relay
from rookery_server.tcp import TcpClient
from rookery_server.websocket import WebSocketClient
from rookery_server.wire import SUBPROTOCOL, Code, engine_of

logger = logging.getLogger(__name__)

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
        self._relays: set[Relay] = set()
        self._stderr: dict[str, StderrLog] = {}
        self._offers: dict[str, Offer | str] = {}  # of each engine, or why there is none
        self._reaper: Reaper
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
        """Ask the engines for their options, and listen.

        Raises:
            ServerError: an address cannot be listened on.

        """
        loop = asyncio.get_running_loop()
        self._reaper = Reaper(loop)
        self._stderr = {engine.name: StderrLog(engine.name) for engine in self.config.engines}
        async with asyncio.TaskGroup() as tasks:
            for engine in self.config.engines:
                tasks.create_task(self._learn_offer(engine), name=f"probe {engine.name}")
        server = self.config.server
        try:
            self._websocket = await self._listen_websocket(server.host, server.port)
            if server.tcp_port is not None:
                self._tcp = await loop.create_server(
                    lambda: TcpClient(self.open), server.host, server.tcp_port
                )
        except OSError as error:
            await self._reaper.wait_until_none()
            self._reaper.close()
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
        logger.info("draining %d sessions", len(self._relays))
        for relay in list(self._relays):
            relay.drain()
        loop = asyncio.get_running_loop()
        late = loop.call_later(self.config.server.drain_timeout, self.abandon)
        await self._reaper.wait_until_none()
        late.cancel()
        await self._websocket.wait_closed()
        self._reaper.close()
        for log in self._stderr.values():
            log.close()

    def abandon(self) -> None:
        """End every session now."""
        for relay in list(self._relays):
            relay.abandon()

    def open(self, name: str | None, client: Client) -> Relay:
        """Start an engine for a client; None is the default engine.

        Raises:
            RefusedError: there is no such engine, or it cannot be started.

        """
        engine = self.config.engine(name)
        if engine is None:
            offered = ", ".join(engine.name for engine in self.config.engines)
            raise RefusedError(
                Code.UNKNOWN_ENGINE, f"there is no engine {name!r}; there are: {offered}"
            )
        offer = self._offers[engine.name]
        if isinstance(offer, str):
            raise RefusedError(Code.ENGINE_FAILED, f"engine {engine.name} cannot be used: {offer}")
        relay = Relay(client, offer, self._relays.discard)
        relay.engine = self._start(engine, relay)
        if setup := offer.setup():
            relay.engine.tell("".join(f"{line}\n" for line in ("uci", *setup)).encode())
        self._relays.add(relay)
        logger.info("engine %d: %s started", relay.engine.pid, engine.name)
        return relay

    async def _learn_offer(self, engine: EngineConfig) -> None:
        """Ask an engine for its options; the others are offered if it cannot say."""
        stderr = self._stderr[engine.name].writing
        patience = self.config.server.start_timeout
        try:
            answer = await probe(engine.command, self._reaper, patience=patience, stderr=stderr)
            self._offers[engine.name] = Offer(answer, engine.policy)
        except ServerError as error:
            logger.error("engine %s cannot be used: %s", engine.name, error)
            self._offers[engine.name] = str(error)

    def _start(self, engine: EngineConfig, relay: Relay) -> EngineProcess:
        stderr = self._stderr[engine.name].writing
        try:
            return EngineProcess(engine.command, relay, self._reaper, stderr=stderr)
        except OSError as error:
            logger.error("engine %s cannot be started: %s", engine.name, error)
            raise RefusedError(
                Code.ENGINE_FAILED, f"engine {engine.name} cannot be started: {error.strerror}"
            ) from error

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
            connection.relay = self.open(engine_of(request.path), connection)
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
