"""The network in floats, and its training on samples.

(KING_BUCKETS x 768 -> HIDDEN) x 2 -> NEURONS -> 1 with BUCKETS sets of the later layers, of which
the number of men chooses one.  Each side has an accumulator: the bias and the sum of the rows of
its features; both, clamped to 0..1 and squared, are the input of the second layer.  Its first
neuron counts as it is, each other one clamped, and its square: their sum is the output, a logit.

A batch is shared out to threads; each has a gradient of its own, and each then updates
its part of the parameters with the sum of all in a fixed order: the outcome depends on
the seed and on the number of threads, and on nothing else.
"""

import cython

if not cython.compiled:
    raise ImportError("the trainer is not compiled: run `make train`", name="cython")

from cython.cimports.cpython.bytes import PyBytes_FromStringAndSize
from cython.cimports.libc.math import expf, fmaxf, fminf, sqrt, sqrtf
from cython.cimports.libc.stdlib import calloc, free, malloc
from cython.cimports.libc.string import memcpy
from cython.cimports.rookery_engine.core.position import next_random
from cython.cimports.rookery_engine.core.types import u8, u32, u64
from cython.cimports.rookery_engine.nnue.network import MEN_FEATURES
from cython.cimports.train.sample import SAMPLE, Sample, features, is_sound
from cython.cimports.train.trainer import Inputs, Values, clamped

from train.plain_network import Shape

MEAN_KEPT = cython.declare(cython.float, 0.9)  # Adam's beta 1
SQUARE_KEPT = cython.declare(cython.float, 0.999)  # and 2
DECAY = cython.declare(cython.float, 0.01)
TINY = cython.declare(cython.float, 1e-8)
# Below these, numbers are made 0: what the processor calls denormal takes it 50 x longer.
LEAST_MEAN = cython.declare(cython.float, 1e-18)
LEAST_SQUARE = cython.declare(cython.float, 1e-36)
MOST = cython.declare(cython.float, 1.98)  # of a weight: with 32 men they fit 16 bits, times 255
MOST_LAYER = cython.declare(cython.float, 0.496)  # in the second layer: 127 once it is times 256
ONE = cython.declare(cython.float, 1)
NONE = cython.declare(cython.float, 0)  # else a choice of a float or 0 is a double, and slower
FIRST_BIAS = cython.declare(cython.float, 0.1)

SHAPE = Shape(KING_BUCKETS, HIDDEN, BUCKETS, NEURONS)
COUNT = PARAMETERS
STATE = 3 * PARAMETERS * 4  # bytes
BLOCK_SAMPLES = BLOCK


