"""The network in plain Python: the engine's file of whole numbers, and a slow evaluation.

A line that says what it is, the SHA-256 of all that follows the next newline, as 64 hex
digits and a newline; then, little endian, u16 KING_BUCKETS, HIDDEN, BUCKETS, NEURONS, and by
bucket and layer

    i16 weights[KING_BUCKETS][768][HIDDEN], i16 biases[HIDDEN]
    i8 layer[BUCKETS][NEURONS][2][HIDDEN] (the side to move's first)
    i32 layer_biases[BUCKETS][NEURONS]
    i16 mix[BUCKETS][NEURONS - 1][2]

A weight or bias of the first layer is its float times 255, a weight of the second layer times 256,
its bias times 254 * 256, and a weight of the mix times 256.  The engine shows 111 centipawns where
the float output is 1.
"""

import sys
from array import array
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from operator import mul
from pathlib import Path
from random import Random
from typing import NamedTuple

from train.atomic_file import replacing

KIND = b"rookery network 3\n"
FLAT_KIND = b"rookery network 2\n"  # without a second layer
FIRST_KIND = b"rookery network 1\n"  # and without king buckets: the file lacks their number
KINDS = (KIND, FLAT_KIND, FIRST_KIND)
FEATURES = 768  # of a king bucket
ONE = 255  # what an activation of 1 is
INPUT_ONE = 254  # what 1 is, once squared
LAYER_ONE = 256  # what 1 is as a weight of the second layer
SUM_ONE = INPUT_ONE * LAYER_ONE  # as its sum or bias
FINE_ONE = SUM_ONE >> 4  # as such a sum once clipped
MIX_ONE = 16 * 16  # as a weight of the mix: so FINE_ONE^2 * MIX_ONE = SUM_ONE^2
CENTIPAWNS = 111  # for an output of 1, as the engine shows it: 400 / 3.61
NEW_WEIGHT = 45  # the most of a weight of a new neuron: the sum of 32 is about 1
NEW_BIAS = 26
NEW_LAYER_WEIGHT = 8  # and of one of the second layer
MOST_MEN = 32
BYTE = (1 << 7) - 1
SHORT = (1 << 15) - 1
MOST_BIAS = 1 << 29  # of the second layer


class NetworkError(Exception):
    """A network that the engine could not use."""


class Shape(NamedTuple):
    """The numbers of king buckets, neurons of a view, outputs and neurons of the second layer."""

    king_buckets: int
    hidden: int
    buckets: int
    neurons: int

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """The number of numbers of each part, in the order of the file."""
        weights = self.king_buckets * FEATURES * self.hidden
        layer = self.buckets * self.neurons
        return weights, self.hidden, layer * 2 * self.hidden, layer, 2 * (layer - self.buckets)


SCALES = (ONE, ONE, LAYER_ONE, SUM_ONE, MIX_ONE)
TYPES = ("h", "h", "b", "i", "h")
MOST = (SHORT, SHORT, BYTE, MOST_BIAS, SHORT)


