"""The network in plain Python: the engine's file of whole numbers, and a slow evaluation.

A line that says what it is, the SHA-256 of all that follows the next newline, as 64 hex
digits and a newline; then, little endian, u16 HIDDEN, u16 BUCKETS, i16 weights
[768][HIDDEN], i16 biases[HIDDEN], i16 output weights[BUCKETS][2][HIDDEN] (the side to
move's first), i32 output biases[BUCKETS].

A weight or bias is its float times 255, an output weight times 256, an output bias times
both.  The engine shows 111 centipawns where the float output is 1.
"""

import sys
from array import array
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from train.atomic_file import replacing

KIND = b"rookery network 2\n"
OLD_KIND = b"rookery network 1\n"  # without king buckets: the file lacks their number
FEATURES = 768  # of a king bucket
HEADER = 6  # bytes
ONE = 255  # what an activation of 1 is
OUTPUT_ONE = 256  # what an output weight of 1 is
CENTIPAWNS = 111  # for an output of 1, as the engine shows it: 400 / 3.61
NEW_WEIGHT = 45  # the most of a weight of a new neuron: the sum of 32 is about 1
NEW_BIAS = 26
MOST_OUTPUT = 127  # of an output weight: with an activation it must fit 16 bits
MOST_MEN = 32
SHORT = (1 << 15) - 1
LONG = (1 << 31) - 1


class NetworkError(Exception):
    """A network that the engine could not use."""


