"""A file of samples, and the one beside it for validation.

It is a line that says so, filled up with spaces to 32 bytes, and then the samples of
`sample.py`.
"""

import mmap
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from train.atomic_file import replacing
from train.piles import Piles

KIND = b"rookery samples 1".ljust(31) + b"\n"
SAMPLE = 32  # bytes
CHUNK = 1 << 24  # bytes written at a time


class DataError(Exception):
    """A file of the wrong kind, or with too few samples."""


def validation_of(path: Path) -> Path:
    """Return the name of the samples for validation that belong to those for training."""
    return path.with_name(path.name + ".validation")


@contextmanager
def samples_of(path: Path) -> Iterator[memoryview]:
    """Open a file of samples to read.

    Raises:
        DataError: it holds something else, or is cut short.
        OSError: it cannot be read.

    """
    with path.open("rb") as file:
        if file.read(len(KIND)) != KIND:
            raise DataError(f"{path} holds no samples: its first line is not {KIND!r}")
        size = os.fstat(file.fileno()).st_size - len(KIND)
        if size % SAMPLE:
            raise DataError(f"{path} is cut short: {size} bytes are not samples of {SAMPLE}")
        if not size:
            yield memoryview(b"")
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            whole = memoryview(data)
            samples = whole[len(KIND) :]
            try:
                yield samples
            finally:
                samples.release()
                whole.release()


def write_samples(path: Path, samples: memoryview) -> None:
    """Write a file of samples."""
    with replacing(path) as file:
        file.write(KIND)
        for at in range(0, len(samples), CHUNK):
            file.write(samples[at : at + CHUNK])


def write_piles(piles: Piles, output: Path, tell: Callable[[str], None]) -> None:
    """Write the samples for training and those for validation."""
    for which, path in enumerate((output, validation_of(output))):
        samples = piles.samples(which)
        write_samples(path, samples)
        tell(f"{len(samples) // SAMPLE:12} in {path}")
