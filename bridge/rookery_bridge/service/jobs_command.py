"""`rookery-bridge jobs`: the jobs of this account on a remote server."""

import argparse
import json
from collections.abc import Sequence
from contextlib import aclosing

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.service_results import RemoteJob
from rookery_bridge.command_arguments import CommandParser, UsageError, parse
from rookery_bridge.service import service_arguments, service_command
from rookery_bridge.service.result_files import STANDARD_OUTPUT, ResultFile
from rookery_protocol.console import print_line
from rookery_protocol.notices import legible
from rookery_protocol.progress_bar import duration, number_of

ACTIONS = ("list", "show", "results", "pgn", "pause", "resume", "delete")
_NAME = 30  # characters of a job's name in the list


def run(arguments: Sequence[str]) -> int:
    """Run the command; return its exit status.

    Raises:
        AddressError, TrustError, PairingError, UsageError: an argument cannot be used.

    """
    options = parse(_parser(), arguments)
    if options.action != "list" and not options.id:
        raise UsageError(f"{options.action} needs the id of a job, which 'list' shows")
    return service_command.run(options, "job", _act, lambda client: client.jobs.list())


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="rookery-bridge jobs",
        allow_abbrev=False,
        description="Show the jobs of your account on a server, fetch their results, and have them"
        " wait, go on or end.",
    )
    service_arguments.add_server(parser)
    parser.add_argument(
        "action", nargs="?", choices=ACTIONS, default="list",
        help="what to do (list); 'pgn' fetches games with evaluations, 'delete' ends a job, too",
    )  # fmt: skip
    parser.add_argument("id", nargs="?", metavar="ID", help="of the job, or its beginning")
    parser.add_argument("--json", action="store_true", help="of 'list' and 'show': as JSON")
    parser.add_argument(
        "--after", type=_index, default=-1, metavar="N", help="results behind this index only"
    )
    parser.add_argument(
        "--follow", action="store_true", help="wait for the results that are not there yet"
    )
    parser.add_argument(
        "-o", "--output", default=STANDARD_OUTPUT, metavar="FILE", help="of results (stdout)"
    )
    return parser


def _index(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"needs the index of a result, from 0 on, not {text!r}")
    return int(text)


async def _act(client: AnalysisClient, options: argparse.Namespace) -> None:
    jobs, action = client.jobs, options.action
    if action == "list":
        found = await jobs.list()
        head = ("ID", "STATE", "DONE", "LEFT", "LIMITS", "ENGINE", "NAME")
        service_command.print_all(found, [head, *map(_row, found)], "job", as_json=options.json)
    elif action == "delete":
        await jobs.delete(options.id)
        print_line(f"deleted {legible(options.id)}")
    elif action == "results":
        await _write_results(client, options)
    elif action == "pgn":
        with ResultFile(options.output) as result:
            await jobs.save_annotated_pgn(options.id, result.file)
    else:
        change = {"show": jobs.get, "pause": jobs.pause, "resume": jobs.resume}[action]
        job = await change(options.id)
        service_command.print_one(job, _facts(job), as_json=options.json)


async def _write_results(client: AnalysisClient, options: argparse.Namespace) -> None:
    documents = client.jobs.result_documents(options.id, options.after, follow=options.follow)
    with ResultFile(options.output) as result:
        async with aclosing(documents):
            async for document in documents:
                is_shown = options.output == STANDARD_OUTPUT
                result.write_line(json.dumps(document, ensure_ascii=is_shown))


def _row(job: RemoteJob) -> tuple[str, ...]:
    return (
        job.id,
        job.state,
        f"{job.done}/{job.total} {job.kind}",
        "" if job.seconds_left is None else duration(job.seconds_left),
        str(job.limits),
        job.engine,
        legible(job.name, _NAME),
    )


def _facts(job: RemoteJob) -> dict[str, str]:
    rate = "" if job.rate is None else f", {job.rate:.1f} positions a second"
    left = "" if job.seconds_left is None else f", {duration(job.seconds_left)} left"
    options = ", ".join(f"{name} {value}" for name, value in job.options.items())
    return {
        "job": job.id,
        "name": job.name,
        "state": f"{job.state}: {job.reason}" if job.reason else job.state,
        "done": f"{job.done} of {job.total} {job.kind}{rate}{left}",
        "failed": str(job.failed or ""),
        "search": f"{job.engine}, {job.limits}, {number_of(job.lines, 'line')}",
        "options": options,
        "priority": str(job.priority or ""),
        "cost": f"{job.cost.nodes} nodes, {job.cost.time / 1000:.1f} s of engines",
        "created": job.created,
        "finished": job.finished or "",
        "expires": job.expires or "",
    }
