"""One tuning run: how it is played, and the file that it is kept in.

The file is written now and then and at the end, so that a run can go on after it was
interrupted or killed; the pairs that were under way then are played anew.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.child import MissingError
from bench.match.conduct import Progress
from bench.match.game import FAULTS, Rules
from bench.match.lane import Pair, Setting, Task, play_tasks
from bench.match.opening import openings
from bench.match.player import Limit, Options, PlayerSpec
from bench.match.spsa import Tuning
from bench.match.tunable import OPTION

LINE_EVERY = 5.0  # s between lines of progress
VALUES_EVERY = 60.0  # s between two looks at the values


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of the games of a run."""

    engine: str  # the build's key
    limit: str
    hash_mb: int
    openings: str | None


@dataclass(slots=True)
class TuningRun:
    """A run and its file."""

    path: Path
    conditions: Conditions
    tuning: Tuning

    @classmethod
    def load(cls, path: Path) -> "TuningRun":
        """Read a run.

        Raises:
            MissingError: there is none.

        """
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            return cls(path, Conditions(**data["conditions"]), Tuning.of_json(data["tuning"]))
        except FileNotFoundError:
            raise MissingError(f"there is no run in {path}") from None
        except (ValueError, KeyError, TypeError) as error:
            raise MissingError(f"{path} is not a run of `tune`: {error}") from error

    def save(self) -> None:
        """Write it; being killed in the middle leaves what was there before."""
        data = {"conditions": asdict(self.conditions), "tuning": self.tuning.as_json()}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        scratch = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        scratch.write_text(json.dumps(data) + "\n", encoding="utf-8")
        scratch.replace(self.path)

    @property
    def left(self) -> int:
        """The number of iterations that are left."""
        return max(0, self.tuning.schedule.iterations - self.tuning.done)

    def play(self, engine: PlayerSpec, *, concurrency: int, keep: int) -> None:
        """Do what is left, or as much as there is time for until Ctrl-C.

        The file is written after each `keep` iterations.
        """
        if not self.left:
            return
        tasks, lanes = self._tasks(), min(concurrency, self.left)
        setting = Setting(engine, engine, Limit.parse(self.conditions.limit), Rules())
        teller = _Teller(self.tuning)
        try:
            with contextlib.closing(play_tasks(setting, tasks, concurrency=lanes)) as played:
                for task, pair in played:
                    self.tuning.finish(task.number, result(pair))
                    if self.tuning.done % keep == 0:
                        self.save()
                    teller.tell()
        except KeyboardInterrupt:
            pass  # what is done is done
        finally:
            teller.end()
            self.save()

    def _tasks(self) -> Iterator[Task]:
        """Yield what is to be played, as the values are by then."""
        path = self.conditions.openings
        # A run that goes on takes the openings in another order.
        book = openings(Path(path) if path else None, seed=self.tuning.seed + self.tuning.done)
        while self.tuning.begun < self.tuning.schedule.iterations:
            opening = next(book)
            trial = self.tuning.begin()
            yield Task(opening, _option(trial.plus), _option(trial.minus), trial.number)


def result(pair: Pair) -> float | None:
    """Return wins less losses of the first player; None if an engine has broken down."""
    if any(game.end in FAULTS for game in pair.games):
        return None
    return 2 * (sum(pair.scores) - 1)


def _option(values: Mapping[str, int]) -> Options:
    return ((OPTION, " ".join(f"{name}={value}" for name, value in values.items())),)


class _Teller:
    """Says how far a run is, and at longer intervals what the values are."""

    def __init__(self, tuning: Tuning) -> None:
        self._tuning = tuning
        self._before = tuning.done
        self._progress = Progress(LINE_EVERY)
        self._told = time.monotonic()

    def tell(self) -> None:
        """Record the result of a trial."""
        tuning = self._tuning
        failed = f", {tuning.failed} failed" if tuning.failed else ""
        text = f"{tuning.done}/{tuning.schedule.iterations} iterations{failed}"
        self._progress.show(text, 2 * (tuning.done - self._before))
        if time.monotonic() - self._told > VALUES_EVERY:
            self._told = time.monotonic()
            pairs = zip(tuning.parameters, tuning.values, strict=True)
            values = ", ".join(f"{each.name} {value:.2f}" for each, value in pairs)
            self._progress.end()
            print(values, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        self._progress.end()
