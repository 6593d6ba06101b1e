"""`rookery-server analyse`: the evaluation of every position of many games by an engine."""

import argparse
import asyncio
import gc
import logging
import os
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import rookery_server
from rookery_analysis import game_source, player_tally
from rookery_analysis.engine_conversation import (
    BusyServerError,
    FaultyEngineError,
    UnreachableEngineError,
)
from rookery_analysis.engine_supply import (
    EngineSettings,
    EngineSupply,
    EvaluationCache,
    ReadyEngine,
    RetryPause,
)
from rookery_analysis.game_source import Shard
from rookery_analysis.job import MAX_WORKERS, AnalysisJob, AnalysisOrder
from rookery_analysis.job_record import Checkpoint, JobFiles, JobRecord, JobState
from rookery_analysis.remote_engines import RemoteEngines, check_secrecy, is_address
from rookery_analysis.text_decoding import check_encoding
from rookery_protocol.console import print_line
from rookery_protocol.errors import ConfigError, ServerError
from rookery_protocol.progress_bar import ProgressBar, number_of
from rookery_protocol.tls_trust import Trust, add_login_options, find_token, read_pin
from rookery_server import process
from rookery_server.analysis import hosted_engines
from rookery_server.analysis.evaluation_lookup import EvaluationLookup
from rookery_server.analysis.hosted_engines import HostedEngine, HostedEngines
from rookery_server.commands import command_line
from rookery_server.config import config
from rookery_server.config.engines import DEFAULT_ENGINE, EngineConfig, own_engine, with_program
from rookery_server.config.sections import (
    CacheConfig,
    RayConfig,
    database,
    database_url,
    head_address,
)
from rookery_uci import Limits

# s that a thread computes while another wants to: so long an engine that is done waits for
# its next position.  Python's default is 5 ms, half of a search of 20,000 nodes.
SWITCH_TIME = 0.0005
GARBAGE = 20_000  # new objects after which it is collected; with 700 it took a tenth of the time
_STOPPED = 130  # the status after Ctrl-C, as shells have it
TOKEN_VARIABLE = "ROOKERY_TOKEN"  # noqa: S105  # its name

T = TypeVar("T")


def run(arguments: Sequence[str]) -> int:
    """Run the command; return its exit status.

    Raises:
        ServerError: it cannot be done.

    """
    bar = ProgressBar()
    task = _check(command_line.parse(_parser(), arguments), bar.report)
    # What hosts of engines log for a server, `ProgressBar.report` shows here where it matters.
    logging.getLogger(rookery_server.__name__).addHandler(logging.NullHandler())
    sys.setswitchinterval(SWITCH_TIME)
    gc.set_threshold(GARBAGE)
    return process.run(_run(task, bar))


@dataclass(frozen=True, slots=True)
class _Task:
    """The command line, checked."""

    options: argparse.Namespace
    order: AnalysisOrder
    settings: EngineSettings
    engines: EngineSupply
    cache: CacheConfig | None
    files: JobFiles


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-server analyse",
        description="Have an engine look at every position of many games. The same command goes"
        " on where it was if it was ended, however that was.",
    )
    parser.add_argument("games", nargs="+", metavar="FILE", help="PGN; - is standard input")
    parser.add_argument(
        "--encoding", type=_reader(check_encoding), metavar="NAME",
        help="of the games, as windows-1251 or cp437 (UTF-8, UTF-16, or else a guess)",
    )  # fmt: skip
    results = parser.add_argument_group("results, at least one")
    results.add_argument("-o", "--output", type=Path, metavar="FILE", help="annotated PGN")
    results.add_argument("--jsonl", type=Path, metavar="FILE", help="a line of JSON for each game")
    results.add_argument("--report", type=Path, metavar="FILE", help="CSV: how well players played")
    limits = parser.add_argument_group("how far each position is searched, at least one")
    limits.add_argument("--nodes", type=_positive, metavar="N", help="the same results each time")
    limits.add_argument("--depth", type=_positive, metavar="N", help="likewise")
    limits.add_argument("--movetime", type=_positive, metavar="MS", help="milliseconds")
    _add_engine(parser.add_argument_group("the engine"))
    _add_cluster(parser.add_argument_group("where engines run, if not on this machine"))
    parser.add_argument(
        "--workers", type=command_line.within(1, MAX_WORKERS), metavar="N",
        help="engines (one for each CPU)",
    )  # fmt: skip
    parser.add_argument(
        "--shard", type=_reader(Shard.parse), default=Shard(), metavar="I/N",
        help="every Nth game, from the Ith on (0 to N-1): one machine of N",
    )  # fmt: skip
    parser.add_argument(
        "--patience", type=_positive, default=300, metavar="S",
        help="seconds for a position (300), after which the engine counts as hung",
    )  # fmt: skip
    parser.add_argument("--restart", action="store_true", help="begin anew, over former results")
    return parser


