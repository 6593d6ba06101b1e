"""The file that the engine reads."""

from array import array
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from rookery_engine.nnue import network
from rookery_uci import UciError
from train.plain_network import KIND, OLD_KIND, NetworkError, PlainNetwork
from train.sample import features_of, sample_of
from train.trainer import SIZES


def small(weight: float = 0.5, output: float = -0.25) -> PlainNetwork:
    floats = array("f", [weight] * 768 * 2 * 3 + [0.1] * 2 + [output] * 8 + [0.03] * 2)
    return PlainNetwork.from_floats(floats, (3, 2, 2))


def test_the_file_has_its_form(tmp_path: Path) -> None:
    small().write(tmp_path / "net")
    line, digest, body = (tmp_path / "net").read_bytes().split(b"\n", 2)
    assert line + b"\n" == KIND
    assert digest == sha256(body).hexdigest().encode()
    assert body[:6] == b"\3\0\2\0\2\0"
    assert body[6:8] == round(0.5 * 255).to_bytes(2, "little")
    assert len(body) == 6 + 2 * (3 * 768 * 2 + 2 + 8) + 4 * 2
    assert body[-4:] == round(0.03 * 255 * 256).to_bytes(4, "little")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    small().write(tmp_path / "net")
    assert PlainNetwork.from_file(tmp_path / "net") == small()


def test_rounding_and_its_reverse() -> None:
    floats = small().floats()
    assert PlainNetwork.from_floats(floats, (3, 2, 2)) == small()


@pytest.mark.parametrize("at", [0, 30, 100, -1])
def test_damaged_files_are_reported(tmp_path: Path, at: int) -> None:
    small().write(tmp_path / "net")
    data = bytearray((tmp_path / "net").read_bytes())
    data[at] ^= 1
    (tmp_path / "net").write_bytes(data)
    with pytest.raises(NetworkError):
        PlainNetwork.from_file(tmp_path / "net")


def test_a_file_cut_short_is_reported(tmp_path: Path) -> None:
    small().write(tmp_path / "net")
    data = (tmp_path / "net").read_bytes()
    for size in (0, 10, 60, len(data) - 1):
        (tmp_path / "net").write_bytes(data[:size])
        with pytest.raises(NetworkError):
            PlainNetwork.from_file(tmp_path / "net")


def test_sums_beyond_16_bits_are_refused() -> None:
    with pytest.raises(NetworkError, match="neuron 0"):
        small(weight=4.1)
    with pytest.raises(NetworkError, match="output weight"):
        small(output=2.0)


def test_a_file_of_the_first_kind_is_read(tmp_path: Path) -> None:
    floats = array("f", [0.5] * 768 * 2 + [0.1] * 2 + [-0.25] * 8 + [0.03] * 2)
    network = PlainNetwork.from_floats(floats, (1, 2, 2))
    network.write(tmp_path / "net")
    body = (tmp_path / "net").read_bytes().split(b"\n", 2)[2][2:]
    digest = sha256(body).hexdigest().encode()
    (tmp_path / "old").write_bytes(OLD_KIND + digest + b"\n" + body)
    assert PlainNetwork.from_file(tmp_path / "old") == network


def test_a_widened_network_says_the_same() -> None:
    chance = Random(1)
    count = 768 * 2 + 2 + 8 + 2
    floats = array("f", [chance.uniform(-0.3, 0.3) for _ in range(count)])
    network = PlainNetwork.from_floats(floats, (1, 2, 2))
    wide = network.widened((3, 5, 2), 1)
    assert wide.sizes == (3, 5, 2)
    for fen in (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/P7/1K6/8 b - - 0 1",
        "6k1/5ppp/8/8/8/8/PPP5/1K6 w - - 0 1",
    ):
        plain = features_of(sample_of(fen))
        first = tuple([feature % 768 for feature in side] for side in plain)
        assert wide.evaluate(first) == network.evaluate(first)
    assert wide.weights[: 768 * 5] == wide.weights[768 * 5 : 2 * 768 * 5]
    assert any(wide.weights[2:5])
    with pytest.raises(NetworkError, match="cannot become one of"):
        wide.widened((1, 2, 2), 1)


@pytest.mark.parametrize(("weight", "output", "reason"), [
    (1100, 1, "neuron 0"),  # only one is so large, but 32 men might meet
    (1, 127, "output 0"),
])  # fmt: skip
def test_what_the_engine_refuses_is_refused(
    tmp_path: Path, weight: int, output: int, reason: str
) -> None:
    king_buckets, hidden, buckets = SIZES
    weights = array("h", [0]) * (king_buckets * 768 * hidden)
    weights[0] = weight
    outputs = array("h", [output]) * (2 * hidden * buckets)
    made = PlainNetwork(
        *SIZES, weights, array("h", [0]) * hidden, outputs, array("i", [0]) * buckets
    )
    made.write(tmp_path / "net")
    with pytest.raises(UciError, match=reason):
        network.use_network(str(tmp_path / "net"))
    with pytest.raises(NetworkError, match=reason):
        PlainNetwork.from_file(tmp_path / "net")
