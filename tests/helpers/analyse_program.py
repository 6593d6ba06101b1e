"""Games, and a way to have them analysed by the program itself."""

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import chess.pgn

DATA = Path(__file__).parents[1] / "data"
PROGRAM = (sys.executable, "-m", "rookery_server", "analyse")
PATIENCE = 100.0  # s; far beyond what anything here takes


def random_game(number: int, plies: int, chooser: random.Random) -> str:
    """Return a game of random moves as PGN, with a blank line behind it."""
    game = chess.pgn.Game()
    game.headers["Event"] = "Random"
    game.headers["Round"] = str(number)
    game.headers["White"], game.headers["Black"] = f"W{number % 3}", f"B{number % 4}"
    node: chess.pgn.GameNode = game
    for _ in range(plies):
        moves = sorted(node.board().legal_moves, key=chess.Move.uci)
        if not moves:
            break
        node = node.add_variation(chooser.choice(moves))
    game.headers["Result"] = node.board().result()
    return f"{game}\n\n"


def write_games(path: Path, count: int, plies: int) -> Path:
    """Write a file of random games, the same each time."""
    chooser = random.Random(8)
    path.write_text("".join(random_game(n, plies, chooser) for n in range(1, count + 1)))
    return path


@dataclass
class AnalyseProgram:
    """A folder in which the program is run."""

    folder: Path

    def command(self, *arguments: str, habits: Sequence[str] = ()) -> list[str]:
        """Return the command line, with the judging engine if no other is named."""
        engine = " ".join([sys.executable, str(DATA / "judging_engine.py"), *habits])
        usual = () if "--engine" in arguments else ("--engine", engine)
        limit = () if {"--nodes", "--depth", "--movetime"} & {*arguments} else ("--nodes", "100")
        return [*PROGRAM, *arguments, *usual, *limit]

    def run(
        self, *arguments: str, habits: Sequence[str] = (), status: int = 0, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[str]:
        """Run it to its end, which must have that status."""
        done = subprocess.run(
            self.command(*arguments, habits=habits),
            cwd=self.folder, input=stdin, capture_output=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        text = subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )
        assert text.returncode == status, text.stderr
        return text

    def records(self, name: str = "out.jsonl") -> list[dict[str, Any]]:
        """Read a file of records."""
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def bytes_of(self, *names: str) -> list[bytes]:
        """Read files."""
        return [(self.folder / name).read_bytes() for name in names]
