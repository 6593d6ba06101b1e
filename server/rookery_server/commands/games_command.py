"""Command `rookery-server games`: makes the explorer's file of games in PGN."""

import argparse
import os
import sqlite3
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rookery_protocol.console import complain, print_line
from rookery_protocol.errors import ServerError
from rookery_server.commands import command_line
from rookery_server.explorer.build import BuildOptions, Progress, build

_INTERVAL = 2.0  # s from one line on the progress to the next


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status.

    Raises:
        ServerError: a file cannot be read or written.

    """
    options = command_line.parse(_parser(), arguments)
    chosen = BuildOptions(options.plies, options.least_elo, options.processes)
    begun = time.monotonic()
    try:
        done = build(options.files, options.output, chosen, _Reporter(begun).report)
    except (OSError, sqlite3.Error) as error:
        raise ServerError(f"cannot write {options.output}: {error}") from error
    print_line(
        f"{options.output}: {done.kept:,} of {done.read:,} games, {done.positions:,} positions,"
        f" {options.output.stat().st_size / 1e6:,.1f} MB, {time.monotonic() - begun:.0f} s"
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-server games", description="Make the explorer's file of games."
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="{build}")
    make = actions.add_parser("build", help="make a file of games in PGN, for [explorer]")
    make.add_argument("files", nargs="+", metavar="FILE.pgn", help="the games; - is stdin")
    make.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the file")
    make.add_argument(
        "--plies",
        type=command_line.within(1, 400),
        default=40,
        help="half-moves of each game that are found by position (40)",
    )
    make.add_argument(
        "--least-elo",
        type=command_line.within(0, 4000),
        default=0,
        metavar="N",
        help="take only games in which both players have this rating",
    )
    make.add_argument(
        "--processes",
        type=command_line.within(1, 256),
        default=min(os.cpu_count() or 1, 256),
        metavar="N",
        help="processes that read games (one for each CPU)",
    )
    return parser


class _Reporter:
    """Lines on stderr, if that is a terminal."""

    def __init__(self, begun: float) -> None:
        self._next = begun + _INTERVAL

    def report(self, progress: Progress) -> None:
        """Say how far it is, from time to time."""
        now = time.monotonic()
        if now < self._next or not sys.stderr.isatty():
            return
        self._next = now + _INTERVAL
        share = "" if progress.share is None else f", {progress.share:.0%} of the input"
        complain(f"{progress.read:,} games{share}")
