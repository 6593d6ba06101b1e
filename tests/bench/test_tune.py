"""Tuning runs of real processes: kept, interrupted, gone on with; the tunable engine."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from bench.child import MissingError
from bench.match.build import ROOT
from bench.match.constant import constants
from bench.match.player import PlayerSpec
from bench.match.run import Conditions, TuningRun
from bench.match.spsa import Parameter, Schedule, Tuning
from bench.match.tunable import spec_of, tunable
from bench.match.uci import UciPlayer

from rookery_uci import Limits, Position

MANY = 60  # iterations, of which nobody can play all while another looks whether there is one
SCRIPTED = str(ROOT / "tests/data/scripted_engine.py")


def scripted(*steps: str) -> PlayerSpec:
    return PlayerSpec("", (sys.executable, SCRIPTED, *steps))


@pytest.fixture
def soon_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the engine in a third of the time: it searches the same."""
    monkeypatch.setenv("ROOKERY_CFLAGS", "-O1 -g0")


def new_run(path: Path, iterations: int) -> TuningRun:
    parameter = Parameter("pruning.NULL_STEP", 200, 100, 400, 20.0)
    tuning = Tuning([parameter], Schedule(iterations, 0.1), 1)
    return TuningRun(path, Conditions("none", "nodes 10", 1, None), tuning)


def tune(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.match", "tune", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def test_a_run_plays_all_its_iterations_and_is_kept(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run.json", 4)
    run.play(scripted("late:1"), concurrency=2, keep=1)
    assert run.left == 0
    assert run.tuning.failed == 0
    assert TuningRun.load(run.path).conditions == run.conditions
    assert TuningRun.load(run.path).tuning.as_json() == run.tuning.as_json()


def test_games_with_faults_are_counted_and_change_nothing(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run.json", 3)
    run.play(scripted("crash"), concurrency=1, keep=9)
    assert (run.tuning.done, run.tuning.failed) == (3, 3)
    assert run.tuning.values == [200.0]


@pytest.mark.long
def test_interrupted_run_is_resumed(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run.json", MANY)

    def interrupt() -> None:
        until = time.monotonic() + 60
        while not run.path.exists() and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    run.play(scripted("late:3"), concurrency=2, keep=1)
    thread.join()
    again = TuningRun.load(run.path)
    assert 0 < again.left < MANY
    assert again.tuning.as_json() == run.tuning.as_json()
    again.play(scripted("late:1"), concurrency=2, keep=1)
    assert again.left == 0
    assert TuningRun.load(run.path).left == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [(None, "there is no run"), ("{", "not a run"), ('{"conditions": {}}', "not a run")],
)
def test_a_file_that_is_no_run_is_refused(tmp_path: Path, text: str | None, sentence: str) -> None:
    path = tmp_path / "run.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(MissingError, match=sentence):
        TuningRun.load(path)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--file", "{new}"], "say what to tune"),
        (["--file", "{new}", "--only", "search.NOTHING"], "no constant 'search.NOTHING'"),
        (["--file", "{new}", "--resume"], "there is no run"),
        (["--file", "{begun}", "--only", "pruning.NULL_STEP"], "a run that is not complete"),
        (["--file", "{begun}", "--resume", "--nodes", "9"], "a run keeps its limit"),
    ],
)
def test_run_that_cannot_be_tuned_is_refused_with_a_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    begun = tmp_path / "begun.json"
    new_run(begun, 2).save()
    done = tune(*(word.format(new=tmp_path / "new.json", begun=begun) for word in words))
    assert done.returncode == 2
    assert done.stderr.startswith("bench.match: ")
    assert sentence in done.stderr


@pytest.mark.long
@pytest.mark.timeout(600)  # the engine is built, unless its source is as it was
@pytest.mark.usefixtures("soon_built")
def test_the_tunable_engine_searches_otherwise_with_other_values() -> None:
    with UciPlayer(spec_of(tunable(), (("Hash", "4"),))) as engine:

        def nodes(value: int) -> int | None:
            engine.set_options((("Tune", f"pruning.REVERSE_MARGIN={value}"),))
            engine.new_game()
            info = engine.search(Position(), Limits(depth=9), 60).last_info()
            return info and info.nodes

        before = nodes(60)
        assert nodes(20) != before
        assert nodes(60) == before
        refused = engine.prepare((("Tune", "X"),)).answer.splitlines()[0].decode()
        assert refused == "info string Tune needs module.NAME=VALUE, not 'X'"


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("soon_built")
def test_two_iterations_with_our_engine(tmp_path: Path) -> None:
    file, svg = tmp_path / "run.json", tmp_path / "run.svg"
    names = "pruning.NULL_STEP,reductions.REDUCTION_BASE"
    words = ["--only", names, "--iterations", "2", "--nodes", "200", "--file", str(file)]
    done = tune(*words, "--svg", str(svg))
    assert done.returncode == 0, done.stderr
    head, null_step, base, last = done.stdout.splitlines()
    assert head.split() == ["constant", "old", "new", "exact", "range", "step"]
    for line, name in zip((null_step, base), names.split(","), strict=True):
        known = Parameter.of(constants(ROOT)[name], {})
        expected = [name, str(known.start), f"{known.low}..{known.high}", f"{known.step:g}"]
        assert [line.split()[column] for column in (0, 1, 4, 5)] == expected
    assert last == "2 of 2 iterations"
    assert svg.read_text().count("<polyline") == 2
    assert tune("--show", "--file", str(file)).stdout == done.stdout
