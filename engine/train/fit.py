"""Fitting of a network to samples: epochs, batches, the rate, progress and checkpoints."""

import json
import time
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import cos, pi
from pathlib import Path
from typing import TypeVar

from train.atomic_file import check_folder, replacing
from train.plain_network import KINDS as NETWORKS
from train.plain_network import PlainNetwork
from train.sample_file import SAMPLE, DataError, samples_of, validation_of
from train.trainer import BLOCK_SAMPLES, COUNT, SHAPE, STATE, Trainer

Result = TypeVar("Result")
KIND = b"rookery checkpoint 1\n"
WARM_UP = 0.01  # share of all batches in which the rate rises to its full size
LAST_RATE = 0.01  # of the full rate, at the end
REPORT_EVERY = 5.0  # s


@dataclass(frozen=True, slots=True)
class Course:
    """The samples and parameters of a fit."""

    samples: Path
    output: Path  # ".checkpoint" and ".network" are added
    epochs: int
    batch: int
    rate: float
    wdl: float
    unit: float
    threads: int
    seed: int
    start: Path | None = None


def fit(course: Course, tell: Callable[[str], None]) -> float:
    """Train; write a checkpoint after each epoch and a network at the end.

    Returns:
        The last loss in validation; that in training if there is nothing to validate with.

    Raises:
        DataError: a file is not what it should be, or holds too little, or the course
            cannot be taken so.
        NetworkError: what was learnt does not fit the engine.
        OSError: a file cannot be read or written.

    """
    check_folder(course.output)
    if course.batch % BLOCK_SAMPLES or course.batch <= 0:
        raise DataError(f"a batch is a multiple of {BLOCK_SAMPLES}, not {course.batch}")
    try:
        trainer = Trainer(threads=course.threads, wdl=course.wdl, unit=course.unit)
    except ValueError as error:
        raise DataError(str(error)) from error
    done = _begin(trainer, course)
    with (
        samples_of(course.samples) as samples,
        samples_of(validation_of(course.samples)) as validation,
        ThreadPoolExecutor(course.threads) as pool,
    ):
        run = _Run(trainer, course, pool, tell)
        try:
            loss = run.epochs(done, samples, validation)
        finally:
            trainer.load_samples(b"", 0)
    export(trainer, course.output.with_name(course.output.name + ".network"))
    return loss


def export(trainer: Trainer, path: Path) -> None:
    """Write the network that the engine reads."""
    floats = array("f")
    floats.frombytes(trainer.state()[: 4 * COUNT])
    PlainNetwork.from_floats(floats, SHAPE).write(path)


def load(trainer: Trainer, path: Path, seed: int = 0) -> int:
    """Load a checkpoint or a network, which may be smaller; return how many epochs are done.

    Raises:
        DataError: the file is neither, or of another size.
        NetworkError: it is a damaged network.

    """
    with path.open("rb") as file:
        kind = file.readline(64)
        if kind in NETWORKS:
            network = PlainNetwork.from_file(path)
            trainer.load(network.widened(SHAPE, seed).floats().tobytes())
            return 0
        if kind != KIND:
            raise DataError(f"{path} is neither a checkpoint nor a network")
        try:
            about = json.loads(file.readline(4096))
            shape, epoch = tuple(about["sizes"]), int(about["epoch"])
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"{path} is a damaged checkpoint: {error}") from error
        state = file.read()
    if shape != SHAPE or len(state) != STATE:
        raise DataError(f"{path} is a checkpoint of another network, or cut short")
    trainer.load(state)
    return epoch


