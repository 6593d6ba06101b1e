"""Tablebases in the search: its probes, its reports, and its wins."""

import random
import struct
from pathlib import Path

import chess
import chess.syzygy
import pytest

from rookery_engine.core.board import Board
from rookery_engine.search.searcher import Searcher
from rookery_engine.shell.options import Options
from rookery_engine.syzygy.probing import Prober
from rookery_uci import Info, Limits, Score, parse_reply

TABLES = str(Path(__file__).parents[2] / "data" / "syzygy")
FIVE_MEN = "8/8/4k3/3r4/8/8/R3K3/R7 w - - 0 1"  # captures lead to tables that are here


class Search:
    """One search with tablebases."""

    def __init__(
        self,
        fen: str,
        words: str = "depth 6",
        *,
        moves: list[str] | None = None,
        searcher: Searcher | None = None,
        **options: str,
    ) -> None:
        if searcher is None:
            searcher = Searcher(4)
            searcher.set_tablebases(TABLES)
        board = Board(fen)
        for move in moves or []:
            assert board.play(move)
        lines: list[str] = []
        values = Options()
        for name, value in options.items():
            values.set_value(name, value)
        searcher.prepare_search(board, Limits.parse(words), values, report=lines.extend)
        self.best = searcher.run().move
        self.infos = [info for info in map(parse_reply, lines) if isinstance(info, Info)]
        self.last = self.infos[-1]
        self.searched = [info for info in self.infos if info.score is not None]


def test_searcher_reports_the_tables_found() -> None:
    searcher = Searcher(1)
    assert searcher.set_tablebases(TABLES) == ["found 8 WDL and 6 DTZ tablebases of up to 4 men"]
    assert searcher.set_tablebases("") == []


def test_searcher_reports_errors_of_the_path(tmp_path: Path) -> None:
    assert Searcher(1).set_tablebases(f"/nowhere;{tmp_path}") == [
        "tablebase folder '/nowhere' cannot be read: No such file or directory",
        f"no new tablebases in folder '{tmp_path}'",
        "no tablebases found",
    ]


def test_damaged_file_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "KQvK.rtbw").write_bytes(bytes(80))
    searcher = Searcher(1)
    searcher.set_tablebases(str(tmp_path))
    fault = f"{tmp_path}/KQvK.rtbw has not the magic number of its kind"
    for expected in ([fault], []):
        search = Search("8/8/8/4k3/8/8/8/K6Q w - - 0 1", searcher=searcher)
        assert [info.string for info in search.infos if info.string] == expected
        assert search.searched[-1].score.cp != 20000


def test_win_at_the_root_is_the_tables() -> None:
    search = Search("8/8/8/4k3/8/8/8/K6R w - - 0 1", "depth 1")
    assert search.last.score == Score(cp=20000)
    assert search.last.tbhits == 16  # legal moves


def test_loss_at_the_root_is_the_tables() -> None:
    assert Search("8/8/8/4k3/8/8/8/K6R b - - 0 1", "depth 1").last.score == Score(cp=-20000)


def test_mate_is_reported_when_it_is_seen() -> None:
    assert Search("7k/8/6K1/8/8/8/8/R7 w - - 0 1").last.score == Score(mate=1)


def test_win_that_is_too_slow_for_the_clock_is_doubtful() -> None:
    score = Search("8/8/8/4k3/8/8/8/K6R w - - 90 60", "depth 1").last.score
    assert score.mate is None
    assert 0 < score.cp <= 100


def test_only_moves_that_keep_the_draw_are_searched() -> None:
    search = Search("8/4k3/4P3/4K3/8/8/8/8 b - - 0 1", "depth 1")
    assert search.last.score == Score(cp=0)
    assert search.best == "e7e8"  # all others lose