class Trainer:
    """Weights, the state of the optimiser, and the samples to learn from.

    Args:
        threads: How many share a batch; each calls `learn` and `update` with its number.
        wdl: Share of the game's result in what is aimed at; the score has the rest.
        unit: What one centipawn of the labels is worth, where 400 are a logit of 1.

    Raises:
        ValueError: there are too many threads.
        MemoryError: there is no memory.

    """

    def __init__(self, *, threads: int, wdl: float, unit: float) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads must be 1 to {MOST_THREADS}, not {threads}")
        self.threads = threads
        self.aim.wdl = wdl
        self.aim.score_scale = unit / 400.0
        self.weights = _row()
        self.means = _row()
        self.squares = _row()
        for index in range(self.threads):
            self.gradients[index] = _row()
        self.data = b""

    def __dealloc__(self):
        free(self.weights)
        free(self.means)
        free(self.squares)
        for index in range(MOST_THREADS):
            free(self.gradients[index])
        free(self.order)

    def initialise(self, seed: int) -> None:
        """Draw weights at random: small enough that the sum of 32 is about 1."""
        state: u64 = seed & 0x7FFFFFFF
        scale: cython.float = 1.0 / sqrt(32.0)
        for index in range(PARAMETERS):
            self.weights[index] = scale * _uniform(cython.address(state))
            self.means[index] = self.squares[index] = 0
        scale = 1.0 / sqrt(INPUTS)
        for index in range(BIASES, LAYER):
            self.weights[index] = FIRST_BIAS
        for index in range(LAYER, LAYER_BIASES):
            self.weights[index] = scale * _uniform(cython.address(state))
        for index in range(LAYER_BIASES, PARAMETERS):
            self.weights[index] = 0
        for feature in range(FEATURES):
            if _never(feature):
                for index in range(HIDDEN):
                    self.weights[feature * HIDDEN + index] = 0

    def state(self) -> bytes:
        """Return the content of a checkpoint: weights, means, squares, as floats."""
        size: cython.long = PARAMETERS * 4
        return b"".join(
            (
                PyBytes_FromStringAndSize(cython.cast(cython.p_char, self.weights), size),
                PyBytes_FromStringAndSize(cython.cast(cython.p_char, self.means), size),
                PyBytes_FromStringAndSize(cython.cast(cython.p_char, self.squares), size),
            )
        )

    def load(self, state: bytes) -> None:
        """Continue from a state, or from the weights alone.

        Raises:
            ValueError: it has another size.

        """
        size: cython.long = PARAMETERS * 4
        if len(state) not in (size, 3 * size):
            raise ValueError(f"{len(state)} bytes are no state of this network")
        text = cython.cast(cython.p_char, state)
        memcpy(self.weights, text, size)
        if len(state) > size:
            memcpy(self.means, text + size, size)
            memcpy(self.squares, text + 2 * size, size)
        else:
            for index in range(PARAMETERS):
                self.means[index] = self.squares[index] = 0

    def load_samples(self, data, seed: int) -> int:
        """Load samples, shuffled by the seed; return their number.

        They are taken in blocks, in random order and from a random place on: the samples
        are in random order already.

        Raises:
            ValueError: these are no samples.

        """
        self.check(data)
        self.data = data
        self.count = self.data.shape[0] // SAMPLE
        self.shuffle(seed)
        return self.count

    def check(self, data) -> None:
        """Raise ValueError if these are no samples."""
        view: cython.const[u8][::1] = data
        count: cython.long = view.shape[0] // SAMPLE
        if count * SAMPLE != view.shape[0]:
            raise ValueError("the samples are not whole")
        for number in range(count):
            if not is_sound(cython.cast(cython.pointer(Sample), cython.address(view[0])) + number):
                raise ValueError(f"sample {number} is damaged")

    def shuffle(self, seed: int) -> None:
        """Shuffle the samples by the seed."""
        state: u64 = seed & 0x7FFFFFFF
        self.blocks = self.count // BLOCK
        free(self.order)
        self.order = cython.cast(cython.pointer(u32), malloc(4 * (self.blocks + 1)))
        if not self.order:
            raise MemoryError("there is not enough memory")
        self.offset = 0
        if self.count:
            self.offset = next_random(cython.address(state)) % cython.cast(u64, self.count)
        for index in range(self.blocks):
            self.order[index] = index
        left: cython.long = self.blocks
        while left > 1:
            other: cython.long = next_random(cython.address(state)) % cython.cast(u64, left)
            left -= 1
            kept: u32 = self.order[left]
            self.order[left] = self.order[other]
            self.order[other] = kept

    def sample(self, number):
        """Return a sample by its place in the file."""
        return cython.cast(cython.pointer(Sample), cython.address(self.data[0])) + number

    def learn(self, thread: int, first: int, blocks: int, batch: int) -> float:
        """Add up the gradient of some blocks of a batch; return the sum of the losses.

        Args:
            thread: Whose gradient to add to.
            first: The first block, as an index of the order.
            blocks: How many.
            batch: Samples in the whole batch.

        """
        if not 0 <= thread < self.threads or first < 0 or first + blocks > self.blocks:
            raise IndexError(f"thread {thread}, blocks {first} to {first + blocks}")
        gradient = self.gradients[cython.cast(cython.int, thread)]
        at: cython.long = first
        end: cython.long = first + blocks
        share: cython.float = 1.0 / batch
        loss: cython.double = 0
        with cython.nogil:
            while at < end:
                number: cython.long = self.offset + cython.cast(cython.long, self.order[at]) * BLOCK
                for _ in range(BLOCK):
                    if number >= self.count:
                        number -= self.count
                    loss += descend(
                        self.weights,
                        gradient,
                        self.sample(number),
                        cython.address(self.aim),
                        share,
                    )
                    number += 1
                at += 1
        return loss

    def update(self, thread: int, step: int, rate: float) -> None:
        """Move a thread's part of the parameters against the gradient (AdamW).

        Loshchilov and Hutter, Decoupled weight decay regularization, 2019.

        Args:
            thread: Which part.
            step: Number of the batch since the start, from 1 on.
            rate: How far.

        """
        count: cython.long = (PARAMETERS + self.threads - 1) // self.threads
        first: cython.long = count * thread
        last: cython.long = min(first + count, PARAMETERS)
        threads: cython.int = self.threads
        mean_scale: cython.float = 1.0 / (1.0 - 0.9**step)
        square_scale: cython.float = 1.0 / (1.0 - 0.999**step)
        speed: cython.float = rate
        kept: cython.float = 1 - speed * DECAY
        with cython.nogil:
            total = self.gradients[0]
            for other in range(1, threads):
                more = self.gradients[other]
                for index in range(first, last):
                    total[index] += more[index]
                    more[index] = 0
            _adam(
                self.weights + first,
                self.means + first,
                self.squares + first,
                total + first,
                last - first,
                speed,
                kept,
                mean_scale,
                square_scale,
            )
            # Bounds, for the engine's whole numbers; what follows the second layer needs none.
            middle: cython.long = last if last < LAYER else LAYER
            end: cython.long = last if last < LAYER_BIASES else LAYER_BIASES
            bound(self.weights, first, middle, MOST)
            bound(self.weights, middle if middle > first else first, end, MOST_LAYER)

    def loss(self, data, part: int, parts: int) -> float:
        """Return the sum of the losses over one of so many parts of some samples."""
        view: cython.const[u8][::1] = data
        count: cython.long = view.shape[0] // SAMPLE
        first: cython.long = count * part // parts
        last: cython.long = count * (part + 1) // parts
        total: cython.double = 0
        if first == last:
            return 0.0
        values: Values
        samples = cython.cast(cython.pointer(Sample), cython.address(view[0]))
        with cython.nogil:
            for index in range(first, last):
                infer(self.weights, samples + index, cython.address(values))
                wrong: cython.float = 1 / (1 + expf(-values.output)) - target(
                    samples + index, cython.address(self.aim)
                )
                total += wrong * wrong
        return total

    def evaluate(self, data: bytes) -> float:
        """Return the network's output for a sample's bytes."""
        if len(data) != SAMPLE:
            raise ValueError(f"a sample has {SAMPLE} bytes, not {len(data)}")
        values: Values
        sample = cython.cast(cython.pointer(Sample), cython.cast(cython.p_char, data))
        infer(self.weights, sample, cython.address(values))
        return values.output

    def gradient(self, thread: int) -> bytes:
        """Return a thread's gradient, as floats."""
        if not 0 <= thread < self.threads:
            raise IndexError(f"there is no thread {thread}")
        return PyBytes_FromStringAndSize(
            cython.cast(cython.p_char, self.gradients[cython.cast(cython.int, thread)]),
            PARAMETERS * 4,
        )


