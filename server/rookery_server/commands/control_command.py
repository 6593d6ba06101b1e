"""Commands `rookery-server sessions`, `jobs`, `shared-games` and more, to a running server."""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rookery_protocol.console import complain, print_line, print_table
from rookery_protocol.errors import ServerError
from rookery_server.commands import command_line
from rookery_server.config import config
from rookery_server.http.admin_socket import send_command, usual_places

_PATIENCE = 5.0  # s that a server has to answer
_COLUMNS = {
    "sessions": "session account engine state address seconds searches watching",
    "jobs": "id account kind state done failed total rate age engine name",
    "shared-games": "id account size age left title",
    "machines": "machine account address engines sessions most threads hash_mb seconds",
    "devices": "device account port engine address token left connections",
}


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status.

    Raises:
        ServerError: no server answers, or it cannot do that.

    """
    options = command_line.parse(_parser(), arguments)
    path = socket_path(options.socket, options.config)
    request = {"do": options.command}
    if options.command == "sessions" and options.action == "end":
        request = {"do": "end", "session": options.number}
    if options.command == "jobs" and options.action != "list":
        request = {"do": f"{options.action}-job", "job": options.id}
    if options.command == "shared-games" and options.action == "end":
        request = {"do": "end-game", "game": options.game}
    if options.command == "devices" and options.action == "end":
        request = {"do": "end-device", "device": options.name}
    answer = send_command(path, request, patience=_PATIENCE)
    if options.command in answer:
        found = answer[options.command]
        assert isinstance(found, list)
        _list(found, _COLUMNS[options.command].split(), as_json=options.json)
        total = answer.get("total")
        if isinstance(total, int) and total > len(found):
            complain(f"rookery-server: these are {len(found)} of {total} {options.command}")
    return 0


def _parser() -> argparse.ArgumentParser:
    where = argparse.ArgumentParser(add_help=False)
    places = where.add_mutually_exclusive_group()
    places.add_argument("--socket", type=Path, metavar="PATH", help="the server's socket")
    places.add_argument(
        "--config", type=Path, metavar="FILE", help="the configuration that names it"
    )
    parser = argparse.ArgumentParser(
        prog="rookery-server", description="Look after a running server."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("drain", parents=[where], help="end the server, as SIGTERM does")
    sessions = commands.add_parser("sessions", help="see and end sessions")
    actions = sessions.add_subparsers(dest="action", required=True, metavar="{list,end}")
    show = actions.add_parser("list", parents=[where], help="show the sessions that are open")
    show.add_argument("--json", action="store_true", help="one JSON object a line")
    machines = commands.add_parser("machines", help="see the machines that have joined")
    theirs = machines.add_subparsers(dest="action", required=True, metavar="{list}")
    seen = theirs.add_parser("list", parents=[where], help="show those that there are")
    seen.add_argument("--json", action="store_true", help="one JSON object a line")
    end = actions.add_parser("end", parents=[where], help="end a session; its client is told")
    end.add_argument("number", type=command_line.count, help="its number, as the list has it")
    _add_jobs(commands.add_parser("jobs", help="see, end, pause and resume jobs"), where)
    games = commands.add_parser("shared-games", help="see and withdraw the games of links")
    _add_shared_games(games, where)
    _add_devices(commands.add_parser("devices", help="see and end paired addresses"), where)
    return parser


def _add_devices(devices: argparse.ArgumentParser, where: argparse.ArgumentParser) -> None:
    actions = devices.add_subparsers(dest="action", required=True, metavar="{list,end}")
    show = actions.add_parser("list", parents=[where], help="show who is let in at device ports")
    show.add_argument("--json", action="store_true", help="one JSON object a line")
    end = actions.add_parser("end", parents=[where], help="let no address in any more at one")
    end.add_argument("name", metavar="NAME", help="its name in the configuration")


def _add_shared_games(games: argparse.ArgumentParser, where: argparse.ArgumentParser) -> None:
    actions = games.add_subparsers(dest="action", required=True, metavar="{list,end}")
    show = actions.add_parser("list", parents=[where], help="show the games of all accounts")
    show.add_argument("--json", action="store_true", help="one JSON object a line")
    end = actions.add_parser("end", parents=[where], help="withdraw one; its link ends")
    end.add_argument("game", metavar="LINK", help="the link to it, its id, or the beginning of it")


def _add_jobs(jobs: argparse.ArgumentParser, where: argparse.ArgumentParser) -> None:
    words = "{list,end,pause,resume}"
    actions = jobs.add_subparsers(dest="action", required=True, metavar=words)
    show = actions.add_parser("list", parents=[where], help="show the jobs of all accounts")
    show.add_argument("--json", action="store_true", help="one JSON object a line")
    for name, text in {
        "end": "end a job, and delete it with its results",
        "pause": "work at it no more for now",
        "resume": "work again at one that is paused or has failed",
    }.items():
        action = actions.add_parser(name, parents=[where], help=text)
        action.add_argument("id", metavar="ID", help="its id, or the beginning of it")


def socket_path(path: Path | None, configuration: Path | None) -> Path:
    """Return the path of the operator's socket of a server.

    Raises:
        ServerError: there is none.

    """
    if path:
        return path
    if configuration:
        setting = config.read_document(configuration).control.socket
        if isinstance(setting, Path):
            return setting
        if setting is False:
            raise ServerError(
                f"{configuration} has control.socket = false: that server hears no operator"
            )
    places = usual_places(os.environ)
    found = next((each for each in places if each.exists()), None)
    if found is None:
        looked = " or ".join(map(str, places))
        raise ServerError(
            f"no server has its socket at {looked}: is one there, and does its log say that it"
            " has none? Then set control.socket = PATH in its configuration; --config FILE or"
            " --socket PATH says where it is"
        )
    return found


def _list(found: Sequence[Mapping[str, object]], columns: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        for each in found:
            print_line(json.dumps(each))
        return
    rows = [[name.upper() for name in columns]]
    rows += [[_cell(each[key]) for key in columns] for each in found]
    print_table(rows)


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "-" if value is None else str(value)
