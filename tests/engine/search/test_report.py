"""Reports of a search, and their times."""

from itertools import pairwise

import pytest
from helpers.searches import Search

from rookery_engine.search.searcher import Searcher
from rookery_uci import Info

BUSY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_2 = "8/8/8/8/8/1k6/7r/K7 b - - 0 1"
NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time")


def until(kind: str, count: int):
    """Stop a search after so many reports of a kind."""

    def on_info(search: Search, _: Info) -> None:
        if sum(bool(getattr(info, kind)) for info in search.infos) >= count:
            search.searcher.stop()

    return on_info


@pytest.mark.parametrize("fen", [BUSY, STALEMATE, MATED, MATE_IN_2])
@pytest.mark.parametrize("words", ["nodes 1", "depth 1", "depth 5", "nodes 3000"])
def test_last_info_is_complete(fen: str, words: str) -> None:
    last = Search(fen, words).last
    assert last.score is not None
    assert all(getattr(last, name) is not None for name in NUMBERS)


def test_time_and_nodes_never_fall() -> None:
    for threads in (1, 3):
        searcher = Searcher(4)
        searcher.set_threads(threads)
        infos = Search(BUSY, "depth 10", lines=3, searcher=searcher).infos
        for name in ("time", "nodes"):
            values = [getattr(info, name) for info in infos]
            assert values == sorted(values)


def test_finished_game_has_no_nodes_of_the_search_before() -> None:
    searcher = Searcher(4)
    searcher.set_threads(3)
    Search(BUSY, "nodes 20000", searcher=searcher)
    mated = Search("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", searcher=searcher)
    assert (mated.last.nodes, mated.nodes) == (0, 0)


def test_bound_is_called_one_where_the_search_ends_outside_of_its_window() -> None:
    lasts = [Search(BUSY, f"nodes {nodes}").last for nodes in range(2000, 40_000, 1000)]
    assert {last.score.bound for last in lasts} > {None}
    for last in lasts:
        again = Search(BUSY, f"nodes {last.nodes}", Minimal="true").last
        assert again.score == last.score._replace(bound=None)


@pytest.mark.parametrize("words", ["depth 8", "nodes 20000", "movetime 1200"])
def test_minimal_reports_the_last_lines_only(words: str) -> None:
    search = Search(
        BUSY, words, lines=2, Minimal="true", UCI_ShowCurrLine="true", UCI_ShowRefutations="true"
    )
    assert [info.multipv for info in search.infos] == [1, 2]
    assert all(getattr(search.last, name) is not None for name in NUMBERS)
    assert search.infos[0].pv[0] == search.best.move


def test_minimal_changes_nothing_of_the_result() -> None:
    usual, silent = Search(BUSY, "nodes 20000"), Search(BUSY, "nodes 20000", Minimal="true")
    told, whole = silent.infos[-1], usual.infos[-1]
    assert (told.depth, told.score, told.nodes, told.pv) == (
        whole.depth, whole.score, whole.nodes, whole.pv,
    )  # fmt: skip
    assert silent.best == usual.best


def test_slow_searches_report_more() -> None:
    """Once a second, and not before: counts, root moves, lines, refutations."""
    search = Search(
        BUSY, "infinite", on_info=until("currline", 2),
        UCI_ShowCurrLine="true", UCI_ShowRefutations="true",
    )  # fmt: skip
    first = next(index for index, info in enumerate(search.infos) if not info.score)
    assert search.infos[first].time >= 1000
    assert search.infos[first].nodes
    moves = {move.uci() for move in search.board.legal_moves}
    for info in search.infos[first:]:
        if info.currmove:
            assert info.currmove in moves
            assert 1 <= info.currmovenumber <= len(moves)
        if info.refutation:
            search.assert_legal(info.refutation)
        if info.currline:
            assert info.currline[0] is None
            search.assert_legal(info.currline[1])
    assert any(info.currmove for info in search.infos)
    assert any(len(info.refutation) > 1 for info in search.infos)
    assert search.last.pv[0] == search.best.move


def test_lines_and_refutations_only_if_requested() -> None:
    search = Search(BUSY, "infinite", on_info=until("currmove", 3))
    assert not any(info.currline or info.refutation for info in search.infos)


def test_each_thread_reports_its_line() -> None:
    searcher = Searcher(4)
    searcher.set_threads(3)
    on_info = until("currline", 3)
    search = Search(BUSY, "infinite", searcher=searcher, on_info=on_info, UCI_ShowCurrLine="true")
    lines = [info.currline for info in search.infos if info.currline]
    assert [number for number, _ in lines] == [1, 2, 3] * (len(lines) // 3)
    for _, moves in lines:
        search.assert_legal(moves)


def test_nodes_are_reported_every_second() -> None:
    ticks = 0

    def on_info(search: Search, info: Info) -> None:
        nonlocal ticks
        ticks += info.score is None and info.nodes is not None
        if ticks == 3:
            search.searcher.stop()

    infos = Search(BUSY, "infinite", on_info=on_info).infos
    times = [info.time for info in infos if info.nodes is not None]
    # A second, and what a busy machine may take off this process.
    assert max(b - a for a, b in pairwise(times)) < 2000


def test_wdl_only_if_requested() -> None:
    assert all(info.wdl is None for info in Search(BUSY).infos)
    for fen in (BUSY, STALEMATE, MATED, MATE_IN_2):
        search = Search(fen, UCI_ShowWDL="true")
        assert all(sum(info.wdl) == 1000 for info in search.results)
    assert Search(MATED, UCI_ShowWDL="true").last.wdl == (0, 0, 1000)
    assert Search(STALEMATE, UCI_ShowWDL="true").last.wdl == (0, 1000, 0)
    assert Search(MATE_IN_2, "depth 7", UCI_ShowWDL="true").last.wdl == (1000, 0, 0)


def test_multipv_lines_come_together_when_stopped() -> None:
    for nodes in (1, 50, 700, 5000, 20011):
        infos = Search(BUSY, f"nodes {nodes}", lines=4).infos
        assert [info.multipv for info in infos] == [1, 2, 3, 4] * (len(infos) // 4)
        final = infos[-4:]
        assert len({info.pv[0] for info in final}) == 4
        scores = [info.score.cp for info in final]
        assert scores == sorted(scores, reverse=True)


def test_more_lines_than_moves() -> None:
    queens = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
    search = Search(queens, "depth 1", lines=500)
    final = {info.pv[0] for info in search.infos[-218:]}
    assert final == {move.uci() for move in search.board.legal_moves}
    assert len(final) == 218


def test_ponder_move_is_legal_and_mostly_there() -> None:
    for depth in range(1, 8):
        search = Search(BUSY, f"depth {depth}")
        search.assert_legal((search.best.move, *filter(None, [search.best.ponder])))
    assert search.best.ponder


def test_short_variations_are_continued_from_the_table() -> None:
    searcher = Searcher(4)
    Search(BUSY, "depth 9", searcher=searcher)
    search = Search(BUSY, "depth 1", searcher=searcher)
    assert len(search.last.pv) > 2
    search.assert_legal(search.last.pv)
