"""A UCI engine for measurements of the page: it streams lines at a steady rate, and hardly works.

What it says of a position is made up once and kept: legal lines by chance, whose depth grows.  So
the time that passes in the page is the page's own, and not that of engines beside it.
"""

import queue
import random
import sys
import threading

import chess

STEP = 0.1  # s from one depth to the next, each with all its lines
PLIES = 18  # of a line
MOST_LINES = 10
MOST_DEPTH = 60


class SteadyEngine:
    """The state of the conversation."""

    def __init__(self) -> None:
        self._board = chess.Board()
        self._lines = 1
        self._depth: int | None = None  # of the search that runs
        self._known: dict[str, list[list[str]]] = {}

    @property
    def is_searching(self) -> bool:
        """Return whether lines are to be streamed."""
        return self._depth is not None

    def obey_command(self, line: str) -> None:
        """Obey a line of UCI."""
        match line.split():
            case ["uci"]:
                _say("id name Steady")
                _say(f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}")
                _say("uciok")
            case ["isready"]:
                _say("readyok")
            case ["setoption", "name", "MultiPV", "value", value]:
                self._lines = int(value)
            case ["position", *words]:
                self._board = _board_of(words)
            case ["go", *_]:
                self._depth = 0
                self.search_deeper()
            case ["stop"] if self.is_searching:
                self._depth = None
                _say(f"bestmove {self._moves()[0][0]}")
            case _:
                pass

    def search_deeper(self) -> None:
        """Say the lines of the next depth."""
        assert self._depth is not None
        depth = self._depth = min(self._depth + 1, MOST_DEPTH)
        for at, moves in enumerate(self._moves(), 1):
            score = 30 - 7 * at + depth % 3
            figures = f"nodes {10_000 * depth + at} nps 100000 hashfull {depth} time {100 * depth}"
            pv = " ".join(moves[: PLIES - (depth + at) % 3])  # It changes, as that of others does.
            depths = f"depth {depth} seldepth {depth + 5}"
            _say(f"info {depths} multipv {at} score cp {score} {figures} pv {pv}")

    def _moves(self) -> list[list[str]]:
        """Return lines of the position: one for each of the first legal moves."""
        fen = self._board.fen()
        if fen not in self._known:
            chance = random.Random(fen)
            first = list(self._board.legal_moves)[:MOST_LINES]
            self._known[fen] = [_line_by_chance(self._board, move, chance) for move in first]
        return self._known[fen][: self._lines]


def _line_by_chance(board: chess.Board, move: chess.Move, chance: random.Random) -> list[str]:
    after, line = board.copy(stack=False), [move]
    after.push(move)
    while len(line) < PLIES and (legal := list(after.legal_moves)):
        line.append(chance.choice(legal))
        after.push(line[-1])
    return [each.uci() for each in line]


def _board_of(words: list[str]) -> chess.Board:
    end = words.index("moves") if "moves" in words else len(words)
    board = chess.Board() if words[0] == "startpos" else chess.Board(" ".join(words[1:end]))
    for move in words[end + 1 :]:
        board.push_uci(move)
    return board


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    """Talk until the input ends."""
    heard: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read_lines() -> None:
        for line in sys.stdin:
            heard.put(line)
        heard.put("quit")

    threading.Thread(target=read_lines, daemon=True).start()
    engine, line = SteadyEngine(), ""
    while line.strip() != "quit":
        try:
            line = heard.get(timeout=STEP if engine.is_searching else None)
        except queue.Empty:
            engine.search_deeper()
        else:
            engine.obey_command(line)


if __name__ == "__main__":
    main()
