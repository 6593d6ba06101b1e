"""Command `rookery-server serve`: offers engines until a signal or the operator ends it."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path

from rookery_protocol import console
from rookery_protocol.engine_names import authority, engine_path
from rookery_protocol.errors import ConfigError
from rookery_server import log, process, systemd
from rookery_server.access.tls import complaints
from rookery_server.announcer import Announcer, check_announcement
from rookery_server.app import TCP, WEB, App
from rookery_server.config import config
from rookery_server.config.addresses import EVERYWHERE
from rookery_server.config.config import Config, Overrides
from rookery_server.http.admin_socket import (
    AdminSocket,
    OccupiedError,
    check_place,
    no_place,
    place_for,
)
from rookery_server.process import has_terminal

logger = logging.getLogger(__name__)

SPARE_TIME = 10.0  # s that the end may take beside the searches


def run(path: Path | None, overrides: Overrides, *, verbose: bool) -> int:
    """Serve by a configuration, if there is one, and what the command line says over it.

    Raises:
        ConfigError: it cannot be used.
        ServerError: there can be no server.

    """
    sockets = systemd.take_sockets((WEB, TCP))

    def load() -> Config:
        settings = config.load(path, overrides)
        if not sockets:
            config.check_ports(settings)
        settings = config.at(settings, [str(each.getsockname()[0]) for each in sockets.values()])
        check_announcement(settings)
        return settings

    try:
        return process.run(_serve(load, sockets, verbose=verbose))
    finally:
        log.flush()


class ServerSignals:
    """The requests of signals and of the operator: to end, or to read the configuration again.

    `on_end` is called at each request to end: it breaks off a start, a reload, or the wait for the
    last searches.
    """

    def __init__(self) -> None:
        start = asyncio.current_task()
        self.on_end: Callable[[], object] | None = start.cancel if start else None
        self.is_over = False  # it is to end
        self._request = asyncio.Event()
        self._had_terminal = has_terminal()

    def handle(self, loop: asyncio.AbstractEventLoop) -> None:
        """Handle signals from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.request_end)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)

    def ignore(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ignore signals: one more must not change how the server ends."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN)

    def request_end(self) -> None:
        """Let the server end, and at once if it is ending."""
        self.is_over = True
        self._request.set()
        if self.on_end:
            self.on_end()

    def _hang_up(self) -> None:
        """Request a reload, or the end if the terminal is closed."""
        if not (self._had_terminal and not has_terminal()):
            self._request.set()
        elif not self.is_over:  # It would not end at once for that.
            self.request_end()

    async def run_until_end(self, work: Coroutine[None, None, None]) -> None:
        """Run what is broken off by a request to end."""
        task = asyncio.create_task(work, name="reload")
        self.on_end = task.cancel
        try:
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()
        finally:
            self.on_end = None

    async def wait_for_reload(self) -> bool:
        """Wait for a request; return whether it is to reload, and not to end."""
        await self._request.wait()
        self._request.clear()
        return not self.is_over


async def _serve(
    load: Callable[[], Config], sockets: Mapping[str, socket.socket], *, verbose: bool
) -> int:
    loop, signals = asyncio.get_running_loop(), ServerSignals()
    signals.handle(loop)  # Before it reads the configuration: a change from now on is not missed.
    settings = load()
    if path := place_for(settings.control.socket, os.environ):
        check_place(path)
    log.set_up(settings.log, verbose=verbose)
    try:
        # It is alive as long as the last searches take, too.
        with systemd.alive(loop):
            await _operate(load, settings, sockets, signals, verbose=verbose)
    except asyncio.CancelledError:
        if not signals.is_over:
            raise
    signals.ignore(loop)
    return 0


async def _operate(
    load: Callable[[], Config],
    settings: Config,
    sockets: Mapping[str, socket.socket],
    signals: ServerSignals,
    *,
    verbose: bool,
) -> None:
    async with App(settings, sockets, drain=signals.request_end) as app, _control(app):
        signals.on_end = None
        devices = [(each.config.owner, each.port) for each in app.device_ports]
        _print(greeting(settings, app.port, app.tcp_port, app.broker_port, devices))
        _warn(app)
        systemd.ready()
        # It ends first, so that no newcomer is sent to a server that is about to go.
        async with Announcer(settings, app.port):
            while await signals.wait_for_reload():
                systemd.reloading()
                await signals.run_until_end(_reload(app, load))
                log.set_up(app.config.log, verbose=verbose)
                systemd.ready()
        server = app.config.server
        signals.on_end = app.host.abandon  # The next signal may come as soon as this is printed.
        systemd.stopping(server.drain_timeout + SPARE_TIME)
        searches = "may finish" if server.drain == "finish" else "are stopped"
        _print(f"ending: searches {searches}, press Ctrl-C again not to wait")
        # The operator's socket is open as long as clients are.
        await app.finish()


def greeting(
    settings: Config,
    port: int,
    tcp_port: int | None = None,
    broker_port: int | None = None,
    devices: Sequence[tuple[str, int]] = (),
) -> str:
    """Return the lines that tell where to point a browser, a chess GUI and a terminal.

    The ports are those that it listens on; None where it does not.  `devices` are accounts and
    ports.
    """
    place = authority(settings.host, port)
    web, ws = ("https", "wss") if settings.tls else ("http", "ws")
    token = " --token-file FILE" if settings.server.tokens else ""
    names = ", ".join(engine.name for engine in settings.engines)
    lines = [
        f"Rookery {version('rookery-chess')} offers: {names}",
        f"  browser   {web}://{place}/",
        f"  chess GUI rookery-bridge {ws}://{place}{engine_path(settings.engines[0].name)}{token}",
    ]
    if tcp_port is not None:
        lines.append(f"  terminal  {settings.terminal_command(tcp_port)}")
    if broker_port is not None:
        lines.append(f"  broker    {web}://{authority(settings.server.host, broker_port)}/")
    for account, device_port in devices:
        lines.append(f"  device    port {device_port}, for addresses that {account} has paired")
    if host := next((host for host in settings.hosts if host in EVERYWHERE), None):
        lines.append(f"{host} is every address of this machine: others say its name instead.")
    return "\n".join([*lines, "Ctrl-C ends it."])


def _print(text: str) -> None:
    """Print something to the terminal, if that need not wait; the server serves all the same."""
    try:
        console.print_line_at_once(text)
    except console.OutputError as error:
        logger.warning("%s, so this was not heard: %s", error, text.splitlines()[0])


async def _reload(app: App, load: Callable[[], Config]) -> None:
    """Apply the configuration as it is now; one that cannot be used changes nothing."""
    app.reload()
    try:
        await app.reconfigure(load())
    except ConfigError as error:
        logger.warning("the configuration is as before: %s", error)
        _warn(app)
    else:
        _warn(app)
        logger.info("the configuration was read again")


def _warn(app: App) -> None:
    """Log what will keep clients out, or exposes more than the operator may want."""
    for each in config.doubts(app.config):
        logger.warning("%s", each)
    if app.certificate and app.config.tls:
        for each in complaints(app.config.tls, app.certificate):
            logger.warning("TLS: %s", each)


@asynccontextmanager
async def _control(app: App) -> AsyncIterator[None]:
    """Open the operator's socket, if there is a path for it."""
    setting = app.config.control.socket
    path = place_for(setting, os.environ)
    async with AsyncExitStack() as stack:
        try:
            if path:
                await stack.enter_async_context(AdminSocket(path, app.admin_commands))
        except OccupiedError as error:
            if setting is not True:
                raise
            logger.warning("no operator's socket: %s", error)
        if setting is True and path is None:
            logger.info("no operator's socket: %s", no_place(os.environ))
        yield
