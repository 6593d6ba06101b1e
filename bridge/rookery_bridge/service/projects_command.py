"""`rookery-bridge projects`: the projects of this account on a remote server."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.remote_projects import RemoteProject
from rookery_bridge.command_arguments import CommandParser, UsageError, parse
from rookery_bridge.service import service_arguments, service_command
from rookery_bridge.service.result_files import STANDARD_OUTPUT, ResultFile
from rookery_bridge.service.service_arguments import positive
from rookery_protocol.console import print_line
from rookery_protocol.notices import legible
from rookery_protocol.text_encoding import decode_text

ACTIONS = ("list", "create", "show", "change", "pause", "resume", "delete", "export")
FORMATS = ("pgn", "polyglot", "ndjson")
_NAME = 30  # characters of a project's name in the list
_SIDE = ("width", "lines", "limit")
_BUDGET = ("positions", "total_nodes", "cpu_seconds", "stable")


def run(arguments: Sequence[str]) -> int:
    """Run the command; return its exit status.

    Raises:
        AddressError, TrustError, PairingError, UsageError: an argument cannot be used.

    """
    options = parse(_parser(), arguments)
    if options.action not in ("list", "create") and not options.id:
        raise UsageError(f"{options.action} needs the id of a project, which 'list' shows")
    if options.action == "change" and not _change(options):
        raise UsageError("change needs --name TEXT or --engine NAME")
    is_binary = options.action == "export" and options.format == "polyglot"
    if is_binary and options.output == STANDARD_OUTPUT:
        raise UsageError("a Polyglot book goes into a file: -o FILE.bin")
    return service_command.run(options, "project", _act, lambda client: client.projects.list())


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="rookery-bridge projects",
        allow_abbrev=False,
        description="Show the projects of your account on a server, begin one, have them wait, go"
        " on or end, and export their trees.",
    )
    service_arguments.add_server(parser)
    parser.add_argument(
        "action", nargs="?", choices=ACTIONS, default="list", help="what to do (list)"
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="of the project, or its beginning")
    parser.add_argument("--json", action="store_true", help="of all but 'export': as JSON")
    _add_creation(parser.add_argument_group("create, and of 'change' the name and the engines"))
    export = parser.add_argument_group("export")
    export.add_argument("--format", choices=FORMATS, default="pgn", help="the form (pgn)")
    export.add_argument("--plies", type=positive, metavar="N", help="half-moves from the root")
    export.add_argument(
        "--most", type=positive, metavar="N", help="of PGN: positions of the largest subtrees"
    )
    export.add_argument(
        "--visits", type=positive, metavar="N", help="positions that a subtree has at least"
    )
    export.add_argument(
        "-o", "--output", default=STANDARD_OUTPUT, metavar="FILE", help="the file (stdout)"
    )
    return parser


def _add_creation(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--name", default="", metavar="TEXT", help="what it is called")
    group.add_argument("--fen", metavar="FEN", help="the position (the first of a game)")
    group.add_argument("--moves", default="", metavar="'e4 e5'", help="from there to the root")
    group.add_argument("--variant", metavar="NAME", help="standard, chess960 or another one")
    group.add_argument("--pgn", type=Path, metavar="FILE", help="lines that are searched first")
    group.add_argument(
        "--engine", action="append", default=[], metavar="NAME", help="may be repeated"
    )
    group.add_argument("--nodes", type=positive, metavar="N", help="of each search, at least")
    group.add_argument("--movetime", type=positive, metavar="MS", help="of each, at most")
    for name, text in {
        "width": "centipawns that weigh as much as a half-move",
        "lines": "moves that a search is asked for",
        "limit": "best moves that are followed",
    }.items():
        for side in ("", "-white", "-black"):
            group.add_argument(
                f"--{name}{side}", type=positive, metavar="N", help=text if not side else None
            )
    group.add_argument("--positions", type=positive, metavar="N", help="at which it ends")
    group.add_argument("--total-nodes", type=positive, metavar="N", help="likewise")
    group.add_argument("--cpu-seconds", type=positive, metavar="S", help="likewise")
    group.add_argument("--until", metavar="DATE", help="likewise: 2030-01-31T12:00:00Z")
    group.add_argument(
        "--stable", type=positive, metavar="N", help="end when the best move is so long the same"
    )


async def _act(client: AnalysisClient, options: argparse.Namespace) -> None:
    projects, action = client.projects, options.action
    if action == "list":
        found = await projects.list()
        head = ("ID", "STAGE", "POSITIONS", "SEARCHING", "NAME")
        service_command.print_all(found, [head, *map(_row, found)], "project", as_json=options.json)
    elif action == "create":
        _print(await projects.create(_wanted(options, client.address.engine)), options)
    elif action == "change":
        _print(await projects.change(options.id, _change(options)), options)
    elif action == "delete":
        await projects.delete(options.id)
        print_line(f"deleted {legible(options.id)}")
    elif action == "export":
        names = {"plies": options.plies, "nodes": options.most, "visits": options.visits}
        bounds = {name: str(value) for name, value in names.items() if value is not None}
        with ResultFile(options.output) as result:
            query = {"format": options.format, **bounds}
            await projects.save_export(options.id, query, result.file)
    else:
        change = {"show": projects.look_up, "pause": projects.pause, "resume": projects.resume}
        _print(await change[action](options.id), options)


def _wanted(options: argparse.Namespace, engine: str | None) -> dict[str, object]:
    """Return the project that the options describe, as the API has it."""
    wanted: dict[str, object] = {"name": options.name}
    if options.fen or options.moves:
        moves = options.moves.split()
        wanted["position"] = {"moves": moves} | ({"fen": options.fen} if options.fen else {})
    if options.variant:
        wanted["variant"] = options.variant
    if options.pgn:
        wanted["pgn"] = decode_text(options.pgn.read_bytes(), "replace")
    if names := options.engine or ([engine] if engine else []):
        wanted["engines"] = [{"name": name} for name in names]
    sides = {side: _side(options, side) for side in ("white", "black")}
    limits = {"nodes": options.nodes, "movetime": options.movetime}
    wanted["settings"] = {name: value for name, value in limits.items() if value is not None} | {
        side: found for side, found in sides.items() if found
    }
    budget = {name: getattr(options, name) for name in _BUDGET} | {"until": options.until}
    budget["nodes"] = budget.pop("total_nodes")
    wanted["budget"] = {name: value for name, value in budget.items() if value is not None}
    return wanted


def _change(options: argparse.Namespace) -> dict[str, object]:
    """Return the change of a project that the options describe, as the API has it."""
    change: dict[str, object] = {"name": options.name} if options.name else {}
    if options.engine:
        change["engines"] = [{"name": name} for name in options.engine]
    return change


def _side(options: argparse.Namespace, side: str) -> dict[str, int]:
    """Return what is said of the growth where one side is to move."""
    found = {}
    for name in _SIDE:
        own, both = getattr(options, f"{name}_{side}"), getattr(options, name)
        if (value := both if own is None else own) is not None:
            found[name] = value
    return found


def _row(project: RemoteProject) -> tuple[str, ...]:
    counts = str(project.positions), str(project.searching)
    return project.id, project.stage, *counts, legible(project.name, _NAME)


def _print(project: RemoteProject, options: argparse.Namespace) -> None:
    service_command.print_one(project, _facts(project), as_json=options.json)


def _facts(project: RemoteProject) -> dict[str, str]:
    moves = project.position.get("moves")
    budget = {name: value for name, value in project.budget.items() if value is not None}
    return {
        "project": project.id,
        "name": project.name,
        "stage": f"{project.stage}: {project.reason}" if project.reason else project.stage,
        "position": str(project.position.get("fen", "")),
        "moves": " ".join(map(str, moves)) if isinstance(moves, list) else "",
        "engines": ", ".join(
            str(each.get("name")) for each in project.engines if not each.get("retired")
        ),
        "settings": json.dumps(project.settings) if project.settings else "",
        "budget": json.dumps(budget) if budget else "",
        "tree": f"{project.positions} positions, {project.searching} in search",
        "cost": f"{project.searches} searches, {project.nodes} nodes,"
        f" {project.cpu_seconds:.1f} s of CPU",
        "created": project.created,
        "updated": project.updated,
    }
