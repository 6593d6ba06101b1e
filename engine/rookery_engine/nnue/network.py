"""The network in use: the numbers of the evaluation, and its output layer.

A network of two layers ("NNUE", Y. Nasu; see the chess programming wiki).  Each side
has a view of the board, in which it is White and its king stands on the files a to d:
for every man on its square there is a row of weights, and the sum of these rows is the input
of the view's neurons.  `accumulator` keeps these sums from move to move.  Here they
become a score: clipped, squared, and weighted by one of several output layers, chosen by
the number of men.

All numbers are integers, so a score is the same on every machine and with every compiler
flag.  `load` refuses numbers that could leave 16 bits in a neuron or a product, or 32
in a sum.  There is one network at a time for the whole process: our own, from the first
import on.
"""

from pathlib import Path

import cython
from cython.cimports.cpython.bytes import PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.cimports.libc.string import memcpy
from cython.cimports.rookery_engine.core.types import WIN_BOUND, i16, i32, i64

from rookery_engine.shell import network_file
from rookery_uci import UciError

_HEADER = cython.declare(cython.int, 6)  # bytes: KING_BUCKETS, HIDDEN, BUCKETS; 16 bits each
SIZE: int = (
    _HEADER
    + cython.sizeof(WEIGHTS)
    + cython.sizeof(BIASES)
    + cython.sizeof(OUTPUT)
    + cython.sizeof(OUTPUT_BIASES)
)


def output(own, other, bucket):
    """Return the score of the sums of the side to move and of the other."""
    ours: Row = cython.cast(Row, cython.address(OUTPUT[bucket][0][0]))
    theirs: Row = cython.cast(Row, cython.address(OUTPUT[bucket][1][0]))
    total: i32 = 0
    value: i16
    for index in range(HIDDEN):
        value = own[index] if own[index] > 0 else 0
        value = value if value < CLIP else CLIP
        total += cython.cast(i16, value * ours[index]) * value
    for index in range(HIDDEN):
        value = other[index] if other[index] > 0 else 0
        value = value if value < CLIP else CLIP
        total += cython.cast(i16, value * theirs[index]) * value
    wide: i64 = OUTPUT_BIASES[bucket]
    wide = (wide + total // CLIP) * SCALE // (CLIP * OUTPUT_ONE)
    if wide >= WIN_BOUND:
        return WIN_BOUND - 1
    return wide if wide > -WIN_BOUND else 1 - WIN_BOUND


def load(payload: bytes) -> None:
    """Evaluate with these numbers from now on; no search may run.

    All are little endian, as in this machine: KING_BUCKETS, HIDDEN, BUCKETS (u16), WEIGHTS, BIASES
    and OUTPUT (i16), OUTPUT_BIASES (i32).

    Raises:
        UciError: they are of another shape, or could overflow; nothing has changed.

    """
    start = PyBytes_AS_STRING(payload)
    found = tuple(int.from_bytes(payload[at : at + 2], "little") for at in range(0, _HEADER, 2))
    if found != (KING_BUCKETS, HIDDEN, BUCKETS) or len(payload) < _HEADER:
        raise UciError(
            f"needs {KING_BUCKETS} king buckets, {HIDDEN} neurons and {BUCKETS} outputs, not"
            f" {found[0]}, {found[1]} and {found[2]}"
        )
    if len(payload) != SIZE:
        raise UciError(f"needs {SIZE} bytes of numbers, not {len(payload)}")
    numbers = cython.cast(cython.pointer[i16], start + _HEADER)
    reason = overflow(numbers)
    if reason:
        raise UciError(reason)
    memcpy(cython.address(WEIGHTS[0][0]), numbers, cython.sizeof(WEIGHTS))
    numbers += FEATURES * HIDDEN
    memcpy(cython.address(BIASES[0]), numbers, cython.sizeof(BIASES))
    numbers += HIDDEN
    memcpy(cython.address(OUTPUT[0][0][0]), numbers, cython.sizeof(OUTPUT))
    numbers += BUCKETS * 2 * HIDDEN
    memcpy(cython.address(OUTPUT_BIASES[0]), numbers, cython.sizeof(OUTPUT_BIASES))


def payload() -> bytes:
    """Return the numbers in use, as `load` takes them."""
    return b"".join((
        KING_BUCKETS.to_bytes(2, "little"),
        HIDDEN.to_bytes(2, "little"),
        BUCKETS.to_bytes(2, "little"),
        PyBytes_FromStringAndSize(
            cython.cast(cython.p_char, cython.address(WEIGHTS[0][0])), cython.sizeof(WEIGHTS)
        ),
        PyBytes_FromStringAndSize(
            cython.cast(cython.p_char, cython.address(BIASES[0])), cython.sizeof(BIASES)
        ),
        PyBytes_FromStringAndSize(
            cython.cast(cython.p_char, cython.address(OUTPUT[0][0][0])), cython.sizeof(OUTPUT)
        ),
        PyBytes_FromStringAndSize(
            cython.cast(cython.p_char, cython.address(OUTPUT_BIASES[0])),
            cython.sizeof(OUTPUT_BIASES),
        ),
    ))  # fmt: skip


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


def overflow(numbers):
    """Return the numbers that could overflow, and how, as a sentence; "" if none can."""
    largest: i32[HIDDEN]
    size: i32
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
    numbers += HIDDEN
    for bucket in range(BUCKETS):
        # Clipped values are never negative: no partial sum is beyond those of one sign alone.
        above: i64 = 0
        below: i64 = 0
        for index in range(2 * HIDDEN):
            size = numbers[2 * HIDDEN * bucket + index]
            if size > 0:
                above += size * CLIP * CLIP
            else:
                size = -size
                below += size * CLIP * CLIP
            if size > MOST_OUTPUT:
                return f"an output weight is {size}, more than {MOST_OUTPUT}"
        total: i64 = above if above > below else below
        if total >= 1 << 31:
            return f"output {bucket} could reach {total}, more than {(1 << 31) - 1}"
    return ""


def _load_own() -> None:
    """Evaluate with our own network; without one, nothing of the core is of use."""
    try:
        use_network("")
    except UciError as error:
        raise ImportError(str(error), name="rookery_engine.net") from error


_load_own()
