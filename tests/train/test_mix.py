"""The mean of networks."""

from array import array
from pathlib import Path

import pytest

from train.mix import mix
from train.plain_network import SCALES, NetworkError, PlainNetwork, Shape


def network(number: int, hidden: int = 2) -> PlainNetwork:
    shape = Shape(1, hidden, 2, 2)
    floats = array("f")
    for count, scale in zip(shape.counts, SCALES, strict=True):
        floats.extend([number / scale] * count)
    return PlainNetwork.from_floats(floats, shape)


def test_each_parameter_is_the_mean(tmp_path: Path) -> None:
    for number in (10, 20, 60):
        network(number).write(tmp_path / str(number))
    assert mix([tmp_path / "10", tmp_path / "20", tmp_path / "60"]) == network(30)


def test_networks_of_two_shapes_have_none(tmp_path: Path) -> None:
    network(10).write(tmp_path / "a")
    network(10, hidden=4).write(tmp_path / "b")
    with pytest.raises(NetworkError, match="different shapes"):
        mix([tmp_path / "a", tmp_path / "b"])
