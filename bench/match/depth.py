"""`depth`: how long two engines take to a depth, on the positions of `rookery-engine bench`.

Depths of different programs mean different things; the same program before and after
a change is what can be compared.
"""

import argparse
from math import exp, log

import chess

from bench.match import argument
from bench.match.build import spec_of
from bench.match.player import Limit, MatchPlayer, MoveRequest, PlayedMove, open_player
from rookery_engine.shell.bench import POSITIONS

DEPTH = "depth 12"


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    engine = "a command, or rev:NAME for a revision"
    parser.add_argument("--new", default=argument.ENGINE, help=f"{engine} ({argument.ENGINE})")
    parser.add_argument("--old", default="rev:base", help=f"{engine} (rev:base)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    argument.add_limit(parser, DEPTH)
    argument.add_result(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask both about each position, in turns, and show the times side by side."""
    specs = [spec_of(text, arguments.option) for text in (arguments.new, arguments.old)]
    rows: list[tuple[PlayedMove, PlayedMove]] = []
    with open_player(specs[0]) as new, open_player(specs[1]) as old:
        print(f"{arguments.limit}; ms and nodes of {new.name}, of {old.name}, ratios")
        for number, fen in enumerate(POSITIONS, 1):
            rows.append((_ask(new, fen, arguments.limit), _ask(old, fen, arguments.limit)))
            print(f"{number:>3} {_row(*rows[-1])}", flush=True)
    result = summary(rows)
    print(result)
    numbers: dict[str, object] = {
        "answers": [[one.seconds, one.nodes, two.seconds, two.nodes] for one, two in rows]
    }
    argument.keep(arguments, numbers, result, str(arguments.limit))
    return 0


def summary(rows: list[tuple[PlayedMove, PlayedMove]]) -> str:
    """Return sums and the geometric means of the ratios, new to old."""
    times = [sum(row[side].seconds for row in rows) for side in (0, 1)]
    nodes = [sum(row[side].nodes or 0 for row in rows) for side in (0, 1)]
    time = exp(sum(log(new.seconds / old.seconds) for new, old in rows) / len(rows))
    counted = [(new.nodes, old.nodes) for new, old in rows if new.nodes and old.nodes]
    tree = exp(sum(log(new / old) for new, old in counted) / max(1, len(counted)))
    return (
        f"{times[0]:.2f} s and {nodes[0]} nodes, {times[1]:.2f} s and {nodes[1]} nodes;"
        f" mean ratio {time:.2f} in time, {tree:.2f} in nodes"
    )


def _ask(player: MatchPlayer, fen: str, limit: Limit) -> PlayedMove:
    player.new_game()
    board = chess.Board(f"{fen} 0 1")
    base = float(limit.base or 0)
    return player.choose(MoveRequest(board, limit, base, base, board.fen()))


def _row(new: PlayedMove, old: PlayedMove) -> str:
    cells = [f"{answer.seconds * 1000:9.1f} {answer.nodes or 0:9}" for answer in (new, old)]
    ratio = (new.nodes or 0) / (old.nodes or 1)
    return f"{cells[0]} {cells[1]} {new.seconds / old.seconds:6.2f} {ratio:6.2f}"
