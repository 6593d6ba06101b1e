"""A UCI engine that plays the first legal move, and says and does what its arguments ask.

    python scripted.py WHITE BLACK [FILE]

WHITE is what it says after `score` where White is to move, BLACK where Black is.  If FILE is
there when a search begins, the engine removes it and ends.
"""

import sys
from pathlib import Path

import chess


def main() -> None:
    white, black, *file = sys.argv[1:]
    trap = Path(*file)
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            print("uciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            board = chess.Board(" ".join(words[2:]))
        elif words[0] == "go":
            if file and trap.exists():
                trap.unlink()
                return
            move = min(board.legal_moves, key=chess.Move.uci)
            print("info depth 1 score cp 3 pv", move)
            print("info depth 2 score", white if board.turn else black, "pv", move)
            print("bestmove", move)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