def infer(weights, sample, values):
    """Compute the output for a sample, and all values on the way to it."""
    values.men = features(sample, cython.address(values.ours[0]), cython.address(values.theirs[0]))
    values.bucket = (sample.men - 2) // 4
    sums = cython.address(values.sums[0])
    inputs = cython.address(values.inputs[0])
    add_rows(sums, weights, cython.address(values.ours[0]), values.men)
    add_rows(sums + HIDDEN, weights, cython.address(values.theirs[0]), values.men)
    for index in range(INPUTS):
        active: cython.float = clamped(sums[index])
        inputs[index] = active * active
    row = weights + LAYER + values.bucket * NEURONS * INPUTS
    biases = weights + LAYER_BIASES + values.bucket * NEURONS
    for neuron in range(NEURONS):
        total: cython.float = 0
        for index in range(INPUTS):
            total += inputs[index] * row[index]
        values.neurons[neuron] = total + biases[neuron]
        row += INPUTS
    mix = weights + MIX + values.bucket * MIXED * 2
    output: cython.float = values.neurons[0]
    for neuron in range(MIXED):
        value: cython.float = fmaxf(-ONE, fminf(values.neurons[neuron + 1], ONE))
        output += mix[2 * neuron] * fmaxf(value, 0) + mix[2 * neuron + 1] * value * value
    values.output = output


