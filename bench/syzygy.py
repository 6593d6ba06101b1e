"""Hold the engine's table scores against python-chess: `python -m bench.syzygy FOLDER`.

Each position is probed for WDL and DTZ by both, and searched with a fifty-move counter of
zero, one near the edge, where the table's result begins to be out of reach, or any other.
The score must be what the counter allows, and the best move must keep it.

Exactly at the edge (DTZ and counter are 100) both results are accepted: a table that counts
in moves may have one ply too few.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice, permutations
from pathlib import Path

import chess
import chess.syzygy

from rookery_engine.core.board import Board
from rookery_engine.search.searcher import Searcher
from rookery_engine.syzygy.probing import Prober
from rookery_uci import Info, Limits, parse_reply

WON = 20_000  # centipawns
DOUBTFUL = 100  # centipawns; a win that the counter takes away is less
EDGE = 100  # plies
FEW = 200  # positions of each material, if not all
TRIES = 50  # for each position that is wanted; some materials have none
SEED = 1
SHOWN = 20  # faults


class Checker:
    """The tables of a folder, as the engine reads them and as python-chess does."""

    def __init__(self, folder: str) -> None:
        self.theirs = chess.syzygy.open_tablebase(folder)
        self._ours = Prober()
        self._ours.add_folders(folder)
        self._searcher = Searcher(1)
        self._searcher.set_tablebases(folder)

    def fault(self, board: chess.Board, counter: int) -> str | None:
        """Return what is wrong with a position at a fifty-move counter, or None."""
        board.halfmove_clock = counter
        wdl, dtz = self.theirs.probe_wdl(board), self.theirs.probe_dtz(board)
        ours = Board(board.fen())
        probed = self._ours.wdl(ours), self._ours.dtz(ours)
        if probed != (wdl, dtz):
            return f"WDL and DTZ are {(wdl, dtz)}, not {probed}"
        score, best = self._search(ours)
        if score not in allowed(dtz, counter):
            return f"score {score} with DTZ {dtz}"
        board.push(best)
        kept = board.is_checkmate() or self._is_kept(board, dtz, counter)
        board.pop()
        return None if kept else f"{best} gives away a DTZ of {dtz}"

    def _search(self, board: Board) -> tuple[int, chess.Move]:
        """Return the score of a short search, in centipawns, and its best move."""
        lines: list[str] = []
        self._searcher.prepare_search(board, Limits(depth=1), report=lines.extend)
        best = self._searcher.run().move
        infos = [info for info in map(parse_reply, lines) if isinstance(info, Info) and info.score]
        score = infos[-1].score
        assert score is not None
        if score.mate is not None:
            return (WON if score.mate > 0 else -WON), chess.Move.from_uci(best)
        assert score.cp is not None
        return score.cp, chess.Move.from_uci(best)

    def _is_kept(self, after: chess.Board, dtz: int, counter: int) -> bool:
        """Say whether the position after the best move is worth as much as the one before."""
        if dtz < 0 or dtz + counter >= EDGE or after.halfmove_clock == EDGE:
            return True
        left = -self.theirs.probe_dtz(after)
        return 0 < left <= EDGE - after.halfmove_clock if dtz else left == 0


def allowed(dtz: int, counter: int) -> range | tuple[int, ...]:
    """Return the scores that a position may have, in centipawns."""
    if dtz == 0:
        return (0,)
    sign = 1 if dtz > 0 else -1
    plies = abs(dtz) + counter
    if plies < EDGE:
        return (sign * WON,)
    doubtful = range(0, sign * DOUBTFUL, sign)
    return doubtful if plies > EDGE else (*doubtful, sign * WON)


def random_positions(material: str) -> Iterator[chess.Board]:
    """Yield legal positions with the material, whichever side has it, without an end."""
    rng = random.Random(f"{material} {SEED}")
    while True:
        squares = rng.sample(range(64), len(material) - 1)
        board = placed(material, squares, first=rng.random() < 0.5, turn=rng.random() < 0.5)
        if is_useful(board):
            yield board


def all_positions(material: str) -> Iterator[chess.Board]:
    """Yield every legal position of the stronger side as White, but for mirror images."""
    men = len(material) - 1
    files = 4 if "P" in material else 8
    kings = [square for square in range(64) if square % 8 < files]
    if files == 8:
        kings = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27]
    for king in kings:
        for others in permutations((square for square in range(64) if square != king), men - 1):
            for turn in (chess.WHITE, chess.BLACK):
                board = placed(material, [king, *others], first=chess.WHITE, turn=turn)
                if is_useful(board):
                    yield board


def placed(material: str, squares: list[int], *, first: bool, turn: bool) -> chess.Board:
    """Return a board with the men on their squares, the first side's before the other's."""
    board = chess.Board(None)
    colour = first
    places = iter(squares)
    for letter in material:
        if letter == "v":
            colour = not first
        else:
            piece = chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), colour)
            board.set_piece_at(next(places), piece)
    board.turn = turn
    return board


def is_useful(board: chess.Board) -> bool:
    """Say whether a position is legal, and the game is not over."""
    return board.is_valid() and any(board.generate_legal_moves())


def counters(dtz: int, rng: random.Random) -> tuple[int, ...]:
    """Return the counters to search with: 0, one near the edge, and any."""
    near = EDGE - abs(dtz) + rng.randrange(-1, 2)
    return 0, max(0, min(near, EDGE - 1)), rng.randrange(EDGE)


def check(
    checker: Checker, boards: Iterator[chess.Board], *, beyond: int, most: int | None
) -> tuple[int, int]:
    """Check at most so many positions with a DTZ of more than `beyond`; count them and faults."""
    rng = random.Random(SEED)
    count = faults = 0
    for board in boards:
        if count == most:
            break
        dtz = checker.theirs.probe_dtz(board)
        if abs(dtz) <= beyond:
            continue
        count += 1
        for counter in counters(dtz, rng):
            fault = checker.fault(board, counter)
            if fault:
                faults += 1
                if faults <= SHOWN:
                    print(f"{board.fen()}: {fault}", flush=True)
    return count, faults


def main() -> int:
    """Check as the command line asks; 1 if there was a fault."""
    arguments = _arguments()
    checker = Checker(arguments.folder)
    names = {path.stem for path in Path(arguments.folder).glob("*.rtbz")}
    wrong = 0
    for name in sorted(names, key=lambda name: (len(name), name)):
        if arguments.only not in name:
            continue
        started = time.monotonic()
        if arguments.all:
            boards = islice(all_positions(name), 0, None, arguments.every)
            most = None
        else:
            boards = islice(random_positions(name), TRIES * arguments.positions)
            most = arguments.positions
        count, faults = check(checker, boards, beyond=arguments.beyond, most=most)
        wrong += faults
        took = time.monotonic() - started
        print(f"{name:8} {count:9} positions, {faults} faults, {took:.0f} s", flush=True)
    print(f"{wrong} faults in all")
    return int(wrong > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.syzygy", description=__doc__)
    parser.add_argument("folder", help="with the tables, WDL and DTZ")
    parser.add_argument("--positions", type=int, default=FEW, help=f"of each material ({FEW})")
    parser.add_argument("--all", action="store_true", help="every position, which takes days")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="with --all: each Nth")
    parser.add_argument("--beyond", type=int, default=-1, metavar="DTZ", help="only farther ones")
    parser.add_argument("--only", default="", metavar="TEXT", help="what has TEXT in its name")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
