"""Packer of games into samples: it replays them, drops useless positions, shuffles the rest.

Left out are positions in check and those whose move is a capture or a promotion, for
the network is asked about quiet ones only, those without an exact score, and those with
the score of a mate, which says nothing of what stands on the board.
"""

import cython

if not cython.compiled:
    raise ImportError("the trainer is not compiled: run `make train`", name="cython")

from cython.cimports.rookery_engine.core.movegen import is_legal
from cython.cimports.rookery_engine.core.position import (
    Position,
    is_noisy,
    make_move,
)
from cython.cimports.train.piles import HELD_OUT, Pile, Piles, make_room
from cython.cimports.train.recorded_game import MOST_PLIES, PACKED, Packed, Ply, unpack
from cython.cimports.train.sample import make_sample

HEADER = cython.declare(cython.long, 4)
PLY = cython.declare(cython.long, 4)
MATE_FROM = cython.declare(cython.int, 31000)  # scores beyond are mates
NO_SCORE = cython.declare(cython.int, -32768)  # as in recorded_game.py
DAMAGED = cython.declare(cython.long, -1)
NO_MEMORY = cython.declare(cython.long, -2)


class Packer(Piles):
    """Samples, more with each file of games.

    Args:
        bound: Positions with a score beyond, either way, are left out; 0 is no bound.

    """

    def __init__(self, bound: int = 0) -> None:
        self.bound = bound

    def add(self, data) -> None:
        """Add the games of a file, without its first line.

        A last game that is not complete is left out: the file may still be growing.

        Raises:
            ValueError: the bytes are no games.
            MemoryError: there is no room for the samples.

        """
        view: cython.const[cython.uchar][::1] = data
        at: cython.long = 0
        size: cython.long = view.shape[0]
        took: cython.long = 1
        with cython.nogil:
            while at < size:
                took = self.read_game(cython.address(view[0]) + at, size - at)
                if took <= 0:
                    break
                at += took
        if took == DAMAGED:
            raise ValueError(
                f"game {self.game_count} is damaged, at byte {at} after the first line"
            )
        if took == NO_MEMORY:
            raise MemoryError("there is not enough memory for the samples")
        self.cut_count += at < size

    def read_game(self, data, left):
        """Add a game; return its bytes, 0 if it is cut short, or the error."""
        before: Position
        pos: Position
        if left < HEADER + PACKED:
            return 0
        count: cython.long = data[0] | data[1] << 8
        half_points: cython.int = data[2]
        if count > MOST_PLIES or half_points > 2 or data[3]:
            return DAMAGED
        if left < HEADER + PACKED + count * PLY:
            return 0
        if not unpack(cython.cast(cython.pointer(Packed), data + HEADER), cython.address(pos)):
            return DAMAGED
        plies = cython.cast(cython.pointer(Ply), data + HEADER + PACKED)
        which: cython.int = self.game_count % HELD_OUT == HELD_OUT - 1
        pile: cython.pointer[Pile] = cython.address(self.piles[which])
        if not make_room(pile, count):
            return NO_MEMORY
        for index in range(count):
            move = plies[index].move
            if not is_legal(cython.address(pos), move):
                return DAMAGED
            score: cython.int = plies[index].score
            size: cython.int = -score if score < 0 else score
            if pos.checkers:
                self.fates[CHECK] += 1
            elif is_noisy(cython.address(pos), move):
                self.fates[NOISY] += 1
            elif score == NO_SCORE:
                self.fates[UNSCORED] += 1
            elif size > MATE_FROM:
                self.fates[MATE_SCORED] += 1
            elif self.bound and size > self.bound:
                self.fates[BEYOND] += 1
            else:
                self.fates[KEPT] += 1
                result: cython.int = 2 - half_points if pos.side else half_points
                make_sample(
                    cython.address(pos), score, result, cython.address(pile.samples[pile.count])
                )
                pile.count += 1
                bar: cython.int = (score + 3000 + BIN // 2) // BIN
                self.bars[result][0 if bar < 0 else BARS - 1 if bar >= BARS else bar] += 1
            before = pos
            make_move(cython.address(before), cython.address(pos), move)
        self.game_count += 1
        return HEADER + PACKED + count * PLY

    @property
    def games(self) -> int:
        """The number of games added."""
        return self.game_count

    @property
    def cut(self) -> int:
        """The number of files that end within a game."""
        return self.cut_count

    @property
    def counts(self) -> dict[str, int]:
        """The number of positions of each fate."""
        names = (
            "kept",
            "in check",
            "move noisy",
            "no exact score",
            "score of a mate",
            "score beyond the bound",
        )
        return {name: self.fates[index] for index, name in enumerate(names)}

    @property
    def histogram(self) -> list[tuple[int, int, int, int]]:
        """Return for each score, in centipawns, the number of lost, drawn and won positions."""
        return [
            (BIN * bar - 3000, self.bars[0][bar], self.bars[1][bar], self.bars[2][bar])
            for bar in range(BARS)
        ]
