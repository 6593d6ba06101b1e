"""An engine's static evaluations as the scores of a file of samples.

A static evaluation has no noise, as a search that ends by chance within an iteration has: the same
position has the same score.
"""

import struct
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event

from train.label import LabelEngine
from train.sample import fen_of
from train.sample_file import SAMPLE, DataError, samples_of, validation_of, write_samples
from train.threads import run_threads

BATCH = 512  # samples between two looks at the end
SCORE_AT = 24  # byte of a sample


def label_samples(path: Path, command: str, workers: int, tell: Callable[[str], None]) -> None:
    """Give all samples of a file, and of the one for validation, new scores.

    Each file is replaced when all its samples are labelled.

    Raises:
        DataError: a file holds no samples.
        LabelError: an engine ends, or evaluates no positions.
        OSError: a file cannot be read or written, or the engine cannot be started.

    """
    with samples_of(path):
        pass  # better now than after an engine has started
    engines: list[LabelEngine] = []
    try:
        engines.extend(LabelEngine(command, nodes=1) for _ in range(workers))
        for file in (path, validation_of(path)):
            if file == path or file.exists():
                _label_file(file, engines, tell)
    finally:
        for engine in engines:
            engine.close()


def _label_file(path: Path, engines: list[LabelEngine], tell: Callable[[str], None]) -> None:
    with samples_of(path) as samples:
        data = bytearray(samples)
    count = len(data) // SAMPLE
    borders = [SAMPLE * (count * part // len(engines)) for part in range(len(engines) + 1)]
    done = [0] * len(engines)
    begun = time.monotonic()

    def report() -> None:
        rate = sum(done) / (time.monotonic() - begun)
        tell(f"{sum(done)} of {count} positions in {path}, {rate:.0f} a second")

    def label(part: int, ending: Event) -> None:
        for at in range(borders[part], borders[part + 1], SAMPLE * BATCH):
            if ending.is_set():
                return
            end = min(at + SAMPLE * BATCH, borders[part + 1])
            done[part] += _label_batch(data, range(at, end, SAMPLE), engines[part], path)

    run_threads([partial(label, part) for part in range(len(engines))], report)
    report()
    write_samples(path, memoryview(data))


def _label_batch(data: bytearray, places: range, engine: LabelEngine, path: Path) -> int:
    """Label the samples at some places; return their number."""
    try:
        fens = [fen_of(bytes(data[at : at + SAMPLE])) for at in places]
    except ValueError as error:
        raise DataError(
            f"{path} is damaged, from sample {places[0] // SAMPLE} on: {error}"
        ) from None
    for at, score in zip(places, engine.evaluate(fens), strict=True):
        struct.pack_into("<h", data, at + SCORE_AT, score)
    return len(places)
