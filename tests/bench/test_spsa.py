"""SPSA: ranges, steps and gains, and whether it finds what is best."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from bench.child import MissingError
from bench.match.constant import Constant
from bench.match.course import course, spread
from bench.match.parameter import Parameter, parameters, read
from bench.match.spsa import Schedule, Tuning

KNOWN = {
    f"deep.{name}": Constant("deep", name, value, 1, 0, 1)
    for name, value in (("MARGIN", 60), ("BASE", -81), ("ONE", 1), ("ZERO", 0))
}
BEST = {"deep.MARGIN": 75, "deep.BASE": -60, "deep.ONE": 4}
WIDE = {
    "deep.MARGIN": {"step": 6},
    "deep.BASE": {"step": 8},
    "deep.ONE": {"min": 0, "max": 8, "step": 1},
}


def noisy(values: dict[str, int]) -> float:
    """Return how good values are: a quadratic with its top at `BEST`."""
    return -sum(((value - BEST[name]) / WIDE[name]["step"]) ** 2 for name, value in values.items())


def tuned(iterations: int, *, seed: int, at_once: int = 1) -> Tuning:
    """Tune with results of pairs that are mostly chance."""
    tuning = Tuning(parameters(KNOWN, WIDE), Schedule(iterations, 0.01), seed)
    chance = Random(seed)
    trials = []
    while tuning.done < iterations:
        while len(trials) < at_once and tuning.begun < iterations:
            trials.append(tuning.begin())
        trial = trials.pop(0)
        better = noisy(trial.plus) - noisy(trial.minus) + chance.gauss(0, 4)
        tuning.finish(trial.number, max(-2, min(2, round(better / 4))))
    return tuning


@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_finds_the_top_of_a_noisy_quadratic(seed: int, at_once: int) -> None:
    tuning = tuned(3000, seed=seed, at_once=at_once)
    before = noisy({parameter.name: parameter.start for parameter in tuning.parameters})
    assert before < -20
    assert noisy(tuning.best()) > -1.5


def test_the_last_step_and_gain_are_as_given() -> None:
    schedule = Schedule(1000, 0.002)
    assert schedule.step(1000, 6.0) == pytest.approx(6.0)
    assert schedule.gain(1000, 6.0) == pytest.approx(0.002 * 6.0)
    # fishtest: c = 6 * 1000**.101, a = .002 * 36 * 1100**.602, at iteration 10
    step = 6 * 1000**0.101 / 10**0.101
    assert schedule.step(10, 6.0) == pytest.approx(step)
    assert schedule.gain(10, 6.0) == pytest.approx(0.072 * 1100**0.602 / 110**0.602 / step)


def test_small_values_are_rounded_by_chance() -> None:
    one = [Parameter("deep.ONE", 4, 2, 8, 0.5)]
    tuning = Tuning(one, Schedule(4000, 0.002), 1)
    tuning.values = [4.25]
    tries = [trial for _ in range(4000) for trial in [tuning.begin()]]
    values = [value for trial in tries for value in (*trial.plus.values(), *trial.minus.values())]
    assert set(values) >= {3, 4, 5}
    assert sum(values) / len(values) == pytest.approx(4.25, abs=0.05)


def test_values_stay_within_their_bounds() -> None:
    tuning = Tuning([Parameter("deep.ONE", 8, 7, 8, 3.0)], Schedule(10, 9.0), 1)
    for _ in range(10):
        trial = tuning.begin()
        assert {*trial.plus.values(), *trial.minus.values()} <= {7, 8}
        tuning.finish(trial.number, 2.0)
        assert 7 <= tuning.values[0] <= 8


def test_games_with_faults_do_not_count() -> None:
    tuning = Tuning(parameters(KNOWN, WIDE), Schedule(10, 0.1), 1)
    tuning.finish(tuning.begin().number, None)
    assert tuning.best() == {"deep.MARGIN": 60, "deep.BASE": -81, "deep.ONE": 1}
    assert (tuning.done, tuning.failed) == (1, 1)


def test_a_run_goes_on_from_its_json_as_if_nothing_had_been() -> None:
    whole = tuned(60, seed=5)
    first = Tuning(whole.parameters, whole.schedule, 5)
    chance = Random(5)
    for _ in range(60):
        first = Tuning.of_json(json.loads(json.dumps(first.as_json())))
        trial = first.begin()
        better = noisy(trial.plus) - noisy(trial.minus) + chance.gauss(0, 4)
        first.finish(trial.number, max(-2, min(2, round(better / 4))))
    assert first.as_json() == whole.as_json()


@pytest.mark.parametrize("data", [{}, {"iterations": 3}, {"iterations": "x"}])
def test_other_json_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no tuning run"):
        Tuning.of_json(data)


def test_ranges_follow_from_the_values() -> None:
    margin, base, one = parameters(KNOWN, {name: {} for name in list(KNOWN)[:3]})
    assert margin == Parameter("deep.MARGIN", 60, 30, 120, 6.0)
    assert base == Parameter("deep.BASE", -81, -162, -41, 8.1)
    assert one == Parameter("deep.ONE", 1, 1, 2, 1.0)


def test_a_file_has_names_and_ranges(tmp_path: Path) -> None:
    file = tmp_path / "tune.toml"
    file.write_text('names = ["deep.BASE"]\n[deep]\nMARGIN = { max = 90, step = 2.5 }\nONE = {}\n')
    assert read(file) == {
        "deep.BASE": {},
        "deep.MARGIN": {"max": 90, "step": 2.5},
        "deep.ONE": {},
    }


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("names = 3", "names needs a list"),
        ("deep = 3", "a module's table, not 'deep'"),
        ("[deep]\nMARGIN = 3", "deep.MARGIN has min, max, step, not 3"),
        ("[deep]\nMARGIN = { most = 3 }", "has min, max, step, not"),
        ("[deep]\nMARGIN = { min = 3.5 }", "min of deep.MARGIN needs a number, not 3.5"),
        ("[deep]\nMARGIN = { min = true }", "needs a number, not True"),
        ("[deep", "tune.toml: "),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "tune.toml"
    file.write_text(text)
    with pytest.raises(MissingError, match=sentence):
        read(file)


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("MARGIN", {"min": 70}, "deep.MARGIN is 60, not from 70 to 120"),
        ("MARGIN", {"min": 9, "max": 9}, "min < max, not 9 and 9"),
        ("MARGIN", {"step": 0}, "a step above 0, not 0"),
        ("ZERO", {}, "deep.ZERO needs min < max, not 0 and 0"),
        ("NOTHING", {}, "no constant 'deep.NOTHING'"),
    ],
)
def test_a_range_that_makes_no_sense_is_refused(
    name: str, given: dict[str, float], sentence: str
) -> None:
    with pytest.raises(MissingError, match=sentence):
        parameters(KNOWN, {f"deep.{name}": given})


def test_the_course_has_a_line_and_a_name_for_each_value() -> None:
    svg = course(tuned(40, seed=1))
    assert svg.count("<polyline") == 3
    assert "deep.BASE -81 " in svg
    assert "40 of 40 iterations" in svg


def test_names_keep_apart() -> None:
    places = sorted(spread([100.0, 100.0, 101.0, 395.0, 396.0], 400))
    assert all(after - before >= 16 for before, after in pairwise(places))
    assert places[-1] <= 400
