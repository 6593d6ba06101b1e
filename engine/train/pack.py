"""Conversion of files of games into two files of samples, with statistics."""

import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path

from train.game_file import KIND as GAMES
from train.packer import Packer
from train.sample_file import DataError, write_piles
from train.scale import expected_result, fit_scale

BROAD = 20  # bars of the fine histogram to one that is shown: 200 centipawns

Bars = list[tuple[int, int, int, int]]


def pack(
    inputs: list[Path],
    output: Path,
    *,
    bound: int,
    seed: int,
    tell: Callable[[str], None],
) -> None:
    """Write `output` and `output` with ".validation" added.

    Raises:
        DataError: a file holds no games, or all together no positions to train on.
        OSError: a file cannot be read or written.

    """
    begun = time.monotonic()
    packer = Packer(bound)
    for path in inputs:
        _read(packer, path)
    total = sum(packer.counts.values())
    seconds = time.monotonic() - begun
    tell(f"{packer.games} games, {total} positions, {total / seconds:.0f} a second")
    if packer.cut:
        tell(f"{packer.cut} of the files end within a game, which is left out")
    if not packer.counts["kept"]:
        raise DataError("no position is left to train on")
    for name, count in packer.counts.items():
        tell(f"{count:12} {100 * count / total:5.1f} %  {name}")
    packer.shuffle(seed)
    write_piles(packer, output, tell)
    for line in describe(packer.histogram):
        tell(line)
    tell(f"{time.monotonic() - begun:.1f} s in all")


def describe(bars: Bars) -> list[str]:
    """Return the histogram as a table, and the scale that fits the results best."""
    lines = ["score of the side to move   positions   lost  drawn    won"]
    for first in range(-3000 // 10, 3000 // 10, BROAD):
        some = bars[first + 300 : first + 300 + BROAD + (first + BROAD == 300)]
        lost, drawn, won = (sum(bar[column] for bar in some) for column in (1, 2, 3))
        count = lost + drawn + won
        if count:
            shares = " ".join(f"{100 * part / count:5.1f}%" for part in (lost, drawn, won))
            lines.append(f"{some[0][0]:12} to {some[-1][0]:5} {count:15} {shares}")
    scale, loss = best_scale(bars)
    lines.append(f"sigmoid(score / {scale:.1f}) fits the results best: mean square {loss:.5f}")
    return lines


def best_scale(bars: Bars) -> tuple[float, float]:
    """Return the scale, in centipawns, at which scores predict results best, and the loss."""
    total = sum(sum(bar[1:]) for bar in bars)

    def loss(scale: float) -> float:
        found = 0.0
        for score, lost, drawn, won in bars:
            hope = expected_result(score, scale)
            found += lost * hope**2 + drawn * (hope - 0.5) ** 2 + won * (1 - hope) ** 2
        return found / total

    return fit_scale(loss)


def _read(packer: Packer, path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(GAMES)) != GAMES:
            raise DataError(f"{path} holds no games: its first line is not {GAMES!r}")
        if os.fstat(file.fileno()).st_size == len(GAMES):
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            games = memoryview(data)[len(GAMES) :]
            try:
                packer.add(games)
            except ValueError as error:
                raise DataError(f"{path}: {error}") from error
            finally:
                games.release()
