"""The mean of networks that began as one: often better than each (see "model soups", 2022).

Networks that were trained further from the same start, or one from the other, each on data of its
own, are near enough for a straight way between them to lead over good ones; and what each has
learnt by heart of its data is not in the others.
"""

from array import array
from pathlib import Path

from train.plain_network import NetworkError, PlainNetwork


def mix(paths: list[Path]) -> PlainNetwork:
    """Return the mean of networks.

    Raises:
        NetworkError: a file holds no network, or one of another shape.
        OSError: it cannot be read.

    """
    networks = [PlainNetwork.from_file(path) for path in paths]
    shapes = {network.shape for network in networks}
    if len(shapes) != 1:
        raise NetworkError(f"networks of different shapes have no mean: {sorted(shapes)}")
    columns = zip(*(network.floats() for network in networks), strict=True)
    means = array("f", (sum(column) / len(networks) for column in columns))
    return PlainNetwork.from_floats(means, shapes.pop())
