"""`gauntlet`: one engine against many, and a table of what it scored."""

import argparse
from math import inf
from pathlib import Path

from bench.child import MissingError
from bench.match import argument
from bench.match.build import OPPONENTS, choose, spec_of
from bench.match.conduct import conduct
from bench.match.game import End
from bench.match.gauntlet_chart import chart
from bench.match.lane import Setting
from bench.match.player import PlayerSpec
from bench.match.summary import MatchSummary, SideSummary

CLOCK = "10+0.1"
GAMES = 100
HEAD = (
    "| opponent | games | result | score | Elo | 95 % | lost on time, ours - theirs"
    " | kn/s, ours - theirs | depth, ours - theirs |\n|---|---|---|---|---|---|---|---|---|"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    engine = "a command, or rev:NAME for a revision"
    parser.add_argument("--engine", default=argument.ENGINE, help=f"{engine} ({argument.ENGINE})")
    parser.add_argument(
        "--opponents",
        default=str(OPPONENTS),
        metavar="FILE|NAME,...",
        help="a TOML file, or names from bench/match/opponents.toml (all of them)",
    )
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the Elo differences")
    argument.add_play(parser, limit=CLOCK, games=GAMES, options_of="our engine")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play one opponent after the other; each gets so many games."""
    engine = argument.with_chess960(spec_of(arguments.engine, arguments.option), arguments)
    opponents, missing = choose(arguments.opponents)
    if not opponents:
        raise MissingError(f"none of {', '.join(missing)} is installed")
    for name in missing:
        print(f"{name} is not installed")
    where = argument.conditions(arguments)
    summaries: dict[str, MatchSummary] = {}
    print(f"{where}\n{HEAD}", flush=True)
    for opponent in opponents:
        if opponent.protocol == "xboard" and "nodes" in arguments.limit.fixed:
            print(f"{opponent.name} does not play by nodes")
            continue
        try:
            summary = _play(engine, opponent, arguments)
        except MissingError as error:  # the others can be played all the same
            print(error)
            continue
        summaries[opponent.name] = summary
        print(row(opponent.name, summary), flush=True)
        for detail in summary.details:
            print(f"  {detail}")
        if summary.interrupted:
            break
    _keep(arguments, summaries, where)
    return 0


def _play(engine: PlayerSpec, opponent: PlayerSpec, arguments: argparse.Namespace) -> MatchSummary:
    setting = Setting(
        engine,
        argument.with_chess960(opponent, arguments),
        arguments.limit,
        argument.rules(arguments),
        arguments.margin,
        arguments.chess960,
    )

    def note(summary: MatchSummary) -> str:
        return f"{opponent.name} {summary.tally}"

    return conduct(setting, argument.plan(arguments), note=note)


def row(name: str, summary: MatchSummary) -> str:
    """Return a line of the table."""
    pairs, tally = summary.pairs, summary.tally
    score = tally.score / tally.games if tally.games else 0.0
    apart = "?" if pairs.interval == inf else f"{pairs.interval:.0f}"
    ours, theirs = summary.first, summary.second
    cells = [
        name,
        str(tally.games),
        str(tally),
        f"{score:.1%}",
        f"{pairs.elo:+.0f}",
        apart,
        f"{_late(ours)} - {_late(theirs)}",
        f"{ours.nps / 1000:.0f} - {theirs.nps / 1000:.0f}",
        f"{ours.depth:.1f} - {theirs.depth:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _late(side: SideSummary) -> int:
    return side.faults[End.TIME]


def _keep(arguments: argparse.Namespace, summaries: dict[str, MatchSummary], where: str) -> None:
    if arguments.svg:
        points = [
            (name, summary.pairs.elo, min(summary.pairs.interval, 1000.0))
            for name, summary in summaries.items()
        ]
        arguments.svg.write_text(chart(points, f"Rookery in a gauntlet, {where}"), encoding="utf-8")
    numbers: dict[str, object] = {name: summary.as_json() for name, summary in summaries.items()}
    results = [
        f"{name} {summary.tally} ({summary.pairs.elo:+.0f})" for name, summary in summaries.items()
    ]
    argument.keep(arguments, numbers, "; ".join(results), where)
