"""The network in use: the numbers of the evaluation, and its later layers.

A network of three layers ("NNUE", Y. Nasu; see the chess programming wiki).  Each side
has a view of the board, in which it is White and its king stands on the files a to d:
for every man on its square there is a row of weights, and the sum of these rows is the input
of the view's neurons.  `accumulator` keeps these sums from move to move.  Here they
become a score: clipped and squared, they are the input of a second layer, one of several, chosen by
the number of men.  Its first neuron is the linear part of the score; the others and their squares,
clipped and weighted, are the rest.

All numbers are integers, so a score is the same on every machine and with every compiler
flag.  `load` refuses numbers that could leave 16 bits in a neuron of the first layer, or 32
in one of the second.  There is one network at a time for the whole process: our own, from the first
import on.
"""

from pathlib import Path

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.string import memcpy
from cython.cimports.rookery_engine.core.types import WIN_BOUND, i8, i16, i32, i64, u16

from rookery_engine.shell import network_file
from rookery_uci import UciError

_SHAPE = (KING_BUCKETS, HIDDEN, BUCKETS, NEURONS)
_HEADER = cython.declare(cython.int, 8)  # bytes: the shape; 16 bits each
_LAYER_SIZE = cython.declare(cython.int, BUCKETS * NEURONS * INPUTS)  # weights of a byte each
SIZE: int = (
    _HEADER
    + cython.sizeof(WEIGHTS)
    + cython.sizeof(BIASES)
    + _LAYER_SIZE
    + cython.sizeof(LAYER_BIASES)
    + cython.sizeof(MIX)
)


def output(own, other, bucket):
    """Return the score of the sums of the side to move and of the other."""
    inputs: Input[INPUTS]
    activate(own, inputs)
    activate(other, cython.address(inputs[HIDDEN]))
    sums: i32[NEURONS]
    for neuron in range(NEURONS):
        weights = cython.address(LAYER[bucket][neuron][0])
        total: i32 = 0
        for index in range(INPUTS):
            total += inputs[index] * weights[index]
        sums[neuron] = total + LAYER_BIASES[bucket][neuron]
    mixed: i64 = 0
    for neuron in range(MIXED):
        value: i32 = sums[neuron + 1]
        value = min(max(value, -SUM_ONE), SUM_ONE) >> 4
        mixed += cython.cast(i64, MIX[bucket][neuron][1] * value) * value
        mixed += cython.cast(i64, MIX[bucket][neuron][0] * max(value, 0)) * FINE_ONE
    wide: i64 = sums[0] + mixed // SUM_ONE  # see MIX_ONE
    wide = wide * SCALE // SUM_ONE
    if wide >= WIN_BOUND:
        return WIN_BOUND - 1
    return wide if wide > -WIN_BOUND else 1 - WIN_BOUND


def activate(sums, inputs):
    """Clip and square the sums of a view: the input of the second layer."""
    for index in range(HIDDEN):
        value: i16 = sums[index] if sums[index] > 0 else 0
        value = value if value < CLIP else CLIP
        inputs[index] = cython.cast(u16, value * value + 128) >> 8


def load(payload: bytes) -> None:
    """Evaluate with these numbers from now on; no search may run.

    All are little endian, as in this machine: KING_BUCKETS, HIDDEN, BUCKETS, NEURONS (u16), WEIGHTS
    and BIASES (i16), LAYER (i8), LAYER_BIASES (i32), MIX (i16).

    Raises:
        UciError: they are of another shape, or could overflow; nothing has changed.

    """
    global NETWORK_NUMBER
    start = PyBytes_AS_STRING(payload)
    found = tuple(int.from_bytes(payload[at : at + 2], "little") for at in range(0, _HEADER, 2))
    if found != _SHAPE or len(payload) < _HEADER:
        raise UciError(f"needs {shown(_SHAPE)}, not {shown(found)}")
    if len(payload) != SIZE:
        raise UciError(f"needs {SIZE} bytes of numbers, not {len(payload)}")
    numbers = start + _HEADER
    reason = overflow(numbers)
    if reason:
        raise UciError(reason)
    memcpy(cython.address(WEIGHTS[0][0]), numbers, cython.sizeof(WEIGHTS))
    numbers += cython.sizeof(WEIGHTS)
    memcpy(cython.address(BIASES[0]), numbers, cython.sizeof(BIASES))
    numbers += cython.sizeof(BIASES)
    weights = cython.address(LAYER[0][0][0])
    for index in range(_LAYER_SIZE):
        weights[index] = cython.cast(cython.pointer[i8], numbers)[index]
    numbers += _LAYER_SIZE
    memcpy(cython.address(LAYER_BIASES[0][0]), numbers, cython.sizeof(LAYER_BIASES))
    numbers += cython.sizeof(LAYER_BIASES)
    memcpy(cython.address(MIX[0][0][0]), numbers, cython.sizeof(MIX))
    NETWORK_NUMBER += 1


