"""`go mate`: what is found is proven, and what does not exist is given up."""

from pathlib import Path
from threading import Event, Thread

import chess
import pytest
from helpers.searches import Search

from rookery_engine.search.searcher import Searcher
from rookery_uci import Info

MATES = (Path(__file__).parents[2] / "data" / "mates.epd").read_text().splitlines()


@pytest.mark.parametrize("line", MATES)
def test_shortest_mate_with_its_whole_line(line: str) -> None:
    fen, mate = line.split(" bm #")
    moves = int(mate.strip(";"))
    search = Search(fen, f"mate {abs(moves)}")
    assert search.last.score.mate == moves
    board = chess.Board(fen)
    for move in search.last.pv:
        board.push(board.parse_uci(move))
    assert board.is_checkmate()
    assert len(search.last.pv) == (2 * moves - 1 if moves > 0 else -2 * moves)


def test_long_mate_behind_quiet_moves() -> None:
    fen = "8/8/6n1/4p2b/7N/3N4/7p/4K2k w - - 0 1"
    search = Search(fen, "mate 8 nodes 60000")
    assert search.last.score.mate == 8
    board = chess.Board(fen)
    for move in search.last.pv:
        board.push_uci(move)
    assert board.is_checkmate()
    assert len(search.last.pv) == 15


def test_third_repetition_of_the_game_is_no_mate() -> None:
    fen = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
    words = "mate 2 searchmoves f6g6"
    assert Search(fen, words).last.score.mate == 2
    around = "f6g6 h8g8 g6f6 g8h8"
    once = Search(fen, words, moves=around)
    assert once.last.score.mate == 2
    twice = Search(fen, words, moves=f"{around} {around}")
    assert any(info.string == "there is no mate in 2" for info in twice.infos)


def test_each_way_to_be_mated_has_its_own_length_and_line() -> None:
    board = chess.Board("k7/8/1K6/8/8/8/1p6/7R b - - 0 1")
    search = Search(board.fen(), "mate 3", lines=5)
    lines = search.results[-5:]
    assert {line.pv[0]: line.score.mate for line in lines} == {
        "a8b8": -1, "b2b1q": -3, "b2b1r": -3, "b2b1b": -1, "b2b1n": -1,
    }  # fmt: skip
    for line in lines:
        mated = board.copy()
        for move in line.pv:
            mated.push_uci(move)
        assert mated.is_checkmate()
        assert len(line.pv) == -2 * line.score.mate


@pytest.mark.parametrize(("fen", "moves"), [
    (chess.STARTING_FEN, 2),
    ("8/8/8/8/8/5k2/8/4K2R w K - 0 1", 3),
    ("8/8/8/8/8/1k6/7r/K7 w - - 0 1", 3),
    ("7k/8/5K2/6Q1/8/8/8/8 w - - 98 80", 2),  # mate is there, but fifty moves come first
])  # fmt: skip
def test_no_mate_is_given_up(fen: str, moves: int) -> None:
    search = Search(fen, f"mate {moves}")
    assert any(info.string == f"there is no mate in {moves}" for info in search.infos) or (
        search.results[-1].score.mate is not None
    )
    assert search.last.pv[0] == search.best.move


def test_mate_by_castling() -> None:
    search = Search("8/8/8/8/4Q3/8/5Rb1/R3K2k b Q - 0 1", "mate 1")
    assert search.last.score.mate == -1


@pytest.mark.parametrize("words", ["nodes 3000", "depth 3", "movetime 20", "wtime 100 btime 100"])
def test_other_limits_end_it(words: str) -> None:
    search = Search(words=f"mate 20 {words}")
    assert search.last.pv[0] == search.best.move


def test_searchmoves_hold() -> None:
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    assert Search(fen, "mate 1").best.move == "a1a8"
    search = Search(fen, "mate 1 searchmoves a1a7 h2h3")
    assert search.best.move in ("a1a7", "h2h3")
    assert search.last.score.mate is None


def test_pondering_holds_a_mate_back() -> None:
    found, ended = Event(), Event()
    searcher = Searcher(4)
    infos: list[Info] = []

    def on_info(_: Search, info: Info) -> None:
        infos.append(info)
        found.set()

    def search() -> None:
        Search(
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            "ponder mate 1",
            searcher=searcher,
            on_info=on_info,
        )
        ended.set()

    Thread(target=search).start()
    assert found.wait(20)
    assert not ended.wait(0.2)
    searcher.stop()
    assert ended.wait(20)
    assert [info.score.mate for info in infos] == [1, 1]  # again, directly before the best move


def test_several_threads_and_lines() -> None:
    searcher = Searcher(4)
    searcher.set_threads(2)
    line = next(line for line in MATES if line.endswith("bm #3;"))
    search = Search(line.split(" bm ")[0], "mate 3", searcher=searcher, lines=3)
    assert search.results[-3].score.mate == 3
