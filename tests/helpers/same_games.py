"""Compare two files of games as python-chess reads them: `same_games.py FILE FILE`."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import chess.pgn

COMMAND = re.compile(r"\[%(csl|cal|eval|clk|emt)\s[^\]]*\]")


def main() -> int:
    """Print how many games are the same, or the first that differ; return the status."""
    games = [list(read_games(path)) for path in sys.argv[1:3]]
    if len(games[0]) != len(games[1]):
        print(f"{len(games[0])} games and {len(games[1])}")
        return 1
    for number, (one, other) in enumerate(zip(*games, strict=True), 1):
        if one != other:
            print(f"game {number}:\n{json.dumps(one)}\n{json.dumps(other)}")
            return 1
    print(f"{len(games[0])} games, all the same")
    return 0


def read_games(path: str) -> Iterator[object]:
    """Iterate over the games of a file, as values that can be compared."""
    with Path(path).open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            assert not game.errors, game.errors
            yield [sorted(game.headers.items()), content(game)]


def content(node: chess.pgn.GameNode) -> list[object]:
    """Return a move with its annotations, and all that follow."""
    score = node.eval()
    starting = node.starting_comment if isinstance(node, chess.pgn.ChildNode) else ""
    return [
        str(getattr(node, "move", "")),
        sorted(node.nags),
        words(starting),
        words(node.comment),
        str(score and (score.white(), node.eval_depth())),
        [node.clock(), node.emt()],
        sorted(arrow.pgn() for arrow in node.arrows()),
        [content(each) for each in node.variations],
    ]


def words(comment: str) -> str:
    """Return the words of a comment, without what is compared by its meaning."""
    return " ".join(COMMAND.sub(" ", comment).split())


if __name__ == "__main__":
    sys.exit(main())
