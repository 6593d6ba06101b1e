"""The arguments that several commands share, and the places of their results.

Results that are kept are rows of a table in engine/README.md, one for each match.
"""

import argparse
import errno
import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from bench.__main__ import machine
from bench.match.build import ROOT
from bench.match.conduct import MatchPlan
from bench.match.game import MARGIN, Rules
from bench.match.player import Limit, PlayerSpec

LEDGER = ROOT / "engine" / "README.md"
HEADING = "## Matches"
HEAD = "| date | what | conditions | result |\n|---|---|---|---|"


def append_row(path: Path, row: tuple[str, str, str, str]) -> None:
    """Add a row to the table under the heading; both are made if they are missing."""
    text = path.read_text(encoding="utf-8")
    path.write_text(added(text, row), encoding="utf-8")


def added(text: str, row: tuple[str, str, str, str]) -> str:
    """Return the text with the row at the end of the table."""
    line = "| " + " | ".join(cell.replace("|", "/") for cell in row) + " |"
    before, heading, section = f"\n{text}".partition(f"\n{HEADING}\n")
    if not heading:
        return f"{text.rstrip()}\n\n{HEADING}\n\n{HEAD}\n{line}\n"
    lines = section.split("\n")
    end = next((i for i, one in enumerate(lines) if one.startswith("## ")), len(lines))
    rows = [i for i in range(end) if lines[i].startswith("|")]
    place = rows[-1] + 1 if rows else end
    lines[place:place] = [line] if rows else ["", *HEAD.split("\n"), line]
    return (before + heading + "\n".join(lines))[1:]


NODES = "nodes 5000"  # a move, where nothing else is asked for
ENGINE = "rookery-engine"


def add_limit(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the choice between a clock and fixed limits."""
    parser.set_defaults(limit=Limit.parse(default))
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--tc", type=Limit.parse, dest="limit", metavar="S+S", help=f"clock ({default})"
    )
    for word in ("nodes", "depth", "movetime"):
        limits.add_argument(
            f"--{word}", type=_fixed(word), dest="limit", metavar="N", help="of each move"
        )


def add_play(
    parser: argparse.ArgumentParser, *, limit: str, games: int, options_of: str = "both engines"
) -> None:
    """Add the arguments of every match."""
    add_limit(parser, limit)
    cores = len(os.sched_getaffinity(0))
    parser.add_argument(
        "--games", type=positive, default=games, help=f"at most; two a pair ({games})"
    )
    parser.add_argument("--openings", type=Path, metavar="FILE", help="EPD, FEN or PGN")
    parser.add_argument("--seed", type=int, default=1, help="of the openings' order (1)")
    parser.add_argument(
        "--concurrency", type=positive, default=cores, help=f"games at once ({cores})"
    )
    parser.add_argument(
        "--margin", type=float, default=MARGIN, metavar="MS", help=f"for late moves ({MARGIN:g})"
    )
    parser.add_argument("--chess960", action="store_true")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help=f"of {options_of}"
    )
    parser.add_argument("--no-adjudication", action="store_true", help="play to the end")
    parser.add_argument("--win", type=int, nargs=2, metavar=("CP", "MOVES"), default=(1000, 3))
    parser.add_argument(
        "--draw", type=int, nargs=3, metavar=("CP", "MOVES", "AFTER"), default=(8, 8, 40)
    )
    parser.add_argument("--pgn", type=Path, metavar="FILE", help="add the games to FILE")
    add_result(parser)


def add_result(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the results."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to FILE")
    parser.add_argument(
        "--ledger", metavar="WHAT", help="add the result to engine/README.md under this name"
    )


def plan(arguments: argparse.Namespace) -> MatchPlan:
    """Return the plan of a match.

    Raises:
        FileNotFoundError: the results could not be written, which is better known now.

    """
    for path in (arguments.json, arguments.pgn):
        if path and not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    return MatchPlan(
        arguments.games, arguments.openings, arguments.seed, arguments.concurrency, arguments.pgn
    )


def rules(arguments: argparse.Namespace) -> Rules | None:
    """Return the rules of adjudication."""
    return None if arguments.no_adjudication else Rules(*arguments.win, *arguments.draw)


def with_chess960(spec: PlayerSpec, arguments: argparse.Namespace) -> PlayerSpec:
    """Return the player, told of Chess960 if it is played."""
    if not arguments.chess960 or spec.protocol != "uci":
        return spec
    return replace(spec, options=(*spec.options, ("UCI_Chess960", "true")))


def conditions(arguments: argparse.Namespace) -> str:
    """Return the conditions of the games as text."""
    book = arguments.openings.name if arguments.openings else "random openings"
    words = [str(arguments.limit), book]
    if arguments.concurrency > 1:
        words.append(f"{arguments.concurrency} games at once")
    if arguments.option:
        words.append(" ".join(arguments.option))
    return ", ".join(words)


def keep(
    arguments: argparse.Namespace, numbers: dict[str, object], result: str, where: str
) -> None:
    """Write the results where they were asked for."""
    if arguments.json:
        data = {"date": str(date.today()), "machine": machine(), "conditions": where, **numbers}
        arguments.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if arguments.ledger:
        append_row(LEDGER, (str(date.today()), arguments.ledger, where, result))


def positive(text: str) -> int:
    """Read a number that is more than 0."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"needs a whole number from 1 on, not {text!r}")
    return int(text)


def _fixed(word: str) -> Callable[[str], Limit]:
    def parse(text: str) -> Limit:
        return Limit.parse(f"{word} {text}")

    return parse
