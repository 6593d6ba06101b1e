"""The server: its listening sockets, and what it opens, reloads and ends with them."""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from aiohttp import web

from rookery_protocol.errors import ConfigError, ServerError
from rookery_protocol.notices import Close, Code
from rookery_server.access.pairings import FILE, Pairings
from rookery_server.access.tls import Certificate, TlsContext
from rookery_server.actor.actor import SessionActor
from rookery_server.api.analysis_routes import AnalysisRoutes
from rookery_server.api.device_routes import DeviceRoutes
from rookery_server.api.explorer_routes import ExplorerRoutes
from rookery_server.api.game_routes import GameRoutes
from rookery_server.api.job_routes import JobRoutes
from rookery_server.api.library_routes import LibraryRoutes
from rookery_server.api.openapi import serve_openapi
from rookery_server.api.project_access import ProjectAccess
from rookery_server.api.project_routes import ProjectRoutes
from rookery_server.api.sign_in_routes import SignInRoutes
from rookery_server.api.tablebase_routes import TablebaseRoutes
from rookery_server.api.tree_export_routes import TreeExportRoutes
from rookery_server.api.tree_routes import TreeRoutes
from rookery_server.background.work_runner import WorkRunner
from rookery_server.config.config import Config, after_reload, check_exposure
from rookery_server.config.sections import database_url, state_folder
from rookery_server.http.admin import AdminCommands
from rookery_server.http.admin_devices import AdminDevices
from rookery_server.http.admin_games import AdminGames
from rookery_server.http.admin_jobs import AdminJobs
from rookery_server.http.pages import Databases
from rookery_server.http.web_app import OPENAPI, WebApp
from rookery_server.http.websocket_routes import SUBPROTOCOLS, WebSocketRoutes
from rookery_server.jobs.job_service import JobService
from rookery_server.library.library_service import LibraryService
from rookery_server.lichess_broker.broker import Broker
from rookery_server.manager import SessionManager
from rookery_server.projects.project_service import ProjectService
from rookery_server.shared_games.game_service import GameService
from rookery_server.tablebases.tables import open_tables
from rookery_server.transport.connection_policy import ConnectionPolicy
from rookery_server.transport.device_port import DevicePort
from rookery_server.transport.front_door import FrontDoor
from rookery_server.transport.http_connection import start_application
from rookery_server.transport.tcp import LINGER, TcpClient
from rookery_server.transport.tls_handshake import secured
from rookery_server.transport.websocket import OpenConnections, WebPort

logger = logging.getLogger(__name__)

WEB, TCP = "websocket", "tcp"  # names of sockets
LAST_WORDS = 2.0  # s that clients have to read the last lines when the server ends
BACKLOG = 1024  # connections that the kernel keeps until they are accepted: a whole flood
_REVOKED = "the token has been revoked or has expired"
TOKEN_CHECK = 0.5  # s from one look at the tokens to the next


