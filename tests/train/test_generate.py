"""Games played by an engine: ours, over UCI."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import train
from train.game_file import KIND
from train.generate import GenerateError, GenerationPlan, generate
from train.packer import Packer

OWN = f"{sys.executable} -m rookery_engine"
SCRIPTED = f"{sys.executable} {Path(__file__).with_name('scripted.py')}"
LIBRARY = Path(train.__file__).parent.parent


def plan(output: Path, engine: str = OWN, workers: int = 1) -> GenerationPlan:
    return GenerationPlan(
        engine=engine,
        nodes=60,
        openings=None,
        output=output,
        positions=500,
        seconds=60.0,
        workers=workers,
        seed=3,
    )


def test_each_worker_writes_whole_games(tmp_path: Path) -> None:
    games = generate(plan(tmp_path / "games", workers=2), lambda line: None)
    packer = Packer()
    for number in range(2):
        data = (tmp_path / f"games.{number}").read_bytes()
        assert data.startswith(KIND)
        packer.add(data[len(KIND) :])
    assert packer.games == games
    assert packer.cut == 0
    assert sum(packer.counts.values()) >= 500


def test_games_follow_from_the_seed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        generate(plan(tmp_path / name), lambda line: None)
    assert (tmp_path / "one.0").read_bytes() == (tmp_path / "two.0").read_bytes()


def counts(path: Path) -> dict[str, int]:
    packer = Packer()
    packer.add(path.read_bytes()[len(KIND) :])
    assert packer.cut == 0
    return packer.counts


@pytest.mark.parametrize("score", ["cp 12 lowerbound", "cp 12 upperbound", "mate 9 lowerbound"])
def test_a_bound_is_no_label(tmp_path: Path, score: str) -> None:
    generate(plan(tmp_path / "games", engine=f"{SCRIPTED} '{score}' 'cp 7'"), lambda line: None)
    fates = counts(tmp_path / "games.0")
    assert fates["score of a mate"] == 0
    left = fates["kept"] + fates["no exact score"]
    assert 0.4 * left < fates["no exact score"] < 0.6 * left  # White's positions


def test_a_run_that_is_killed_goes_on_with_the_same_games(tmp_path: Path) -> None:
    generate(plan(tmp_path / "whole"), lambda line: None)
    words = ["generate", tmp_path / "cut", "--engine", OWN, "--nodes", "60", "--seed", "3"]
    killed = subprocess.Popen(
        [sys.executable, "-m", "train", *words, "--positions", "100000000"],
        env={**os.environ, "PYTHONPATH": str(LIBRARY)},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert killed.stdout is not None
    assert b" games, " in killed.stdout.readline()  # it has begun to play
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate(timeout=60)
    whole, cut = tmp_path / "whole.0", tmp_path / "cut.0"
    size = min(cut.stat().st_size, whole.stat().st_size - 10)
    os.truncate(cut, size)  # as if it had been killed while it wrote
    generate(plan(tmp_path / "cut"), lambda line: None)
    assert cut.read_bytes() == whole.read_bytes()


def test_the_worker_ends_when_its_run_is_killed(tmp_path: Path) -> None:
    words = ["generate", tmp_path / "games", "--engine", OWN, "--nodes", "60"]
    run = subprocess.Popen(
        [sys.executable, "-m", "train", *words, "--positions", "100000000"],
        env={**os.environ, "PYTHONPATH": str(LIBRARY)},
        stdout=subprocess.PIPE,
    )
    assert run.stdout is not None
    run.stdout.readline()
    run.kill()
    # The worker and its engine hold the pipe too: it ends with them.
    run.communicate(timeout=60)
    generate(plan(tmp_path / "games"), lambda line: None)  # the file is free


def test_a_run_on_a_full_disk_reports_it_and_continues_later(tmp_path: Path) -> None:
    generate(plan(tmp_path / "whole"), lambda line: None)
    words = ["generate", tmp_path / "games", "--engine", OWN, "--nodes", "60", "--seed", "3"]
    done = subprocess.run(
        ["prlimit", "--fsize=700", sys.executable, "-m", "train", *words],
        env={**os.environ, "PYTHONPATH": str(LIBRARY)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("train: ")
    assert "games.0" in done.stderr.splitlines()[-1]
    assert (tmp_path / "games.0").stat().st_size == 700
    generate(plan(tmp_path / "games"), lambda line: None)
    assert (tmp_path / "games.0").read_bytes() == (tmp_path / "whole.0").read_bytes()


def test_a_run_that_has_enough_plays_no_more(tmp_path: Path) -> None:
    games = generate(plan(tmp_path / "games"), lambda line: None)
    before = (tmp_path / "games.0").read_bytes()
    assert generate(plan(tmp_path / "games"), lambda line: None) == games
    assert (tmp_path / "games.0").read_bytes() == before


def test_an_engine_that_is_killed_is_started_again(tmp_path: Path) -> None:
    generate(plan(tmp_path / "one", engine=f"{SCRIPTED} 'cp 5' 'cp 7'"), lambda line: None)
    trap = tmp_path / "trap"
    trap.touch()
    generate(plan(tmp_path / "two", engine=f"{SCRIPTED} 'cp 5' 'cp 7' {trap}"), lambda line: None)
    assert not trap.exists()
    assert (tmp_path / "one.0").read_bytes() == (tmp_path / "two.0").read_bytes()


def test_openings_without_a_good_one_are_reported(tmp_path: Path) -> None:
    hopeless = plan(tmp_path / "games", engine=f"{SCRIPTED} 'mate 1' 'cp 900'")
    with pytest.raises(GenerateError, match="openings in a row"):
        generate(hopeless, lambda line: None)


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"; none\n", "no positions"),
        (b"\xff\xfe", "no positions"),
        (b"# the first:\n4k3/8/8/8/8/8/8/4K3 w - -\n\n8/8/8/8/8/8/8/8 w - -\n", "line 4: .*king"),
    ],
)
def test_a_file_of_bad_openings_is_reported_at_once(
    tmp_path: Path, data: bytes, match: str
) -> None:
    (tmp_path / "openings.epd").write_bytes(data)
    lacking = replace(plan(tmp_path / "games"), openings=tmp_path / "openings.epd")
    with pytest.raises(GenerateError, match=rf"openings\.epd.*{match}"):
        generate(lacking, lambda line: None)


def test_a_missing_engine_is_reported(tmp_path: Path) -> None:
    with pytest.raises(GenerateError, match="no-such-engine"):
        generate(plan(tmp_path / "games", engine="no-such-engine"), lambda line: None)


def test_an_engine_that_ends_is_reported(tmp_path: Path) -> None:
    with pytest.raises(GenerateError, match="has ended"):
        generate(plan(tmp_path / "games", engine=f"{sys.executable} -c 0"), lambda line: None)


def test_missing_openings_are_reported(tmp_path: Path) -> None:
    wanted = plan(tmp_path / "games")
    lacking = GenerationPlan(
        wanted.engine, wanted.nodes, tmp_path / "none.epd", wanted.output, 100, 10.0, 1, 1
    )
    with pytest.raises(GenerateError, match=r"none\.epd"):
        generate(lacking, lambda line: None)
