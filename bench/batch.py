"""Cost of `rookery-server analyse`, and its kills: `python -m bench.batch [cost] [kills]`.

cost    CPU time beside that of its engine
kills   the same results after it was killed ten times at random as if it had not been

Of the cost: the same positions are searched twice, in turns, by `analyse` with one worker and by
the engine alone, which is told all of it by a loop that reads nothing but `bestmove`.  The
CPU time of all processes of `analyse` is compared with that of the engine alone (the loop's own
is not counted), because CPU time depends less than the clock on what else the machine does;
what it takes to start is taken off by a job of one game.  All of them run on one CPU, as engines
on all CPUs have it, so that what `analyse` does takes time from the engine; with `--free` on all,
and then the time by the clock is compared as well: how long the engine is kept waiting.  With
`--ray` the engine of `analyse` is on a Ray cluster that is started for that.
"""

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import chess
import chess.engine
import chess.pgn

from bench.child import find
from bench.cluster import Cluster
from rookery_analysis.game import ParsedGame, parse_game
from rookery_analysis.pgn_splitter import split_games

PLIES = 60  # of each game
ODD = 0.1  # of the moves are any legal move
MOMENT = 2.0  # s at most from a share of the results to a kill: some games, and a look at the disk


def main() -> None:
    """Measure what is asked for, or the cost."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.batch", description=__doc__, formatter_class=_Plain
    )
    parser.add_argument("what", nargs="*", choices=["cost", "kills", []], default=[])
    parser.add_argument("--games", type=int, default=10, help="how many (10)")
    parser.add_argument("--pgn", type=Path, help="take them from a file; else they are made")
    parser.add_argument("--nodes", type=int, default=20_000, help="of each position (20,000)")
    parser.add_argument("--rounds", type=int, default=3, help="of cost (3)")
    parser.add_argument(
        "--free", action="store_true", help="of cost: on all CPUs, by the clock too"
    )
    parser.add_argument(
        "--ray", action="store_true", help="of cost: on a Ray cluster of this machine, by the clock"
    )
    parser.add_argument("--kills", type=int, default=10, help="of kills (10)")
    parser.add_argument("--workers", type=int, default=2, help="of kills (2)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments of kills (1)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if "cost" in options.what or not options.what:
            cost(Path(folder), options)
        if "kills" in options.what:
            sys.exit(kills(Path(folder), options))


class _Plain(argparse.RawDescriptionHelpFormatter):
    """Leaves the lines of the description as they are."""


def cost(folder: Path, options: argparse.Namespace) -> None:
    """Print a line of a table for each round, and the median."""
    if not (options.free or options.ray) and hasattr(os, "sched_setaffinity"):  # Linux has it.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    one, all_games = Path(folder, "one.pgn"), Path(folder, "all.pgn")
    one.write_text(_games(1, options.pgn))
    all_games.write_text(_games(1 + options.games, options.pgn))
    # On a cluster the engine is no child of ours, whose CPU time could be known.
    units = {"CPU s": not options.ray, "s": options.free or options.ray}
    columns = [unit for unit, is_shown in units.items() if is_shown]
    heads = [f" analyse, {unit} | engine alone, {unit} | ratio |" for unit in columns]
    print("| round |" + "".join(heads) + "\n" + "|---" * (1 + 3 * len(columns)) + "|")
    rounds: dict[str, list[float]] = {unit: [] for unit in columns}
    with _cluster(folder) if options.ray else nullcontext([]) as where:
        for number in range(1, options.rounds + 1):
            ours = analyse(all_games, options.nodes, where) - analyse(one, options.nodes, where)
            bare = alone(all_games, options.nodes) - alone(one, options.nodes)
            print(f"| {number} |", end="")
            for unit, ratios in rounds.items():
                mine, its = (
                    spent.cpu if unit == "CPU s" else spent.clock for spent in (ours, bare)
                )
                ratios.append(mine / its)
                print(f" {mine:.2f} | {its:.2f} | {mine / its:.3f} |", end="")
            print(flush=True)
    print(
        "| median |" + "".join(f" | | {statistics.median(each):.3f} |" for each in rounds.values())
    )


@contextmanager
def _cluster(folder: Path) -> Iterator[list[str]]:
    """Start a head without CPUs and a node with one; yield the options that name them."""
    cluster = Cluster(folder)
    try:
        cluster.start_head(0)
        cluster.start_node(1)
        yield ["--ray", cluster.address, "--ray-token", str(cluster.token)]
    finally:
        cluster.end()


def kills(folder: Path, options: argparse.Namespace) -> int:
    """Run a job, and once more with kills at random; return 0 if the results are the same."""
    path = folder / "games.pgn"
    path.write_text(_games(options.games, options.pgn))
    command = [find("rookery-server"), "analyse", str(path), "--nodes", str(options.nodes)]
    command += ["--workers", str(options.workers)]
    whole, often = _Results(folder / "whole"), _Results(folder / "often")
    began = time.monotonic()
    subprocess.run([*command, *whole.arguments], check=True, stdout=subprocess.DEVNULL)
    print(f"undisturbed: {options.games} games in {time.monotonic() - began:.0f} s", flush=True)
    chooser = random.Random(options.seed)
    size = whole.written
    for share in sorted(chooser.random() for _ in range(options.kills)):
        with subprocess.Popen(
            [*command, *often.arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as run:
            # When so much is written, and then a moment, which may be within anything.
            while run.poll() is None and often.written < share * size:
                time.sleep(0.01)
            with suppress(subprocess.TimeoutExpired):
                run.wait(chooser.uniform(0, MOMENT))
            over = run.poll() is not None
            run.kill()
        print(f"killed at {100 * often.written // size} % of the results", flush=True)
        if over:
            print("it had ended by itself: take more games, or more nodes")
            return 1
    done = subprocess.run([*command, *often.arguments], check=True, capture_output=True)
    print(done.stderr.decode().splitlines()[0])
    same = [
        here.read_bytes() == there.read_bytes() for here, there in zip(whole, often, strict=True)
    ]
    print("the results are the same" if all(same) else f"the results are not the same: {same}")
    return 0 if all(same) else 1


class _Results:
    """The files of a job."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._paths = [folder / name for name in ("out.pgn", "out.jsonl", "report.csv")]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths)

    @property
    def arguments(self) -> list[str]:
        options = zip(("-o", "--jsonl", "--report"), self._paths, strict=True)
        return [word for option, path in options for word in (option, str(path))]

    @property
    def written(self) -> int:
        """The bytes of records."""
        records = self._paths[1]
        return records.stat().st_size if records.exists() else 0


