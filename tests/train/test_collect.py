"""Positions that the search visits in self-play, and the files they become."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from train.collect import CollectionPlan, collect
from train.collector import Collector
from train.generate import START, GenerateError
from train.sample import fen_of, sample_of
from train.sample_file import KIND, samples_of, validation_of

PAWN = "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"
POSITION = 24  # bytes of a sample before its score
NODES, EVERY = 200, 20


def each(data: bytes | memoryview) -> Iterator[bytes]:
    """Yield the samples of some bytes."""
    assert len(data) % 32 == 0
    for at in range(0, len(data), 32):
        yield bytes(data[at : at + 32])


def collected(fen: str, games: int, seed: int = 5) -> Collector:
    collector = Collector(NODES, EVERY, seed)
    for _ in range(games):
        collector.play(fen)
    return collector


def test_samples_are_legal_positions_out_of_check() -> None:
    collector = collected(START, 10)
    men = set()
    for sample in each(collector.samples(0)):
        board = chess.Board(fen_of(sample))
        assert board.is_valid()
        assert not board.is_check()
        assert sample == sample_of(board.fen()), "neither drawn nor 0, or another position"
        men.add(len(board.piece_map()))
    assert max(men) == 32
    assert min(men) < 8, "the games are not played to their end"


def test_samples_can_be_reached_from_the_opening() -> None:
    pawns = promoted = 0
    collector = collected(PAWN, 20)
    for sample in each(collector.samples(0)):
        board = chess.Board(fen_of(sample))
        others = [place for place in board.piece_map().items() if place[1].piece_type != chess.KING]
        assert len(others) <= 1
        for square, piece in others:
            if piece.piece_type == chess.PAWN:
                assert chess.square_file(square) == 4, "a pawn that takes nothing keeps its file"
                pawns += 1
            else:
                promoted += 1
    assert pawns > 100
    assert promoted > 100


def test_one_node_of_so_many_is_kept() -> None:
    collector = collected(START, 20)
    searches = round(collector.nodes / NODES)
    assert collector.nodes == pytest.approx(searches * NODES, abs=0.01 * searches * NODES)
    assert searches > 500
    # Some are in check, and left out.
    assert 0.8 < collector.total / (collector.nodes / EVERY) < 1


def test_more_nodes_to_a_sample_than_a_search_has() -> None:
    collector = Collector(50, 200, 1)
    for _ in range(20):
        collector.play(START)
    assert 0.6 < collector.total / (collector.nodes / 200) < 1.2


def test_games_follow_from_the_seed() -> None:
    first, same, other = (collected(START, 3, seed) for seed in (1, 1, 2))
    assert bytes(first.samples(0)) == bytes(same.samples(0))
    assert bytes(first.samples(0)) != bytes(other.samples(0))


def test_every_64th_game_is_held_out() -> None:
    collector = collected(PAWN, 63)
    assert not collector.samples(1)
    before = collector.total
    collector.play(PAWN)
    assert collector.games == 64
    assert len(collector.samples(1)) == 32 * (collector.total - before) > 0
    collector.play(PAWN)
    assert len(collector.samples(0)) == 32 * collector.total - len(collector.samples(1))


def test_each_position_is_kept_once_and_rather_for_training() -> None:
    first, second = collected(PAWN, 64, 1), collected(PAWN, 64, 2)
    training, validation = (
        {sample[:POSITION] for sample in each(bytes(first.samples(which)))}
        | {sample[:POSITION] for sample in each(bytes(second.samples(which)))}
        for which in (0, 1)
    )
    total = first.total + second.total
    first.take_samples(second)
    assert (first.total, second.total) == (total, 0)
    first.drop_repeated()
    assert first.total < total
    kept = [[sample[:POSITION] for sample in each(first.samples(which))] for which in (0, 1)]
    assert sorted(kept[0]) == sorted(training)
    assert sorted(kept[1]) == sorted(validation - training)


@pytest.fixture
def plan(tmp_path: Path) -> CollectionPlan:
    for name, fen in (("start", START), ("pawn", PAWN)):
        (tmp_path / name).write_text(f"{fen}\n")
    return CollectionPlan(
        openings=[tmp_path / "start", tmp_path / "pawn"],
        output=tmp_path / "samples",
        nodes=100,
        every=10,
        positions=100_000,
        seconds=100.0,
        workers=2,
        seed=1,
    )


def test_the_files_follow_from_the_seed_and_are_shuffled(plan: CollectionPlan) -> None:
    said: list[str] = []
    collect(plan, said.append)
    with samples_of(plan.output) as samples, samples_of(validation_of(plan.output)) as held_out:
        training, validation = list(each(samples)), list(each(held_out))
    whole = training + validation
    assert len(set(whole)) == len(whole) > 50_000
    assert validation
    repeated = int(next(line for line in said if "repeated" in line).split()[0])
    assert f"{len(whole) + repeated} positions" in " ".join(said)
    assert len(whole) + repeated >= plan.positions
    some = [sample[29] for sample in training[:100]]  # numbers of men
    assert max(some) > 30
    assert min(some) < 4
    again = replace(plan, output=plan.output.with_name("again"))
    collect(again, said.append)
    assert again.output.read_bytes() == plan.output.read_bytes()
    assert validation_of(again.output).read_bytes() == validation_of(plan.output).read_bytes()


def test_a_run_ends_when_its_time_is_over(plan: CollectionPlan) -> None:
    collect(replace(plan, positions=10**12, seconds=0.5), lambda line: None)
    assert plan.output.read_bytes().startswith(KIND)


def test_openings_that_give_no_position_are_reported(plan: CollectionPlan) -> None:
    (plan.output.parent / "pawn").write_text("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n")  # stalemate
    with pytest.raises(GenerateError, match="1000 games in a row"):
        collect(replace(plan, openings=plan.openings[1:]), lambda line: None)
    with pytest.raises(GenerateError, match="more --seconds"):
        collect(replace(plan, seconds=0.0), lambda line: None)
    assert not plan.output.exists()
