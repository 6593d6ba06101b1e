"""Collection of samples: positions that the engine's search visits in games with itself.

A network is asked about such positions, more than about those of games: a search looks at many
moves that no player would play.  They have no score yet; `static_labels.py` gives them one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from threading import Event

from train.atomic_file import check_folder
from train.collector import Collector
from train.generate import GenerateError, read_openings
from train.sample_file import write_piles
from train.threads import run_threads

MOST_EMPTY = 1000  # games in a row without a sample


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """The games to play, and the samples to collect in them."""

    openings: list[Path]
    output: Path
    nodes: int  # of each search
    every: int  # nodes to a sample, in the mean
    positions: int  # to reach in all
    seconds: float  # to stop after, if not before
    workers: int
    seed: int


def collect(plan: CollectionPlan, tell: Callable[[str], None]) -> None:
    """Play until there are enough samples; write those of different positions, shuffled.

    Raises:
        GenerateError: no games can be played from the openings, or none gives a sample.
        MemoryError: there is no room for the samples.
        OSError: a file cannot be read or written.

    """
    check_folder(plan.output)
    openings = [fen for path in plan.openings for fen in read_openings(path)]
    chances = [Random(f"{plan.seed} {number}") for number in range(plan.workers)]
    collectors = [Collector(plan.nodes, plan.every, chance.getrandbits(64)) for chance in chances]
    begun = time.monotonic()

    def report() -> None:
        games = sum(each.games for each in collectors)
        total = sum(each.total for each in collectors)
        rate = total / (time.monotonic() - begun)
        tell(f"{games} games, {total} positions, {rate:.0f} a second")

    run_threads(
        [
            partial(_play_all, plan, openings, chance, collector)
            for chance, collector in zip(chances, collectors, strict=True)
        ],
        report,
    )
    report()
    _write(collectors, plan, tell)


def _play_all(
    plan: CollectionPlan,
    openings: list[str],
    chance: Random,
    collector: Collector,
    ending: Event,
) -> None:
    """Play until the collector has its share."""
    until = time.monotonic() + plan.seconds
    share = -(-plan.positions // plan.workers)
    empty = 0
    while collector.total < share and time.monotonic() < until and not ending.is_set():
        before = collector.total
        collector.play(chance.choice(openings))
        empty = empty + 1 if collector.total == before else 0
        if empty == MOST_EMPTY:
            raise GenerateError(
                f"{MOST_EMPTY} games in a row give no position;"
                " give other --openings, more --nodes or a smaller --every"
            )


def _write(collectors: list[Collector], plan: CollectionPlan, tell: Callable[[str], None]) -> None:
    first, *others = collectors
    for other in others:
        first.take_samples(other)
    if not first.total:
        raise GenerateError("no position was collected; give more --seconds")
    before = first.total
    first.drop_repeated()
    tell(f"{before - first.total:12} repeated, which are left out")
    first.shuffle(plan.seed)
    write_piles(first, plan.output, tell)
