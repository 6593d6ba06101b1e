"""`rookery-bridge analyse`: games or positions of a file, analysed as a job of a remote server.

The key of the job is made of what is asked, so the same command goes on with the same job, however
it was ended.
"""

import argparse
import asyncio
import json
import re
import shutil
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.client.service_results import FAILED, PAUSED, ItemAnswer, RemoteJob
from rookery_bridge.command_arguments import CommandParser, UsageError, complain, parse
from rookery_bridge.service import service_arguments
from rookery_bridge.service.result_files import ResultFile
from rookery_bridge.service.service_arguments import (
    DONE,
    INTERRUPTED,
    positive,
    uci_option,
)
from rookery_bridge.service.service_command import failure
from rookery_protocol.console import print_line
from rookery_protocol.notices import legible
from rookery_protocol.progress_bar import JobCount, ProgressBar, number_of

GAMES, POSITIONS = "games", "positions"
STANDARD_INPUT = "-"
_SAMPLE = 1 << 16  # bytes by which the kind of a file is told
_FEN = re.compile(r"\s*(?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK~]+(?:\[\w*\])?\s+[wb]\b")
_REASONS = 10  # that are shown, at least


def run(arguments: Sequence[str]) -> int:
    """Run the command; return its exit status.

    Raises:
        AddressError, TrustError, PairingError, UsageError: an argument cannot be used.

    """
    options = parse(_parser(), arguments)
    if not (options.nodes or options.depth or options.movetime):
        raise UsageError("analyse needs --nodes, --depth or --movetime")
    address, trust, insecure = service_arguments.server_of(options)
    bar = ProgressBar()
    client = AnalysisClient.at(address, trust, insecure=insecure, report=bar.report)
    try:
        with TemporaryDirectory(prefix="rookery-") as folder:
            source = _source(options.file, Path(folder))
            task = _task(options, source)
            return asyncio.run(AnalyseRun(client, task, options, bar).run())
    except (ServiceError, OSError) as error:
        complain(failure(error, options.file))
        return service_arguments.FAILED


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="rookery-bridge analyse",
        allow_abbrev=False,
        description="Have a remote server analyse the games or positions of a file. The same"
        " command goes on where it was if it was ended, however that was.",
    )
    service_arguments.add_server(parser)
    parser.add_argument("file", metavar="FILE", help="PGN, or a FEN or EPD a line; - is stdin")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--games", action="store_true", help="FILE is PGN, whatever it looks like")
    kind.add_argument("--positions", action="store_true", help="FILE has a FEN or EPD a line")
    results = parser.add_argument_group("results (stdout)")
    results.add_argument("-o", "--output", metavar="FILE", help="of games: annotated PGN")
    results.add_argument("--jsonl", metavar="FILE", help="a line of JSON for each game or position")
    limits = parser.add_argument_group("how far each position is searched, at least one")
    limits.add_argument("--nodes", type=positive, metavar="N", help="the same results each time")
    limits.add_argument("--depth", type=positive, metavar="N", help="likewise")
    limits.add_argument("--movetime", type=positive, metavar="MS", help="milliseconds")
    engine = parser.add_argument_group("the engine")
    engine.add_argument("--engine", metavar="NAME", help="one of the server's (its default)")
    engine.add_argument("--multipv", type=positive, default=1, metavar="K", help="lines (1)")
    engine.add_argument(
        "--option", action="append", type=uci_option, default=[], metavar="NAME=VALUE",
        help="an option of UCI; may be repeated",
    )  # fmt: skip
    job = parser.add_argument_group("the job")
    job.add_argument("--name", metavar="TEXT", help="what it is called (the name of the file)")
    job.add_argument(
        "--detach", action="store_true", help="leave it to the server, and print its id"
    )
    job.add_argument(
        "--delete", action="store_true",
        help="remove it from the server when the results are written, or after Ctrl-C",
    )  # fmt: skip
    job.add_argument("--restart", action="store_true", help="begin anew, without former results")
    return parser


@dataclass(frozen=True, slots=True)
class AnalyseTask:
    """The input, a file of `games` or `positions`, and the files of the results."""

    source: Path
    kind: str
    name: str
    pgn: str | None
    jsonl: str | None


