"""Games into samples, against a slow reference on python-chess."""

import struct
from collections import Counter
from collections.abc import Iterator
from math import exp
from pathlib import Path

import chess
import pytest

from train.game_file import KIND
from train.generate import START
from train.pack import best_scale, pack
from train.packer import Packer
from train.recorded_game import NO_SCORE, RecordedGame
from train.sample import features_of, sample_of
from train.sample_file import KIND as SAMPLES
from train.sample_file import DataError, validation_of

FENS = (
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/K7 b - - 0 1",
)

Seen = tuple[frozenset[int], frozenset[int], int, int]


def features(board: chess.Board, side: chess.Color) -> frozenset[int]:
    """The features of a side, straight from their definition."""
    king = board.king(side)
    assert king is not None
    flip = (0 if side else 56) ^ (7 if chess.square_file(king) >= 4 else 0)
    seen = king ^ flip
    bucket = 3 if seen >= 16 else 2 if seen >= 8 else 0 if seen in (chess.A1, chess.B1) else 1
    return frozenset(
        768 * bucket
        + (0 if piece.color == side else 384)
        + 64 * (piece.piece_type - 1)
        + (square ^ flip)
        for square, piece in board.piece_map().items()
    )


def played(data: bytes) -> Iterator[tuple[int, int, chess.Board, chess.Move, int]]:
    """Every position of games, with the number and result of the game, its move and score."""
    at = number = 0
    while at < len(data):
        count, half_points, _ = struct.unpack_from("<HBB", data, at)
        assert data[at + 4 : at + 12] == b"\xff\xff\0\0\0\0\xff\xff", "not the start position"
        board = chess.Board()
        for index in range(count):
            code, score = struct.unpack_from("<Hh", data, at + 36 + 4 * index)
            yield number, half_points, board, move_of(board, code), score
            board.push(move_of(board, code))
        at += 36 + 4 * count
        number += 1


def move_of(board: chess.Board, code: int) -> chess.Move:
    """The move that 16 bits mean: castling is written as king takes rook."""
    origin, target, kind = code & 63, code >> 6 & 63, code >> 14
    if kind == 3:
        target = (origin & 56) + (6 if target > origin else 2)
    return chess.Move(origin, target, 2 + (code >> 12 & 3) if kind == 1 else None)


def expected(data: bytes) -> tuple[list[Seen], list[Seen], Counter[str]]:
    """Return the samples to keep for training and validation, and the fate of all positions."""
    kept: tuple[list[Seen], list[Seen]] = ([], [])
    fates: Counter[str] = Counter()
    for number, half_points, board, move, score in played(data):
        if board.is_check():
            fates["in check"] += 1
        elif board.is_capture(move) or move.promotion:
            fates["move noisy"] += 1
        elif score == NO_SCORE:
            fates["no exact score"] += 1
        elif abs(score) > 31000:
            fates["score of a mate"] += 1
        else:
            fates["kept"] += 1
            result = half_points if board.turn else 2 - half_points
            sides = features(board, board.turn), features(board, not board.turn)
            kept[number % 64 == 63].append((*sides, score, result))
    return *kept, fates


def seen(path: Path) -> list[Seen]:
    """Return the samples of a file."""
    data = path.read_bytes()
    assert data.startswith(SAMPLES)
    found = []
    for at in range(len(SAMPLES), len(data), 32):
        ours, theirs = features_of(data[at : at + 32])
        score, result = struct.unpack_from("<hB", data, at + 24)
        found.append((frozenset(ours), frozenset(theirs), score, result))
    return found


def order(samples: list[Seen]) -> list[Seen]:
    return sorted(samples, key=lambda sample: (sorted(sample[0]), *sample[2:], sorted(sample[1])))


def test_samples_are_what_the_reference_finds(games: Path, samples: Path) -> None:
    training, validation, fates = expected(games.read_bytes()[len(KIND) :])
    assert order(seen(samples)) == order(training)
    assert order(seen(validation_of(samples))) == order(validation)
    assert min(fates.values()) > 20
    packer = Packer()
    packer.add(games.read_bytes()[len(KIND) :])
    assert {name: count for name, count in packer.counts.items() if count} == dict(fates)


