"""`rookery-server`: reads the command line, serves until it is told to end."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from rookery_protocol import console
from rookery_protocol.errors import ConfigError, ServerError
from rookery_server.commands import command_line
from rookery_server.config.config import Overrides

USAGE_ERROR = 2
CANNOT_SERVE = 1
_ABOUT = "Offer UCI chess engines to remote clients."
COMMANDS = {
    "serve": "offer engines until it is told to end (the default)",
    "check": "say what a configuration would serve, and start each engine once",
    "health": "ask a server of this machine whether it is well",
    "token": "make, list and revoke tokens",
    "invite": "make a token, and a link that has all a guest needs",
    "join": "offer the engines of this machine to a server elsewhere",
    "sessions": "see and end the sessions of a running server",
    "machines": "see the machines that have joined it",
    "drain": "end it, as SIGTERM does",
    "cache": "look after the analyses that are kept",
    "analyse": "have an engine look at every position of many games",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status.

    Raises:
        ReaderGoneError: nobody reads any more what a command says.

    """
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        return _commanded(arguments)
    except console.ReaderGoneError:
        raise
    except ConfigError as error:
        console.complain(f"rookery-server: {error}")
        return USAGE_ERROR
    except (ServerError, console.OutputError) as error:
        console.complain(f"rookery-server: {error}")
        return CANNOT_SERVE


def _commanded(arguments: Sequence[str]) -> int:
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        return _do(name, arguments[1:])
    if name and not name.startswith("-"):
        raise ConfigError(command_line.unknown("command", name, COMMANDS))
    return _serve_as_told(arguments)


def _do(name: str, arguments: Sequence[str]) -> int:
    """Do what has options of its own; only what a command needs is loaded.

    The server alone takes 0.2 s of CPU time, and containers ask for its health all day.
    """
    match name:
        case "token":
            from rookery_server.commands import token_command

            return token_command.run(arguments)
        case "invite":
            from rookery_server.commands import invite

            return invite.run(arguments)
        case "cache":
            from rookery_server.commands import cache_command

            return cache_command.run(arguments)
        case "analyse":
            from rookery_server.commands import analyse

            return analyse.run(arguments)
        case "join":
            from rookery_server.commands import join

            return join.run(arguments)
        case "sessions" | "machines" | "drain":
            from rookery_server.commands import control_command

            return control_command.run([name, *arguments])
        case "health":
            from rookery_server.commands import health_command

            return health_command.run(arguments)
    return _serve_as_told(arguments, name)


def _serve_as_told(arguments: Sequence[str], command: str = "") -> int:
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
        engines=tuple(options.engine),
        insecure=options.insecure,
    )
    if command == "check":
        from rookery_server.commands import check_command

        return check_command.run(options.config, overrides, verbose=options.verbose)
    from rookery_server.commands import serve

    return serve.run(options.config, overrides, verbose=options.verbose)


def _parser(command: str) -> argparse.ArgumentParser:
    """Return what reads the options of serve and check; without a command, of the program."""
    if command:
        about = {"serve": _ABOUT, "check": "Say what would be served, and whether it could be."}
        parser = argparse.ArgumentParser(
            prog=f"rookery-server {command}", description=about[command]
        )
    else:
        listed = (f"  {name:<10}{text}" for name, text in COMMANDS.items())
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
        "--insecure", action="store_true", help="allow an address that others can reach"
    )
    parser.add_argument("--verbose", action="store_true", help="log more")
    return parser


if __name__ == "__main__":
    from rookery_server import bootstrap

    sys.exit(bootstrap.main())