def _add_engine(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "--engine", default=DEFAULT_ENGINE, metavar="NAME|COMMAND|ADDRESS",
        help="one of the configuration's, a command, or ws://HOST:PORT/engines/NAME (rookery)",
    )  # fmt: skip
    group.add_argument("--config", type=Path, metavar="FILE", help="the server's configuration")
    group.add_argument("--multipv", type=_positive, default=1, metavar="K", help="lines (1)")
    group.add_argument("--hash", type=_positive, default=16, metavar="MIB", help="of each (16)")
    group.add_argument(
        "--option", action="append", type=_option, default=[], metavar="NAME=VALUE",
        help="an option of UCI; may be repeated",
    )  # fmt: skip
    add_login_options(group, f"the token for an ADDRESS; or in ${TOKEN_VARIABLE}")
    group.add_argument("--cache", action="store_true", help="use the server's cache of analyses")
    group.add_argument("--cache-url", metavar="URL", help="another: sqlite:////FILE, postgresql://")


def _add_cluster(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "--ray", type=_reader(partial(head_address, "--ray")), metavar="HOST:PORT",
        help="on the nodes of the Ray cluster with this head; this machine has to be one of them",
    )  # fmt: skip
    group.add_argument(
        "--ray-token", type=Path, metavar="FILE",
        help="the cluster's token"
        f" (${hosted_engines.TOKEN_VARIABLE} or ~/{hosted_engines.USUAL_TOKEN})",
    )  # fmt: skip
    group.add_argument(
        "--ray-listen", metavar="HOST",
        help="the address of this machine at which nodes reach it (the one that leads to the head)",
    )  # fmt: skip


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"needs a number from 1 on, not {text!r}")
    return int(text)


