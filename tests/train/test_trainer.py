"""The network in floats: its gradient, and that threads share it rightly."""

from array import array
from itertools import accumulate, pairwise
from pathlib import Path

import pytest

from train.plain_network import CENTIPAWNS, PlainNetwork
from train.sample import features_of
from train.sample_file import KIND
from train.trainer import BLOCK_SAMPLES, COUNT, SHAPE, Trainer

KING_BUCKETS, HIDDEN, BUCKETS, NEURONS = SHAPE
ENDS = (0, *accumulate(SHAPE.counts))
PARTS = dict(
    zip(("weights", "biases", "layer", "layer biases", "mix"), pairwise(ENDS), strict=True)
)


def data_of(samples: Path) -> bytes:
    return samples.read_bytes()[len(KIND) :]


def trainer_of(threads: int = 1) -> Trainer:
    trainer = Trainer(threads=threads, wdl=0.3, unit=1.0)
    trainer.initialise(1)
    # The mix begins with zeros, which would leave the layers before it without a slope, and so the
    # biases: the neurons of the second layer would be where they have a bend.
    state = floats(trainer.state()[: 4 * COUNT])
    for index in range(*PARTS["layer biases"]):
        state[index] = 0.3 if index % 3 else -0.4
    for index in range(*PARTS["mix"]):
        state[index] = 0.3 - 0.01 * (index % 50)
    trainer.load(state.tobytes())
    return trainer


def floats(data: bytes) -> "array[float]":
    numbers = array("f")
    numbers.frombytes(data)
    return numbers


def learnt(samples: Path, threads: int) -> bytes:
    """The state after two batches of 4 blocks."""
    trainer = trainer_of(threads)
    trainer.load_samples(data_of(samples), 5)
    share = 4 // threads
    for step in (1, 2):
        for part in range(threads):
            trainer.learn(part, 4 * step + part * share, share, 4 * BLOCK_SAMPLES)
        for part in range(threads):
            trainer.update(part, step, 0.001)
    return trainer.state()


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_the_gradient_is_that_of_the_loss(samples: Path, part: tuple[int, int]) -> None:
    block = data_of(samples)[: 32 * BLOCK_SAMPLES]
    trainer = trainer_of()
    trainer.load_samples(block, 1)
    trainer.learn(0, 0, 1, BLOCK_SAMPLES)
    gradient = floats(trainer.gradient(0))
    weights = floats(trainer.state()[: 4 * COUNT])

    def slope(along: dict[int, float], far: float) -> float:
        """The change of the loss from one side of the weights to the other."""
        losses = []
        for sign in (1, -1):
            changed = array("f", weights)
            for index, size in along.items():
                changed[index] += sign * far * size
            trainer.load(changed.tobytes())
            losses.append(trainer.loss(block, 0, 1) / BLOCK_SAMPLES)
        return (losses[0] - losses[1]) / (2 * far)

    # Along the gradient the loss changes most: by the length of it.
    length = sum(gradient[index] ** 2 for index in range(*part)) ** 0.5
    along = {index: gradient[index] / length for index in range(*part)}
    assert slope(along, 0.01) == pytest.approx(length, rel=0.01)
    # Single ones change it less, and sums of floats are rounded.
    for index in sorted(range(*part), key=lambda index: -abs(gradient[index]))[:6]:
        assert slope({index: 1.0}, 0.02) == pytest.approx(gradient[index], rel=0.1, abs=1e-5)


def test_only_features_that_occur_have_a_gradient(samples: Path) -> None:
    block = data_of(samples)[: 32 * BLOCK_SAMPLES]
    trainer = trainer_of()
    trainer.load_samples(block, 1)
    trainer.learn(0, 0, 1, BLOCK_SAMPLES)
    gradient = floats(trainer.gradient(0))
    occurring = set()
    for at in range(0, len(block), 32):
        for side in features_of(block[at : at + 32]):
            occurring.update(side)
    for feature in range(KING_BUCKETS * 768):
        row = gradient[feature * HIDDEN : (feature + 1) * HIDDEN]
        assert any(row) == (feature in occurring)


def test_two_threads_learn_what_one_does(samples: Path) -> None:
    one, two = floats(learnt(samples, 1)), floats(learnt(samples, 2))
    assert max(abs(a - b) for a, b in zip(one[:COUNT], two[:COUNT], strict=True)) < 1e-4


def test_the_same_again_is_the_same(samples: Path) -> None:
    assert learnt(samples, 2) == learnt(samples, 2)


def test_whole_numbers_and_floats_give_the_same_scores(samples: Path) -> None:
    trainer = trainer_of()
    network = PlainNetwork.from_floats(floats(trainer.state()[: 4 * COUNT]), SHAPE)
    some = [data_of(samples)[at : at + 32] for at in range(0, 32 * 20, 32)]
    whole = [network.evaluate(features_of(sample)) for sample in some]
    exact = [CENTIPAWNS * trainer.evaluate(sample) for sample in some]
    trainer.load(network.floats().tobytes())
    rounded = [CENTIPAWNS * trainer.evaluate(sample) for sample in some]
    assert whole == pytest.approx(rounded, abs=2)  # inputs of the second layer are rounded, too
    # 1024 weights of a neuron are rounded to 1/256 each.
    assert whole == pytest.approx(exact, abs=5)


def test_the_loss_is_the_sum_of_its_parts(samples: Path) -> None:
    data = data_of(samples)
    trainer = trainer_of()
    whole = trainer.loss(data, 0, 1)
    assert sum(trainer.loss(data, part, 3) for part in range(3)) == pytest.approx(whole)


def test_damaged_samples_are_refused(samples: Path) -> None:
    data = bytearray(data_of(samples)[:320])
    data[32 + 29] = 77
    with pytest.raises(ValueError, match="sample 1 is damaged"):
        trainer_of().load_samples(bytes(data), 1)
    with pytest.raises(ValueError, match="not whole"):
        trainer_of().load_samples(bytes(data)[:-1], 1)


def test_sample_must_have_as_many_men_as_squares(samples: Path) -> None:
    data = bytearray(data_of(samples)[:320])
    data[32] ^= 1
    with pytest.raises(ValueError, match="sample 1 is damaged"):
        trainer_of().load_samples(bytes(data), 1)


def test_what_is_out_of_range_is_refused(samples: Path) -> None:
    trainer = trainer_of()
    blocks = trainer.load_samples(data_of(samples), 1) // BLOCK_SAMPLES
    for thread, first, count in ((1, 0, 1), (-1, 0, 1), (0, -1, 1), (0, blocks, 1)):
        with pytest.raises(IndexError):
            trainer.learn(thread, first, count, 64)
    with pytest.raises(ValueError, match="threads"):
        Trainer(threads=0, wdl=0.3, unit=1.0)


def test_the_trainer_is_compiled_with_its_types() -> None:
    with pytest.raises(TypeError):
        trainer_of().update(object(), 1, 0.1)
