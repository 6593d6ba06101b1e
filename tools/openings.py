"""Write the names of openings for the page: `python tools/openings.py FOLDER`.

FOLDER is a checkout of github.com/lichess-org/chess-openings, whose five lists are in the
public domain (CC0).  Each line of what is written is a position (the first two fields of its
FEN), the ECO code and the name; the page looks positions up, so transpositions are found.
"""

import csv
import io
import sys
from pathlib import Path

import chess.pgn

OUT = Path(__file__).resolve().parents[1] / "server/web/src/opening/openings.txt"
VOLUMES = "abcde"


def main() -> int:
    """Write the file; return the status."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    rows = sorted(row for volume in VOLUMES for row in rows_of(folder / f"{volume}.tsv"))
    OUT.write_text("".join(f"{position}\t{eco}\t{name}\n" for _, position, eco, name in rows))
    print(f"{len(rows)} positions, {OUT.stat().st_size // 1024} KiB")
    return 0


def rows_of(path: Path) -> list[tuple[str, str, str, str]]:
    """Return moves, position, ECO code and name of each line; by the moves it is sorted."""
    with path.open(newline="") as file:
        return [row_of(row) for row in csv.DictReader(file, delimiter="\t")]


def row_of(row: dict[str, str]) -> tuple[str, str, str, str]:
    game = chess.pgn.read_game(io.StringIO(row["pgn"]))
    if game is None or game.errors:
        raise ValueError(f"these moves cannot be read: {row['pgn']}")
    end = game.end()
    moves = " ".join(move.uci() for move in game.mainline_moves())
    board, turn, *_ = end.board().fen().split()
    return moves, f"{board} {turn}", row["eco"], row["name"]


if __name__ == "__main__":
    sys.exit(main())
