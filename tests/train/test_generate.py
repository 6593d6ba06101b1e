"""Games played by an engine: ours, over UCI."""

import sys
from pathlib import Path

import pytest

from train.generate import KIND, GenerateError, Plan, generate
from train.packer import Packer

OWN = f"{sys.executable} -m rookery_engine"


def plan(output: Path, engine: str = OWN, workers: int = 1) -> Plan:
    return Plan(
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


def test_a_missing_engine_is_said(tmp_path: Path) -> None:
    with pytest.raises(GenerateError, match="no-such-engine"):
        generate(plan(tmp_path / "games", engine="no-such-engine"), lambda line: None)


def test_an_engine_that_ends_is_said(tmp_path: Path) -> None:
    with pytest.raises(GenerateError, match="has ended"):
        generate(plan(tmp_path / "games", engine=f"{sys.executable} -c 0"), lambda line: None)


def test_missing_openings_are_said(tmp_path: Path) -> None:
    wanted = plan(tmp_path / "games")
    lacking = Plan(
        wanted.engine, wanted.nodes, tmp_path / "none.epd", wanted.output, 100, 10.0, 1, 1
    )
    with pytest.raises(GenerateError, match=r"none\.epd"):
        generate(lacking, lambda line: None)
