"""Games of an engine with itself, with every position's move and score.

A game starts from an opening of a file, or from the start position, with some random
moves after it, so that no two are the same; then one engine plays both sides, searching
so many nodes a move.  The score that it gives each move is the label to train on, the
result of the game is the other.  Hopeless games and dull ones are ended early.
"""

import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from random import Random

from rookery_uci import FenError
from train.game_file import GameFile, GameFileError, plies_of
from train.label import LabelEngine, LabelError
from train.recorded_game import BLACK_WINS, DRAWN, NO_SCORE, WHITE_WINS, RecordedGame

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
MOST_REFUSED = 1000  # openings in a row that are no good


class GenerateError(Exception):
    """No games can be played like this."""


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """The games to play."""

    engine: str
    nodes: int
    openings: Path | None
    output: Path
    positions: int  # to reach in all
    seconds: float  # to stop after, if not before
    workers: int
    seed: int


def play(label: LabelEngine, chance: Random, openings: list[str]) -> bytes | None:
    """Play a game; return its bytes, or None if the opening is no good."""
    game = _opened(chance, openings)
    if game is None or game.result() is not None:
        return None
    won = dull = 0
    result = None
    while result is None and not game.is_full:
        fen = game.fen  # takes a tenth of a search's time to make
        found = label.choose(fen)
        score = found.score  # a bound, too, says how the game stands
        if not game.count and abs(score) > UNBALANCED:
            return None
        white = score if " w " in fen else -score
        if not game.play(found.move, score if found.exact else NO_SCORE):
            raise LabelError(f"the engine plays {found.move!r} in {fen}")
        result = game.result()
        same_sign = (won >= 0) == (white >= 0)
        won = (won if same_sign else 0) + (1 if white > 0 else -1) if abs(white) >= WON else 0
        dull = dull + 1 if abs(score) <= DULL and game.count >= DULL_FROM else 0
        if result is None and abs(won) >= WON_PLIES:
            result = WHITE_WINS if won > 0 else BLACK_WINS
        if result is None and dull >= DULL_PLIES:
            result = DRAWN
    return game.to_bytes(DRAWN if result is None else result)


def generate(plan: GenerationPlan, tell: Callable[[str], None]) -> int:
    """Play until there are enough positions; return the number of games.

    Each worker writes a file of its own, `output` with a number added, or goes on with the
    one that is there.  Each game follows from the seed and its number in the file alone, so
    a run that was ended, at whatever moment, and goes on has the same games in the end.

    Raises:
        GenerateError: the engine cannot be started, or does not play chess, or a file
            cannot be written.

    """
    counts: Queue[WorkerProgress] = multiprocessing.Queue()
    workers = [
        multiprocessing.Process(target=_work, args=(plan, number, counts), daemon=True)
        for number in range(plan.workers)
    ]
    for worker in workers:
        worker.start()
    try:
        games = _follow(workers, counts, tell)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()
    return games


def read_openings(path: Path) -> list[str]:
    """Return the positions of a file, one a line, FEN or EPD.

    Raises:
        GenerateError: there are none, or one cannot be played.
        OSError: the file cannot be read.

    """
    fens = []
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        fields = line.partition(";")[0].split()
        if len(fields) >= 4 and not line.startswith("#"):
            fens.append(" ".join(fields[:4]))
            try:
                RecordedGame(fens[-1])  # better now than in the middle of a night
            except FenError as error:
                raise GenerateError(f"{path}, line {number}: {error}") from None
    if not fens:
        raise GenerateError(f"{path} holds no positions; it needs one a line, FEN or EPD")
    return fens


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """The work of a worker since its last report."""

    games: int = 0
    positions: int = 0
    new: bool = True  # False: they were in the file before
    ended: bool = False
    trouble: str = ""


def _follow(
    workers: list[multiprocessing.Process],
    counts: "Queue[WorkerProgress]",
    tell: Callable[[str], None],
) -> int:
    """Report until all workers have ended; return the number of games."""
    begun = last = time.monotonic()
    games = positions = new = ended = 0
    while ended < len(workers):
        try:
            count = counts.get(timeout=REPORT_EVERY)
        except Empty:
            count = WorkerProgress()
        if count.trouble:
            raise GenerateError(count.trouble)
        ended += count.ended
        games += count.games
        positions += count.positions
        new += count.positions if count.new else 0
        now = time.monotonic()
        if now >= last + REPORT_EVERY:
            last = now
            if any(worker.exitcode for worker in workers):
                raise GenerateError("a worker has died; run the same again to go on")
            tell(f"{games} games, {positions} positions, {new / (now - begun):.0f} a second")
    tell(f"{games} games, {positions} positions")
    return games


def _work(plan: GenerationPlan, number: int, counts: "Queue[WorkerProgress]") -> None:
    try:
        file = GameFile(Path(f"{plan.output}.{number}"))
        try:
            counts.put(WorkerProgress(file.games, file.positions, new=False))
            _play_all(plan, number, file, counts)
        finally:
            file.close()
        counts.put(WorkerProgress(ended=True))
    except KeyboardInterrupt:
        pass  # the parent process gets it too
    except LabelError as error:
        counts.put(WorkerProgress(trouble=f"{plan.engine}: {error}"))
    except (OSError, ValueError, GameFileError, GenerateError) as error:
        counts.put(WorkerProgress(trouble=str(error)))


def _play_all(
    plan: GenerationPlan, number: int, file: GameFile, counts: "Queue[WorkerProgress]"
) -> None:
    """Play until the file has this worker's share."""
    openings = read_openings(plan.openings) if plan.openings else []
    until = time.monotonic() + plan.seconds
    share = -(-plan.positions // plan.workers)
    parent = multiprocessing.parent_process()
    label = LabelEngine(plan.engine, plan.nodes)
    try:
        while file.positions < share and time.monotonic() < until:
            if parent and not parent.is_alive():
                return  # it was killed, and another run may wait for the file
            seed = f"{plan.seed} {number} {file.games}"
            try:
                game = _next_game(label, seed, openings)
            except LabelError:  # the engine may have been killed: once more, with a new one
                label.restart()
                game = _next_game(label, seed, openings)
            file.add(game)
            counts.put(WorkerProgress(1, plies_of(game)))
    finally:
        label.close()


def _next_game(label: LabelEngine, seed: str, openings: list[str]) -> bytes:
    """Play a game from the first opening that is good."""
    chance = Random(seed)
    for _ in range(MOST_REFUSED):
        label.new_game()
        game = play(label, chance, openings)
        if game is not None:
            return game
    raise GenerateError(
        f"{MOST_REFUSED} openings in a row are lost for a side or end the game;"
        " give others by --openings"
    )


def _opened(chance: Random, openings: list[str]) -> RecordedGame | None:
    if openings and chance.random() >= START_SHARE:
        game, plies = RecordedGame(chance.choice(openings)), chance.choice(OPENING_RANDOM)
    else:
        game, plies = RecordedGame(START), chance.choice(START_RANDOM)
    return game if all(game.play_random(chance) for _ in range(plies)) else None
