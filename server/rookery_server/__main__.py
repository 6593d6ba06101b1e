"""`rookery-server`: reads the command line, serves until it is told to end."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine, Sequence
from importlib.metadata import version
from pathlib import Path

from rookery_server import config, token_command
from rookery_server.app import App
from rookery_server.config import Config, Overrides
from rookery_server.errors import ConfigError, ServerError
from rookery_server.page import dial
from rookery_server.wire import engine_path

USAGE_ERROR = 2
CANNOT_SERVE = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments[:1] == ["token"]:
            return token_command.run(arguments[1:])
        return _serve_as_told(arguments)
    except ConfigError as error:
        print(f"rookery-server: {error}", file=sys.stderr)
        return USAGE_ERROR
    except ServerError as error:
        print(f"rookery-server: {error}", file=sys.stderr)
        return CANNOT_SERVE


def _serve_as_told(arguments: Sequence[str]) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "token":
        parser.error("'token' comes first: rookery-server token add|list|revoke ...")
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # The library logs each connection; ours say more with one line a session.
    logging.getLogger("websockets").setLevel(logging.ERROR)
    overrides = Overrides(
        host=options.host,
        port=options.port,
        tcp_port=options.tcp_port,
        tokens=options.tokens,
        engines=tuple(options.engine),
        insecure=options.insecure,
    )
    _run(_serve(config.load(options.config, overrides)))
    return 0


def _run(serving: Coroutine[None, None, None]) -> None:
    try:
        import uvloop  # Its loop turns in half the time of asyncio's own; it is for Unix only.
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-server", description="Offer UCI chess engines to remote clients."
    )
    parser.add_argument("--version", action="version", version=f"rookery {version('rookery')}")
    parser.add_argument(
        "command",
        nargs="?",
        choices=["serve", "token"],
        default="serve",
        help="serve, which is the default; or token add, list, revoke (see token --help)",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration in TOML")
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port for WebSocket and browsers (8080)")
    parser.add_argument("--tcp-port", type=int, help="port for plain lines over TCP (8081)")
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="offer this engine; the first one is the default (our own engine, as 'rookery')",
    )
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="who may come in")
    parser.add_argument(
        "--insecure", action="store_true", help="allow an address that others can reach"
    )
    parser.add_argument("--verbose", action="store_true", help="log more")
    return parser


async def _serve(settings: Config) -> None:
    loop = asyncio.get_running_loop()
    told_to_end = asyncio.Event()
    async with App(settings) as app:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, told_to_end.set)
        had_terminal = _has_terminal()

        def hang_up() -> None:
            if had_terminal and not _has_terminal():
                told_to_end.set()
            else:
                app.reload()

        loop.add_signal_handler(signal.SIGHUP, hang_up)
        print(_greeting(settings, app), flush=True)
        await told_to_end.wait()
        print("ending: searches may finish, press Ctrl-C again not to wait", flush=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, app.abandon)


def _has_terminal() -> bool:
    """Say whether there is a terminal: SIGHUP also says that it has been closed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True


def _greeting(settings: Config, app: App) -> str:
    where = f"{settings.server.host}:{app.port}"
    web, ws = ("https", "wss") if settings.tls else ("http", "ws")
    names = ", ".join(engine.name for engine in settings.engines)
    lines = [
        f"Rookery {version('rookery')} offers: {names}",
        f"  browser   {web}://{where}/",
        f"  chess GUI rookery-bridge {ws}://{where}{engine_path(settings.engines[0].name)}",
    ]
    if app.tcp_port is not None:
        lines.append(f"  terminal  {dial(settings, app.tcp_port)}")
    return "\n".join([*lines, "Ctrl-C ends it."])


if __name__ == "__main__":
    sys.exit(main())
