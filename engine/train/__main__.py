"""The command line of the trainer: `make train ARGS="..."`; see README.md."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rookery_uci import FenError
from train.collect import CollectionPlan, collect
from train.fit import Course, export, fit, load
from train.game_file import GameFileError
from train.generate import GenerateError, GenerationPlan, generate
from train.label import LabelError
from train.mix import mix
from train.network_view import show_network
from train.pack import pack
from train.plain_network import NetworkError, PlainNetwork
from train.sample_file import DataError
from train.score_probe import probe_engine, probe_network
from train.static_labels import label_samples
from train.trainer import SHAPE, Trainer
from train.truth import KEPT, Making, TruthError, make_truth, read_truth

FOREVER = 1e9
TROUBLE = (
    DataError,
    FenError,
    GameFileError,
    GenerateError,
    LabelError,
    MemoryError,
    NetworkError,
    OSError,
    TruthError,
)


def main() -> int:
    """Run the command of the command line; return the exit status."""
    arguments = _parser().parse_args()
    do: Callable[[argparse.Namespace], None] = arguments.do
    try:
        do(arguments)
    except BrokenPipeError:
        return 1  # the reader of the output is gone
    except TROUBLE as error:
        print(f"train: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("train: interrupted", file=sys.stderr)
        return 130
    return 0


def _generate(arguments: argparse.Namespace) -> None:
    generate(
        GenerationPlan(
            engine=arguments.engine,
            nodes=arguments.nodes,
            openings=arguments.openings,
            output=arguments.output,
            positions=arguments.positions,
            seconds=arguments.seconds,
            workers=arguments.workers,
            seed=arguments.seed,
        ),
        _tell,
    )


def _pack(arguments: argparse.Namespace) -> None:
    pack(
        arguments.games,
        arguments.output,
        bound=arguments.bound,
        seed=arguments.seed,
        tell=_tell,
    )


def _collect(arguments: argparse.Namespace) -> None:
    collect(
        CollectionPlan(
            openings=arguments.openings,
            output=arguments.output,
            nodes=arguments.nodes,
            every=arguments.every,
            positions=arguments.positions,
            seconds=arguments.seconds,
            workers=arguments.workers,
            seed=arguments.seed,
        ),
        _tell,
    )


def _label(arguments: argparse.Namespace) -> None:
    label_samples(arguments.samples, arguments.engine, arguments.workers, _tell)


def _fit(arguments: argparse.Namespace) -> None:
    fit(
        Course(
            samples=arguments.samples,
            output=arguments.output,
            epochs=arguments.epochs,
            batch=arguments.batch,
            rate=arguments.lr,
            wdl=arguments.wdl,
            unit=arguments.unit,
            threads=arguments.threads,
            seed=arguments.seed,
            start=arguments.start,
        ),
        _tell,
    )


def _export(arguments: argparse.Namespace) -> None:
    trainer = Trainer(threads=1, wdl=0.0, unit=1.0)
    load(trainer, arguments.checkpoint)
    export(trainer, arguments.network)


def _mix(arguments: argparse.Namespace) -> None:
    mix(arguments.networks).write(arguments.network)


def _widen(arguments: argparse.Namespace) -> None:
    network = PlainNetwork.from_file(arguments.old)
    network.widened(SHAPE, arguments.seed).write(arguments.network)


def _show(arguments: argparse.Namespace) -> None:
    for line in show_network(arguments.network, arguments.fens):
        _tell(line)


def _probe(arguments: argparse.Namespace) -> None:
    if not arguments.networks and not arguments.engine:
        raise TruthError("probe needs something to judge: a network file, or --engine COMMAND")
    truths = read_truth(arguments.truth)
    for path in arguments.networks:
        _tell(probe_network(path, truths))
    if arguments.engine:
        for nodes in arguments.nodes:
            for line in probe_engine(arguments.engine, nodes, truths):
                _tell(line)


def _truth(arguments: argparse.Namespace) -> None:
    make_truth(
        Making(
            games=arguments.games,
            output=arguments.output,
            engine=arguments.engine,
            nodes=arguments.nodes,
            count=arguments.count,
            bound=arguments.bound,
            seed=arguments.seed,
        ),
        _tell,
    )


def _tell(line: str) -> None:
    print(line, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="train", description="Make a network for the engine.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _say_generate(commands.add_parser("generate", help="play games with an engine"))
    _say_pack(commands.add_parser("pack", help="make samples of the games"))
    _say_collect(commands.add_parser("collect", help="make samples of what our search visits"))
    _say_label(commands.add_parser("label", help="score samples by an engine's evaluation"))
    _say_fit(commands.add_parser("fit", help="train on samples"))
    _say_export(commands.add_parser("export", help="make a network file of a checkpoint"))
    _say_mix(commands.add_parser("mix", help="make the mean of networks"))
    _say_widen(commands.add_parser("widen", help="give a network this engine's size"))
    _say_show(commands.add_parser("show", help="say what a network thinks of positions"))
    _say_probe(commands.add_parser("probe", help="say how good scores are"))
    _say_truth(commands.add_parser("truth", help="make the positions for probe"))
    return parser


def _say_generate(command: argparse.ArgumentParser) -> None:
    own = Path(sys.executable).with_name("rookery-engine")
    add = command.add_argument
    command.set_defaults(do=_generate)
    add("output", type=Path, help="each worker adds .0, .1 ... to this name")
    add("--engine", default=str(own), help="command of a UCI engine (default: %(default)s)")
    add("--nodes", type=_positive, default=1000, help="of each search (%(default)s)")
    add("--openings", type=Path, help="a file of positions to begin with, FEN or EPD")
    add("--positions", type=_positive, default=1_000_000, help="when to stop (%(default)s)")
    add("--seconds", type=float, default=FOREVER, help="when to stop, if not before")
    add("--workers", type=_positive, default=1, help="engines at once (%(default)s)")
    add("--seed", type=int, default=1, help="of all that is random (%(default)s)")


def _say_pack(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    command.set_defaults(do=_pack)
    add("output", type=Path, help="the samples; others, for validation, in OUTPUT.validation")
    add("games", type=Path, nargs="+", help="files that generate has written")
    add("--bound", type=int, default=0, help="leave out scores beyond, in centipawns (0: none)")
    add("--seed", type=int, default=1, help="of the order (%(default)s)")


def _say_collect(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    command.set_defaults(do=_collect)
    add("output", type=Path, help="the samples; others, for validation, in OUTPUT.validation")
    add(
        "--openings",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="files of positions to begin games with, FEN or EPD",
    )
    add("--nodes", type=_positive, default=300, help="of each search (%(default)s)")
    add("--every", type=_positive, default=50, help="nodes to a sample, in the mean (%(default)s)")
    add("--positions", type=_positive, default=1_000_000, help="when to stop (%(default)s)")
    add("--seconds", type=float, default=FOREVER, help="when to stop, if not before")
    add("--workers", type=_positive, default=1, help="games at once (%(default)s)")
    add("--seed", type=int, default=1, help="of all that is random (%(default)s)")


def _say_label(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    command.set_defaults(do=_label)
    add("samples", type=Path, help="file that collect or pack has written, which is replaced")
    add("--engine", required=True, help="command of a UCI engine with Stockfish's `eval`")
    add("--workers", type=_positive, default=1, help="engines at once (%(default)s)")


def _say_fit(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    command.set_defaults(do=_fit)
    add("samples", type=Path, help="file that pack or collect has written")
    add("output", type=Path, help="gives OUTPUT.checkpoint and OUTPUT.network")
    add("--epochs", type=_positive, default=20, help="times through all (%(default)s)")
    add("--batch", type=_positive, default=16384, help="samples an update (%(default)s)")
    add("--lr", type=float, default=0.001, help="greatest rate (%(default)s)")
    add("--wdl", type=_share, default=0.15, help="share of the result in the aim (%(default)s)")
    add(
        "--unit",
        type=float,
        default=3.61,
        help="what a centipawn of the labels is worth, where 400 are a logit of 1 (%(default)s)",
    )
    add("--threads", type=_positive, default=2, help="(%(default)s)")
    add("--seed", type=int, default=1, help="of weights and order (%(default)s)")
    add("--start", type=Path, help="a checkpoint to go on from, or a network")


def _say_export(command: argparse.ArgumentParser) -> None:
    command.set_defaults(do=_export)
    command.add_argument("checkpoint", type=Path, help="file that fit has written")
    command.add_argument("network", type=Path, help="file for the engine")


def _say_mix(command: argparse.ArgumentParser) -> None:
    command.set_defaults(do=_mix)
    command.add_argument("network", type=Path, help="file for the engine, which is made")
    command.add_argument("networks", type=Path, nargs="+", help="those that it is the mean of")


def _say_widen(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    command.set_defaults(do=_widen)
    add("network", type=Path, help="file to write")
    add("old", type=Path, help="a network of an older kind, or with fewer neurons")
    add("--seed", type=int, default=1, help="of what new neurons see (%(default)s)")


def _say_show(command: argparse.ArgumentParser) -> None:
    command.set_defaults(do=_show)
    command.add_argument("network", type=Path, help="file for the engine")
    command.add_argument("fens", nargs="*", metavar="FEN", help="positions (some simple ones)")


def _say_probe(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    command.set_defaults(do=_probe)
    add("networks", type=Path, nargs="*", metavar="NETWORK", help="files for the engine")
    add("--engine", help="command of a UCI engine")
    add(
        "--nodes",
        type=_natural,
        nargs="+",
        default=[100],
        help="of its searches; 0: its command `eval`, as Stockfish has it (100)",
    )
    add("--truth", type=Path, default=KEPT, help="file that truth has written (ours)")


def _say_truth(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    command.set_defaults(do=_truth)
    add("output", type=Path, help="the positions with their scores, as EPD")
    add("games", type=Path, nargs="+", help="files that generate has written")
    add("--engine", required=True, help="command of a UCI engine that is to be believed")
    add("--nodes", type=_positive, default=20000, help="of each search (%(default)s)")
    add("--count", type=_positive, default=3000, help="of positions, at most (%(default)s)")
    add("--bound", type=_positive, default=600, help="of scores, in centipawns (%(default)s)")
    add("--seed", type=int, default=1, help="of the choice (%(default)s)")


def _natural(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be 0 or more, not {number}")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more, not {number}")
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"must be 0 to 1, not {number}")
    return number


if __name__ == "__main__":
    sys.exit(main())
