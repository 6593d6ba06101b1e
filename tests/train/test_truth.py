"""Positions with their true scores: the file that is kept, and how one is made."""

import sys
from pathlib import Path

import chess
import pytest

from train.game_file import KIND, games_of
from train.recorded_game import RecordedGame, quiet_positions
from train.truth import KEPT, Making, Truth, TruthError, make_truth, read_truth

SCRIPTED = f"{sys.executable} {Path(__file__).with_name('scripted.py')}"


def making(games: Path, output: Path, score: str = "cp 33", count: int = 20) -> Making:
    return Making(
        games=[games],
        output=output,
        engine=f"{SCRIPTED} '{score}' 'cp -44'",
        nodes=5,
        count=count,
        bound=600,
        seed=1,
    )


def test_the_kept_positions_are_quiet_and_each_is_there_once() -> None:
    truths = read_truth(KEPT)
    assert len({truth.epd for truth in truths}) == len(truths) == 1375
    for truth in truths:
        board = chess.Board(truth.fen)
        assert board.is_valid()
        assert not board.is_check()
        assert abs(truth.score) <= 600
    text = KEPT.read_text()
    assert "Stockfish 19" in text
    assert "20000 nodes" in text
    assert "GPL-3.0" in text


def test_the_engine_scores_quiet_positions_of_the_games(games: Path, tmp_path: Path) -> None:
    make_truth(making(games, tmp_path / "truth"), lambda line: None)
    truths = read_truth(tmp_path / "truth")
    known = {" ".join(fen.split()[:4]) for game in games_of(games) for fen in quiet_positions(game)}
    assert len(truths) == 20
    for truth in truths:
        assert truth.epd in known
        board = chess.Board(truth.fen)
        assert truth.score == (33 if board.turn else -44)
        move = min(board.legal_moves, key=chess.Move.uci)  # the engine's choice
        assert not board.is_capture(move)
        assert not move.promotion


def test_missing_folder_is_told_before_the_work(games: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such folder"):
        make_truth(making(games, tmp_path / "none" / "truth", "crash"), lambda line: None)


@pytest.mark.parametrize("score", ["cp 33 lowerbound", "mate 7", "cp 601"])
def test_bounds_mates_and_decided_positions_are_no_truth(
    games: Path, tmp_path: Path, score: str
) -> None:
    make_truth(making(games, tmp_path / "truth", score), lambda line: None)
    assert {truth.score for truth in read_truth(tmp_path / "truth")} == {-44}


def test_games_that_give_too_few_positions_lose_none(games: Path, tmp_path: Path) -> None:
    few = tmp_path / "few"
    few.write_bytes(KIND + b"".join(list(games_of(games))[:60]))
    told: list[str] = []
    make_truth(making(few, tmp_path / "truth", count=1000), told.append)
    truths = read_truth(tmp_path / "truth")
    assert told[-1] == f"the games give only {len(truths)} positions of 1000"


def test_games_that_give_no_position_are_reported(tmp_path: Path) -> None:
    (tmp_path / "none").write_bytes(KIND)
    with pytest.raises(TruthError, match="no such position"):
        make_truth(making(tmp_path / "none", tmp_path / "truth"), lambda line: None)
    assert not (tmp_path / "truth").exists()


def test_a_line_prints_as_it_is_read() -> None:
    line = "4k3/8/8/8/8/8/8/4K2R w K - ce -512;"
    assert str(Truth.parse(line)) == line


@pytest.mark.parametrize("line", ["4k3/8 w - ce 3;", "4k3/8 w - - ce x;", "4k3/8 w - - bm 3;", "x"])
def test_a_bad_line_is_reported(tmp_path: Path, line: str) -> None:
    (tmp_path / "truth").write_text(f"# one\n{line}\n")
    with pytest.raises(TruthError, match="line 2"):
        read_truth(tmp_path / "truth")


def test_a_file_without_positions_is_reported(tmp_path: Path) -> None:
    (tmp_path / "truth").write_text("# none\n")
    with pytest.raises(TruthError, match="no positions"):
        read_truth(tmp_path / "truth")


def test_quiet_positions_are_those_before_quiet_moves() -> None:
    game = RecordedGame("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    for move in (b"e2e4", b"d7d5", b"e4d5", b"d8d5", b"f1b5", b"b8c6"):
        game.play(move, 0)
    boards = [fen.split()[0] for fen in quiet_positions(game.to_bytes(1))]
    assert boards == [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
        "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR",
    ]
    with pytest.raises(ValueError, match="no game"):
        quiet_positions(game.to_bytes(1)[:-1])
