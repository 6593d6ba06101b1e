"""Static evaluations as the scores of samples: Debian's Stockfish has the command `eval`."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from train.label import LabelEngine, LabelError
from train.sample import fen_of, sample_of
from train.sample_file import KIND, DataError, validation_of
from train.static_labels import label_samples

STOCKFISH = "/usr/games/stockfish"
SCRIPTED = f"{sys.executable} {Path(__file__).with_name('scripted.py')} 'cp 1' 'cp 1'"
SOME = 1200  # more than two batches
IN_CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"


@pytest.fixture
def file(samples: Path, tmp_path: Path) -> Path:
    """Some samples, and a few for validation."""
    path = tmp_path / "samples"
    for source, target, count in (
        (samples, path, SOME),
        (validation_of(samples), validation_of(path), 5),
    ):
        target.write_bytes(source.read_bytes()[: 32 * (count + 1)])
    return path


def records(path: Path) -> list[bytes]:
    data = path.read_bytes()
    assert data.startswith(KIND)
    return [data[at : at + 32] for at in range(32, len(data), 32)]


def score(sample: bytes) -> int:
    return int(struct.unpack_from("<h", sample, 24)[0])


def asked(fen: str) -> int:
    """Ask Stockfish for the static evaluation of a position with White to move."""
    said = subprocess.run(
        [STOCKFISH], input=f"position fen {fen}\neval\n", capture_output=True, text=True, timeout=60
    ).stdout
    line = next(line for line in said.splitlines() if line.startswith("Final evaluation"))
    return round(100 * float(line.split()[2]))


@pytest.mark.parametrize("workers", [1, 2])
def test_only_the_scores_are_new(file: Path, workers: int) -> None:
    before = [records(path) for path in (file, validation_of(file))]
    said: list[str] = []
    label_samples(file, STOCKFISH, workers, said.append)
    after = [records(path) for path in (file, validation_of(file))]
    for old, new in zip(before, after, strict=True):
        assert [each[:24] + each[26:] for each in old] == [each[:24] + each[26:] for each in new]
        assert len({score(each) for each in new}) > len(new) // 3
    for each in (*after[0][:: SOME // 4], after[0][-1], *after[1][-2:]):
        assert score(each) == asked(fen_of(each))
    assert said[-2].startswith(f"{SOME} of {SOME} positions in {file}, ")


def test_the_score_is_of_the_side_to_move(tmp_path: Path) -> None:
    path = tmp_path / "samples"
    fens = ("3qk3/8/8/8/8/8/8/4K3 b - - 0 1", "3qk3/8/8/8/8/8/8/4K3 w - - 0 1")
    path.write_bytes(KIND + b"".join(map(sample_of, fens)))
    label_samples(path, STOCKFISH, 1, lambda line: None)
    black, white = map(score, records(path))
    assert black > 300 > -300 > white
    label = LabelEngine(STOCKFISH, 1)
    try:
        assert label.evaluate(list(fens)) == [black, white]
    finally:
        label.close()


@pytest.mark.parametrize("engine", [SCRIPTED, f"{sys.executable} -c 0"])
def test_an_engine_that_fails_leaves_the_file_as_it_was(file: Path, engine: str) -> None:
    before = file.read_bytes()
    with pytest.raises(LabelError):
        label_samples(file, engine, 2, lambda line: None)
    assert file.read_bytes() == before
    assert {path.name for path in file.parent.iterdir()} == {"samples", "samples.validation"}


def test_a_position_in_check_is_reported(file: Path) -> None:
    before = file.read_bytes() + sample_of(IN_CHECK)
    file.write_bytes(before)
    with pytest.raises(LabelError, match=f"no evaluation of {IN_CHECK}, but b'none'"):
        label_samples(file, STOCKFISH, 2, lambda line: None)
    assert file.read_bytes() == before


def test_files_that_hold_something_else_are_reported(file: Path) -> None:
    whole = file.read_bytes()
    for data, match in (
        (whole[:-1], "cut short"),
        (b"something else\n", "holds no samples"),
        (KIND + bytes(32), "damaged"),
    ):
        file.write_bytes(data)
        with pytest.raises(DataError, match=match):
            label_samples(file, STOCKFISH, 1, lambda line: None)
        assert file.read_bytes() == data
    with pytest.raises(ValueError, match="no sample"):
        fen_of(whole[32:40] + bytes([0xFF]) + whole[41:64])