def _source(file: str, folder: Path) -> Path:
    """Return the file of the input; standard input and UTF-16 are kept in one of the folder."""
    source = Path(file)
    if file == STANDARD_INPUT:
        source = folder / "stdin"
        with source.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
    with source.open("rb") as original:
        is_wide = original.read(len(BOM_UTF16_LE)) in (BOM_UTF16_LE, BOM_UTF16_BE)
    return _recode(source, folder / "utf-8" / source.name) if is_wide else source


def _recode(source: Path, target: Path) -> Path:
    """Copy a text as PowerShell writes it; positions have to be UTF-8."""
    target.parent.mkdir()
    with (
        source.open(encoding="utf-16", errors="replace", newline="") as text,
        target.open("w", encoding="utf-8", newline="") as copy,
    ):
        shutil.copyfileobj(text, copy)
    return target


def _task(options: argparse.Namespace, source: Path) -> AnalyseTask:
    """Check what can be checked before the server is asked.

    Raises:
        UsageError: the kinds of input and results do not fit, or there is no input.
        OSError: the file cannot be read.

    """
    with source.open("rb") as file:
        sample = file.read(_SAMPLE)
    if not sample.strip():
        raise UsageError(f"{options.file} is empty: it needs PGN, or a FEN or EPD a line")
    kind = kind_of(sample)
    if options.games or options.positions:
        kind = GAMES if options.games else POSITIONS
    pgn, jsonl = options.output, options.jsonl
    if kind == POSITIONS and pgn:
        raise UsageError(f"{options.file} has positions, and -o is for games: use --jsonl FILE")
    if pgn is None and jsonl is None:
        pgn, jsonl = (STANDARD_INPUT, None) if kind == GAMES else (None, STANDARD_INPUT)
    if pgn == jsonl == STANDARD_INPUT:
        raise UsageError("-o and --jsonl cannot both go to stdout: name a file for one of them")
    for each in (pgn, jsonl):
        if each not in (None, STANDARD_INPUT) and Path(each) == Path(options.file):
            raise UsageError(f"{each} is the input: name another file for the results")
    default = "stdin" if options.file == STANDARD_INPUT else source.name
    return AnalyseTask(source, kind, (options.name or default)[:200], pgn, jsonl)


def kind_of(sample: bytes) -> str:
    """Return the kind of a file by its beginning."""
    text = sample.decode("utf-8-sig", errors="replace")
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return POSITIONS if _FEN.match(next(lines, "")) else GAMES


