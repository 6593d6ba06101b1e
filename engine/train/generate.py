"""Play games with an engine, and keep every position's move and score.

A game starts from an opening of a file, or from the start position, with some random
moves after it, so that no two are the same; then one engine plays both sides, searching
so many nodes a move.  The score that it gives each move is the label to train on, the
result of the game is the other.  Hopeless games and dull ones are ended early.
"""

import multiprocessing
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from random import Random

from train.game import BLACK_WINS, DRAWN, MATE_SCORE, WHITE_WINS, Game

KIND = b"rookery games 1\n"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
START_SHARE = 0.3  # of the games begin from the start position, the others from openings
START_RANDOM = (8, 9, 10, 11)  # random plies after it
OPENING_RANDOM = (0, 1, 2, 3, 4)  # random plies after an opening
UNBALANCED = 400  # centipawns; a game that starts worse is not played
WON = 1200  # centipawns; so much for so many plies in a row is won
WON_PLIES = 5
DULL = 6  # centipawns; so little for so many plies in a row, late in the game, is a draw
DULL_PLIES = 12
DULL_FROM = 80  # plies
REPORT_EVERY = 2.0  # s


class GenerateError(Exception):
    """No games can be played like this."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play."""

    engine: str
    nodes: int
    openings: Path | None
    output: Path
    positions: int  # to reach in all
    seconds: float  # to stop after, if not before
    workers: int
    seed: int


class Label:
    """An engine asked for moves and scores over UCI, with the least ado.

    Raises:
        EOFError: the engine has ended.
        OSError: it cannot be started.

    """

    def __init__(self, command: str, nodes: int) -> None:
        self._process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to = self._process.stdin.fileno()
        self._from = self._process.stdout.fileno()
        self._go = b"\ngo nodes %d\n" % nodes
        self._rest = b""
        self._ask(b"uci\n", b"uciok")
        self._ask(b"setoption name Hash value 1\nisready\n", b"readyok")

    def new_game(self) -> None:
        """Forget what the game before has taught."""
        self._ask(b"ucinewgame\nisready\n", b"readyok")

    def choose(self, fen: str) -> tuple[bytes, int]:
        """Return the move for a position and its score, as the files have it."""
        text = self._ask(b"position fen " + fen.encode() + self._go, b"bestmove ")
        move = text[text.rindex(b"bestmove ") + 9 :].split(None, 1)[0]
        if b" score " not in text:
            raise ValueError(f"the engine says no score for {fen}: {text!r}")
        words = text[text.rindex(b" score ") + 7 :].split(None, 2)
        number = int(words[1])
        if words[0] == b"mate":
            number = MATE_SCORE - number if number > 0 else -MATE_SCORE - number
        return move, max(-MATE_SCORE, min(number, MATE_SCORE))

    def close(self) -> None:
        """End the engine."""
        self._process.kill()
        self._process.wait()

    def _ask(self, lines: bytes, word: bytes) -> bytes:
        """Say lines; return what is said up to the end of the line that begins with a word."""
        os.write(self._to, lines)
        heard = b""
        while True:
            piece = os.read(self._from, 65536)
            if not piece:
                raise EOFError("the engine has ended")
            heard += piece
            if heard.endswith(b"\n") and word in heard:
                return heard


def play(label: Label, chance: Random, openings: list[str]) -> bytes | None:
    """Play a game; return its bytes, or None if the opening is no good."""
    game = _opened(chance, openings)
    if game is None or game.result() is not None:
        return None
    won = dull = 0
    result = None
    while result is None and not game.is_full:
        fen = game.fen  # takes a tenth of a search's time to make
        move, score = label.choose(fen)
        if not game.count and abs(score) > UNBALANCED:
            return None
        white = score if " w " in fen else -score
        if not game.play(move, score):
            raise ValueError(f"the engine plays {move!r} in {fen}")
        result = game.result()
        same_sign = (won >= 0) == (white >= 0)
        won = (won if same_sign else 0) + (1 if white > 0 else -1) if abs(white) >= WON else 0
        dull = dull + 1 if abs(score) <= DULL and game.count >= DULL_FROM else 0
        if result is None and abs(won) >= WON_PLIES:
            result = WHITE_WINS if won > 0 else BLACK_WINS
        if result is None and dull >= DULL_PLIES:
            result = DRAWN
    return game.to_bytes(DRAWN if result is None else result)


def generate(plan: Plan, tell: Callable[[str], None]) -> int:
    """Play until there are enough positions; return how many games there are.

    Each worker writes a file of its own, `output` with a number added, and starts it
    anew.  What is written is whole games, so a run may be ended at any time.

    Raises:
        GenerateError: the engine cannot be started, or does not play chess.

    """
    counts: Queue[tuple[int, int, str]] = multiprocessing.Queue()
    workers = [
        multiprocessing.Process(target=_work, args=(plan, number, counts), daemon=True)
        for number in range(plan.workers)
    ]
    for worker in workers:
        worker.start()
    begun = time.monotonic()
    games = positions = 0
    next_report = begun + REPORT_EVERY
    ended = 0
    while ended < plan.workers:
        try:
            more_games, more, trouble = counts.get(timeout=REPORT_EVERY)
        except Empty:
            if any(worker.exitcode for worker in workers):
                raise GenerateError("a worker has died") from None
            continue
        if trouble:
            raise GenerateError(trouble)
        ended += not more_games
        games += more_games
        positions += more
        now = time.monotonic()
        if now >= next_report:
            next_report = now + REPORT_EVERY
            tell(f"{games} games, {positions} positions, {positions / (now - begun):.0f} a second")
    for worker in workers:
        worker.join()
    tell(f"{games} games, {positions} positions")
    return games


def _work(plan: Plan, number: int, counts: "Queue[tuple[int, int, str]]") -> None:
    try:
        _play_all(plan, number, counts)
        counts.put((0, 0, ""))
    except KeyboardInterrupt:
        pass  # who started us has heard it too
    except (OSError, EOFError, ValueError) as error:
        counts.put((0, 0, f"{plan.engine}: {error}" if isinstance(error, EOFError) else str(error)))


def _play_all(plan: Plan, number: int, counts: "Queue[tuple[int, int, str]]") -> None:
    chance = Random(plan.seed * 1000 + number)
    openings = list(_fens(plan.openings)) if plan.openings else []
    until = time.monotonic() + plan.seconds
    label = Label(plan.engine, plan.nodes)
    left = plan.positions // plan.workers
    try:
        with Path(f"{plan.output}.{number}").open("wb") as file:
            file.write(KIND)
            while left > 0 and time.monotonic() < until:
                label.new_game()
                data = play(label, chance, openings)
                if data is not None:
                    file.write(data)
                    count = data[0] | data[1] << 8
                    left -= count
                    counts.put((1, count, ""))
    finally:
        label.close()


def _opened(chance: Random, openings: list[str]) -> Game | None:
    if openings and chance.random() >= START_SHARE:
        game, plies = Game(chance.choice(openings)), chance.choice(OPENING_RANDOM)
    else:
        game, plies = Game(START), chance.choice(START_RANDOM)
    return game if all(game.play_random(chance) for _ in range(plies)) else None


def _fens(path: Path) -> Iterator[str]:
    with path.open() as lines:
        for line in lines:
            fields = line.split()
            if len(fields) >= 4:
                yield " ".join(fields[:4])
