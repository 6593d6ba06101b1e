"""`tune`: better values for the constants of the search, by SPSA (see spsa.py).

The engine is the working tree's, built aside so that its constants can be changed.  The
status is 0 if the run is complete, and 3 if it was interrupted.
"""

import argparse
import os
from pathlib import Path

from bench.child import OUT, MissingError
from bench.match import argument, parameter
from bench.match.build import ROOT
from bench.match.constant import apply, constants
from bench.match.course import course
from bench.match.player import PlayerSpec
from bench.match.run import Conditions, TuningRun
from bench.match.spsa import Schedule, Tuning
from bench.match.tunable import built_before, spec_of, tunable

ITERATIONS = 10_000
RATE = 0.002  # as in fishtest
HASH = 8  # MiB; enough for some thousand nodes, and soon cleared
SEED = 1
KEEP = 20  # iterations between two writings of the file
FILE = OUT / "tune.json"
# What a run is begun with and keeps; None is not given.
FIXED = ("parameters", "only", "iterations", "rate", "limit", "hash", "openings", "seed")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="show all constants there are")
    what.add_argument("--show", action="store_true", help="show a run's values, play nothing")
    what.add_argument("--resume", action="store_true", help="go on with a run")
    names = parser.add_mutually_exclusive_group()
    names.add_argument("--parameters", type=Path, metavar="FILE", help="TOML, see parameter.py")
    names.add_argument("--only", metavar="NAMES", help="module.NAME,module.NAME ...")
    parser.add_argument(
        "--iterations", type=argument.positive, help=f"pairs of games ({ITERATIONS})"
    )
    parser.add_argument("--rate", type=float, help=f"r_end, a win's share of a step ({RATE})")
    argument.add_limit(parser, argument.NODES)
    parser.add_argument("--hash", type=argument.positive, metavar="MIB", help=f"({HASH})")
    parser.add_argument("--openings", type=Path, metavar="FILE", help="EPD, FEN or PGN")
    parser.add_argument("--seed", type=int, help=f"of openings and steps ({SEED})")
    cores = len(os.sched_getaffinity(0))
    parser.add_argument(
        "--concurrency", type=argument.positive, default=cores, help=f"pairs at once ({cores})"
    )
    parser.add_argument(
        "--file", type=Path, default=FILE, help="where the run is kept (bench/out/tune.json)"
    )
    parser.add_argument("--keep", type=argument.positive, default=KEEP, help=f"iterations ({KEEP})")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the values' course")
    parser.add_argument("--apply", action="store_true", help="write the values into the source")
    parser.set_defaults(run=run, limit=None)  # None is not given


def run(arguments: argparse.Namespace) -> int:
    """Tune until all iterations are done, or Ctrl-C."""
    if arguments.list:
        for constant in constants(ROOT).values():
            print(f"{constant.full_name} = {constant.value}")
        return 0
    if arguments.show or arguments.resume:
        given = [name for name in FIXED if getattr(arguments, name) is not None]
        if given:
            raise MissingError(f"a run keeps its {', '.join(given)}: leave that out")
        tuned = TuningRun.load(arguments.file)
    else:
        tuned = begin(arguments)
    if not arguments.show:
        tuned.play(engine(tuned), concurrency=arguments.concurrency, keep=arguments.keep)
    print(table(tuned.tuning))
    if arguments.svg:
        arguments.svg.write_text(course(tuned.tuning), encoding="utf-8")
    over = arguments.show or not tuned.left
    if arguments.apply:
        if over:
            apply(ROOT, tuned.tuning.best())
        print("written into the source" if over else "not written; `--show --apply` would")
    return 0 if over else 3


def begin(arguments: argparse.Namespace) -> TuningRun:
    """Return a new run.

    Raises:
        MissingError: there is nothing to tune, or the file has a run that is not complete.

    """
    path: Path = arguments.file
    if path.exists() and TuningRun.load(path).left:
        raise MissingError(
            f"{path} has a run that is not complete: `--resume` goes on with it,"
            " `--file` takes another file"
        )
    ranges = ranges_of(arguments.parameters, arguments.only)
    chosen = parameter.parameters(constants(ROOT), ranges)
    rate = RATE if arguments.rate is None else arguments.rate
    if not rate > 0:
        raise MissingError(f"--rate must be more than 0, not {rate:g}")
    schedule = Schedule(arguments.iterations or ITERATIONS, rate)
    seed = SEED if arguments.seed is None else arguments.seed
    book = str(arguments.openings.resolve()) if arguments.openings else None
    limit = str(arguments.limit or argument.NODES)
    conditions = Conditions(tunable().name, limit, arguments.hash or HASH, book)
    return TuningRun(path, conditions, Tuning(chosen, schedule, seed))


def ranges_of(file: Path | None, only: str | None) -> parameter.Ranges:
    """Return what is to be tuned, by a file or by names.

    Raises:
        MissingError: it is nothing.

    """
    ranges = parameter.read(file) if file else {name: {} for name in (only or "").split(",")}
    ranges.pop("", None)
    if not ranges:
        raise MissingError("say what to tune: `--parameters FILE` or `--only NAME,...`")
    return ranges


def engine(tuned: TuningRun) -> PlayerSpec:
    """Return how to start the engine that a run was begun with.

    Raises:
        MissingError: it is gone, and the source is no longer the same.

    """
    key = tuned.conditions.engine
    folder = built_before(key) or tunable()
    if folder.name != key:
        raise MissingError(f"{tuned.path} was begun with an engine that is gone ({key})")
    return spec_of(folder, (("Hash", str(tuned.conditions.hash_mb)),))


def table(tuning: Tuning) -> str:
    """Return old and new values, and how far the run has come."""
    best = tuning.best()
    rows = [("constant", "old", "new", "exact", "range", "step")]
    for each, value in zip(tuning.parameters, tuning.values, strict=True):
        old, new, exact = str(each.start), str(best[each.name]), f"{value:.2f}"
        rows.append((each.name, old, new, exact, f"{each.low}..{each.high}", f"{each.step:g}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        " ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    failed = f", {tuning.failed} of them not played to the end" if tuning.failed else ""
    lines.append(f"{tuning.done} of {tuning.schedule.iterations} iterations{failed}")
    return "\n".join(lines)