def descend(weights, gradient, sample, aim, share):
    """Add a sample's part of the gradient; return its loss."""
    values: Values
    infer(weights, sample, cython.address(values))
    hope: cython.float = 1 / (1 + expf(-values.output))
    wrong: cython.float = hope - target(sample, aim)
    slope: cython.float = 2 * wrong * hope * (1 - hope) * share

    # The second layer, and the slopes of its inputs.
    inputs = cython.address(values.inputs[0])
    slopes: Inputs
    for index in range(INPUTS):
        slopes[index] = 0
    first: cython.long = LAYER + values.bucket * NEURONS * INPUTS
    biases = gradient + LAYER_BIASES + values.bucket * NEURONS
    mix: cython.long = MIX + values.bucket * MIXED * 2 - 2
    for neuron in range(NEURONS):
        value: cython.float = values.neurons[neuron]
        steep: cython.float = slope
        if neuron:
            place: cython.long = mix + 2 * neuron
            short: cython.float = fmaxf(-ONE, fminf(value, ONE))
            gradient[place] += slope * fmaxf(short, 0)
            gradient[place + 1] += slope * short * short
            if value >= 1 or value <= -1:  # a clamped neuron has no slope
                continue
            steep = 2 * slope * weights[place + 1] * value
            if value > 0:
                steep += slope * weights[place]
        biases[neuron] += steep
        row = weights + first + neuron * INPUTS
        row_gradient = gradient + first + neuron * INPUTS
        for index in range(INPUTS):
            slopes[index] += steep * row[index]
            row_gradient[index] += steep * inputs[index]

    # The first layer.
    sums = cython.address(values.sums[0])
    for index in range(INPUTS):
        step: cython.float = slopes[index] * clamped(sums[index])
        slopes[index] = step + step if sums[index] < 1 else NONE
    bias_gradient = gradient + BIASES
    for index in range(HIDDEN):
        bias_gradient[index] += slopes[index] + slopes[HIDDEN + index]
    spread(gradient, cython.address(slopes[0]), cython.address(values.ours[0]), values.men)
    spread(gradient, cython.address(slopes[HIDDEN]), cython.address(values.theirs[0]), values.men)
    return wrong * wrong


def target(sample, aim):
    """Return the target of the prediction for a sample."""
    hope: cython.float = 1 / (1 + expf(-sample.score * aim.score_scale))
    return aim.wdl * 0.5 * sample.result + (1 - aim.wdl) * hope


def bound(weights, first, last, most):
    """Keep some weights within bounds."""
    for index in range(first, last):
        weight = weights[index] if weights[index] < most else most
        weights[index] = weight if weight > -most else -most


def add_rows(sums, weights, men, count):
    """Set the sums to the biases and the rows of all features."""
    biases = weights + BIASES
    row = weights + men[0] * HIDDEN
    for index in range(HIDDEN):
        sums[index] = biases[index] + row[index]
    number: cython.int = 1
    while number + 4 <= count:
        row = weights + men[number] * HIDDEN
        second = weights + men[number + 1] * HIDDEN
        third = weights + men[number + 2] * HIDDEN
        fourth = weights + men[number + 3] * HIDDEN
        for index in range(HIDDEN):
            sums[index] += row[index] + second[index] + third[index] + fourth[index]
        number += 4
    while number < count:
        row = weights + men[number] * HIDDEN
        for index in range(HIDDEN):
            sums[index] += row[index]
        number += 1


def spread(gradient, by, men, count):
    """Add to the rows of all features."""
    for number in range(count):
        row = gradient + men[number] * HIDDEN
        for index in range(HIDDEN):
            row[index] += by[index]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _adam(
    weights: cython.p_float,
    means: cython.p_float,
    squares: cython.p_float,
    gradient: cython.p_float,
    count: cython.long,
    speed: cython.float,
    kept: cython.float,
    mean_scale: cython.float,
    square_scale: cython.float,
) -> cython.void:
    new_mean: cython.float = 1 - MEAN_KEPT
    new_square: cython.float = 1 - SQUARE_KEPT
    for index in range(count):
        slope: cython.float = gradient[index]
        gradient[index] = 0
        mean: cython.float = MEAN_KEPT * means[index] + new_mean * slope
        square: cython.float = SQUARE_KEPT * squares[index] + new_square * slope * slope
        mean = mean if mean > LEAST_MEAN or mean < -LEAST_MEAN else NONE
        square = square if square > LEAST_SQUARE else NONE
        means[index] = mean
        squares[index] = square
        weights[index] = kept * weights[index] - speed * mean * mean_scale / (
            sqrtf(square * square_scale) + TINY
        )


@cython.cfunc
@cython.exceptval(check=False)
def _uniform(state: cython.pointer[u64]) -> cython.float:
    """Return a number from -1 to 1."""
    return cython.cast(cython.double, next_random(state) >> 11) * 2.0**-52 - 1


@cython.cfunc
@cython.exceptval(check=False)
def _never(feature: cython.int) -> cython.bint:
    """Say whether a feature is impossible: pawns on outer ranks, own king on files e to h."""
    feature %= MEN_FEATURES
    kind: cython.int = feature % 384 // 64
    square: cython.int = feature % 64
    if kind == 0:
        return square < 8 or square >= 56
    return feature < 384 and kind == 5 and (square & 4) != 0


@cython.cfunc
def _row() -> cython.p_float:
    row = cython.cast(cython.p_float, calloc(PARAMETERS, 4))
    if not row:
        raise MemoryError("there is not enough memory")
    return row
