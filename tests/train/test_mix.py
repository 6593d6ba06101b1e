"""The mean of networks."""

from array import array
from pathlib import Path

import pytest

from train.mix import mix
from train.plain_network import ONE, OUTPUT_ONE, NetworkError, PlainNetwork


def network(number: int, hidden: int = 2) -> PlainNetwork:
    weights = [number / ONE] * (768 * hidden + hidden)
    outputs = [number / OUTPUT_ONE] * 4 * hidden
    return PlainNetwork.from_floats(array("f", [*weights, *outputs, 0.0, 0.0]), (1, hidden, 2))


def test_each_parameter_is_the_mean(tmp_path: Path) -> None:
    for number in (10, 20, 60):
        network(number).write(tmp_path / str(number))
    assert mix([tmp_path / "10", tmp_path / "20", tmp_path / "60"]) == network(30)


def test_networks_of_two_sizes_have_none(tmp_path: Path) -> None:
    network(10).write(tmp_path / "a")
    network(10, hidden=4).write(tmp_path / "b")
    with pytest.raises(NetworkError, match="different sizes"):
        mix([tmp_path / "a", tmp_path / "b"])
