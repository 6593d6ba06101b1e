"""`rookery-bridge jobs`: the jobs of this account on a remote server."""

import argparse
import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import asdict
from http import HTTPStatus

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.client.service_results import RemoteJob
from rookery_bridge.command_arguments import UsageError, complain
from rookery_bridge.service import service_arguments
from rookery_bridge.service.analyse_command import failure
from rookery_bridge.service.result_files import STANDARD_OUTPUT, ResultFile
from rookery_bridge.service.service_arguments import DONE, ServiceParser
from rookery_protocol.console import print_line, print_table
from rookery_protocol.notices import legible
from rookery_protocol.progress_bar import duration, number_of

ACTIONS = ("list", "show", "results", "pgn", "pause", "resume", "delete")
_NAME = 30  # characters of a job's name in the list


def run(arguments: Sequence[str]) -> int:
    """Run the command; return its exit status.

    Raises:
        AddressError, TrustError, PairingError, UsageError: an argument cannot be used.

    """
    options = service_arguments.parse(_parser(), arguments)
    if options.action != "list" and not options.id:
        raise UsageError(f"{options.action} needs the id of a job, which 'list' shows")
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
    jobs, action = client.jobs, options.action
    if action == "list":
        _print_list(await jobs.list(), as_json=options.json)
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
        _print_job(await change(options.id), as_json=options.json)


async def _whole_id(client: AnalysisClient, beginning: str) -> str:
    """Return the id of the one job whose id begins so.

    Raises:
        ServiceError: there is none, or more than one.

    """
    found = [job.id for job in await client.jobs.list() if job.id.startswith(beginning)]
    if len(found) == 1 and found[0] != beginning:
        return found[0]
    fault = f"{len(found)} jobs have an id" if len(found) > 1 else "no job has an id"
    raise ServiceError(f"{fault} that begins with {beginning!r}: 'list' shows those that there are")


async def _write_results(client: AnalysisClient, options: argparse.Namespace) -> None:
    documents = client.jobs.result_documents(options.id, options.after, follow=options.follow)
    with ResultFile(options.output) as result:
        async with aclosing(documents):
            async for document in documents:
                is_shown = options.output == STANDARD_OUTPUT
                result.write_line(json.dumps(document, ensure_ascii=is_shown))


def _print_list(jobs: Sequence[RemoteJob], *, as_json: bool) -> None:
    if as_json:
        print_line(json.dumps([asdict(job) for job in jobs]))
    elif jobs:
        head = ("ID", "STATE", "DONE", "LEFT", "LIMITS", "ENGINE", "NAME")
        print_table([head, *map(_row, jobs)])
    else:
        print_line("no jobs")


def _row(job: RemoteJob) -> tuple[str, ...]:
    texts = (
        job.id,
        job.state,
        f"{job.done}/{job.total} {job.kind}",
        "" if job.seconds_left is None else duration(job.seconds_left),
        str(job.limits),
        job.engine,
        legible(job.name, _NAME),
    )
    return tuple(map(legible, texts))


def _print_job(job: RemoteJob, *, as_json: bool) -> None:
    if as_json:
        print_line(json.dumps(asdict(job)))
        return
    rate = "" if job.rate is None else f", {job.rate:.1f} positions a second"
    left = "" if job.seconds_left is None else f", {duration(job.seconds_left)} left"
    options = ", ".join(f"{name} {value}" for name, value in job.options.items())
    facts = {
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
    width = max(map(len, facts))
    for name, text in facts.items():
        if text:
            print_line(f"{name.ljust(width)}  {legible(text, 500)}")
