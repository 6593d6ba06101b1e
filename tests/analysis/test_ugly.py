"""Ugly files, whose true games are known: they are read, or refused by name, and no others are."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.analyse_program import AnalyseProgram
from helpers.ugly import Ugly, files

PGN_EXTRACT = shutil.which("pgn-extract", path=f"{os.environ['PATH']}:/usr/games")


def read_back(path: Path) -> list[list[str]]:
    """Return the moves of each game as pgn-extract reads them, in UCI."""
    assert PGN_EXTRACT
    done = subprocess.run(
        [PGN_EXTRACT, "-s", "-Wuci", "--nocomments", "--novars", "--notags", "-w100000", str(path)],
        capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    assert not done.stderr, done.stderr
    return [line.lower().split()[:-1] for line in done.stdout.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def ugly(request: pytest.FixtureRequest) -> list[Ugly]:
    return list(files(request.config.getoption("--ugly-files"), 1))


@pytest.mark.timeout(1200)
def test_analyse_writes_the_games_that_ugly_files_have_and_no_others(
    bench: AnalyseProgram, ugly: list[Ugly]
) -> None:
    for each in ugly:
        (bench.folder / each.name).write_bytes(each.data)
    done = bench.run(*(each.name for each in ugly), "-o", "out.pgn", "--jsonl", "out.jsonl")
    records, truths = bench.records(), [game for each in ugly for game in each.games]
    assert len(records) == len(truths)
    for record, truth in zip(records, truths, strict=True):
        assert record["status"] in ("analysed", "skipped"), record["problems"]
        if record["status"] == "skipped":
            assert f"game {record['game']} " in done.stderr
            continue
        assert played(record) == (truth.moves, truth.white, truth.black, truth.result)
    if PGN_EXTRACT:
        assert read_back(bench.folder / "out.pgn") == [
            [] if record["status"] == "skipped" else truth.moves
            for record, truth in zip(records, truths, strict=True)
        ]


def played(record: dict[str, object]) -> tuple[list[str], object, object, object]:
    positions = record["positions"]
    assert isinstance(positions, list)
    moves = [each["move"] for each in positions[:-1]]
    return moves, record["white"], record["black"], record["result"]