def test_lines_are_in_the_order_of_the_tables() -> None:
    fen = "8/8/8/8/8/2k5/4P3/4K3 w - - 0 1"
    prober = Prober()
    prober.add_folders(TABLES)
    lines = [info for info in Search(fen, "depth 4", MultiPV="30").searched if info.depth == 4]
    results = []
    for info in lines:
        board = Board(fen)
        board.play(info.pv[0])
        results.append(-prober.wdl(board))
    assert len(lines) == len(Board(fen).legal_moves())
    assert results == sorted(results, reverse=True)
    assert set(results) == {0, 2}
    assert [info.score.cp for info in lines] == [10000 * result for result in results]


@pytest.mark.parametrize("limit", ["0", "2"])
def test_no_probe_of_more_men_than_the_limit(limit: str) -> None:
    search = Search("8/8/8/4k3/8/8/8/K6R w - - 0 1", SyzygyProbeLimit=limit)
    assert search.last.tbhits == 0


def test_no_probe_with_castling_rights() -> None:
    search = Search("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "depth 1")
    assert search.last.tbhits == 0


def test_tables_are_probed_within_the_search() -> None:
    hits = [
        Search(FIVE_MEN, "depth 8", SyzygyProbeDepth=depth).last.tbhits for depth in ("1", "100")
    ]
    assert hits[0] > hits[1]


def test_capture_that_wins_by_a_table_is_reported_as_such() -> None:
    """Five men are in no table, but what is left after the exchange is."""
    search = Search("8/8/8/8/1k6/8/r4R2/K1R5 w - - 0 1", "depth 3")
    assert search.last.score.mate is None
    assert search.last.score.cp > 19000


def made_up(folder: Path, ending: str, flags: int, values: list[bytes]) -> None:
    """A table of KQvK in which all positions have the same value."""
    magic = 0x5D23E871 if ending == "rtbw" else 0xA50C66D7
    header = struct.pack("<IBB3Bx", magic, 1, 0, 0x55, 0x66, 0xEE)
    lists = b"".join(bytes([flags | 0x80]) + value for value in values)
    (folder / f"KQvK.{ending}").write_bytes((header + lists).ljust(80, b"\0"))


@pytest.fixture
def cursed(tmp_path: Path) -> Path:
    """KQvK as if it took 701 plies, in a table with a map of 16 bits."""
    made_up(tmp_path, "rtbw", 0, [b"\3", b"\1"])
    wide_map = struct.pack("<HHHHHH", 0, 0, 2, 5, 300, 0)
    made_up(tmp_path, "rtbz", 2 | 16, [b"\1" + wide_map])
    return tmp_path


def test_cursed_win_by_a_wide_map(cursed: Path) -> None:
    prober = Prober()
    prober.add_folders(str(cursed))
    white = Board("8/8/8/4k3/8/8/8/K6Q w - - 0 1")
    assert (prober.wdl(white), prober.dtz(white)) == (1, 701)
    black = Board("8/8/8/4k3/8/8/8/K6Q b - - 0 1")
    assert (prober.wdl(black), prober.dtz(black)) == (-1, -702)


@pytest.mark.parametrize(("rule50", "score"), [("true", 1), ("false", 20000)])
def test_cursed_win_is_one_without_the_fifty_move_rule(
    cursed: Path, rule50: str, score: int
) -> None:
    searcher = Searcher(1)
    searcher.set_tablebases(str(cursed))
    search = Search(
        "8/8/8/4k3/8/8/8/K6Q w - - 0 1", "depth 1", searcher=searcher, Syzygy50MoveRule=rule50
    )
    assert search.last.score == Score(cp=score)


@pytest.fixture
def far(tmp_path: Path) -> Searcher:
    """KQvK as if it took 61 plies from any position: more than half of the fifty moves."""
    made_up(tmp_path, "rtbw", 0, [b"\4", b"\0"])
    wide_map = struct.pack("<HHHHHH", 2, 5, 30, 0, 0, 0)
    made_up(tmp_path, "rtbz", 2 | 16, [b"\1" + wide_map])
    searcher = Searcher(1)
    searcher.set_tablebases(str(tmp_path))
    return searcher


@pytest.mark.parametrize(("side", "counter", "lines", "score"), [
    ("b", 0, "1", -20000),
    ("b", 38, "4", -20000),  # the last of 62 plies is the hundredth
    ("b", 39, "1", -39),
    ("b", 98, "1", -16),
    ("b", 99, "1", 0),
    ("w", 0, "1", 20000),
    ("w", 37, "4", 20000),  # 63 plies with the move that is made
    ("w", 38, "1", 39),
    ("w", 99, "1", 0),
])  # fmt: skip
def test_result_is_sure_as_long_as_the_fifty_move_counter_allows_it(
    far: Searcher, side: str, counter: int, lines: str, score: int
) -> None:
    fen = f"8/8/8/4k3/8/8/8/K6Q {side} - - {counter} 60"
    search = Search(fen, "depth 1", searcher=far, MultiPV=lines)
    assert {info.score for info in search.searched} == {Score(cp=score)}
    free = Search(fen, "depth 1", searcher=far, Syzygy50MoveRule="false")
    assert free.last.score == Score(cp=20000 if side == "w" else -20000)


@pytest.mark.parametrize("fen", [
    "8/8/8/4k3/8/8/8/K6R w - - 0 1",
    "8/8/8/4k3/8/8/8/K6R w - - 60 60",  # 39 plies and less are left
    "8/8/3k4/8/8/3K4/3P4/8 w - - 10 1",
    "8/8/8/8/2k5/8/1p6/3K4 b - - 0 1",
    "k7/8/8/8/8/8/8/K1Q5 w - - 70 1",
])  # fmt: skip
def test_won_positions_are_won(fen: str) -> None:
    """Against the longest defence, and against any."""
    with chess.syzygy.open_tablebase(TABLES) as tables:
        for stubborn in (True, False):
            board = chess.Board(fen)
            dtz = tables.probe_dtz(board)
            assert 0 < dtz < 100 - board.halfmove_clock
            assert play_out(board, tables if stubborn else None).is_checkmate()


@pytest.mark.parametrize("fen", [
    "8/8/8/3k4/3P4/3K4/8/8 w - - 0 1",
    "8/4k3/4P3/4K3/8/8/8/8 b - - 0 1",
    "8/3r4/8/3k4/8/8/4K3/4R3 w - - 0 1",
])  # fmt: skip
def test_drawn_positions_are_held(fen: str) -> None:
    with chess.syzygy.open_tablebase(TABLES) as tables:
        assert tables.probe_wdl(chess.Board(fen)) == 0
        assert not play_out(chess.Board(fen), tables).is_checkmate()


def play_out(board: chess.Board, tables: chess.syzygy.Tablebase | None) -> chess.Board:
    """Let the engine play the side to move to the end of the game, but 100 plies at most."""
    rng = random.Random(board.fen())
    searcher = Searcher(1)
    searcher.set_tablebases(TABLES)
    fen, us = board.fen(), board.turn
    while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 100:
        if board.turn == us:
            moves = [move.uci() for move in board.move_stack]
            best = Search(fen, "nodes 500", moves=moves, searcher=searcher).best
            board.push_uci(best)
        else:
            board.push(defence(board, tables, rng))
    return board


def defence(
    board: chess.Board, tables: chess.syzygy.Tablebase | None, rng: random.Random
) -> chess.Move:
    """A random move; with tables, of those that hold out longest."""
    moves = list(board.legal_moves)
    if tables is None:
        return rng.choice(moves)
    worth = {}
    for move in moves:
        board.push(move)
        worth[move] = (-tables.probe_wdl(board), tables.probe_dtz(board))
        board.pop()
    most = max(worth.values())
    return rng.choice([move for move in moves if worth[move] == most])
