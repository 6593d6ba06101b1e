"""Measure what our Elo is worth: `python -m bench.ladder`.

Neighbours among our levels play each other, and Stockfish's levels play the nearest
of ours; every opening is played with both colours.  From all results together comes
the most likely Elo of each (see rating.py), on the scale of Stockfish's.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import date
from itertools import pairwise
from pathlib import Path

from bench.__main__ import machine
from bench.child import MissingError
from bench.ladder.chart import chart
from bench.ladder.player import Rookery, stockfish
from bench.ladder.rating import Ratings, rate
from bench.match.game import FAULTS, play
from bench.match.opening import openings
from bench.match.player import Limit, MatchPlayer, PlayerError
from bench.match.tally import WinDrawLoss
from rookery_engine.shell.options import MAX_ELO, MIN_ELO

STEP = 200
ANCHORS = (1350, 1550, 1750, 1950)  # above, its levels need more nodes than these:
ANCHOR_LIMIT = "nodes 10000"
MOST_PLIES = 400  # then it is a draw
NEAREST = 2  # of our levels that an anchor plays


def main() -> int:
    """Play, and show what came of it, also of a part; 2 if nothing did."""
    arguments = _arguments()
    print(f"{date.today()}, {machine()}", flush=True)
    book = openings(arguments.openings, seed=arguments.seed)
    limit = arguments.anchor_limit
    results: dict[tuple[str, str], WinDrawLoss] = {}
    try:
        with ExitStack() as stack:
            ours = [Rookery(elo, arguments.seed + elo) for elo in arguments.levels]
            anchors = [stack.enter_context(stockfish(elo)) for elo in arguments.anchors]
            for lower, upper in pairwise(ours):
                results[lower.name, upper.name] = match(
                    lower, upper, book, games=arguments.games, limit=limit
                )
            for anchor, elo in zip(anchors, arguments.anchors, strict=True):
                nearest = sorted(arguments.levels, key=lambda level: abs(level - elo))[:NEAREST]
                for player in ours:
                    if int(player.name) in nearest:
                        tally = match(
                            anchor, player, book, games=arguments.anchor_games, limit=limit
                        )
                        results[anchor.name, player.name] = tally
    except (MissingError, PlayerError, ValueError, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    if not results:
        return 2
    known = {f"sf{elo}": float(elo) for elo in arguments.anchors}
    ratings = rate(results, known)
    print(table(ratings, arguments.levels, known))
    _write(arguments, ratings, results, known)
    return 0


def match(
    first: MatchPlayer, second: MatchPlayer, book: Iterator[str], *, games: int, limit: Limit
) -> WinDrawLoss:
    """Play so many games, two with each opening; show and return what the first scored."""
    points, faults = [], []
    started = time.monotonic()
    for number in range(games):
        white, black = (second, first) if number % 2 else (first, second)
        if white is first:
            opening = next(book)
        game = play(white, black, opening, limit, most_plies=MOST_PLIES)
        points.append(game.points if white is first else 1 - game.points)
        if game.end in FAULTS:
            faults.append(f"  {game.end.value}: {game.detail}")
    tally = WinDrawLoss.of(points)
    seconds = time.monotonic() - started
    print(
        f"{first.name:>7} - {second.name:<7} {tally}  {seconds:.0f} s",
        *faults,
        sep="\n",
        flush=True,
    )
    return tally


def table(ratings: Ratings, levels: list[int], known: Mapping[str, float]) -> str:
    """Return the ratings as a Markdown table; steps are from the row above."""
    lines = ["| asked | measured | 95 % | step | 95 % |", "|---|---|---|---|---|"]
    before: str | None = None
    for level in levels:
        name = str(level)
        if name not in ratings.names:
            continue
        elo = ratings.of(name)
        step = ["", ""]
        if before is not None:
            step = [f"{elo - ratings.of(before):+.0f}", f"{ratings.interval(name, [before]):.0f}"]
        apart = ratings.interval(name, [anchor for anchor in known if anchor in ratings.names])
        lines.append(f"| {name} | {elo:.0f} | {apart:.0f} | {step[0]} | {step[1]} |")
        before = name
    lines += ["", "| Stockfish | measured | off |", "|---|---|---|"]
    for name, elo in known.items():
        if name in ratings.names:
            lines.append(f"| {elo:.0f} | {ratings.of(name):.0f} | {ratings.of(name) - elo:+.0f} |")
    return "\n".join(lines)


def _write(
    arguments: argparse.Namespace,
    ratings: Ratings,
    results: Mapping[tuple[str, str], WinDrawLoss],
    known: Mapping[str, float],
) -> None:
    anchors = [name for name in known if name in ratings.names]
    measured = {
        name: (elo, ratings.interval(name, anchors))
        for name, elo in zip(ratings.names, ratings.elo, strict=True)
    }
    if arguments.json:
        games = [[*pair, tally.wins, tally.draws, tally.losses] for pair, tally in results.items()]
        data = {"date": str(date.today()), "machine": machine(), "elo": measured, "games": games}
        arguments.json.write_text(json.dumps(data, indent=1) + "\n")
    if arguments.svg:
        points = [(int(name), *measured[name]) for name in measured if name.isdecimal()]
        arguments.svg.write_text(chart(points), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    def numbers(text: str) -> list[int]:
        return [int(word) for word in text.split(",") if word]

    levels = [*range(MIN_ELO, MAX_ELO, STEP), MAX_ELO]
    parser = argparse.ArgumentParser(
        prog="python -m bench.ladder",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--levels", type=numbers, default=levels, metavar="ELO,...")
    parser.add_argument("--anchors", type=numbers, default=list(ANCHORS), metavar="ELO,...")
    parser.add_argument("--games", type=int, default=200, help="of each two neighbours (200)")
    parser.add_argument("--anchor-games", type=int, default=100, help="likewise (100)")
    parser.add_argument(
        "--anchor-limit",
        type=Limit.parse,
        default=Limit.parse(ANCHOR_LIMIT),
        help=f"({ANCHOR_LIMIT})",
    )
    parser.add_argument("--openings", type=Path, metavar="FILE", help="a position in each line")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to FILE")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw asked against measured")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
