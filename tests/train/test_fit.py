"""Training as a whole: what it writes, and how it goes on."""

from dataclasses import replace
from pathlib import Path

import pytest

from train.fit import Course, export, fit, load, rate_at
from train.plain_network import NetworkError, PlainNetwork
from train.sample_file import DataError, validation_of
from train.trainer import SHAPE, Trainer


def course(samples: Path, output: Path) -> Course:
    return Course(
        samples=samples,
        output=output,
        epochs=4,
        batch=256,
        rate=0.003,
        wdl=0.2,
        unit=1.0,
        threads=2,
        seed=1,
    )


def quiet(line: str) -> None:
    pass


def test_the_loss_falls_and_a_network_is_written(samples: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    loss = fit(course(samples, tmp_path / "new"), lines.append)
    before = float(next(line for line in lines if "before" in line).split()[-1])
    first, *_, last = (float(line.split()[5].rstrip(",")) for line in lines if " of 4: " in line)
    assert first < before
    assert last < 0.2 * first
    assert f"{loss:.6f}" == lines[-1].split()[-1]
    network = PlainNetwork.from_file(tmp_path / "new.network")
    assert network.shape == SHAPE


def test_the_same_seed_gives_the_same_network(samples: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        fit(course(samples, tmp_path / name), quiet)
    other = replace(course(samples, tmp_path / "other"), seed=2)
    fit(other, quiet)
    one, two, three = (tmp_path / f"{name}.network" for name in ("one", "two", "other"))
    assert one.read_bytes() == two.read_bytes() != three.read_bytes()


def test_going_on_from_a_checkpoint_is_as_if_undisturbed(samples: Path, tmp_path: Path) -> None:
    class EndedError(Exception):
        pass

    def end_after_two(line: str) -> None:
        if line.startswith("epoch 3 of"):
            raise EndedError

    fit(course(samples, tmp_path / "whole"), quiet)
    with pytest.raises(EndedError):
        fit(course(samples, tmp_path / "parts"), end_after_two)
    rest = replace(course(samples, tmp_path / "parts"), start=tmp_path / "parts.checkpoint")
    fit(rest, quiet)
    for kind in ("network", "checkpoint"):
        whole, parts = (tmp_path / f"{name}.{kind}" for name in ("whole", "parts"))
        assert whole.read_bytes() == parts.read_bytes()


def test_a_network_file_is_a_start_too(samples: Path, tmp_path: Path) -> None:
    first = fit(course(samples, tmp_path / "first"), quiet)
    lines: list[str] = []
    more = replace(course(samples, tmp_path / "more"), start=tmp_path / "first.network", epochs=1)
    fit(more, lines.append)
    before = float(next(line for line in lines if "before" in line).split()[-1])
    assert before == pytest.approx(first, abs=0.002)


def test_export_of_a_checkpoint_is_the_network(samples: Path, tmp_path: Path) -> None:
    fit(course(samples, tmp_path / "new"), quiet)
    trainer = Trainer(threads=1, wdl=0.0, unit=1.0)
    assert load(trainer, tmp_path / "new.checkpoint") == 4
    export(trainer, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "new.network").read_bytes()


def test_samples_for_validation_may_be_none(samples: Path, tmp_path: Path) -> None:
    (tmp_path / "few").write_bytes(samples.read_bytes())
    validation_of(tmp_path / "few").write_bytes(samples.read_bytes()[:32])
    assert fit(course(tmp_path / "few", tmp_path / "new"), quiet) < 0.1


def test_unusable_samples_are_reported(samples: Path, games: Path, tmp_path: Path) -> None:
    good = course(samples, tmp_path / "new")
    with pytest.raises(DataError, match="holds no samples"):
        fit(replace(good, samples=games), quiet)
    with pytest.raises(DataError, match="too few"):
        fit(replace(good, batch=1 << 20), quiet)
    with pytest.raises(DataError, match="multiple of 64"):
        fit(replace(good, batch=100), quiet)
    with pytest.raises(DataError, match="threads must be 1 to 64, not 96"):
        fit(replace(good, threads=96), quiet)
    (tmp_path / "cut").write_bytes(samples.read_bytes()[:-1])
    with pytest.raises(DataError, match="cut short"):
        fit(replace(good, samples=tmp_path / "cut"), quiet)
    (tmp_path / "bad").write_bytes(samples.read_bytes()[:-32] + b"\xff" * 32)
    validation_of(tmp_path / "bad").write_bytes(validation_of(samples).read_bytes())
    with pytest.raises(DataError, match="damaged"):
        fit(replace(good, samples=tmp_path / "bad"), quiet)


def test_a_bad_start_is_reported(samples: Path, tmp_path: Path) -> None:
    good = course(samples, tmp_path / "new")
    fit(good, quiet)
    start = tmp_path / "start"
    state = (tmp_path / "new.checkpoint").read_bytes()
    for bad in (b"", b"something", state[:-4], state[:30], state.replace(b"512", b"256", 1)):
        start.write_bytes(bad)
        with pytest.raises(DataError):
            fit(replace(good, start=start), quiet)
    start.write_bytes((tmp_path / "new.network").read_bytes()[:-1])
    with pytest.raises(NetworkError):
        fit(replace(good, start=start), quiet)


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(step, 1000) for step in range(1, 1001)]
    assert rates[0] == 0.1
    assert rates[9] == 1.0 == max(rates)
    assert rates[9:] == sorted(rates[9:], reverse=True)
    assert rates[-1] == pytest.approx(0.01)