@dataclass(frozen=True, slots=True)
class PlainNetwork:
    """The parameters as whole numbers, each array in the order of the file."""

    king_buckets: int
    hidden: int
    buckets: int
    weights: "array[int]"
    biases: "array[int]"
    outputs: "array[int]"
    output_biases: "array[int]"

    @classmethod
    def from_floats(cls, floats: "array[float]", sizes: tuple[int, int, int]) -> "PlainNetwork":
        """Round the trainer's parameters.

        Raises:
            NetworkError: they are too large.

        """
        ends = _ends(*sizes)
        scales = (ONE, ONE, OUTPUT_ONE, ONE * OUTPUT_ONE)
        parts = []
        for first, last, scale in zip((0, *ends), ends, scales, strict=False):
            whole = [round(value * scale) for value in floats[first:last]]
            if max(map(abs, whole)) > (SHORT if scale != ONE * OUTPUT_ONE else 1 << 30):
                raise NetworkError(f"a parameter is too large: {max(map(abs, whole)) / scale}")
            parts.append(array("h" if scale != ONE * OUTPUT_ONE else "i", whole))
        network = cls(*sizes, *parts)
        network.check()
        return network

    @classmethod
    def from_file(cls, path: Path) -> "PlainNetwork":
        """Read a file.

        Raises:
            NetworkError: it holds no network.
            OSError: it cannot be read.

        """
        text = path.read_bytes()
        if not text.startswith((KIND, OLD_KIND)):
            raise NetworkError(f"{path} is no network: its first line is not {KIND!r}")
        digest, newline, body = text[len(KIND) :].partition(b"\n")
        if not newline or sha256(body).hexdigest().encode() != digest:
            raise NetworkError(f"{path} is damaged: it does not have its checksum")
        if text.startswith(OLD_KIND):
            body = (1).to_bytes(2, "little") + body
        sizes = king_buckets, hidden, buckets = tuple(_array("H", body[:HEADER]))
        ends = _ends(*sizes)
        if len(body) != HEADER + 2 * ends[2] + 4 * buckets:
            raise NetworkError(f"{path} has not the size of a network of {sizes}")
        shorts = _array("h", body[HEADER : HEADER + 2 * ends[2]])
        network = cls(
            king_buckets,
            hidden,
            buckets,
            shorts[: ends[0]],
            shorts[ends[0] : ends[1]],
            shorts[ends[1] :],
            _array("i", body[HEADER + 2 * ends[2] :]),
        )
        network.check()
        return network

    def write(self, path: Path) -> None:
        """Write the file."""
        body = b"".join(size.to_bytes(2, "little") for size in self.sizes)
        body += b"".join(
            _bytes(part) for part in (self.weights, self.biases, self.outputs, self.output_biases)
        )
        with replacing(path) as file:
            file.write(KIND + sha256(body).hexdigest().encode() + b"\n" + body)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """King buckets, neurons and outputs."""
        return self.king_buckets, self.hidden, self.buckets

    def widened(self, sizes: tuple[int, int, int], seed: int) -> "PlainNetwork":
        """Return a network that says the same with more king buckets or neurons.

        Each king bucket begins with the weights of the first; what new neurons see is drawn at
        random, and does not count yet.

        Raises:
            NetworkError: it would have to be smaller, or to have other outputs.

        """
        king_buckets, hidden, buckets = sizes
        if self.sizes == sizes:
            return self
        if hidden < self.hidden or self.king_buckets != 1 or buckets != self.buckets:
            raise NetworkError(f"a network of {self.sizes} cannot become one of {sizes}")
        chance = Random(seed)
        new = hidden - self.hidden
        weights = array("h")
        for feature in range(FEATURES):
            weights.extend(self.weights[feature * self.hidden : (feature + 1) * self.hidden])
            weights.extend(chance.randint(-NEW_WEIGHT, NEW_WEIGHT) for _ in range(new))
        outputs = array("h")
        for half in range(2 * buckets):
            outputs.extend(self.outputs[half * self.hidden : (half + 1) * self.hidden])
            outputs.extend([0] * new)
        biases = self.biases + array("h", [NEW_BIAS] * new)
        network = PlainNetwork(
            king_buckets, hidden, buckets, weights * king_buckets, biases, outputs,
            self.output_biases,
        )  # fmt: skip
        network.check()
        return network

    def check(self) -> None:
        """Raise NetworkError if a sum could leave 16 bits, or an output 32: as the engine does."""
        if max(map(abs, self.outputs)) > MOST_OUTPUT:
            raise NetworkError(f"an output weight is beyond {MOST_OUTPUT}")
        for neuron in range(self.hidden):
            largest = max(map(abs, self.weights[neuron :: self.hidden]))
            if abs(self.biases[neuron]) + MOST_MEN * largest > SHORT:
                raise NetworkError(f"neuron {neuron} could leave 16 bits")
        for bucket in range(self.buckets):
            first = 2 * self.hidden * bucket
            weights = self.outputs[first : first + 2 * self.hidden]
            # Clipped values are never negative: no partial sum is beyond those of one sign alone.
            above = sum(weight for weight in weights if weight > 0)
            below = sum(-weight for weight in weights if weight < 0)
            if max(above, below) * ONE * ONE > LONG:
                raise NetworkError(f"output {bucket} could leave 32 bits")

    def floats(self) -> "array[float]":
        """Return the parameters as the trainer's floats."""
        floats = array("f")
        for part in (self.weights, self.biases):
            floats.extend(value / ONE for value in part)
        floats.extend(value / OUTPUT_ONE for value in self.outputs)
        floats.extend(value / (ONE * OUTPUT_ONE) for value in self.output_biases)
        return floats

    def evaluate(self, features: tuple[list[int], list[int]]) -> int:
        """Return the score, in centipawns of the side to move, from both sides' features."""
        bucket = (len(features[0]) - 2) // 4
        total = 0
        for side, men in enumerate(features):
            start = (2 * bucket + side) * self.hidden
            for neuron in range(self.hidden):
                value = self.biases[neuron]
                value += sum(self.weights[feature * self.hidden + neuron] for feature in men)
                active = max(0, min(value, ONE))
                total += active * active * self.outputs[start + neuron]
        output = int(total / ONE) + self.output_biases[bucket]
        return int(output * CENTIPAWNS / (ONE * OUTPUT_ONE))


def _ends(king_buckets: int, hidden: int, buckets: int) -> tuple[int, int, int, int]:
    weights = king_buckets * FEATURES * hidden
    biases = weights + hidden
    outputs = biases + buckets * 2 * hidden
    return weights, biases, outputs, outputs + buckets


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
