"""Scores of a network file for some positions, computed slowly and plainly."""

from collections.abc import Iterator
from pathlib import Path

from train.plain_network import PlainNetwork
from train.sample import features_of, sample_of

POSITIONS = {
    "the start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "after 1. e4": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
    "no pawn d2": "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR w KQkq -",
    "no knight b1": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq -",
    "no rook a1": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq -",
    "no queen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq -",
    "no queen, black to move": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq -",
    "rook against nothing": "8/8/4k3/8/8/3K4/8/7R w - -",
    "two pawns up": "8/5pk1/6p1/8/8/1P4P1/PP3PK1/8 w - -",
    "kings alone": "8/8/4k3/8/8/3K4/8/8 w - -",
}


def show_network(path: Path, fens: list[str]) -> Iterator[str]:
    """Yield each position's score, in the engine's units, from the side to move's view.

    Raises:
        NetworkError: the file holds no network.
        FenError: a position is none.

    """
    network = PlainNetwork.from_file(path)
    king_buckets, hidden, buckets, neurons = network.shape
    yield f"{king_buckets} king buckets, {hidden} and {neurons} neurons, {buckets} outputs"
    named = {fen: fen for fen in fens} or POSITIONS
    for name, fen in named.items():
        yield f"{network.evaluate(features_of(sample_of(fen))):+6d}  {name}"
