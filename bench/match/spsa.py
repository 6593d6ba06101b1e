"""SPSA: many numbers tuned at once, by games between two tries that differ in all of them.

Each iteration moves every value by a step, up or down by chance, and lets the result play
a pair of games against its mirror image; then all values go a little towards the winner.
Steps and gains shrink with the iterations as Spall has it ("Implementation of the
simultaneous perturbation algorithm", 1998); as in fishtest they are given by what they are
at the end.  The engine's constants are whole, so a try is rounded up or down by chance,
as often as its fraction says: small values move too.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import floor
from random import Random

from bench.match.parameter import Parameter

ALPHA = 0.602  # how gains shrink
GAMMA = 0.101  # how steps shrink
STABLE = 0.1  # of the iterations, for which gains hardly shrink
POINTS = 250  # of the course that are kept


@dataclass(frozen=True, slots=True)
class Schedule:
    """The steps and gains of each iteration; iterations count from 1."""

    iterations: int
    rate: float  # r_end: steps that a won game moves a value by at the end

    def step(self, number: int, last: float) -> float:
        """Return how far a value is moved for a try (c_k), if it is `last` in the end."""
        grown: float = (self.iterations / number) ** GAMMA
        return last * grown

    def gain(self, number: int, last: float) -> float:
        """Return by how much a won game changes a value (a_k / c_k)."""
        stable = STABLE * self.iterations
        grown: float = ((stable + self.iterations) / (stable + number)) ** ALPHA
        return self.rate * last * last * grown / self.step(number, last)


@dataclass(frozen=True, slots=True)
class Trial:
    """One iteration: what plays against what."""

    number: int
    signs: tuple[int, ...]  # of the steps
    plus: dict[str, int]
    minus: dict[str, int]


class Tuning:
    """The values, and what has been tried.  Several trials may be under way at once."""

    def __init__(self, parameters: list[Parameter], schedule: Schedule, seed: int) -> None:
        self.parameters = parameters
        self.schedule = schedule
        self.seed = seed
        self.values = [float(parameter.start) for parameter in parameters]
        self.done = 0
        self.failed = 0  # of those done: an engine broke down, which says nothing of values
        self.course: list[tuple[int, list[float]]] = [(0, list(self.values))]
        self._under_way: dict[int, Trial] = {}

    @property
    def begun(self) -> int:
        """The number of trials that were begun, except those that a killed run has lost."""
        return self.done + len(self._under_way)

    def begin(self) -> Trial:
        """Return what to try next."""
        number = self.begun + 1
        chance = Random(f"{self.seed} {number}")
        signs = tuple(chance.choice((-1, 1)) for _ in self.parameters)
        plus, minus = (
            {
                parameter.name: self._rounded(place, number, side * signs[place], chance)
                for place, parameter in enumerate(self.parameters)
            }
            for side in (1, -1)
        )
        self._under_way[number] = Trial(number, signs, plus, minus)
        return self._under_way[number]

    def finish(self, number: int, result: float | None) -> None:
        """Learn from wins less losses of a trial's `plus`; None if the games went wrong."""
        trial = self._under_way.pop(number)
        self.done += 1
        if result is None:
            self.failed += 1
            result = 0.0
        for place, parameter in enumerate(self.parameters):
            gain = self.schedule.gain(number, parameter.step)
            value = self.values[place] + gain * trial.signs[place] * result
            self.values[place] = min(max(value, parameter.low), parameter.high)
        if self.done % max(1, self.schedule.iterations // POINTS) == 0:
            self.course.append((self.done, list(self.values)))

    def best(self) -> dict[str, int]:
        """Return the values as they are now."""
        pairs = zip(self.parameters, self.values, strict=True)
        return {parameter.name: floor(value + 0.5) for parameter, value in pairs}

    def as_json(self) -> dict[str, object]:
        """Return all that is needed to go on."""
        return {
            "iterations": self.schedule.iterations,
            "rate": self.schedule.rate,
            "seed": self.seed,
            "done": self.done,
            "failed": self.failed,
            "parameters": [asdict(parameter) for parameter in self.parameters],
            "values": self.values,
            "course": self.course,
        }

    @classmethod
    def of_json(cls, data: Mapping[str, object]) -> "Tuning":
        """Return what `as_json` has written.

        Raises:
            ValueError: it has not.

        """
        match data:
            case {
                "iterations": int(iterations),
                "rate": float(rate),
                "seed": int(seed),
                "done": int(done),
                "failed": int(failed),
                "parameters": list(parameters),
                "values": list(values),
                "course": list(course),
            } if len(parameters) == len(values):
                read = [Parameter(**parameter) for parameter in parameters]
                tuning = cls(read, Schedule(iterations, rate), seed)
                tuning.values, tuning.done, tuning.failed = values, done, failed
                tuning.course = [(number, then) for number, then in course]
                return tuning
        raise ValueError("no tuning run")

    def _rounded(self, place: int, number: int, sign: int, chance: Random) -> int:
        parameter = self.parameters[place]
        value = self.values[place] + sign * self.schedule.step(number, parameter.step)
        return floor(min(max(value, parameter.low), parameter.high) + chance.random())