@dataclass(frozen=True, slots=True)
class PlainNetwork:
    """The parameters as whole numbers, each array in the order of the file."""

    shape: Shape
    weights: "array[int]"
    biases: "array[int]"
    layer: "array[int]"
    layer_biases: "array[int]"
    mix: "array[int]"

    @classmethod
    def from_floats(cls, floats: "array[float]", shape: Shape) -> "PlainNetwork":
        """Round the trainer's parameters.

        Raises:
            NetworkError: they are too large.

        """
        parts = []
        first = 0
        for count, scale, kind, most in zip(shape.counts, SCALES, TYPES, MOST, strict=True):
            whole = [round(value * scale) for value in floats[first : first + count]]
            largest = max(map(abs, whole), default=0)
            if largest > most:
                raise NetworkError(f"a parameter is too large: {largest / scale}")
            parts.append(array(kind, whole))
            first += count
        network = cls(shape, *parts)
        network.check()
        return network

    @classmethod
    def from_file(cls, path: Path) -> "PlainNetwork":
        """Read a file, of an older kind too.

        Raises:
            NetworkError: it holds no network.
            OSError: it cannot be read.

        """
        text = path.read_bytes()
        if not text.startswith(KINDS):
            raise NetworkError(f"{path} is no network: its first line is none of {KINDS}")
        digest, newline, body = text[len(KIND) :].partition(b"\n")
        if not newline or sha256(body).hexdigest().encode() != digest:
            raise NetworkError(f"{path} is damaged: it does not have its checksum")
        if text.startswith(FIRST_KIND):
            body = (1).to_bytes(2, "little") + body
        flat = not text.startswith(KIND)
        header = 6 if flat else 8
        if len(body) < header:
            raise NetworkError(f"{path} is cut short: it has no shape")
        shape = Shape(*_array("H", body[:header]), *([1] if flat else []))
        if 0 in shape:
            raise NetworkError(f"{path} has a 0 in its shape: {shape}")
        types = ("h", "h", "h", "i") if flat else TYPES
        ends = [header]
        for count, kind in zip(shape.counts, types, strict=False):
            ends.append(ends[-1] + count * array(kind).itemsize)
        if len(body) != ends[-1]:
            raise NetworkError(f"{path} has not the size of a network of {shape}")
        parts = [
            _array(kind, body[first:end])
            for kind, (first, end) in zip(types, pairwise(ends), strict=True)
        ]
        if flat:
            if max(map(abs, parts[2])) > BYTE:
                raise NetworkError(f"{path} has an output weight beyond {BYTE}")
            parts[2:] = [
                array("b", parts[2]),
                array("i", (round(bias * INPUT_ONE / ONE) for bias in parts[3])),
                array("h"),
            ]
        network = cls(shape, *parts)
        network.check()
        return network

    def write(self, path: Path) -> None:
        """Write the file."""
        body = b"".join(size.to_bytes(2, "little") for size in self.shape)
        body += b"".join(map(_bytes, self.parts))
        with replacing(path) as file:
            file.write(KIND + sha256(body).hexdigest().encode() + b"\n" + body)

    @property
    def parts(self) -> "tuple[array[int], ...]":
        """All numbers, in the order of the file."""
        return self.weights, self.biases, self.layer, self.layer_biases, self.mix

    def widened(self, shape: Shape, seed: int) -> "PlainNetwork":
        """Return a network that says the same with more king buckets or neurons.

        Each king bucket begins with the weights of the first; what new neurons see is drawn at
        random, and does not count yet.

        Raises:
            NetworkError: it would have to be smaller, or to have other outputs.

        """
        old = self.shape
        if old == shape:
            return self
        if (
            shape.hidden < old.hidden
            or shape.neurons < old.neurons
            or old.king_buckets not in (1, shape.king_buckets)
            or shape.buckets != old.buckets
        ):
            raise NetworkError(f"a network of {old} cannot become one of {shape}")
        chance = Random(seed)
        weights = _widened(self.weights, old.hidden, shape.hidden, chance, NEW_WEIGHT)
        biases = self.biases + array("h", [NEW_BIAS] * (shape.hidden - old.hidden))
        layer = array("b")
        layer_biases = array("i")
        mix = array("h")
        new = shape.neurons - old.neurons
        for bucket in range(shape.buckets):
            first = 2 * bucket * old.neurons * old.hidden
            rows = self.layer[first : first + 2 * old.neurons * old.hidden]
            layer.extend(_widened(rows, old.hidden, shape.hidden, chance, 0))
            layer.extend(
                chance.randint(-NEW_LAYER_WEIGHT, NEW_LAYER_WEIGHT)
                for _ in range(new * 2 * shape.hidden)
            )
            layer_biases.extend(self.layer_biases[bucket * old.neurons :][: old.neurons])
            layer_biases.extend([0] * new)
            mix.extend(self.mix[2 * bucket * (old.neurons - 1) :][: 2 * (old.neurons - 1)])
            mix.extend([0] * (2 * new))
        times = shape.king_buckets // old.king_buckets
        network = PlainNetwork(shape, weights * times, biases, layer, layer_biases, mix)
        network.check()
        return network

    def check(self) -> None:
        """Raise NetworkError if a sum could leave 16 bits, or 32: as the engine does."""
        hidden = self.shape.hidden
        for neuron in range(hidden):
            largest = max(map(abs, self.weights[neuron::hidden]))
            if abs(self.biases[neuron]) + MOST_MEN * largest > SHORT:
                raise NetworkError(f"neuron {neuron} could leave 16 bits")
        if max(map(abs, self.layer_biases)) > MOST_BIAS:
            raise NetworkError(f"a bias of the second layer is beyond {MOST_BIAS}")

    def floats(self) -> "array[float]":
        """Return the parameters as the trainer's floats."""
        floats = array("f")
        for part, scale in zip(self.parts, SCALES, strict=True):
            floats.extend(value / scale for value in part)
        return floats

    def evaluate(self, features: tuple[list[int], list[int]]) -> int:
        """Return the score, in centipawns of the side to move, from both sides' features.

        Raises:
            NetworkError: it has too few outputs for so many men.

        """
        hidden, neurons = self.shape.hidden, self.shape.neurons
        bucket = (len(features[0]) - 2) // 4
        if bucket >= self.shape.buckets:
            raise NetworkError(f"the network has no output for {len(features[0])} men")
        inputs = []
        for men in features:
            for neuron in range(hidden):
                value = self.biases[neuron]
                value += sum(self.weights[feature * hidden + neuron] for feature in men)
                inputs.append((max(0, min(value, ONE)) ** 2 + 128) >> 8)
        sums = []
        for neuron in range(bucket * neurons, (bucket + 1) * neurons):
            row = self.layer[neuron * 2 * hidden : (neuron + 1) * 2 * hidden]
            sums.append(self.layer_biases[neuron] + sum(map(mul, inputs, row)))
        mixed = 0
        for neuron in range(neurons - 1):
            value = max(-SUM_ONE, min(sums[neuron + 1], SUM_ONE)) >> 4
            plain, squared = self.mix[2 * (bucket * (neurons - 1) + neuron) :][:2]
            mixed += plain * max(value, 0) * FINE_ONE + squared * value * value
        return int((sums[0] + int(mixed / SUM_ONE)) * CENTIPAWNS / SUM_ONE)


def _widened(
    numbers: "array[int]", size: int, new_size: int, chance: Random, most: int
) -> "array[int]":
    """Return rows of one size as rows of a larger, whose new numbers are random."""
    if size == new_size:
        return numbers
    rows = array(numbers.typecode)
    for first in range(0, len(numbers), size):
        rows.extend(numbers[first : first + size])
        rows.extend(chance.randint(-most, most) for _ in range(new_size - size))
    return rows


def _array(kind: str, data: bytes) -> "array[int]":
    numbers = array(kind)
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _bytes(numbers: "array[int]") -> bytes:
    copy = array(numbers.typecode, numbers)
    if sys.byteorder == "big":
        copy.byteswap()
    return copy.tobytes()