def _games(count: int, source: Path | None) -> str:
    """Return so many games of a file, or made ones."""
    if source is None:
        return games(count)
    with source.open("rb") as file:
        texts = list(islice(split_games(file), count))
    if len(texts) < count:
        sys.exit(f"{source} has {len(texts)} games, and {count} are wanted")
    return "\n".join(text.data for text in texts)


def games(count: int) -> str:
    """Return games as people play them, the same each time: a bad move now and then."""
    chooser = random.Random(5)
    texts = []
    with chess.engine.SimpleEngine.popen_uci(find("rookery-engine")) as engine:
        for number in range(count):
            node: chess.pgn.GameNode = (game := chess.pgn.Game())
            while node.ply() < PLIES and not (board := node.board()).is_game_over():
                moves = sorted(board.legal_moves, key=chess.Move.uci)
                best = engine.play(board, chess.engine.Limit(nodes=500), game=number).move
                is_odd = chooser.random() < ODD
                node = node.add_variation(chooser.choice(moves) if is_odd or not best else best)
            texts.append(f"{game}\n\n")
    return "".join(texts)


@dataclass(frozen=True)
class Spent:
    """Seconds that a job took, of its processes and by the clock."""

    cpu: float
    clock: float

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(self.cpu - other.cpu, self.clock - other.clock)


def analyse(path: Path, nodes: int, where: list[str]) -> Spent:
    """Return what `analyse` takes with its engine; `where` are options that say where that is."""
    results = ["-o", str(path.with_suffix(".out")), "--jsonl", str(path.with_suffix(".jsonl"))]
    limits = ["--nodes", str(nodes), "--workers", "1", "--restart"]
    command = [find("rookery-server"), "analyse", str(path), *results, *limits, *where]
    before = _spent()
    subprocess.run(command, check=True, capture_output=True)
    return _spent() - before


def alone(path: Path, nodes: int) -> Spent:
    """Return what the engine takes for the same positions."""
    with path.open("rb") as file:
        works = [parse_game(text, 1, path.name) for text in split_games(file)]
    before = _spent()
    with subprocess.Popen(
        [find("rookery-engine")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdin
        assert engine.stdout
        for work in works:
            print("ucinewgame", file=engine.stdin)
            for position in _positions(work):
                print(f"{position}\ngo nodes {nodes}", file=engine.stdin, flush=True)
                while not engine.stdout.readline().startswith("bestmove"):
                    pass
        print("quit", file=engine.stdin, flush=True)
    return _spent() - before


def _positions(work: ParsedGame) -> list[str]:
    pairs = zip(work.boards, work.positions(), strict=True)
    return [str(position) for board, position in pairs if not board.is_game_over()]


def _spent() -> Spent:
    """Return what ended processes have used, and what the clock shows."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(used.ru_utime + used.ru_stime, time.monotonic())


if __name__ == "__main__":
    main()
