"""`rookery-server serve`: offers engines until it is told to end, by a signal or the operator."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from rookery_protocol import console
from rookery_protocol.errors import ConfigError
from rookery_server import log, process, systemd
from rookery_server.access.tls import key_complaint
from rookery_server.app import TCP, WEB, App
from rookery_server.banner import greeting
from rookery_server.config import config
from rookery_server.config.config import Config, Overrides
from rookery_server.http.admin_socket import (
    Control,
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

    def read() -> Config:
        settings = config.load(path, overrides)
        if not sockets:
            config.check_ports(settings)
        return config.at(settings, [_host_of(each) for each in sockets.values()])

    try:
        return process.run(_serve(read, sockets, verbose=verbose))
    finally:
        log.settle()


def _host_of(listening: socket.socket) -> str:
    return str(listening.getsockname()[0])


class _Told:
    """What the server has been told to do, by signals and by the operator."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._breakable = asyncio.current_task()  # a start, or a reload
        self._had_terminal = has_terminal()
        self._hurry: Callable[[], None] | None = None  # it is ending, and may end at once
        self.is_over = False  # it is to end

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Listen for signals."""
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.to_end)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)

    def listen_no_more(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let signals be: who says once more that it shall end must not change how it does."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN)

    def has_started(self) -> None:
        """Take note that it serves: from now on it ends by itself."""
        self._breakable = None

    def to_end(self) -> None:
        """Let it end, and at once if it is ending."""
        if self._hurry:
            self._hurry()
        else:
            self._end()

    def is_ending(self, hurry: Callable[[], None]) -> None:
        """Take note that it ends: who says so once more does not want to wait for it."""
        self._hurry = hurry

    def _hang_up(self) -> None:
        """Let it read its configuration again, or end if its terminal is closed."""
        if self._had_terminal and not has_terminal():
            self._end()
        else:
            self._news.set()

    def _end(self) -> None:
        """Let it end; a start or a reload is broken off."""
        self.is_over = True
        self._news.set()
        if self._breakable:
            self._breakable.cancel()

    async def unless_over(self, work: Coroutine[None, None, None]) -> None:
        """Do what is broken off when it is to end."""
        self._breakable = asyncio.create_task(work, name="reload")
        try:
            await asyncio.wait([self._breakable])
            if not self._breakable.cancelled():
                self._breakable.result()
        finally:
            self._breakable = None

    async def to_go_on(self) -> bool:
        """Wait until it is told something; say whether it goes on after that."""
        await self._news.wait()
        self._news.clear()
        return not self.is_over


async def _serve(
    read: Callable[[], Config], sockets: Mapping[str, socket.socket], *, verbose: bool
) -> int:
    loop, told = asyncio.get_running_loop(), _Told()
    told.listen(loop)  # Before it reads the configuration: what changes from now on is told.
    settings = read()
    if path := place_for(settings.control.socket, os.environ):
        check_place(path)
    log.set_up(settings.log, verbose=verbose)
    try:
        # Ending is life, too, however long the last searches take.
        with systemd.alive(loop):
            await _operate(read, settings, sockets, told, verbose=verbose)
    except asyncio.CancelledError:
        if not told.is_over:
            raise
    told.listen_no_more(loop)
    return 0


async def _operate(
    read: Callable[[], Config],
    settings: Config,
    sockets: Mapping[str, socket.socket],
    told: "_Told",
    *,
    verbose: bool,
) -> None:
    async with App(settings, sockets, drain=told.to_end) as app, _control(app):
        told.has_started()
        _tell(greeting(settings, app.port, app.tcp_port, app.broker_port))
        _warn(app)
        systemd.ready()
        while await told.to_go_on():
            systemd.reloading()
            await told.unless_over(_reload(app, read))
            log.set_up(app.config.log, verbose=verbose)
            systemd.ready()
        server = app.config.server
        told.is_ending(app.abandon)  # Who hears the words may say so at once.
        systemd.stopping(server.drain_timeout + SPARE_TIME)
        searches = "may finish" if server.drain == "finish" else "are stopped"
        _tell(f"ending: searches {searches}, press Ctrl-C again not to wait")
        # The operator is heard as long as clients are.
        await app.finish()


def _tell(text: str) -> None:
    """Say something to who has started the server; it serves, whether anybody hears that or not."""
    try:
        console.print_line_at_once(text)
    except console.OutputError as error:
        logger.warning("%s, so this was not heard: %s", error, text.splitlines()[0])


async def _reload(app: App, read: Callable[[], Config]) -> None:
    """Take the configuration as it is now; what cannot be used changes nothing."""
    app.reload()
    try:
        await app.reconfigure(read())
    except ConfigError as error:
        logger.warning("the configuration is as before: %s", error)
        _warn(app)
    else:
        _warn(app)
        logger.info("the configuration was read again")


def _warn(app: App) -> None:
    """Log what will keep clients away, or lets others have what is not theirs."""
    for each in config.doubts(app.config):
        logger.warning("%s", each)
    if app.certificate is None or app.config.tls is None:
        return
    for each in (app.certificate.complaint(datetime.now(UTC)), key_complaint(app.config.tls)):
        if each:
            logger.warning("TLS: %s", each)


@asynccontextmanager
async def _control(app: App) -> AsyncIterator[None]:
    """Listen to the operator, if there is a place for it."""
    setting = app.config.control.socket
    path = place_for(setting, os.environ)
    async with AsyncExitStack() as stack:
        try:
            if path:
                await stack.enter_async_context(Control(path, app.orders))
        except OccupiedError as error:
            if setting is not True:
                raise
            logger.warning("no operator's socket: %s", error)
        if setting is True and path is None:
            logger.info("no operator's socket: %s", no_place(os.environ))
        yield
