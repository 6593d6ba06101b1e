"""`rookery-bridge projects`: the projects of this account on a remote server."""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.remote_projects import RemoteProject
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.command_arguments import UsageError, complain
from rookery_bridge.service import service_arguments
from rookery_bridge.service.analyse_command import failure
from rookery_bridge.service.result_files import STANDARD_OUTPUT, ResultFile
from rookery_bridge.service.service_arguments import DONE, ServiceParser, positive
from rookery_protocol.console import print_line, print_table
from rookery_protocol.notices import legible

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
    options = service_arguments.parse(_parser(), arguments)
    if options.action not in ("list", "create") and not options.id:
        raise UsageError(f"{options.action} needs the id of a project, which 'list' shows")
    if options.action == "change" and not _change(options):
        raise UsageError("change needs --name TEXT or --engine NAME")
    is_binary = options.action == "export" and options.format == "polyglot"
    if is_binary and options.output == STANDARD_OUTPUT:
        raise UsageError("a Polyglot book goes into a file: -o FILE.bin")
    address, trust, insecure = service_arguments.server_of(options)
    client = AnalysisClient.at(address, trust, insecure=insecure, report=complain)
    try:
        asyncio.run(_run(client, options))
    except ServiceError as error:
        complain(failure(error))
    except OSError as error:
        complain(f"{error.filename or options.output}: {error.strerror or error}")
    else:
        return DONE
    return service_arguments.FAILED


def _parser() -> ServiceParser:
    parser = ServiceParser(
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


async def _run(client: AnalysisClient, options: argparse.Namespace) -> None:
    async with client:
        try:
            await _act(client, options)
        except ServiceError as error:
            if error.status != HTTPStatus.NOT_FOUND or not options.id:
                raise
            options.id = await _whole_id(client, options.id)
            await _act(client, options)


async def _act(client: AnalysisClient, options: argparse.Namespace) -> None:
    projects, action = client.projects, options.action
    if action == "list":
        _print_list(await projects.list(), as_json=options.json)
    elif action == "create":
        created = await projects.create(_wanted(options, client.address.engine))
        _print_project(created, as_json=options.json)
    elif action == "change":
        changed = await projects.change(options.id, _change(options))
        _print_project(changed, as_json=options.json)
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
        _print_project(await change[action](options.id), as_json=options.json)


def _wanted(options: argparse.Namespace, engine: str | None) -> dict[str, object]:
    """Return the project that the options describe, as the API has it."""
    wanted: dict[str, object] = {"name": options.name}
    if options.fen or options.moves:
        moves = options.moves.split()
        wanted["position"] = {"moves": moves} | ({"fen": options.fen} if options.fen else {})
    if options.variant:
        wanted["variant"] = options.variant
    if options.pgn:
        wanted["pgn"] = options.pgn.read_text(encoding="utf-8", errors="replace")
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


async def _whole_id(client: AnalysisClient, beginning: str) -> str:
    """Return the id of the one project whose id begins so.

    Raises:
        ServiceError: there is none, or more than one.

    """
    found = [each.id for each in await client.projects.list() if each.id.startswith(beginning)]
    if len(found) == 1 and found[0] != beginning:
        return found[0]
    fault = f"{len(found)} projects have an id" if len(found) > 1 else "no project has an id"
    raise ServiceError(f"{fault} that begins with {beginning!r}: 'list' shows those that there are")


def _print_list(projects: Sequence[RemoteProject], *, as_json: bool) -> None:
    if as_json:
        print_line(json.dumps([asdict(each) for each in projects]))
    elif projects:
        print_table([("ID", "STAGE", "POSITIONS", "SEARCHING", "NAME"), *map(_row, projects)])
    else:
        print_line("no projects")


def _row(project: RemoteProject) -> tuple[str, ...]:
    counts = str(project.positions), str(project.searching)
    texts = project.id, project.stage, *counts, legible(project.name, _NAME)
    return tuple(map(legible, texts))


def _print_project(project: RemoteProject, *, as_json: bool) -> None:
    if as_json:
        print_line(json.dumps(asdict(project)))
        return
    moves = project.position.get("moves")
    facts = {
        "project": project.id,
        "name": project.name,
        "stage": f"{project.stage}: {project.reason}" if project.reason else project.stage,
        "position": str(project.position.get("fen", "")),
        "moves": " ".join(map(str, moves)) if isinstance(moves, list) else "",
        "engines": ", ".join(
            str(each.get("name")) for each in project.engines if not each.get("retired")
        ),
        "settings": json.dumps(project.settings),
        "budget": json.dumps({k: v for k, v in project.budget.items() if v is not None}),
        "tree": f"{project.positions} positions, {project.searching} in search",
        "cost": f"{project.searches} searches, {project.nodes} nodes,"
        f" {project.cpu_seconds:.1f} s of CPU",
        "created": project.created,
        "updated": project.updated,
    }
    width = max(map(len, facts))
    for name, text in facts.items():
        if text and text != "{}":
            print_line(f"{name.ljust(width)}  {legible(text, 500)}")