class AnalyseRun:
    """One run of the command."""

    def __init__(
        self,
        client: AnalysisClient,
        task: AnalyseTask,
        options: argparse.Namespace,
        bar: ProgressBar,
    ) -> None:
        self._client = client
        self._task = task
        self._options = options
        self._bar = bar
        self._job: RemoteJob | None = None

    async def run(self) -> int:
        """Make the job, or find it again; wait for it, and write its results.

        Raises:
            ServiceError: the server refuses the job.
            OSError: a file cannot be read or written.

        """
        async with self._client as client:
            try:
                job = self._job = await self._find_job()
                if self._options.detach:
                    print_line(job.id)
                    complain(
                        f"{_described(job)}; {self._command('results', '--follow')} fetches it"
                    )
                    return DONE
                status = await self._follow(job)
                if self._options.delete:
                    await client.jobs.delete(job)
                return status
            except asyncio.CancelledError:
                return await self._interrupt()
            except ServiceError as error:
                if self._job is None:
                    raise
                complain(f"{failure(error)}; the same command goes on with the job")
                return service_arguments.FAILED

    async def _find_job(self) -> RemoteJob:
        job = await self._create()
        if self._options.restart and (job.done or job.is_over):
            await self._client.jobs.delete(job)
            job = await self._create()
        if job.state == FAILED:
            job = await self._client.jobs.resume(job)
        if job.done == job.total:
            self._bar.report("the results are there already (--restart begins anew)")
        elif job.done:
            self._bar.report(f"going on after {number_of(job.done, _noun(job))}")
        return job

    async def _create(self) -> RemoteJob:
        """Begin the job; it is the former one if nothing else was asked for."""
        options, task, engine = self._options, self._task, self._client.address.engine
        limits = (options.nodes, options.depth, options.movetime)
        asked = (task.kind, task.name, *limits, options.engine or engine, options.multipv)
        key = sha256(json.dumps([*asked, *options.option]).encode())
        with task.source.open("rb") as file:
            while piece := file.read(_SAMPLE):
                key.update(piece)
        return await self._client.jobs.create(
            positions=task.source if task.kind == POSITIONS else None,
            games=task.source if task.kind == GAMES else None,
            nodes=options.nodes,
            depth=options.depth,
            movetime=options.movetime,
            engine=options.engine,
            lines=options.multipv,
            options=dict(options.option),
            name=task.name,
            idempotency_key=key.hexdigest(),
        )

    # --- results

    async def _follow(self, job: RemoteJob) -> int:
        """Show how far a job is until it is over, and write its results."""
        if job.state == PAUSED:
            self._bar.report(f"the job is paused: {self._command('resume')} has it go on")
        self._bar.start(_count(job))
        try:
            async with asyncio.TaskGroup() as tasks:
                watching = tasks.create_task(self._watch(job), name="watch job")
                if self._task.jsonl:
                    writing = self._write_lines(job, self._task.jsonl)
                    tasks.create_task(writing, name="write results")
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        before, job = job, watching.result()
        if before.done < job.done:
            self._bar.finish(_count(job))
        if job.state == FAILED:
            complain(f"the job has failed: {job.reason}; {self._command('resume')} tries again")
            return service_arguments.FAILED
        if self._task.pgn:
            with ResultFile(self._task.pgn) as result:
                await self._client.jobs.save_annotated_pgn(job, result.file)
        if job.failed or job.kind == GAMES:  # A game may have been read in part.
            await self._explain_problems(job)
        return service_arguments.FAILED if job.failed == job.total else DONE

    async def _watch(self, job: RemoteJob) -> RemoteJob:
        state = job.state
        # On one terminal the lines of results and of a bar would disturb each other.
        is_shown = self._task.jsonl != STANDARD_INPUT or not sys.stdout.isatty()
        async with aclosing(self._client.jobs.watch(job)) as looks:
            async for look in looks:
                if is_shown:
                    self._bar.update(_count(look))
                if look.state != state and PAUSED in (look.state, state):
                    self._bar.report(f"the job is {look.state}")
                state, job = look.state, look
        return job

    async def _write_lines(self, job: RemoteJob, path: str) -> None:
        with ResultFile(path) as result:
            documents = self._client.jobs.result_documents(job, follow=True)
            async with aclosing(documents):
                async for document in documents:
                    if isinstance(game := document.get("game"), dict):
                        document = {"index": document["index"], **game}
                    result.write_line(json.dumps(document, ensure_ascii=path == STANDARD_INPUT))

    async def _explain_problems(self, job: RemoteJob) -> None:
        """Show the reasons of the first positions or games without a whole analysis."""
        kind = _noun(job)
        if job.failed:
            complain(f"{number_of(job.failed, kind)} of {job.total} cannot be analysed:")
        shown = 0
        async with aclosing(self._client.jobs.results(job)) as results:
            async for each in results:
                for reason in _problems_of(each):
                    complain(f"{kind} {each.index + 1}: {legible(reason)}")
                    shown += 1
                if shown >= _REASONS or (job.kind == POSITIONS and shown == job.failed):
                    break

    # --- the end

    async def _interrupt(self) -> int:
        """Leave the job, or delete it if that is wished."""
        if self._job is None:
            return INTERRUPTED
        if self._options.delete:
            await self._client.jobs.delete(self._job)
            self._bar.report("stopped, and deleted the job")
        else:
            self._bar.report(
                "stopped; the job goes on at the server: the same command goes on with it, and"
                f" {self._command('delete')} ends it"
            )
        return INTERRUPTED

    def _command(self, action: str, *more: str) -> str:
        assert self._job
        words = ("rookery-bridge", "jobs", self._options.server, action, self._job.id, *more)
        return f"'{' '.join(words)}'"


def _problems_of(answer: ItemAnswer) -> list[str]:
    """Return why a position or a game has no analysis, or a game only a part of it."""
    if answer.error:
        return [answer.error.detail]
    problems = answer.game.get("problems") if answer.game else None
    return [str(each) for each in problems] if isinstance(problems, list) else []


def _count(job: RemoteJob) -> JobCount:
    if job.kind == GAMES:
        return JobCount(job.done, job.positions_done, job.done, job.total)
    return JobCount(None, job.done, job.done, job.total)


def _noun(job: RemoteJob) -> str:
    return job.kind.removesuffix("s")


def _described(job: RemoteJob) -> str:
    return f"the job of {number_of(job.total, _noun(job))} is {job.state}"