def _reader(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return the parser of an argument whose errors are shown as `read` raises them."""

    def parse(text: str) -> T:
        try:
            return read(text)
        except (ValueError, ConfigError) as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return parse


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"needs NAME=VALUE, not {text!r}")
    return name.strip(), value


def _check(options: argparse.Namespace, report: Callable[[str], None]) -> _Task:
    """Check all that can be checked before an engine is started."""
    files = JobFiles(options.output, options.jsonl, options.report)
    if not (files.results or files.report):
        raise ConfigError(
            "analyse needs somewhere to write: -o FILE, --jsonl FILE or --report FILE"
        )
    limits = Limits(nodes=options.nodes, depth=options.depth, movetime=options.movetime)
    if limits == Limits():
        raise ConfigError("analyse needs --nodes, --depth or --movetime")
    configured = config.read_document(options.config) if options.config else None
    settings = EngineSettings(
        options.hash, options.multipv, tuple(options.option), patience=float(options.patience)
    )
    if is_address(options.engine):
        engines: EngineSupply = _remote_engines(options, settings, report)
    else:
        engines = _hosted_engines(options, configured, settings, report)
    cache = configured.cache if configured else CacheConfig()
    url = options.cache_url and database("--cache-url", options.cache_url)
    cache = replace(cache, url=url or database_url(cache, os.environ), file=None)
    is_cached = options.cache or options.cache_url
    sizes = game_source.sizes(options.games, options.encoding)
    order = AnalysisOrder(options.games, sizes, limits, options.shard, encoding=options.encoding)
    files.check(options.games, restart=options.restart)
    return _Task(options, order, settings, engines, cache if is_cached else None, files)


def _remote_engines(
    options: argparse.Namespace, settings: EngineSettings, report: Callable[[str], None]
) -> RemoteEngines:
    """Return the engines of a server."""
    if options.cache or options.cache_url:
        raise ConfigError("--cache is for engines of this machine: a server has a cache of its own")
    if options.ray is not None:
        raise ConfigError("--ray is for engines of a cluster, and --engine names a server's")
    token = find_token(options.token_file, TOKEN_VARIABLE, os.environ, report)
    if token:
        check_secrecy(options.engine)
    trust = Trust(token, options.ca, read_pin(options.pin) if options.pin else None)
    capacity = hosted_engines.available_cpus()
    return RemoteEngines(options.engine, trust, settings, capacity=capacity)


def _hosted_engines(
    options: argparse.Namespace,
    configured: config.Config | None,
    settings: EngineSettings,
    report: Callable[[str], None],
) -> HostedEngines:
    """Return the engines of this machine, or of a cluster."""
    engine = _engine(options, configured)
    for name in ("token_file", "ca", "pin"):
        if getattr(options, name) is not None:
            raise ConfigError(
                f"--{name.replace('_', '-')} is for an engine of a server, and --engine"
                f" {options.engine} is none: it would be ws://HOST:PORT/engines/NAME"
            )
    cluster: RayConfig | None = None
    if options.ray is not None:
        known = configured.ray if configured else None
        cluster = hosted_engines.cluster_at(
            options.ray, token=options.ray_token, listen=options.ray_listen, known=known
        )
    return HostedEngines(engine, settings, cluster, report=report)


def _engine(options: argparse.Namespace, configured: config.Config | None) -> EngineConfig:
    known = configured.engine(options.engine) if configured else None
    if known is None and options.engine == DEFAULT_ENGINE:
        known = own_engine()
    if known is None:
        try:
            command = tuple(shlex.split(options.engine))
        except ValueError as error:
            raise ConfigError(f"--engine {options.engine!r} is no command: {error}") from error
        if not command:
            raise ConfigError("--engine needs a name, a command or an address")
        known = EngineConfig(Path(command[0]).name, command)
    known = replace(known, ray=False)
    try:
        return with_program(known)
    except ConfigError:
        if options.ray is None:
            raise
        return known  # The nodes may have it.


async def _run(task: _Task, bar: ProgressBar) -> int:
    this = asyncio.current_task()
    assert this
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, this.cancel)
    try:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(task.engines.close)
            await task.engines.open()
            cache: EvaluationLookup | None = None
            if task.cache:
                chosen = task.settings.chosen()
                cache = EvaluationLookup(task.cache, task.order.limits, chosen, bar.report)
                stack.callback(cache.close)
            await _analyse(task, cache, bar)
    except asyncio.CancelledError:
        bar.report("stopped; the same command goes on where it was")
        return _STOPPED
    return 0


async def _analyse(task: _Task, cache: EvaluationCache | None, bar: ProgressBar) -> None:
    name, identity = await _identify(task, RetryPause(bar.report))
    with closing(Checkpoint(task.files.checkpoint, _description(task, identity))) as checkpoint:
        with closing(JobRecord(checkpoint, engine=name, files=task.files)) as record:
            order = replace(task.order, workers=task.options.workers or task.engines.capacity)
            job = AnalysisJob(order, record, report=bar.report, show=bar.update)
            if checkpoint.state.games:
                bar.report(f"going on after {number_of(checkpoint.state.games, 'game')}")
            bar.start(job.count())
            done = await job.run(task.engines, cache)
        bar.finish(job.count())
        text = _finish(task, checkpoint, done)
    checkpoint.remove()
    print_line(text)
    if task.order.shard.count == 1:
        _check_worth(task.order.sources, done)


async def _identify(task: _Task, pause: RetryPause) -> tuple[str, str]:
    """Start the engine once; return its name, and a text that identifies its build.

    A server that has no room is waited for, as it is later; an error may be in the command line.
    """
    engine: ReadyEngine | None = None
    while engine is None:
        try:
            engine = await task.engines.acquire()
        except BusyServerError as busy:
            pause.lengthen(busy)
            await pause.elapse()
        except (FaultyEngineError, UnreachableEngineError) as error:
            raise ServerError(f"--engine {task.options.engine}: {error}") from error
    engine.release()
    name = engine.conversation.identity.name or task.options.engine
    build: str | None = task.options.engine
    if isinstance(engine, HostedEngine):
        build = engine.build.digest()
    return name, f"{name} {build}"


def _description(task: _Task, identity: str) -> dict[str, object]:
    """Return what must be the same when a job is resumed."""
    order = task.order
    return {
        "input": [game_source.identity(each) for each in order.sources],
        "encoding": order.encoding,
        "engine": identity,
        "limits": str(order.limits),
        "options": task.settings.chosen(),
        "shard": f"{order.shard.index}/{order.shard.count}",
        "results": [str(path.absolute()) for path in task.files.results],
        "cache": task.cache and task.cache.url,
    }


def _finish(task: _Task, checkpoint: Checkpoint, done: JobState) -> str:
    """Write the report; return the text for stdout."""
    if task.files.report:
        player_tally.write_csv(task.files.report, checkpoint.players())
    skipped = f", {done.skipped} of them skipped" if done.skipped else ""
    return (
        f"{number_of(done.games, 'game')}{skipped}, {number_of(done.positions, 'position')}\n"
        f"{player_tally.table(checkpoint.players())}"
    )


def _check_worth(sources: Sequence[str], done: JobState) -> None:
    """Refuse a job without results.

    Raises:
        ServerError: there are none; the input may be no PGN.

    """
    names = ", ".join(sources)
    if not done.games:
        raise ServerError(f"there are no games in {names}: is it PGN?")
    if done.games == done.skipped:
        raise ServerError(
            f"no game of {names} was analysed, for the reason said of each; when that is mended,"
            " say --restart to write over these results"
        )