@pytest.mark.parametrize("fen", FENS)
def test_features_of_a_position(fen: str) -> None:
    board = chess.Board(fen)
    ours, theirs = features_of(sample_of(fen))
    assert set(ours) == features(board, board.turn)
    assert set(theirs) == features(board, not board.turn)


@pytest.mark.parametrize("fen", FENS)
def test_colours_reversed_are_the_same_sample(fen: str) -> None:
    assert sample_of(fen) == sample_of(chess.Board(fen).mirror().fen())


def test_king_side_and_queen_side_are_the_same_to_the_features() -> None:
    board = chess.Board("4k3/8/8/8/2p5/8/1P6/R3K3 w - - 0 1")
    mirrored = board.transform(chess.flip_horizontal)
    first, second = (features_of(sample_of(b.fen())) for b in (board, mirrored))
    assert [set(side) for side in first] == [set(side) for side in second]


def test_en_passant_and_promotion_are_noisy() -> None:
    for fen, move in (
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", b"e5d6"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", b"a7a8n"),
    ):
        game = RecordedGame(fen)
        assert game.play(move, 0)
        packer = Packer()
        packer.add(game.to_bytes(1))
        assert packer.counts["move noisy"] == 1


def test_castling_is_quiet() -> None:
    game = RecordedGame("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert game.play(b"e1g1", 0)
    packer = Packer()
    packer.add(game.to_bytes(1))
    assert packer.counts["kept"] == 1


def test_a_bound_leaves_out_scores_beyond() -> None:
    game = RecordedGame(START)
    for move, score in ((b"e2e4", 500), (b"e7e5", -501), (b"g1f3", 501)):
        assert game.play(move, score)
    packer = Packer(500)
    packer.add(game.to_bytes(1))
    assert packer.counts["kept"] == 1
    assert packer.counts["score beyond the bound"] == 2


def test_the_order_follows_from_the_seed(games: Path, samples: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        pack([games], tmp_path / str(seed), bound=0, seed=seed, tell=lambda line: None)
    assert (tmp_path / "1").read_bytes() == samples.read_bytes()
    assert (tmp_path / "2").read_bytes() != samples.read_bytes()


@pytest.mark.parametrize("lacking", [1, 3, 50])
def test_a_last_game_cut_short_is_left_out(games: Path, lacking: int) -> None:
    data = games.read_bytes()[len(KIND) :]
    packer = Packer()
    packer.add(data[:-lacking])
    whole = Packer()
    whole.add(data)
    assert packer.games == whole.games - 1
    assert packer.cut == 1


def test_damaged_files_are_reported(games: Path, tmp_path: Path) -> None:
    data = bytearray(games.read_bytes())
    at = len(KIND) + 36
    data[at : at + 2] = b"\xff\xff"
    bad = tmp_path / "bad"
    bad.write_bytes(data)
    with pytest.raises(DataError, match=r"bad: game 0 is damaged, at byte 0 "):
        pack([bad], tmp_path / "out", bound=0, seed=1, tell=lambda line: None)
    bad.write_bytes(b"something else\n")
    with pytest.raises(DataError, match="holds no games"):
        pack([bad], tmp_path / "out", bound=0, seed=1, tell=lambda line: None)
    assert not (tmp_path / "out").exists()


def test_no_positions_at_all_is_reported(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(KIND)
    with pytest.raises(DataError, match="no position"):
        pack([empty], tmp_path / "out", bound=0, seed=1, tell=lambda line: None)


def test_the_scale_that_fits_best_is_found() -> None:
    bars = []
    for score in range(-1000, 1001, 10):
        won = round(1000 / (1 + exp(-score / 250)))
        bars.append((score, 1000 - won, 0, won))
    scale, _ = best_scale(bars)
    assert scale == pytest.approx(250, abs=1)