class App:
    """A running server.

    `async with App(config) as app:` listens on entry; on exit it lets searches end
    with their bestmove, tells every client, and leaves no engine behind.  `sockets` are
    those that the system has opened for it, by name; `drain` is called when the operator ends
    it.
    """

    def __init__(
        self,
        config: Config,
        sockets: Mapping[str, socket.socket] | None = None,
        *,
        drain: Callable[[], None] = lambda: None,
    ) -> None:
        self.config = config
        self.host = SessionManager(config)
        self.admin_commands: AdminCommands
        self._drain = drain
        self._connections: OpenConnections
        self.routes: WebSocketRoutes
        self.web: WebApp
        self.analyses: AnalysisRoutes
        self.job_routes: JobRoutes
        self.game_routes: GameRoutes
        self.library_routes: LibraryRoutes
        self.project_access: ProjectAccess
        self.device_ports: list[DevicePort] = []
        self.tablebases: TablebaseRoutes
        self.explorer: ExplorerRoutes
        self._runners = AsyncExitStack()  # of what answers requests
        self.work_runner: WorkRunner
        self.jobs: JobService | None = None  # unless the operator wants none
        self.projects: ProjectService | None = None  # likewise
        self._sockets = sockets or {}
        self._policy: ConnectionPolicy
        self._tls: TlsContext | None = None
        self.certificate: Certificate | None = None  # that new connections are shown
        self._token_timer: asyncio.TimerHandle
        self._servers: list[asyncio.Server] = []
        self.port = 0  # that WebSocket clients and browsers connect to
        self.tcp_port: int | None = None  # for plain lines
        self.metrics_port: int | None = None  # that has the metrics and nothing else
        self.broker_port: int | None = None  # for programs that are written for Lichess

    async def __aenter__(self) -> "App":
        """Listen.

        Raises:
            ServerError: an address cannot be listened on, or a file not be used.

        """
        loop = asyncio.get_running_loop()
        self._policy = ConnectionPolicy(self.config, self.host.machine)
        self.admin_commands = AdminCommands(self.host, self._policy, self._drain)
        self._connections = OpenConnections()
        self._make_web()
        if self.config.tls:
            self._tls = TlsContext(self.config.tls)
            self.certificate = Certificate.read(self.config.tls, None)
        await self.host.__aenter__()
        self.work_runner = WorkRunner(self.host, self.config.jobs.workers)
        try:
            await self._open_work()
            await self._open_games()
            await self._open_library()
            self._open_databases()
            await self._listen()
            await self._open_broker()
        except BaseException as error:  # A request to end meanwhile is one, too.
            self._stop_listening()
            await self._close_work()
            await self._runners.aclose()
            await self.host.close()
            if not isinstance(error, OSError):
                raise
            raise _cannot_listen(self.config.server.host, "with --host", error) from error
        self._token_timer = loop.call_later(TOKEN_CHECK, self._check_tokens)
        return self

    def _make_web(self) -> None:
        """Make the routes, and the application that has them.

        Raises:
            ServerError: the file of device ports cannot be used.

        """
        self.routes = WebSocketRoutes(self.config, self.host, self._policy, self.admin_commands)
        self.analyses = AnalysisRoutes(self.host, self._policy)
        self.job_routes = JobRoutes(self.host, self._policy)
        self.game_routes = GameRoutes(self._policy)
        self.library_routes = LibraryRoutes()
        self.project_access = ProjectAccess(self.host, self._policy)
        self.tablebases = TablebaseRoutes(self.config.tablebases.path)
        self.explorer = ExplorerRoutes(self.config.explorer)
        self._make_device_ports()
        self.web = WebApp(
            self.config,
            self.host,
            self._policy,
            self.routes,
            [
                *self.analyses.routes(),
                *self.job_routes.routes,
                *self.game_routes.routes,
                *self.library_routes.routes,
                *SignInRoutes(self._policy).routes,
                *ProjectRoutes(self.project_access).routes,
                *TreeRoutes(self.project_access).routes,
                *TreeExportRoutes(self.project_access).routes,
                *self.tablebases.routes(),
                *self.explorer.routes(),
                *DeviceRoutes(self.host, self._policy, self.device_ports).routes,
                web.get(OPENAPI, serve_openapi),
            ],
        )

    async def __aexit__(self, *_: object) -> None:
        """Stop listening, let searches end, tell the clients, end the engines."""
        await self.finish()
        self._token_timer.cancel()
        self._policy.evictor.close()
        for each in self.routes.admin_connections:
            each.finish(Close.RESTART, "the server is shutting down")
        self._stop_listening()
        self.analyses.sessions.close()
        await self._close_work()
        await self.host.__aexit__()
        await self._runners.aclose()
        for handshake in list(self._policy.handshakes):
            handshake.abort()  # There is nothing to wait for.
        await self._connections.close(LAST_WORDS)

    def _stop_listening(self) -> None:
        """Accept no more connections."""
        for server in self._servers:
            server.close()

    async def finish(self) -> None:
        """Let searches end by themselves, if they may; a second call waits no more.

        Meanwhile the server answers that it is not ready.
        """
        if self.config.server.drain == "finish" and not self.host.is_draining:
            await self._close_work()  # Their sessions would not end by themselves.
            await self.host.finish()

    def reload(self) -> None:
        """Read the tokens and the certificate again; what cannot be used stays as it was."""
        self._policy.reload_tokens()
        self._dismiss_revoked()
        self._reload_certificate(self.config)

    async def reconfigure(self, config: Config) -> None:
        """Apply another configuration, after `reload`, as far as a running server can.

        Raises:
            ConfigError: it cannot be used; then nothing has changed.

        """
        config, late = after_reload(self.config, config)
        check_exposure(config)  # It listens where it did, whatever is configured now.
        self._policy.reconfigure(config)
        if config.tls != self.config.tls:  # Else `reload` has read it.
            self._reload_certificate(config)
        self._dismiss_revoked()
        await self.host.reconfigure(config)
        self.config = self.routes.config = self.web.config = config
        self.work_runner.reconfigure(config.jobs.workers)
        if games := self.game_routes.service:
            games.config = config
        if late:
            logger.warning("this has changed, and wants a restart: %s", ", ".join(late))

    def _reload_certificate(self, config: Config) -> None:
        if self._tls and config.tls:
            try:
                certificate = Certificate.read(config.tls, None)
                self._tls.reload(config.tls)
                self.certificate = certificate
            except ConfigError as error:
                logger.warning("the certificate is as before: %s", error)

    def _check_tokens(self) -> None:
        """End the sessions of accounts whose tokens have been revoked or have expired."""
        # First of all, so that an error does not end the checks.
        self._token_timer = asyncio.get_running_loop().call_later(TOKEN_CHECK, self._check_tokens)
        self._policy.poll_tokens()
        self._dismiss_revoked()

    def _dismiss_revoked(self) -> None:
        """End the sessions of accounts that are no longer good."""

        def dismiss(actor: SessionActor) -> None:
            if not self._policy.still_admits(actor.account):
                actor.dismiss(_REVOKED)

        self.host.each(dismiss)
        for spectator in self.host.rooms.spectators():
            if not self._policy.still_admits(spectator.account):
                spectator.finish(Close.POLICY, Code.UNAUTHORIZED, _REVOKED)
        for port in self.device_ports:
            port.end_unpaired()
        self.host.fleet.joined.machines.dismiss(self._policy.still_admits, _REVOKED)
        for each in self.routes.admin_connections:
            if not self._policy.still_admits(each.account):
                each.finish(Close.POLICY, _REVOKED)

    async def _listen(self) -> None:
        server, metrics = self.config.server, self.config.metrics
        patience, tls = server.handshake_timeout, self._tls.context if self._tls else None
        make_web = secured(
            await self._front_door(self.web.application, has_sockets=True),
            self._policy,
            tls,
            patience,
            farewell=LINGER,
        )
        self.port = await self._listen_at(make_web, **self._address(WEB, server.port))
        self.web.port = self.port
        if TCP in self._sockets or (not self._sockets and server.tcp_port is not None):
            make_tcp = partial(TcpClient, self._policy, self.routes.open_session, patience=patience)
            self.tcp_port = await self._listen_at(
                secured(make_tcp, self._policy, tls, patience),
                **self._address(TCP, server.tcp_port),
            )
        self.web.tcp_port = self.tcp_port
        await self._listen_for_devices()
        if metrics.port is not None:
            make_scrape = await self._front_door(self.web.metrics_application)
            try:
                where = {"host": metrics.host, "port": metrics.port}
                self.metrics_port = await self._listen_at(make_scrape, **where)
            except OSError as error:
                raise _cannot_listen(metrics.host, "as metrics.host", error) from error

    def _make_device_ports(self) -> None:
        """Make the device ports; their file is read only if there are some.

        Raises:
            ServerError: the file cannot be used.

        """
        if not self.config.devices:
            return
        paired = Pairings(state_folder(os.environ) / FILE)
        patience, opener = self.config.server.handshake_timeout, self.routes.open_session
        self.device_ports = [
            DevicePort(each, paired, self._policy, opener, patience) for each in self.config.devices
        ]
        self.admin_commands.devices = AdminDevices(self.device_ports)

    async def _listen_for_devices(self) -> None:
        for device in self.device_ports:
            host = device.config.host or self.config.server.host
            where = {"host": host, "port": device.config.port, "backlog": BACKLOG}
            try:
                device.port = await self._listen_at(device.make_client, **where)
            except OSError as error:
                key = f"as devices.{device.config.name}.host"
                raise _cannot_listen(host, key, error) from error

    async def _listen_at(self, make: Callable[[], asyncio.BaseProtocol], **where: Any) -> int:
        """Listen at an address or on a socket; return the port."""
        server = await asyncio.get_running_loop().create_server(make, **where)
        self._servers.append(server)
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def _front_door(
        self, application: web.Application, *, has_sockets: bool = False
    ) -> Callable[[], FrontDoor]:
        """Start an application; return the factory of the connections of its port."""
        runner = await start_application(application, LAST_WORDS / 2)  # It waits twice.
        self._runners.push_async_callback(runner.cleanup)
        assert runner.server
        port = WebPort(
            self._policy,
            runner.server,
            self.config.server.handshake_timeout,
            self._connections,
            self.routes.respond if has_sockets else None,
            SUBPROTOCOLS,
        )
        return partial(FrontDoor, port)

    def _address(self, name: str, port: int | None) -> dict[str, Any]:
        """Return the socket or the address to listen on, as arguments of asyncio."""
        if name in self._sockets:
            return {"sock": self._sockets[name], "backlog": BACKLOG}
        return {"host": self.config.server.host, "port": port, "backlog": BACKLOG}

    async def _open_work(self) -> None:
        """Go on with the work that earlier runs have left."""
        if self.config.jobs.enabled:
            url = database_url(self.config.cache, os.environ)
            self.jobs = await JobService(self.host, self.work_runner, url).__aenter__()
            self.job_routes.service = self.jobs
            self.admin_commands.jobs = AdminJobs(self.jobs)
            self.web.health.job_counts = self.jobs.counts
        if self.config.projects.enabled:
            url = database_url(self.config.cache, os.environ)
            tables = open_tables(self.config.tablebases.path)
            service = ProjectService(self.host, self.work_runner, url, tables)
            self.projects = await service.__aenter__()
            self.web.health.project_counts = self.projects.counts
            self.project_access.service = self.projects
        await self.work_runner.__aenter__()

    async def _open_games(self) -> None:
        """Answer for the games that accounts share."""
        if self.config.games.enabled:
            url = database_url(self.config.cache, os.environ)
            games = GameService(self.config, url, self.host.quota_of)
            self.game_routes.service = await self._runners.enter_async_context(games)
            self.admin_commands.games = AdminGames(games)
            self.web.health.game_counts = games.counts

    async def _open_library(self) -> None:
        """Keep the files of accounts' libraries."""
        if self.config.library.enabled:
            url = database_url(self.config.cache, os.environ)
            library = LibraryService(url, self.host.quota_of)
            self.library_routes.service = await self._runners.enter_async_context(library)
            self.web.health.library_counts = library.counts

    async def _close_work(self) -> None:
        """Do no more work of low priority; what was claimed is free for other servers."""
        await self.work_runner.__aexit__()
        for service in (self.jobs, self.projects):
            if service:
                await service.__aexit__()

    def _open_databases(self) -> None:
        """Open what answers without an engine.

        Raises:
            ServerError: a file or a folder cannot be read.

        """
        for each in (self.tablebases, self.explorer):
            self._runners.callback(each.close)
            each.open()
        self.web.databases = Databases(self.tablebases.men, self.explorer.name)

    async def _open_broker(self) -> None:
        if self.config.broker.port is None:
            return
        tls = self._tls.context if self._tls else None
        broker = Broker(self.config, self.host, self._policy, tls, self._connections)
        self._broker = await self._runners.enter_async_context(broker)
        self.broker_port = broker.port


def _cannot_listen(host: str, how: str, error: OSError) -> ServerError:
    """Return the error for an address, set as `how` says, that cannot be listened on."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        way_out = f"give an address of this machine {how}"
    else:
        way_out = (
            "choose other ports (--port, --tcp-port; metrics.port, broker.port, devices.NAME.port),"
            " or end what uses them"
        )
    return ServerError(f"cannot listen on {host}: {error.strerror}; {way_out}")
