"""The program `rookery-server`: its commands, and the exit status of each."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from rookery_protocol import console
from rookery_protocol.errors import ConfigError, ServerError
from rookery_protocol.module_loading import loading
from rookery_server import process
from rookery_server.commands import command_line

USAGE_ERROR = 2
INTERRUPTED, READER_GONE = 130, 141  # as shells have it for SIGINT and SIGPIPE
_ABOUT = "Offer UCI chess engines to remote clients."
# The module of each command, and what the help says of it.  A module is loaded only when it is
# needed: the server alone takes 0.2 s of CPU time, and containers ask for its health all day.
COMMANDS = {
    "serve": ("serve", "offer engines until it is told to end (the default)"),
    "check": ("check_command", "say what a configuration would serve, and start each engine once"),
    "health": ("health_command", "ask a server of this machine whether it is well"),
    "token": ("token_command", "make, list and revoke tokens"),
    "invite": ("invite", "make a token, and a link that has all a guest needs"),
    "join": ("join", "offer the engines of this machine to a server elsewhere"),
    "sessions": ("control_command", "see and end the sessions of a running server"),
    "jobs": ("control_command", "see, end, pause and resume the jobs of all accounts"),
    "devices": ("control_command", "see and end the addresses that device ports let in"),
    "shared-games": ("control_command", "see and withdraw the games that accounts share"),
    "machines": ("control_command", "see the machines that have joined it"),
    "drain": ("control_command", "end it, as SIGTERM does"),
    "cache": ("cache_command", "look after the analyses that are kept"),
    "games": ("games_command", "make the file of games that the explorer shows"),
    "analyse": ("analyse", "have an engine look at every position of many games"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program, with the arguments of the process or these; return its exit status."""
    if sys.platform == "win32":
        sys.stderr.write("rookery-server is for Linux (here in WSL); rookery-bridge runs here\n")
        return process.CANNOT_SERVE
    arguments = sys.argv[1:] if arguments is None else arguments
    console.prepare_streams()
    try:
        if _serves(arguments):
            process.handle_early_signals()
            if shortage := process.shortage():
                console.complain(f"rookery-server: {shortage}")
                return process.CANNOT_SERVE
        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except console.ReaderGoneError:
        return READER_GONE
    finally:
        console.flush_streams()


def _serves(arguments: Sequence[str]) -> bool:
    """Return whether this is going to be the server, and not one of the other commands."""
    return not arguments or arguments[0] == "serve" or arguments[0].startswith("-")


def run(arguments: Sequence[str]) -> int:
    """Run a command line; return the exit status.

    Raises:
        ReaderGoneError: the reader of stdout has left.

    """
    try:
        return _run_command(arguments)
    except console.ReaderGoneError:
        raise
    except ConfigError as error:
        console.complain(f"rookery-server: {error}")
        return USAGE_ERROR
    except (ServerError, console.OutputError) as error:
        console.complain(f"rookery-server: {error}")
        return process.CANNOT_SERVE


def _run_command(arguments: Sequence[str]) -> int:
    name = arguments[0] if arguments else ""
    if not name or name.startswith("-"):
        return _run_server(arguments, "")
    if name not in COMMANDS:
        raise ConfigError(command_line.unknown("command", name, COMMANDS))
    if name in ("serve", "check"):
        return _run_server(arguments[1:], name)
    # One module has several commands, and reads which it is.
    words = arguments if COMMANDS[name][0] == "control_command" else arguments[1:]
    status: int = _load(name).run(words)
    return status


def _load(command: str) -> ModuleType:
    with loading():
        return import_module(f"rookery_server.commands.{COMMANDS[command][0]}")


def _run_server(arguments: Sequence[str], command: str) -> int:
    """Run `serve` or `check`, whose options are the same; without a command it is `serve`."""
    from rookery_server.config.config import Overrides

    parser = _parser(command)
    options = command_line.parse(parser, arguments)
    command = command or options.command
    if command not in COMMANDS:
        parser.error(command_line.unknown("command", command, COMMANDS))
    if command not in ("serve", "check"):
        parser.error(f"{command!r} comes first: rookery-server {command} ...")
    overrides = Overrides(
        host=options.host,
        port=options.port,
        tcp_port=options.tcp_port,
        tokens=options.tokens,
        announce=options.announce,
        engines=tuple(options.engine),
        insecure=options.insecure,
    )
    status: int = _load(command).run(options.config, overrides, verbose=options.verbose)
    return status


def _parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of serve and check; without a command, of the whole program."""
    from importlib.metadata import version  # Only now, for it takes 30 ms.

    if command:
        about = {"serve": _ABOUT, "check": "Say what would be served, and whether it could be."}
        parser = argparse.ArgumentParser(
            prog=f"rookery-server {command}", description=about[command]
        )
    else:
        listed = (f"  {name:<10}{text}" for name, (_, text) in COMMANDS.items())
        parser = argparse.ArgumentParser(
            prog="rookery-server",
            usage="rookery-server [COMMAND] [OPTION ...]",
            description="\n".join(
                [_ABOUT, "", "commands, each with a --help of its own:", *listed, "",
                 "Options without a command are those of serve."]
            ),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        parser.add_argument("command", nargs="?", default="serve", help=argparse.SUPPRESS)
    parser.add_argument(
        "--version", action="version", version=f"rookery {version('rookery-chess')}"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration in TOML")
    parser.add_argument("--host", type=command_line.host, help="address to listen on (127.0.0.1)")
    parser.add_argument(
        "--port", type=command_line.port, help="port for WebSocket and browsers (8080)"
    )
    parser.add_argument(
        "--tcp-port", type=command_line.port, help="port for plain lines over TCP (8081)"
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="offer this engine; the first one is the default (our own engine, as 'rookery')",
    )
    parser.add_argument("--tokens", type=Path, metavar="FILE", help="who may come in")
    parser.add_argument(
        "--announce",
        action="store_true",
        default=None,
        help="announce the server on the local network, where 'rookery-bridge pair' finds it",
    )
    parser.add_argument(
        "--insecure", action="store_true", help="allow an address that others can reach"
    )
    parser.add_argument("--verbose", action="store_true", help="log more")
    return parser


if __name__ == "__main__":
    sys.exit(main())
