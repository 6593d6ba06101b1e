"""`sprt`: whether the new engine is better than the old one.

The status is 0 if it passed, 1 if it failed, and 3 if the games did not suffice to say.
"""

import argparse

from bench.match import argument
from bench.match.build import spec_of
from bench.match.conduct import conduct
from bench.match.lane import Setting
from bench.match.sprt import Sprt, Verdict
from bench.match.summary import MatchSummary

GAMES = 20_000
STATUS = {Verdict.PASSED: 0, Verdict.FAILED: 1, Verdict.GOES_ON: 3}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    engine = "a command, or rev:NAME for a revision"
    parser.add_argument("--new", default=argument.ENGINE, help=f"{engine} ({argument.ENGINE})")
    parser.add_argument("--old", default="rev:base", help=f"{engine} (rev:base)")
    parser.add_argument("--new-option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--old-option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=5.0)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--all", action="store_true", help="play on when the test is decided")
    argument.add_play(parser, limit=argument.NODES, games=GAMES)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play until a bound is reached."""
    test = Sprt(arguments.elo0, arguments.elo1, arguments.alpha, arguments.beta)
    new = spec_of(arguments.new, arguments.option + arguments.new_option)
    old = spec_of(arguments.old, arguments.option + arguments.old_option)
    setting = Setting(
        argument.with_chess960(new, arguments),
        argument.with_chess960(old, arguments),
        arguments.limit,
        argument.rules(arguments),
        arguments.margin,
        arguments.chess960,
    )

    def over(summary: MatchSummary) -> bool:
        return not arguments.all and test.verdict(summary.pairs) is not Verdict.GOES_ON

    def note(summary: MatchSummary) -> str:
        return f"LLR {test.ratio(summary.pairs):+.2f} {summary}"

    summary = conduct(setting, argument.plan(arguments), over=over, note=note)
    verdict = test.verdict(summary.pairs)
    where = argument.conditions(arguments)
    result = describe(test, summary)
    print(f"{summary.first.name} against {summary.second.name}\nSPRT {test} {where}: {result}")
    print(f"{summary.faults()}; {summary.overhead:.3f} ms a move besides the engines")
    for detail in summary.details:
        print(f"  {detail}")
    numbers = {**summary.as_json(), "llr": test.ratio(summary.pairs), "verdict": verdict.value}
    argument.keep(arguments, numbers, f"SPRT {test}: {result}", where)
    return STATUS[verdict]


def describe(test: Sprt, summary: MatchSummary) -> str:
    """Return the result as a commit message has it."""
    ratio, verdict = test.ratio(summary.pairs), test.verdict(summary.pairs)
    return f"LLR {ratio:.2f} ({verdict.value}), {len(summary.games)} games, {summary}"