class _Run:
    """A run through the epochs."""

    def __init__(
        self,
        trainer: Trainer,
        course: Course,
        pool: ThreadPoolExecutor,
        tell: Callable[[str], None],
    ) -> None:
        self._trainer = trainer
        self._course = course
        self._pool = pool
        self._tell = tell
        self._begun = time.monotonic()
        self._next_report = self._begun + REPORT_EVERY
        self._batches = 0  # of an epoch
        self._steps = 0  # batches of all epochs
        self._first = 0  # batches that were done before

    def epochs(self, done: int, samples: memoryview, validation: memoryview) -> float:
        course = self._course
        try:
            count = self._trainer.load_samples(samples, 0)
            self._trainer.check(validation)
        except ValueError as error:
            raise DataError(f"{course.samples}: {error}") from error
        self._batches = count // BLOCK_SAMPLES // (course.batch // BLOCK_SAMPLES)
        if not self._batches:
            raise DataError(f"{count} positions are too few for a batch of {course.batch}")
        self._steps = course.epochs * self._batches
        self._tell(f"{count} positions, {self._batches} batches an epoch")
        checked = loss = self._validate(validation)
        if validation:
            self._tell(f"validation before: {checked:.6f}")
        self._first = done * self._batches
        for epoch in range(done, course.epochs):
            self._trainer.shuffle(course.seed * 1000 + epoch)
            loss = self._epoch(epoch)
            checked = self._validate(validation)
            after = f", validation {checked:.6f}" if validation else ""
            self._tell(f"epoch {epoch + 1} of {course.epochs}: loss {loss:.6f}{after}")
            self._save(epoch + 1)
        return checked if validation else loss

    def _epoch(self, epoch: int) -> float:
        total = 0.0
        for batch in range(self._batches):
            step = epoch * self._batches + batch + 1
            total += self._batch(batch, step)
            now = time.monotonic()
            if now >= self._next_report:
                self._next_report = now + REPORT_EVERY
                self._report(now, epoch, step, total / (batch + 1))
        return total / self._batches

    def _batch(self, batch: int, step: int) -> float:
        """Train on a batch, all threads first learning and then updating; return its mean loss."""
        trainer, course = self._trainer, self._course
        blocks = course.batch // BLOCK_SAMPLES
        first = batch * blocks
        borders = [first + blocks * part // course.threads for part in range(course.threads + 1)]
        rate = course.rate * rate_at(step, self._steps)
        losses = self._each(
            lambda part: trainer.learn(
                part, borders[part], borders[part + 1] - borders[part], course.batch
            )
        )
        self._each(lambda part: trainer.update(part, step, rate))
        return sum(losses) / course.batch

    def _validate(self, validation: memoryview) -> float:
        threads = self._course.threads
        losses = self._each(lambda part: self._trainer.loss(validation, part, threads))
        return sum(losses) / max(1, len(validation) // SAMPLE)

    def _each(self, do: Callable[[int], Result]) -> list[Result]:
        return list(self._pool.map(do, range(self._course.threads)))

    def _report(self, now: float, epoch: int, step: int, loss: float) -> None:
        speed = (step - self._first) / (now - self._begun)
        left = (self._steps - step) / speed
        self._tell(
            f"epoch {epoch + 1}, batch {step} of {self._steps}: loss {loss:.6f}, "
            f"{speed * self._course.batch:.0f} positions a second, {left:.0f} s left"
        )

    def _save(self, epoch: int) -> None:
        path = self._course.output.with_name(self._course.output.name + ".checkpoint")
        about = json.dumps({"sizes": SHAPE, "epoch": epoch}).encode()
        with replacing(path) as file:
            file.write(KIND + about + b"\n" + self._trainer.state())


def rate_at(step: int, steps: int) -> float:
    """Return the share of the full rate for a batch, from 1 on: a rise, then half a cosine."""
    warm = max(1, round(steps * WARM_UP))
    if step <= warm:
        return step / warm
    done = (step - warm) / max(1, steps - warm)
    return LAST_RATE + (1 - LAST_RATE) * (1 + cos(pi * done)) / 2


def _begin(trainer: Trainer, course: Course) -> int:
    if course.start is None:
        trainer.initialise(course.seed)
        return 0
    return load(trainer, course.start, course.seed)
