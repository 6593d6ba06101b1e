"""The file that the engine reads."""

from array import array
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from rookery_engine.nnue import network
from rookery_uci import UciError
from train.plain_network import FIRST_KIND, FLAT_KIND, KIND, NetworkError, PlainNetwork, Shape
from train.sample import features_of, sample_of
from train.trainer import SHAPE

SMALL = Shape(3, 2, 2, 3)


def small(weight: float = 0.5, layer: float = -0.25, bias: float = 0.03) -> PlainNetwork:
    values = (weight, 0.1, layer, bias, -0.7)
    floats = array("f")
    for value, count in zip(values, SMALL.counts, strict=True):
        floats.extend([value] * count)
    return PlainNetwork.from_floats(floats, SMALL)


def random_network(shape: Shape) -> PlainNetwork:
    chance = Random(1)
    floats = array("f", [chance.uniform(-0.3, 0.3) for _ in range(sum(shape.counts))])
    return PlainNetwork.from_floats(floats, shape)


def test_the_file_has_its_form(tmp_path: Path) -> None:
    small().write(tmp_path / "net")
    line, digest, body = (tmp_path / "net").read_bytes().split(b"\n", 2)
    assert line + b"\n" == KIND
    assert digest == sha256(body).hexdigest().encode()
    assert body[:8] == b"\3\0\2\0\2\0\3\0"
    assert body[8:10] == round(0.5 * 255).to_bytes(2, "little")
    assert len(body) == 8 + 2 * (3 * 768 * 2 + 2) + 2 * 3 * 4 + 4 * 2 * 3 + 2 * 2 * 2 * 2
    assert body[-2:] == round(-0.7 * 256).to_bytes(2, "little", signed=True)
    biases = body[-16 - 24 : -16]
    assert biases[:4] == round(0.03 * 254 * 256).to_bytes(4, "little")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    small().write(tmp_path / "net")
    assert PlainNetwork.from_file(tmp_path / "net") == small()


def test_rounding_and_its_reverse() -> None:
    floats = small().floats()
    assert PlainNetwork.from_floats(floats, SMALL) == small()


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


def test_an_older_file_beyond_bytes_is_reported(tmp_path: Path) -> None:
    for body, reason in (
        (b"\1\0", "no shape"),
        (bytes(6), "a 0 in its shape"),
        (flat_body(outputs=128), "an output weight"),
    ):
        digest = sha256(body).hexdigest().encode()
        (tmp_path / "old").write_bytes(FLAT_KIND + digest + b"\n" + body)
        with pytest.raises(NetworkError, match=reason):
            PlainNetwork.from_file(tmp_path / "old")


def flat_body(*, outputs: int) -> bytes:
    """A network of the second kind with one king bucket, one neuron and one output."""
    return b"".join(
        array(kind, numbers).tobytes()
        for kind, numbers in (("H", [1, 1, 1]), ("h", [0] * 769), ("h", [outputs] * 2), ("i", [0]))
    )


def test_sums_beyond_16_bits_are_refused() -> None:
    with pytest.raises(NetworkError, match="neuron 0"):
        small(weight=4.1)


@pytest.mark.parametrize("too_large", [{"weight": 200.0}, {"layer": 0.6}, {"bias": 9000.0}])
def test_numbers_beyond_their_bytes_are_refused(too_large: dict[str, float]) -> None:
    with pytest.raises(NetworkError, match="a parameter is too large"):
        small(**too_large)


FENS = (
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/P7/1K6/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/PPP5/1K6 w - - 0 1",
)


@pytest.mark.parametrize(("kind", "king_buckets"), [(FIRST_KIND, 1), (FLAT_KIND, 3)])
def test_a_file_of_an_older_kind_is_read(tmp_path: Path, kind: bytes, king_buckets: int) -> None:
    """Without a second layer, the output was its bias and the weighted inputs."""
    shape = Shape(king_buckets, 2, 8, 1)
    network = random_network(shape)
    header = shape[1:3] if kind == FIRST_KIND else shape[:3]
    body = b"".join(
        (
            array("H", header).tobytes(),
            network.weights.tobytes(),
            network.biases.tobytes(),
            array("h", network.layer).tobytes(),
            array("i", (round(bias * 255 / 254) for bias in network.layer_biases)).tobytes(),
        )
    )
    digest = sha256(body).hexdigest().encode()
    (tmp_path / "old").write_bytes(kind + digest + b"\n" + body)
    read = PlainNetwork.from_file(tmp_path / "old")
    assert read.shape == shape
    assert read.parts[:3] == network.parts[:3]
    for bias, expected in zip(read.layer_biases, network.layer_biases, strict=True):
        assert abs(bias - expected) <= 1


def test_a_widened_network_says_the_same() -> None:
    for old in (Shape(1, 2, 8, 1), Shape(3, 2, 8, 2), Shape(3, 5, 8, 1)):
        network = random_network(old)
        wide = network.widened(Shape(3, 5, 8, 4), 1)
        assert wide.shape == (3, 5, 8, 4)
        for fen in FENS:
            plain = features_of(sample_of(fen))
            seen = tuple([each % (768 * old.king_buckets) for each in side] for side in plain)
            # What each king bucket has of the first's is seen from all.
            ours = tuple([each % (768 * 3) for each in side] for side in plain)
            assert wide.evaluate(ours) == network.evaluate(seen)
        assert any(wide.weights[2:5])
        assert any(wide.layer[-2 * 5 :])  # else the new neurons could not learn
        with pytest.raises(NetworkError, match="cannot become one of"):
            wide.widened(old, 1)


@pytest.mark.parametrize(("part", "number", "reason"), [
    ("weights", 1100, "neuron 0"),  # only one is so large, but 32 men might meet
    ("layer_biases", (1 << 29) + 1, "a bias of the second layer"),
])  # fmt: skip
def test_what_the_engine_refuses_is_refused(
    tmp_path: Path, part: str, number: int, reason: str
) -> None:
    made = PlainNetwork(
        SHAPE,
        *(array(kind, [0]) * count for kind, count in zip("hhbih", SHAPE.counts, strict=True)),
    )
    getattr(made, part)[0] = number
    made.write(tmp_path / "net")
    with pytest.raises(UciError, match=reason):
        network.use_network(str(tmp_path / "net"))
    with pytest.raises(NetworkError, match=reason):
        PlainNetwork.from_file(tmp_path / "net")
