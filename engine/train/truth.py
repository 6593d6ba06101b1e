"""Quiet positions with the scores of a long search, as a reference for other scores.

A file is EPD: each line a position and `ce`, the centipawns of the side to move.  Lines that
begin with # say where it comes from.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from train.atomic_file import check_folder, replacing
from train.game_file import games_of
from train.label import MOST_CENTIPAWNS, LabelEngine
from train.recorded_game import RecordedGame, quiet_positions

KEPT = Path(__file__).with_name("truth.epd")
FROM_A_GAME = 2  # positions, of which a third is kept; those of one game are too much alike
HASH = 16  # MiB
REPORT_EVERY = 100  # positions
SOURCE = """\
# {count} quiet positions of games that Rookery's trainer had {engine} play; ce is its score
# with {nodes} nodes, in centipawns of the side to move, of at most {bound}. Positions made for
# Rookery, under Rookery's licence, GPL-3.0-or-later; scores are the output of that program.
"""


class TruthError(Exception):
    """A file without positions with scores, or games that yield none."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A position, as the four fields of EPD, and its score for the side to move."""

    epd: str
    score: int  # centipawns

    @classmethod
    def parse(cls, line: str) -> "Truth":
        """Read a line.

        Raises:
            ValueError: it is none.

        """
        *fields, word, score = line.removesuffix(";").split()
        if len(fields) != 4 or word != "ce":
            raise ValueError(line)
        return cls(" ".join(fields), int(score))

    @property
    def fen(self) -> str:
        """The position as FEN, with fresh counters."""
        return f"{self.epd} 0 1"

    def __str__(self) -> str:
        return f"{self.epd} ce {self.score};"


@dataclass(frozen=True, slots=True)
class Making:
    """The parameters of a file."""

    games: list[Path]
    output: Path
    engine: str
    nodes: int
    count: int
    bound: int  # centipawns; what is beyond is decided, and every judge is right about it
    seed: int


def read_truth(path: Path) -> list[Truth]:
    """Read a file.

    Raises:
        TruthError: a line is not as above, or there is none.
        OSError: it cannot be read.

    """
    truths = []
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if line and not line.startswith("#"):
            try:
                truths.append(Truth.parse(line))
            except ValueError:
                raise TruthError(
                    f"{path}, line {number}: {line!r} is not four fields of EPD and `ce NUMBER;`"
                ) from None
    if not truths:
        raise TruthError(f"{path} holds no positions")
    return truths


def make_truth(making: Making, tell: Callable[[str], None]) -> None:
    """Score positions of games, and write those with a quiet best move and an exact, open score.

    Raises:
        GameFileError: a file holds no games.
        TruthError: the games have no such position.
        LabelError: the engine does not do what UCI asks.
        OSError: a file cannot be read or written, or the engine cannot be started.

    """
    check_folder(making.output)
    label = LabelEngine(making.engine, making.nodes, HASH)
    truths: list[Truth] = []
    try:
        for epd in _candidates(making):
            truth = _score(label, epd)
            if truth and abs(truth.score) <= making.bound:
                truths.append(truth)
                if not len(truths) % REPORT_EVERY:
                    tell(f"{len(truths)} of {making.count}")
            if len(truths) == making.count:
                break
    finally:
        label.close()
    if not truths:
        raise TruthError("the games give no such position; play more, or raise --bound")
    if len(truths) < making.count:
        tell(f"the games give only {len(truths)} positions of {making.count}")
    source = SOURCE.format(
        count=len(truths), engine=label.name, nodes=making.nodes, bound=making.bound
    )
    with replacing(making.output) as file:
        file.write((source + "".join(f"{truth}\n" for truth in truths)).encode())


def _candidates(making: Making) -> list[str]:
    """Return some quiet positions of each game, each once, in random order."""
    chance = Random(making.seed)
    found: dict[str, None] = {}
    for path in making.games:
        for game in games_of(path):
            fens = quiet_positions(game)
            for fen in chance.sample(fens, min(FROM_A_GAME, len(fens))):
                found[" ".join(fen.split()[:4])] = None
    candidates = list(found)
    chance.shuffle(candidates)
    return candidates


def _score(label: LabelEngine, epd: str) -> Truth | None:
    label.new_game()
    truth = Truth(epd, 0)
    found = label.choose(truth.fen)
    if not found.exact or abs(found.score) >= MOST_CENTIPAWNS:
        return None
    return Truth(epd, found.score) if RecordedGame(truth.fen).is_quiet(found.move) else None