def shown(shape: tuple[int, ...]) -> str:
    """Return a network's shape in words."""
    king_buckets, hidden, buckets, neurons = shape
    return f"{king_buckets} king buckets, {hidden} and {neurons} neurons and {buckets} outputs"


def payload() -> bytes:
    """Return the numbers in use, as `load` takes them."""
    weights = cython.address(LAYER[0][0][0])
    layer = bytes([weights[index] & 0xFF for index in range(_LAYER_SIZE)])
    return b"".join((
        *(number.to_bytes(2, "little") for number in _SHAPE),
        raw(cython.address(WEIGHTS[0][0]), cython.sizeof(WEIGHTS)),
        raw(cython.address(BIASES[0]), cython.sizeof(BIASES)),
        layer,
        raw(cython.address(LAYER_BIASES[0][0]), cython.sizeof(LAYER_BIASES)),
        raw(cython.address(MIX[0][0][0]), cython.sizeof(MIX)),
    ))  # fmt: skip


def raw(numbers, size):
    """Return the bytes of some numbers."""
    return PyBytes_FromStringAndSize(cython.cast(cython.p_char, numbers), size)


def network_name() -> str:
    """Return the name of the network in use: the start of the SHA-256 of its numbers."""
    return network_file.name_of(payload())


def use_network(path: str) -> None:
    """Evaluate with the network of a file, or with our own if there is no path.

    Raises:
        UciError: the file cannot be read, or not be used; nothing has changed.

    """
    label = f"EvalFile {path!r}" if path else network_file.OWN
    numbers = network_file.read_network(Path(path), label) if path else network_file.read_own()
    try:
        load(numbers)
    except UciError as error:
        raise UciError(f"{label} {error}") from error


def overflow(numbers_only):
    """Return the numbers that could overflow, and how, as a sentence; "" if none can.

    `numbers_only`: without the shape.
    """
    largest: i32[HIDDEN]
    size: i32
    numbers = cython.cast(cython.pointer[cython.const[i16]], numbers_only)
    for neuron in range(HIDDEN):
        largest[neuron] = 0
    for feature in range(FEATURES):
        for neuron in range(HIDDEN):
            size = numbers[HIDDEN * feature + neuron]
            size = size if size >= 0 else -size
            largest[neuron] = size if size > largest[neuron] else largest[neuron]
    numbers += FEATURES * HIDDEN
    for neuron in range(HIDDEN):
        size = numbers[neuron]
        size = (size if size >= 0 else -size) + MOST_MEN * largest[neuron]
        if size > 32767:
            return f"neuron {neuron} could reach {size}, more than 32767"
    # A product of the second layer is at most 254 * 128, so INPUTS of them stay below 2^25: with a
    # bias of MOST_BIAS at most the sum fits 32 bits.
    biases = cython.cast(
        cython.pointer[cython.const[i32]],
        cython.cast(cython.p_char, numbers + HIDDEN) + _LAYER_SIZE,
    )
    for index in range(BUCKETS * NEURONS):
        if biases[index] > MOST_BIAS or biases[index] < -MOST_BIAS:
            return f"a bias of the second layer is {biases[index]}, beyond {MOST_BIAS}"
    return ""


def _load_own() -> None:
    """Evaluate with our own network; without one, nothing of the core is of use."""
    try:
        use_network("")
    except UciError as error:
        raise ImportError(str(error), name="rookery_engine.net") from error


_load_own()
