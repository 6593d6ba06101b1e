"""What `rookery-server analyse` costs beside its engine: `python -m bench.batch`.

The same positions are searched twice, in turns: by `analyse` with one worker, and by the
engine alone, which is told all of it by a loop that reads nothing but `bestmove`.  The
CPU time of all processes of `analyse` is compared with that of the engine alone (the loop's own
is not counted), because CPU time depends less than the clock on what else the machine does;
what it takes to start is taken off by a job of one game.  All of them run on one CPU, as engines
on all CPUs have it, so that what `analyse` does takes time from the engine.
"""

import argparse
import os
import random
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

import chess
import chess.engine
import chess.pgn

from bench.child import find
from rookery_server.batch.text import split
from rookery_server.batch.work import Place, Work, read

PLIES = 60  # of each game
ODD = 0.1  # of the moves are any legal move


def main() -> None:
    """Measure, and print a line of a table for each round and the medians."""
    parser = argparse.ArgumentParser(prog="python -m bench.batch", description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # Only Linux has it.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        one, all_games = Path(folder, "one.pgn"), Path(folder, "all.pgn")
        one.write_text(games(1))
        all_games.write_text(games(1 + options.games))
        ratios = []
        print("| round | analyse, CPU s | engine alone, CPU s | ratio |\n|---|---|---|---|")
        for number in range(1, options.rounds + 1):
            ours = analyse(all_games, options.nodes) - analyse(one, options.nodes)
            bare = alone(all_games, options.nodes) - alone(one, options.nodes)
            ratios.append(ours / bare)
            print(f"| {number} | {ours:.2f} | {bare:.2f} | {ratios[-1]:.3f} |", flush=True)
        print(f"| median | | | {statistics.median(ratios):.3f} |")


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


def analyse(path: Path, nodes: int) -> float:
    """Return the CPU seconds of `analyse` with its engine."""
    results = ["-o", str(path.with_suffix(".out")), "--jsonl", str(path.with_suffix(".jsonl"))]
    limits = ["--nodes", str(nodes), "--workers", "1", "--restart"]
    command = [find("rookery-server"), "analyse", str(path), *results, *limits]
    before = _cpu_of_children()
    subprocess.run(command, check=True, capture_output=True)
    return _cpu_of_children() - before


def alone(path: Path, nodes: int) -> float:
    """Return the CPU seconds of the engine for the same positions."""
    with path.open("rb") as file:
        works = [read(text, Place(1, path.name, text.line)) for text in split(file)]
    before = _cpu_of_children()
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
    return _cpu_of_children() - before


def _positions(work: Work) -> list[str]:
    pairs = zip(work.boards, work.positions(), strict=True)
    return [str(position) for board, position in pairs if not board.is_game_over()]


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
