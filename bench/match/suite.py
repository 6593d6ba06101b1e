"""`suite`: which positions of an EPD file an engine solves, by `bm` and `am`."""

import argparse
from dataclasses import dataclass
from pathlib import Path

import chess

from bench.match import argument
from bench.match.build import spec_of
from bench.match.player import MATE, Limit, MatchPlayer, MoveRequest, open_player

NODES = "nodes 300000"


@dataclass(frozen=True, slots=True)
class Problem:
    """A position with its best moves, or moves to avoid, as UCI writes them."""

    name: str
    fen: str
    best: frozenset[str]
    avoid: frozenset[str]
    mate: int | None = None  # `bm #3`: any move will do that is told to mate in so many

    @classmethod
    def parse(cls, line: str, number: int) -> "Problem":
        """Read a line of EPD.

        Raises:
            ValueError: it is not one, or asks for nothing.

        """
        fields = line.split(maxsplit=4)
        operations = fields[4] if len(fields) > 4 else ""
        first = operations.partition(";")[0]
        if first.startswith("bm #"):
            fen = " ".join([*fields[:4], "0", "1"])
            return cls(f"line {number}", fen, frozenset(), frozenset(), int(first[4:]))
        board, found = chess.Board.from_epd(line)
        best, avoid = (_moves(board, found.get(name)) for name in ("bm", "am"))
        if not best and not avoid:
            raise ValueError(f"line {number} has neither bm nor am: {line!r}")
        return cls(str(found.get("id", f"line {number}")), board.fen(), best, avoid)

    def solved_by(self, move: str, score: int | None) -> bool:
        """Return whether it is."""
        if self.mate is not None:
            mate = MATE - self.mate if self.mate > 0 else -MATE - self.mate
            return score == mate
        return (not self.best or move in self.best) and move not in self.avoid


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--engine", default=argument.ENGINE, help=f"({argument.ENGINE})")
    parser.add_argument("--epd", type=Path, required=True, metavar="FILE")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth position")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    argument.add_limit(parser, NODES)
    argument.add_result(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask for each position, and show which were not solved."""
    lines = arguments.epd.read_text(encoding="utf-8").splitlines()
    problems = [
        Problem.parse(line, number) for number, line in enumerate(lines, 1) if line.strip()
    ][:: arguments.every]
    unsolved: list[str] = []
    with open_player(spec_of(arguments.engine, arguments.option)) as player:
        for problem in problems:
            answer = solve(player, problem, arguments.limit)
            if answer is not None:
                unsolved.append(f"{problem.name}: {answer}")
        solved = len(problems) - len(unsolved)
        result = f"{solved} of {len(problems)} solved"
        where = f"{arguments.epd.name}, {arguments.limit}"
        print(f"{player.name}, {where}: {result}")
    for line in unsolved:
        print(f"  {line}")
    argument.keep(arguments, {"solved": solved, "unsolved": unsolved}, result, where)
    return 0


def solve(player: MatchPlayer, problem: Problem, limit: Limit) -> str | None:
    """Return None if the player solves it, otherwise what it played instead."""
    player.new_game()
    board = chess.Board(problem.fen)
    base = float(limit.base or 0)
    answer = player.choose(MoveRequest(board, limit, base, base, problem.fen))
    if problem.solved_by(answer.move, answer.score):
        return None
    wanted = [*sorted(problem.best), *(f"not {move}" for move in sorted(problem.avoid))]
    if problem.mate is not None:
        wanted = [f"mate in {problem.mate}"]
    return f"{answer.move} ({answer.score}), wanted {' or '.join(wanted)}"


def _moves(board: chess.Board, moves: object) -> frozenset[str]:
    if not isinstance(moves, list):
        return frozenset()
    return frozenset(board.uci(move) for move in moves)
