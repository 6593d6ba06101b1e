"""`selfplay`: whether the engine keeps the rules and the time.

It plays itself at a clock so short that every millisecond counts.  The status is 1 if
anything went wrong.
"""

import argparse
from math import inf

from bench.match import argument
from bench.match.build import spec_of
from bench.match.conduct import conduct
from bench.match.lane import Setting
from bench.match.summary import MatchSummary

GAMES = 100
CLOCK = "1+0.01"


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--engine", default=argument.ENGINE, help=f"({argument.ENGINE})")
    argument.add_play(parser, limit=CLOCK, games=GAMES)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, and show what went wrong."""
    engine = argument.with_chess960(spec_of(arguments.engine, arguments.option), arguments)
    setting = Setting(
        engine,
        engine,
        arguments.limit,
        argument.rules(arguments),
        arguments.margin,
        arguments.chess960,
    )
    summary = conduct(setting, argument.plan(arguments), note=lambda played: played.faults())
    result, where = describe(summary), argument.conditions(arguments)
    print(f"{summary.first.name}, {where}: {result}")
    for detail in summary.details:
        print(f"  {detail}")
    argument.keep(arguments, summary.as_json(), result, where)
    return int(bool(summary.details))


def describe(summary: MatchSummary) -> str:
    """Return the result in a line."""
    least = min(summary.first.least, summary.second.least)
    left = "" if least == inf else f"shortest time left {least:.0f} ms; "
    ends = ", ".join(f"{count} {end.value}" for end, count in summary.ends.most_common())
    moves = summary.first.moves + summary.second.moves
    return (
        f"{len(summary.games)} games, {moves} moves; {summary.faults()}; {left}"
        f"{summary.overhead:.3f} ms a move besides the engine; {ends}"
    )
